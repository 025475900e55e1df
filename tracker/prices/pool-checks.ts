// Whether a pool may price anything (a known factory created it, or a known program owns it), and how much money it holds.
// Queried before a block is stored; a pool's creator never changes, so that is queried once.
import { createLru } from "../../kit/lru.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { type BlockRead, type ChainQueries, type Leg, NATIVE, type PoolTrade } from "../chain.ts";
import type { Money } from "./money.ts";

export interface PoolChecks {
  /** The same reads, with every trade's doubt and its pool's money as far as they can be known. */
  check(reads: readonly BlockRead[]): Promise<BlockRead[]>;
}

/** Cache size, in pools. */
const POOLS_MAX = 20_000;
/** For trades of strangers, which only feed quotes, a pool's reserves are queried this often. */
const RESERVES_MS = MINUTE_MS;

export function createPoolChecks(parts: {
  queriesOf(chainId: number): ChainQueries;
  money: Money;
}): PoolChecks {
  const { queriesOf, money } = parts;
  const made = createLru<string, boolean>(POOLS_MAX);
  const held = createLru<string, { timeMs: number; reserves: readonly Leg[] | null }>(POOLS_MAX);

  const isKnown = async (chainId: number, { pool, swappedBy = null }: PoolTrade): Promise<boolean> => {
    const key = `${chainId}:${pool}:${swappedBy ?? ""}`;
    const kept = made.get(key);
    if (kept !== undefined) return kept;
    const known = await queriesOf(chainId).isKnownPool(pool, swappedBy);
    // A trade is in doubt until its pool's creator is known; the next trade asks again.
    if (known !== null) made.set(key, known);
    return known ?? false;
  };

  const reservesOf = async ({ block, flows }: BlockRead, trade: PoolTrade, base: Leg) => {
    const { chainId, height, timeMs } = block;
    const key = `${chainId}:${trade.pool}:${base.token}`;
    const kept = held.get(key);
    const isOwn = flows.some(({ hash }) => hash === trade.hash);
    if (!isOwn && kept && Math.abs(timeMs - kept.timeMs) < RESERVES_MS) return kept.reserves;
    const amountRaw = await (trade.pool.includes(":") ? pooled : balance)(chainId, height, trade, base);
    const reserves = amountRaw === null ? null : [{ token: base.token, amountRaw }];
    held.set(key, { timeMs, reserves });
    return reserves;
  };

  const balance = async (chainId: number, height: number, { pool }: PoolTrade, base: Leg) => {
    // A pool with its own address holds the chain's coin in wrapped form.
    const token = base.token === NATIVE ? money.wrappedOf(chainId) : base.token;
    const [leg] = token === null ? [] : await queriesOf(chainId).balances(pool, [token], height);
    return leg?.amountRaw ?? null;
  };

  const pooled = async (chainId: number, height: number, trade: PoolTrade, base: Leg) => {
    const other = trade.in === base ? trade.out : trade.in;
    return (await queriesOf(chainId).pooled?.(trade.pool, base.token, other.token, height)) ?? null;
  };

  const checked = async (read: BlockRead, trade: PoolTrade): Promise<PoolTrade> => {
    const { chainId } = read.block;
    const kinds = [trade.in, trade.out].filter(({ token }) => money.kindOf(chainId, token) !== null);
    const [base] = kinds;
    // Only a trade of one token against money prices anything.
    if (trade.doubt !== null || !base || kinds.length !== 1) return trade;
    if (!(await isKnown(chainId, trade))) return { ...trade, doubt: "factory" };
    return trade.reserves ? trade : { ...trade, reserves: await reservesOf(read, trade, base) };
  };

  return {
    async check(reads) {
      const done: BlockRead[] = [];
      for (const read of reads) {
        const pools: PoolTrade[] = [];
        for (const trade of read.pools) pools.push(await checked(read, trade));
        done.push({ ...read, pools });
      }
      return done;
    },
  };
}
