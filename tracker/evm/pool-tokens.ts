// Which two tokens a pool trades. The receipt usually shows it; else the pool is asked once and the answer remembered.
import { createLru } from "../../kit/lru.ts";
import type { PoolTrade } from "../chain.ts";
import type { RpcClient } from "../rpc/client.ts";
import type { EvmChain } from "./chains.ts";
import { answerOf } from "./contract-answer.ts";
import { readMoves } from "./moves.ts";
import {
  hasMoved,
  type NamedSwap,
  type PoolTokens,
  poolNameOf,
  SWAP_TOPICS,
  tokensByTransfers,
  tradeOf,
  unnamedTrades,
} from "./pools.ts";
import { selectorOf } from "./signatures.ts";
import { createSingletonPools } from "./singleton-pools.ts";
import { addressIn, type RawLog, type RawReceipt } from "./wire.ts";

/** Pools remembered; each is two addresses. */
const POOLS_MAX = 20_000;
const TOKEN0 = selectorOf("token0()");
const TOKEN1 = selectorOf("token1()");

export interface PoolReader {
  /** All trades in the receipt of a watched wallet's transaction. */
  tradesIn(receipt: RawReceipt, notPools: ReadonlySet<string>): Promise<PoolTrade[]>;
  /** Trades of watched pools, from their events alone. */
  tradesOf(logs: readonly RawLog[]): Promise<PoolTrade[]>;
  /** The tokens of an event's pool; null when they can't be known. */
  tokensOf(log: RawLog): Promise<PoolTokens | null>;
}

export function createPoolReader(
  chain: EvmChain,
  rpc: RpcClient,
  singletons = createSingletonPools(rpc),
): PoolReader {
  // Null remembers that a pool could not be read, so that it isn't asked with every trade.
  const known = createLru<string, PoolTokens | null>(POOLS_MAX);

  /** Undefined: a node would not say, so ask again. */
  const ask = async (log: RawLog): Promise<PoolTokens | null | undefined> => {
    const [to, poolId] = poolNameOf(log).split(":");
    if (poolId !== undefined) {
      const opened = await singletons.opened(poolNameOf(log), Number(log.blockNumber));
      return opened === null ? null : opened?.tokens;
    }
    const replies = await rpc.batch(
      [TOKEN0, TOKEN1].map((data) => ({ method: "eth_call", params: [{ to, data }, "latest"] })),
    );
    const answers = replies.map(answerOf);
    const [first, second] = answers.map((word) => (word?.length === 66 ? addressIn(word) : null));
    if (first && second) return [first, second];
    return answers.includes(undefined) ? undefined : null;
  };

  const tokensOf = async (log: RawLog, shown: PoolTokens | null): Promise<PoolTokens | null> => {
    const name = poolNameOf(log);
    const remembered = known.get(name);
    if (remembered) return remembered;
    const tokens = shown ?? (remembered === null ? null : await ask(log));
    if (tokens !== undefined) known.set(name, tokens);
    return tokens ?? null;
  };

  return {
    async tradesIn(receipt, notPools) {
      const { fungible } = readMoves(receipt.logs, chain.wrapped, chain.mirrors);
      const trades = unnamedTrades(receipt, chain, notPools);
      const swaps: NamedSwap[] = [];
      for (const log of receipt.logs)
        if (SWAP_TOPICS.includes(String(log.topics[0])))
          swaps.push({ log, tokens: await tokensOf(log, tokensByTransfers(log, fungible)) });
      for (const { log, tokens } of swaps) {
        const trade = tokens && tradeOf(log, tokens, chain);
        if (!trade) continue;
        const isReal = hasMoved({ log, tokens }, swaps, fungible);
        trades.push(isReal ? trade : { ...trade, doubt: "amounts" });
      }
      return trades;
    },
    async tradesOf(logs) {
      const trades: PoolTrade[] = [];
      for (const log of logs) {
        const tokens = await tokensOf(log, null);
        const trade = tokens && tradeOf(log, tokens, chain);
        if (trade) trades.push(trade);
      }
      return trades;
    },
    tokensOf: (log) => tokensOf(log, null),
  };
}
