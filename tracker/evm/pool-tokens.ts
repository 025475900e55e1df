// Which two tokens a pool trades. The pool is queried once and its answer cached. What a receipt shows is never cached: anyone
// can add a transfer of their own token to a swap that moves only one, and would poison the cache for everyone.
import { createLru } from "../../kit/lru.ts";
import type { PoolTrade } from "../chain.ts";
import type { RpcClient } from "../rpc/client.ts";
import type { EvmChain } from "./chains.ts";
import { answerOf } from "./contract-answer.ts";
import { readMoves } from "./moves.ts";
import {
  hasMoved,
  isInSingleton,
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
import type { TokenMove } from "./token-move.ts";
import { addressIn, type RawLog, type RawReceipt } from "./wire.ts";

/** Cache size; each pool is two addresses. */
const POOLS_MAX = 20_000;
const TOKEN0 = selectorOf("token0()");
const TOKEN1 = selectorOf("token1()");

export interface PoolReader {
  /** All trades in the receipt of a watched wallet's transaction. */
  tradesIn(receipt: RawReceipt, notPools: ReadonlySet<string>): Promise<PoolTrade[]>;
  /** Trades of watched pools, from their events alone. */
  tradesOf(logs: readonly RawLog[]): Promise<PoolTrade[]>;
  /** The tokens of an event's pool; null when unknown. */
  tokensOf(log: RawLog): Promise<PoolTokens | null>;
}

export function createPoolReader(
  chain: EvmChain,
  rpc: RpcClient,
  singletons = createSingletonPools(rpc),
): PoolReader {
  // Null caches that a pool could not be read, so that it isn't queried with every trade.
  const known = createLru<string, PoolTokens | null>(POOLS_MAX);

  /** Queries all unknown pools with their own address in one batch. Ones that the node would not answer are asked again. */
  const learn = async (logs: readonly RawLog[]): Promise<void> => {
    const names = [...new Set(logs.map(poolNameOf))];
    const pools = names.filter((name) => !isInSingleton(name) && known.get(name) === undefined);
    if (pools.length === 0) return;
    const calls = pools.flatMap((to) => [TOKEN0, TOKEN1].map((data) => ({ to, data })));
    const replies = await rpc.batch(calls.map((call) => ({ method: "eth_call", params: [call, "latest"] })));
    const answers = replies.map(answerOf);
    for (const [at, pool] of pools.entries()) {
      const words = answers.slice(2 * at, 2 * at + 2);
      const [first, second] = words.map((word) => (word?.length === 66 ? addressIn(word) : null));
      if (first && second) known.set(pool, [first, second]);
      else if (!words.includes(undefined)) known.set(pool, null);
    }
  };

  /** Once learned; a singleton's pool is searched for. */
  const learned = async (log: RawLog): Promise<PoolTokens | null> => {
    const name = poolNameOf(log);
    const remembered = known.get(name);
    if (remembered !== undefined || !isInSingleton(name)) return remembered ?? null;
    const opened = await singletons.opened(name, Number(log.blockNumber));
    const tokens = opened?.tokens ?? null;
    if (opened !== undefined) known.set(name, tokens);
    return tokens;
  };

  /** For this receipt only, moves may name a singleton's pool: its depth is read for these tokens, and is nothing for wrong ones. */
  const shown = (log: RawLog, moves: readonly TokenMove[]): PoolTokens | null =>
    known.get(poolNameOf(log)) ? null : tokensByTransfers(log, moves);

  return {
    async tradesIn(receipt, notPools) {
      const { fungible } = readMoves(receipt.logs, chain.wrapped, chain.mirrors);
      const trades = unnamedTrades(receipt, chain, notPools);
      const logs = receipt.logs.filter(({ topics }) => SWAP_TOPICS.includes(String(topics[0])));
      await learn(logs);
      const swaps: NamedSwap[] = [];
      for (const log of logs) swaps.push({ log, tokens: shown(log, fungible) ?? (await learned(log)) });
      for (const { log, tokens } of swaps) {
        const trade = tokens && tradeOf(log, tokens, chain);
        if (!trade) continue;
        const isReal = hasMoved({ log, tokens }, swaps, fungible);
        trades.push(isReal ? trade : { ...trade, doubt: "amounts" });
      }
      return trades;
    },
    async tradesOf(logs) {
      await learn(logs);
      const trades: PoolTrade[] = [];
      for (const log of logs) {
        const tokens = await learned(log);
        const trade = tokens && tradeOf(log, tokens, chain);
        if (trade) trades.push(trade);
      }
      return trades;
    },
    async tokensOf(log) {
      await learn([log]);
      return learned(log);
    },
  };
}
