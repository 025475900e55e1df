// Reads the tape: every swap in final blocks, for pools that the roster bought in, from ten minutes before the first buy until
// a day after the roster's last trade. Stored rows include the progress, so stopping at any point loses and repeats nothing.
import type { Database } from "../../database/database.ts";
import { chunksOf } from "../../kit/chunks.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import { nextTurn } from "../../kit/turn.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { amountOf } from "../books/amounts.ts";
import { finalHeight } from "../books/kept-blocks.ts";
import { knownTokens } from "../books/tokens.ts";
import { type ChainTape, type SwappedPool, tapedName } from "../chain.ts";
import type { CoinPrices } from "../prices/coins.ts";
import type { Money } from "../prices/money.ts";
import { isDue, newestPools, notePools, savePool, type TapePool } from "./kept-pools.ts";
import { type PoolTick, placeOf, saveTicks } from "./ticks.ts";

export interface TapeFiller extends Loop {
  /** A roster trader traded this. */
  note(chainId: number, token: string): void;
}

export interface TapeFillerParts extends Pick<Kit, "clock" | "log"> {
  database: Database;
  money: Money;
  coins: Pick<CoinPrices, "at">;
  tapeOf(chainId: number): ChainTape | null;
  /** The number of pools to read; beyond that, only the most recently traded ones. */
  poolsMax: number;
  everyMs: number;
}

/** When there is more to read than one round allows, the next one comes this much sooner. */
const SOONER_TIMES = 8;
const BEFORE_MS = 10 * MINUTE_MS;
/** Pools per query. */
export const POOLS_A_QUESTION = 500;
/** How many looks at the head there are per read of final blocks. */
export const TAPE_LOOKS = 8;
/** Per chain and round: others need the provider too. */
const QUESTIONS_A_ROUND = 20;
const STARTS_A_ROUND = 20;
/** Ticks per transaction: a few milliseconds. */
const TICKS_A_WRITE = 500;
/** The coin's price is looked up once per this interval. */
const COIN_MS = MINUTE_MS;
/** When neither an event nor the pool gives the fee. */
const FEE_BPS_DEFAULT = 30;

export function createTapeFiller(parts: TapeFillerParts): TapeFiller {
  const { database, clock, log, poolsMax } = parts;
  const noted = new Map<string, { chainId: number; token: string }>();

  const takeNotes = async () => {
    for (const [key, { chainId, token }] of [...noted]) {
      noted.delete(key);
      await database.write((tx) => notePools(tx, chainId, token));
      await nextTurn();
    }
  };

  const begin = async (tape: ChainTape, pool: TapePool): Promise<void> => {
    const start = await tape.startBefore(pool.firstHeight, BEFORE_MS);
    if (start === null) return;
    const { height, timeMs } = start;
    const feeBps = pool.feeBps ?? (await tape.feeBps(pool.pool));
    const begun = { ...pool, feeBps, fromMs: timeMs, toHeight: height - 1, toMs: timeMs };
    await database.write((tx) => savePool(tx, begun));
  };

  /** One range of blocks, for pools that were read to the same height. */
  const readOn = async (tape: ChainTape, group: readonly TapePool[], height: number, final: number) => {
    const { to, toMs, states, unread } = await tape.read(group, height + 1, final);
    const chainId = group[0]?.chainId ?? 0;
    const { ticks, unpriced } = await ticksOf(parts, chainId, states);
    for (const some of chunksOf(ticks, TICKS_A_WRITE)) {
      await database.write((tx) =>
        saveTicks(
          tx,
          some.map((tick) => withFee(tick, group)),
        ),
      );
      await nextTurn();
    }
    // Coverage must not include what could not be read or priced: it starts after that.
    await database.write(async (tx) => {
      for (const pool of group) {
        const name = tapedName(pool);
        const fromMs = unpriced.has(name) || unread.has(name) ? toMs : pool.fromMs;
        await savePool(tx, { ...pool, fromMs, toHeight: to, toMs });
      }
    });
    return to;
  };

  /** A node that has pruned a range won't get it back: these pools start from now. */
  const giveUp = async (tape: ChainTape, group: readonly TapePool[], final: number) => {
    const now = await tape.startBefore(final, 0);
    if (now === null) return;
    const from = { fromMs: now.timeMs, toMs: now.timeMs, toHeight: now.height };
    await database.write(async (tx) => {
      for (const pool of group) await savePool(tx, { ...pool, ...from });
    });
  };

  /** True when there is more to read. */
  const fill = async (
    chainId: number,
    tape: ChainTape,
    pools: readonly TapePool[],
    signal: AbortSignal,
  ): Promise<boolean> => {
    const final = await finalHeight(database.read, chainId);
    const due = pools.filter((pool) => isDue(pool, final, tape.restBlocks));
    const isNew = ({ fromMs }: TapePool) => fromMs === null;
    for (const pool of due.filter(isNew).slice(0, STARTS_A_ROUND)) {
      signal.throwIfAborted();
      await begin(tape, pool);
    }
    let isMore = due.some(isNew);
    const groups = [
      ...Map.groupBy(
        due.filter((pool) => !isNew(pool)),
        ({ toHeight }) => toHeight as number,
      ),
    ].flatMap(([height, group]) => [...chunksOf(group, POOLS_A_QUESTION)].map((some) => ({ height, some })));
    for (const { height, some } of groups.slice(0, QUESTIONS_A_ROUND)) {
      signal.throwIfAborted();
      try {
        isMore = (await readOn(tape, some, height, final)) < final || isMore;
      } catch (error) {
        if (!tape.isForgotten(error)) throw error;
        await giveUp(tape, some, final);
      }
    }
    return isMore || groups.length > QUESTIONS_A_ROUND;
  };

  const loop = createLoop({
    failure: "could not read the tape of pools",
    everyMs: parts.everyMs,
    clock,
    log,
    async round(signal) {
      await takeNotes();
      const byChain = Map.groupBy(await newestPools(database.read, poolsMax), ({ chainId }) => chainId);
      let isMore = false;
      for (const [chainId, pools] of byChain) {
        const tape = parts.tapeOf(chainId);
        if (!tape) continue;
        try {
          isMore = (await fill(chainId, tape, pools, signal)) || isMore;
        } catch (error) {
          // One chain's provider failing must not affect the others.
          signal.throwIfAborted();
          log.warn("could not read a chain's tape", { chainId, error });
        }
      }
      return isMore ? parts.everyMs / SOONER_TIMES : parts.everyMs;
    },
  });
  return {
    ...loop,
    note(chainId, token) {
      noted.set(`${chainId}:${token}`, { chainId, token });
    },
  };
}

