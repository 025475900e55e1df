// Wallets' balances of tokens and of the coin, at the end of one block.
import type { BlockRef, HeldPair, HeldQueries, HeldSnapshot } from "../chain.ts";
import { NATIVE } from "../chain.ts";
import type { RpcCaller, RpcClient } from "../rpc/client.ts";
import { coinCall, createContractCalls, TOKEN_SELECTORS } from "./contract-calls.ts";
import { readHeader } from "./headers.ts";
import { hexOf } from "./log-source.ts";
import type { ContractCall } from "./multicall.ts";
import { topicOf, wordAt } from "./wire.ts";

export function createEvmHeld(rpc: RpcClient, chainId: number): HeldQueries {
  const read = createHeldReader(rpc, chainId);
  return {
    isReadLate: false,
    read,
    async hashAt(height) {
      return (await headerAt(rpc, height, chainId))?.hash ?? null;
    },
    async opinions(pairs, block) {
      const asked = rpc.each().map((one) => createHeldReader(one, chainId)(pairs, block.height));
      const settled = await Promise.allSettled(asked);
      const answers = settled.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []));
      return answers.filter((answer) => answer.block?.hash === block.hash);
    },
  };
}

const headerAt = async (rpc: RpcCaller, height: number, chainId: number) =>
  readHeader(await rpc.call("eth_getBlockByNumber", [hexOf(height), false]), chainId);

function createHeldReader(rpc: RpcCaller, chainId: number) {
  const callAll = createContractCalls(rpc);
  return async (pairs: readonly HeldPair[], height: number): Promise<HeldSnapshot | null> => {
    const block = await headerAt(rpc, height, chainId);
    if (!block) return null;
    const answers = await callAll(pairs.map(heldCall), hexOf(height));
    // A re-org may have happened in between, or another node may have answered: then the answers don't belong to one block.
    if ((await headerAt(rpc, height, chainId))?.hash !== block.hash) return null;
    const amounts = answers.map((answer) => wordAt(answer ?? "0x", 0) ?? null);
    return { block: refOf(block), since: height, amounts };
  };
}

const refOf = ({ height, hash, parentHash, timeMs, chainId }: BlockRef): BlockRef => ({
  chainId,
  height,
  hash,
  parentHash,
  timeMs,
});

function heldCall({ wallet, token }: HeldPair): ContractCall {
  const owner = topicOf(wallet).slice(2);
  return token === NATIVE ? coinCall(owner) : { to: token, data: `${TOKEN_SELECTORS.balanceOf}${owner}` };
}
