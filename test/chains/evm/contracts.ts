// Deploys and calls contracts on the test chain from the compiled artifacts of npm packages. The node's own accounts are
// unlocked, so nothing here signs.
import { join } from "node:path";
import { type Abi, decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex } from "viem";
import type { TestChain } from "./node.ts";

export interface Contract {
  address: Hex;
  abi: Abi;
}

export interface Sent {
  value?: bigint;
  /** A transaction that is meant to fail needs an explicit gas limit, or the node refuses it. */
  gas?: bigint;
}

const packages = join(import.meta.dir, "../../../node_modules/@uniswap");
const GAS = 12_000_000n;

async function artifactOf(path: string): Promise<{ abi: Abi; bytecode: Hex }> {
  const { abi, bytecode } = (await Bun.file(join(packages, path)).json()) as {
    abi: Abi;
    bytecode: string | { object: string };
  };
  const code = typeof bytecode === "string" ? bytecode : bytecode.object;
  return { abi, bytecode: (code.startsWith("0x") ? code : `0x${code}`) as Hex };
}

const hex = (value: bigint): Hex => `0x${value.toString(16)}`;

export async function deploy(
  chain: TestChain,
  from: string,
  path: string,
  args: readonly unknown[] = [],
): Promise<Contract> {
  const { abi, bytecode } = await artifactOf(path);
  const data = encodeDeployData({ abi, bytecode, args });
  const hash = await chain.rpc<string>("eth_sendTransaction", [{ from, data, gas: hex(GAS) }]);
  const receipt = await chain.rpc<{ contractAddress: Hex; status: string }>("eth_getTransactionReceipt", [
    hash,
  ]);
  if (receipt.status !== "0x1") throw new Error(`${path} was not deployed`);
  return { address: receipt.contractAddress, abi };
}

/** The contract at an address, created by another contract. */
export async function contractAt(address: string, path: string): Promise<Contract> {
  return { address: address as Hex, abi: (await artifactOf(path)).abi };
}

/** The transaction's hash; it is mined at once unless the chain is paused. */
export function send(
  chain: TestChain,
  from: string,
  { address, abi }: Contract,
  functionName: string,
  args: readonly unknown[] = [],
  { value = 0n, gas = 2_000_000n }: Sent = {},
): Promise<string> {
  const data = encodeFunctionData({ abi, functionName, args });
  return chain.rpc<string>("eth_sendTransaction", [
    { from, to: address, data, value: hex(value), gas: hex(gas) },
  ]);
}

export async function view<T>(
  chain: TestChain,
  { address, abi }: Contract,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<T> {
  const data = encodeFunctionData({ abi, functionName, args });
  const answer = await chain.rpc<Hex>("eth_call", [{ to: address, data }, "latest"]);
  return decodeFunctionResult({ abi, functionName, data: answer }) as T;
}

/** A plain transfer of value between two accounts. */
export const pay = (chain: TestChain, from: string, to: string, value: bigint): Promise<string> =>
  chain.rpc<string>("eth_sendTransaction", [{ from, to, value: hex(value), gas: hex(21_000n) }]);
