// The tracker's view of one EVM transaction, as printed by `crowdtape tracker explain`: from a file with transaction, receipt
// and (where known) balances, or straight from a node.
import type { Explanation, Flow } from "../chain.ts";
import type { RpcClient } from "../rpc/client.ts";
import { type EvmChain, evmChain } from "./chains.ts";
import type { NativeBalances } from "./native.ts";
import { type Included, netFlow, walletsIn } from "./netting.ts";
import { BadWire, quantity, type RawReceipt, type RawTransaction } from "./wire.ts";

/** For the requested wallet, else the file's own, else every wallet whose holdings changed, the sender first. */
export function explainEvm(file: Record<string, unknown>, wallet?: string, chain?: EvmChain): Explanation[] {
  const included: Included = {
    chain: file.chainId === undefined && chain ? chain : evmChain(chainIdOf(file.chainId)),
    transaction: readTransaction(file.transaction),
    receipt: readReceipt(file.receipt),
  };
  const asked = wallet ?? (typeof file.wallet === "string" ? file.wallet : undefined);
  const balances = (of: string) => readBalances(file.balances, of);
  return explainWallets(included, asked, balances);
}

function chainIdOf(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value <= 0)
    throw new BadWire("chainId is missing or not a number");
  return value;
}

/** The same for a transaction on a node; null if the node does not know it, or it is not in a block yet. */
export async function explainFromNode(
  rpc: RpcClient,
  chain: EvmChain,
  hash: string,
  wallet?: string,
): Promise<Explanation[] | null> {
  const found = await rpc.call("eth_getTransactionByHash", [hash]);
  const given = found === null ? null : await rpc.call("eth_getTransactionReceipt", [hash]);
  if (given === null) return null;
  const [transaction, receipt] = [readTransaction(found), readReceipt(given)];
  const included: Included = { chain, transaction, receipt };
  const height = quantity(receipt.blockNumber, "blockNumber");
  const known = new Map<string, NativeBalances>();
  for (const each of wallet === undefined ? walletsIn(included) : [wallet.toLowerCase()]) {
    const found = await balancesFromNode(rpc, each, height);
    if (found) known.set(each, found);
  }
  return explainWallets(included, wallet, (of) => known.get(of) ?? null);
}

/** Null when the node has no state that old, or the wallet sent several transactions in the block. */
async function balancesFromNode(
  rpc: RpcClient,
  wallet: string,
  height: bigint,
): Promise<NativeBalances | null> {
  const [at, earlier] = [height, height - 1n].map((number) => `0x${number.toString(16)}`);
  const replies = await rpc.batch([
    { method: "eth_getBalance", params: [wallet, earlier] },
    { method: "eth_getBalance", params: [wallet, at] },
    { method: "eth_getTransactionCount", params: [wallet, earlier] },
    { method: "eth_getTransactionCount", params: [wallet, at] },
  ]);
  const values = replies.map((reply) => ("result" in reply ? quantity(reply.result, "balance") : null));
  const [before, after, sentBefore, sentAfter] = values;
  if (typeof before !== "bigint" || typeof after !== "bigint") return null;
  if (typeof sentBefore !== "bigint" || typeof sentAfter !== "bigint" || sentAfter - sentBefore > 1n)
    return null;
  return { before, after };
}

function explainWallets(
  included: Included,
  asked: string | undefined,
  balances: (wallet: string) => NativeBalances | null,
): Explanation[] {
  if (asked !== undefined) {
    const wallet = asked.toLowerCase();
    return [explanationOf(netFlow(included, wallet, balances(wallet)))];
  }
  const emitters = new Set(included.receipt.logs.map((log) => log.address.toLowerCase()));
  const flows = walletsIn(included).map((wallet) => netFlow(included, wallet, balances(wallet)));
  // Pools and token contracts move things too; a contract that emits logs is not a wallet.
  const moved = flows.filter(
    ({ wallet, sold, bought, kind }) =>
      !emitters.has(wallet) && (sold.length > 0 || bought.length > 0 || kind.startsWith("nft-")),
  );
  return (moved.length > 0 ? moved : flows.slice(0, 1)).map(explanationOf);
}

function explanationOf({ chainId, wallet, hash, swap, kind, sold, bought }: Flow): Explanation {
  const text = (legs: Flow["sold"]) =>
    legs.map(({ token, amountRaw }) => ({ token, amountRaw: amountRaw.toString() }));
  return { chainId, wallet, hash, swap, kind, sold: text(sold), bought: text(bought) };
}

function readTransaction(value: unknown): RawTransaction {
  const transaction = objectOf(value, "transaction");
  for (const field of ["hash", "from"]) textOf(transaction[field], `transaction.${field}`);
  if (transaction.to !== null && transaction.to !== undefined) textOf(transaction.to, "transaction.to");
  quantity(transaction.value, "transaction.value");
  return { ...transaction, to: transaction.to ?? null } as unknown as RawTransaction;
}

export function readReceipt(value: unknown): RawReceipt {
  const receipt = objectOf(value, "receipt");
  textOf(receipt.transactionHash, "receipt.transactionHash");
  quantity(receipt.gasUsed, "receipt.gasUsed");
  if (!Array.isArray(receipt.logs)) throw new BadWire("receipt.logs is not a list");
  for (const log of receipt.logs) {
    const { address, topics, data } = objectOf(log, "a log");
    textOf(address, "a log's address");
    textOf(data, "a log's data");
    if (!Array.isArray(topics) || topics.some((topic) => typeof topic !== "string" || !HEX.test(topic)))
      throw new BadWire("a log's topics are not hex");
  }
  return receipt as unknown as RawReceipt;
}

function readBalances(value: unknown, wallet: string): NativeBalances | null {
  if (value === undefined || value === null) return null;
  const entry = Object.entries(objectOf(value, "balances")).find(([key]) => key.toLowerCase() === wallet);
  if (!entry) return null;
  const { before, after } = objectOf(entry[1], "balances");
  return { before: quantity(before, "balances.before"), after: quantity(after, "balances.after") };
}

const HEX = /^0x[0-9a-fA-F]*$/;

function objectOf(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadWire(`${field} is missing or not an object`);
  return value as Record<string, unknown>;
}

function textOf(value: unknown, field: string): void {
  if (typeof value !== "string" || !HEX.test(value)) throw new BadWire(`${field} is missing or not hex`);
}
