// The tape of pools on an EVM chain: their states in final blocks, read from the pools' own events, some hundred pools and as
// many blocks at once as the provider allows.
import type { Clock } from "../../kit/clock.ts";
import { createLru } from "../../kit/lru.ts";
import { type ChainTape, type SwappedPool, tapedName } from "../chain.ts";
import type { RpcClient } from "../rpc/client.ts";
import { RpcRefused } from "../rpc/errors.ts";
import type { EvmChain } from "./chains.ts";
import { answerOf } from "./contract-answer.ts";
import { createSpan, hexOf, logsOf } from "./log-source.ts";
import { STATE_TOPICS, sidesAfter } from "./pool-states.ts";
import { createPoolReader } from "./pool-tokens.ts";
import { folded, poolNameOf, tradeOf } from "./pools.ts";
import { selectorOf } from "./signatures.ts";
import type { SingletonPools } from "./singleton-pools.ts";
import { headersAt } from "./stretch.ts";
import { TOPICS } from "./topics.ts";
import { quantity, type RawLog, wordAt } from "./wire.ts";

/** A busy pool has a few swaps in each block. */
const SPAN_BLOCKS_MAX = 2_000;
/** Block times are measured over this many blocks. */
const SPACING_BLOCKS = 500;
/** The limit for reading before a first buy, however fast a chain is. */
const BEFORE_BLOCKS_MAX = 20_000;
/** Headers per batch, for logs without a block time. */
const HEADERS_MAX = 100;
const TIMES_MAX = 10_000;
const FEE = selectorOf("fee()");
const MILLIONTHS_A_BPS = 100;

export function createEvmTape(
  chain: EvmChain,
  rpc: RpcClient,
  clock: Clock,
  singletons: SingletonPools,
): ChainTape {
  const reader = createPoolReader(chain, rpc, singletons);
  const span = createSpan(SPAN_BLOCKS_MAX, rpc, clock);
  const times = createLru<number, number>(TIMES_MAX);

  const timeAt = async (height: number): Promise<number | null> => {
    const [header] = await headersAt({ rpc, chain }, [height]);
    return header?.timeMs ?? null;
  };

  /** The times of these logs' blocks: many nodes include them. */
  const learnTimes = async (logs: readonly RawLog[]): Promise<void> => {
    const missing = new Set<number>();
    for (const { blockNumber, blockTimestamp } of logs) {
      const height = Number(blockNumber);
      if (blockTimestamp !== undefined)
        times.set(height, Number(quantity(blockTimestamp, "log.blockTimestamp")) * 1_000);
      else if (times.get(height) === undefined) missing.add(height);
    }
    const heights = [...missing];
    for (let start = 0; start < heights.length; start += HEADERS_MAX)
      for (const header of await headersAt({ rpc, chain }, heights.slice(start, start + HEADERS_MAX))) {
        if (header === null) throw new Error("a block that has logs is not there");
        times.set(header.height, header.timeMs);
      }
  };

  /** Null: not an exchange. Undefined: unknown what was exchanged. */
  const stateOf = async (log: RawLog, sync: RawLog | null): Promise<SwappedPool | null | undefined> => {
    const after = sidesAfter(log, sync);
    if (!after) return null;
    const tokens = await reader.tokensOf(log);
    if (!tokens) return undefined;
    const trade = tradeOf(log, tokens, chain);
    if (!trade) return null;
    const isFirstIn = trade.in.token === folded(tokens[0], chain);
    const [first, second] = after.sides;
    return {
      pool: trade.pool,
      height: Number(log.blockNumber),
      index: trade.index,
      timeMs: times.get(Number(log.blockNumber)) ?? 0,
      in: trade.in,
      out: trade.out,
      inSide: isFirstIn ? first : second,
      outSide: isFirstIn ? second : first,
      feeBps: after.feeBps,
    };
  };

  return {
    restBlocks: 1,

    async startBefore(height, beforeMs) {
      const far = Math.max(1, height - SPACING_BLOCKS);
      const [at, before] = [await timeAt(height), await timeAt(far)];
      if (at === null) return null;
      const spacing =
        before === null || far === height ? beforeMs : Math.max(1, (at - before) / (height - far));
      const from = Math.max(1, height - Math.min(BEFORE_BLOCKS_MAX, Math.ceil(beforeMs / spacing)));
      const timeMs = await timeAt(from);
      // A node that has pruned the earlier blocks still knows the buy itself.
      return timeMs === null ? { height, timeMs: at } : { height: from, timeMs };
    },

    async feeBps(pool) {
      if (pool.includes(":")) return null;
      const [reply] = await rpc.batch([{ method: "eth_call", params: [{ to: pool, data: FEE }, "latest"] }]);
      const word = reply && answerOf(reply);
      const fee = word ? wordAt(word, 0) : undefined;
      return fee === undefined ? null : Math.min(10_000, Math.round(Number(fee) / MILLIONTHS_A_BPS));
    },

    async read(pools, fromHeight, toHeight) {
      const names = new Set(pools.map(({ pool }) => pool));
      const { to, answer } = await span.run(fromHeight, toHeight, (end) =>
        logsOf(rpc, { fromBlock: hexOf(fromHeight), toBlock: hexOf(end) }, names, STATE_TOPICS),
      );
      const logs = answer.filter(({ removed }) => removed !== true);
      await learnTimes(logs);
      const states: SwappedPool[] = [];
      const unread = new Set<string>();
      const syncs = new Map<string, RawLog>();
      for (const log of logs.sort(inOrder)) {
        const name = `${String(log.transactionHash)} ${poolNameOf(log)}`;
        if (log.topics[0] === TOPICS.syncV2) syncs.set(name, log);
        else {
          const state = await stateOf(log, syncs.get(name) ?? null);
          if (state) states.push(state);
          else if (state === undefined) unread.add(poolNameOf(log));
        }
      }
      const toMs = await timeAt(to);
      if (toMs === null) throw new Error("the last block of a stretch is not there");
      const missed = pools.filter(({ pool }) => unread.has(pool));
      return { to, toMs, states, unread: new Set(missed.map(tapedName)) };
    },

    isForgotten: (error) => error instanceof RpcRefused && error.kind === "pruned",
  };
}

const inOrder = (a: RawLog, b: RawLog): number =>
  Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex);