type FeelessTick = Omit<PoolTick, "feeBps"> & { chainId: number; token: string; feeBps: number | null };

function withFee(tick: FeelessTick, group: readonly TapePool[]) {
  const own = group.find(({ pool, token }) => pool === tick.pool && token === tick.token)?.feeBps;
  return { ...tick, feeBps: tick.feeBps ?? own ?? FEE_BPS_DEFAULT };
}

/** Trades of one token against money, in dollars; and the pools with trades that could not be priced. */
async function ticksOf(
  { database, money, coins }: TapeFillerParts,
  chainId: number,
  states: readonly SwappedPool[],
): Promise<{ ticks: FeelessTick[]; unpriced: Set<string> }> {
  const legs = states.flatMap((state) => [state.in.token, state.out.token]);
  const tokens = await knownTokens(database.read, chainId, [...new Set(legs)]);
  const coinUsd = new Map<number, number | null>();
  const coinAt = async ({ height, timeMs }: SwappedPool): Promise<number | null> => {
    const minute = Math.floor(timeMs / COIN_MS);
    const known = coinUsd.get(minute);
    if (known !== undefined) return known;
    const price = await coins.at({ chainId, height, timeMs, hash: "", parentHash: "" });
    coinUsd.set(minute, price?.priceUsd ?? null);
    return price?.priceUsd ?? null;
  };
  const ticks: FeelessTick[] = [];
  const unpriced = new Set<string>();
  for (const state of states) {
    const isBought = money.kindOf(chainId, state.in.token) !== null;
    const [paid, other] = isBought ? [state.in, state.out] : [state.out, state.in];
    const kind = money.kindOf(chainId, paid.token);
    if (kind === null || money.kindOf(chainId, other.token) !== null) continue;
    const [paidSide, side] = isBought ? [state.inSide, state.outSide] : [state.outSide, state.inSide];
    const [decimals, others] = [paid.token, other.token].map((token) => tokens.get(token)?.decimals ?? null);
    const unitUsd = kind === "stable" ? 1 : await coinAt(state);
    const amount = (raw: bigint, places: number | null | undefined) =>
      places === null || places === undefined ? 0 : amountOf(raw, places);
    const [depth, held] = [amount(paidSide, decimals), amount(side, others)];
    if (unitUsd === null || !(depth > 0) || !(held > 0)) {
      unpriced.add(tapedName({ pool: state.pool, token: other.token }));
      continue;
    }
    ticks.push({
      chainId,
      token: other.token,
      timeMs: state.timeMs,
      height: state.height,
      pool: state.pool,
      place: placeOf(state.height, state.index),
      priceUsd: (depth / held) * unitUsd,
      depthUsd: depth * unitUsd,
      feeBps: state.feeBps,
      bought: isBought ? 1 : 0,
      usd: amount(paid.amountRaw, decimals) * unitUsd,
    });
  }
  return { ticks, unpriced };
}
