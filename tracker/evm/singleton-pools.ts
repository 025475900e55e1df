// A singleton pool's parameters: its two tokens and its tick spacing, from the event that opened it. They never change, so they
// are searched for once: over the whole chain where the provider allows it, else backwards from where the pool was first seen.
import { createLru } from "../../kit/lru.ts";
import type { RpcClient } from "../rpc/client.ts";
import { hexOf } from "./log-source.ts";
import type { PoolTokens } from "./pools.ts";
import { TOPICS } from "./topics.ts";
import { addressIn, type RawLog, wordAt } from "./wire.ts";

export interface OpenedPool {
  /** In the pool's own order, the native coin as the zero address. */
  tokens: PoolTokens;
  spacing: bigint;
}

export interface SingletonPools {
  /** `pool` is named `address:poolId` and was open by this block. Null: not found. Undefined: no answer, so ask again. */
  opened(pool: string, height: number): Promise<OpenedPool | null | undefined>;
}

/** Cache size; each pool is a few words. */
const POOLS_MAX = 20_000;
const SPAN_BLOCKS_MAX = 10_000;
const SPAN_BLOCKS_MIN = 10;
/** Queries per pool where ranges are limited: some days of a fast chain on a small plan, months on an ordinary one. */
const QUESTIONS_MAX = 100;

export function createSingletonPools(rpc: RpcClient): SingletonPools {
  const known = createLru<string, OpenedPool | null>(POOLS_MAX);
  let span = SPAN_BLOCKS_MAX;
  let isWholeRefused = false;

  /** Undefined: refused. */
  const openedIn = async (pool: string, from: number, to: number): Promise<OpenedPool | null | undefined> => {
    const [address, id] = pool.split(":");
    const topics = [TOPICS.initializeV4, id];
    const filter = { address, topics, fromBlock: hexOf(from), toBlock: hexOf(to) };
    const [reply] = await rpc.batch([{ method: "eth_getLogs", params: [filter] }]);
    if (!reply || "refused" in reply || !Array.isArray(reply.result)) return undefined;
    return openedBy(reply.result[0] as RawLog | undefined, topics);
  };

  const search = async (pool: string, height: number): Promise<OpenedPool | null | undefined> => {
    let to = height;
    for (let asked = 0; asked < QUESTIONS_MAX && to > 0; asked++) {
      const from = Math.max(0, to - span + 1);
      const found = await openedIn(pool, from, to);
      if (found) return found;
      if (found === null) to = from - 1;
      else if (span > SPAN_BLOCKS_MIN) span = Math.max(SPAN_BLOCKS_MIN, span >> 1);
      else return undefined;
    }
    return null;
  };

  return {
    async opened(pool, height) {
      const kept = known.get(pool);
      if (kept !== undefined) return kept;
      let found = isWholeRefused ? undefined : await openedIn(pool, 0, height);
      if (found === undefined) {
        isWholeRefused = true;
        found = await search(pool, height);
      }
      if (found !== undefined) known.set(pool, found);
      return found;
    },
  };
}

function openedBy(log: RawLog | undefined, wanted: readonly unknown[]): OpenedPool | null {
  const [event, id, first, second] = log?.topics.map((topic) => topic.toLowerCase()) ?? [];
  if (!log || event !== wanted[0] || id !== String(wanted[1]).toLowerCase() || !first || !second) return null;
  const spacing = BigInt.asIntN(24, wordAt(log.data, 1) ?? 0n);
  return spacing > 0n ? { tokens: [addressIn(first), addressIn(second)], spacing } : null;
}
