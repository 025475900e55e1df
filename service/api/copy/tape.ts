// The tape as replays read it: whole hours of a token, from the store if present, otherwise read from the platform and
// stored. Ranges unknown to the platform are left out, and lower the coverage; candles are used for hours without any.
import { chunksOf } from "../../../kit/chunks.ts";
import type { Log } from "../../../kit/log.ts";
import { servingTurn } from "../../../kit/turn.ts";
import { HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import { TapeBuilder, type TokenTape } from "../../../replay/tape.ts";
import {
  clipStretches,
  joinStretches,
  type NamedTick,
  type Stretch,
  type TapeHour,
  ticksOfDeepPools,
} from "../../model/tape.ts";
import { nameOfToken, type TokenRef } from "../../model/token.ts";
import type { Store } from "../../store/store.ts";
import type { Outcome, TicksPage, TicksQuery, Upstream } from "../../upstream/port.ts";
import type { RouteCall } from "../answer.ts";
import { inTurn } from "../in-turn.ts";
import { didNotFinish } from "../live.ts";
import { orUnsupported } from "../unsupported.ts";
import { type CandlePriceParts, candlePrices } from "./candle-prices.ts";
import { type HourRun, runsOf } from "./hours.ts";

export interface TapeWish {
  token: TokenRef;
  /** Hours since 1970, in any order. */
  hours: ReadonlySet<number>;
  /** When a holding must be valued: if these hours have no tick shortly before, earlier hours are searched for the last. */
  heldAt?: number;
}

/** The data that a replay's prices are based on. */
export interface ReadTape {
  /** By `networkId:address`. */
  tapes: ReadonlyMap<string, TokenTape>;
  ticks: number;
  /** How much was wanted, and how much of that the platform covers; in milliseconds over all tokens. */
  wishedMs: number;
  coveredMs: number;
  /** The start of the first covered stretch and the end of the last; null without any. */
  coveredFrom: number | null;
  coveredTo: number | null;
}

export interface TapeReader {
  /** `onRead` is called for each token; throwing ends the read. */
  read(wishes: readonly TapeWish[], call: TapeCall, onRead?: () => void): Promise<ReadTape>;
}

type TapeCall = Pick<RouteCall, "asOf" | "deadlineMs">;

export interface TapeReaderParts {
  upstream: Pick<Upstream, "ticks"> & CandlePriceParts["upstream"];
  store: Pick<Store, "tape"> & CandlePriceParts["store"];
  log: Log;
  bytesMax: number;
  /** Called between pieces of work; a request's turn by default. */
  turn?: () => Promise<void>;
}

/** The most ticks one replay reads; the rest counts as not covered. */
const TICKS_READ_MAX = 1_000_000;
const ASKED_MAX = 4;
/** A tick no older than this is recent enough to value a holding. */
const NEAR_MS = 15 * MINUTE_MS;
/** Otherwise the day before is searched, then the rest of the week: a drained pool has no trades from then on. */
const BACK_HOURS = [24, 144] as const;
/** Hours read from the store, or requested, at once. */
const WALK_HOURS_MAX = 6;
/** Hours saved at once: a few milliseconds of writing. */
const SAVE_HOURS_MAX = 24;
/** Pages per request: guards against a platform whose cursors never end. */
const WALK_PAGES_MAX = 200;
/** A platform may since have read what it didn't cover: it is asked again after this long. */
const UNCOVERED_FOR_MS = 10 * MINUTE_MS;

export function createTapeReader({
  upstream,
  store,
  log,
  bytesMax,
  turn = servingTurn,
}: TapeReaderParts): TapeReader {
  const askHours = async (
    token: TokenRef,
    { first, count }: HourRun,
    call: TapeCall,
  ): Promise<TapeHour[] | null> => {
    const ticks = Array.from({ length: count }, (): NamedTick[] => []);
    const stretches: Stretch[] = [];
    const query = { networkId: token.networkId, from: first * HOUR_MS, to: (first + count) * HOUR_MS };
    for (let pages = 0, cursor: string | null = null; ; pages++, await turn()) {
      if (pages === WALK_PAGES_MAX) throw didNotFinish("the tape");
      const asked: TicksQuery = cursor === null ? query : { ...query, cursor };
      const outcome: Outcome<TicksPage> | null = await orUnsupported(
        upstream.ticks(token.address, asked, call),
      );
      if (outcome === null || outcome.kind === "unsupported") return null;
      if (outcome.kind === "notFound") break;
      if (outcome.kind !== "found") throw didNotFinish("the tape");
      const { rows, covered, nextCursor } = outcome.value;
      for (const { at, priceUsd, depthUsd, feeBps, pool } of rows)
        ticks[Math.floor(at / HOUR_MS) - first]?.push({ at, priceUsd, depthUsd, feeBps, pool });
      stretches.push(...covered);
      cursor = nextCursor;
      if (cursor === null) break;
    }
    const covered = joinStretches(stretches);
    return ticks.map((within, index) => ({
      hour: first + index,
      ticks: ticksOfDeepPools(within),
      covered: clipStretches(covered, spanOf(first + index)),
      readAt: call.asOf,
    }));
  };

  /** A replay doesn't fail because its tape could not be stored: the next one requests it again. */
  const keep = (token: TokenRef, hours: readonly TapeHour[]) =>
    store.tape.save(token, hours, bytesMax).catch((error: unknown) => {
      log.warn("The tape could not be kept.", { error: String(error) });
    });

  const readRun = async (
    token: TokenRef,
    run: HourRun,
    call: TapeCall,
    fresh: TapeHour[],
  ): Promise<TapeHour[]> => {
    const wanted = hoursOf(run);
    const kept: TapeHour[] = [];
    for (const part of runsOf(wanted, WALK_HOURS_MAX)) {
      if (kept.length > 0) await turn();
      const known = await store.tape.hours(token, hoursOf(part));
      kept.push(...known.filter((hour) => isFresh(hour, call.asOf)));
    }
    const known = new Set(kept.map(({ hour }) => hour));
    const missing = wanted.filter((hour) => !known.has(hour));
    for (const part of runsOf(missing, run.count)) {
      const asked = await askHours(token, part, call);
      if (asked === null) return [];
      kept.push(...asked);
      fresh.push(...asked);
    }
    return kept.sort((a, b) => a.hour - b.hour);
  };

  /** The last hour with a tick in the week before a moment, and after the last known tick; null without one. */
  const lastHourBefore = async (
    { token }: TapeWish,
    heldAt: number,
    knownAt: number,
    call: TapeCall,
    fresh: TapeHour[],
  ): Promise<TapeHour | null> => {
    let first = Math.floor(heldAt / HOUR_MS);
    for (const count of BACK_HOURS) {
      if (knownAt >= first * HOUR_MS) return null;
      first -= count;
      const read = await readRun(token, { first, count }, call, fresh);
      const last = read.findLast(({ ticks }) => ticks.length > 0);
      if (last) return last;
      await turn();
    }
    return null;
  };

  const readToken = async (wish: TapeWish, call: TapeCall): Promise<ReadToken> => {
    const { token, hours, heldAt } = wish;
    const found: ReadToken = { ticks: new TapeBuilder(), covered: [], bare: [] };
    const saves: Promise<void>[] = [];
    let fresh: TapeHour[] = [];
    // The next reads don't wait for the flush to disk.
    const save = () => {
      for (const some of chunksOf(fresh, SAVE_HOURS_MAX)) saves.push(keep(token, some));
      fresh = [];
    };
    for (const run of runsOf(inOrder(hours), WALK_HOURS_MAX)) {
      const read = await readRun(token, run, call, fresh);
      for (const { ticks } of read) found.ticks.add(ticks);
      for (const { hour, covered } of read)
        found.covered.push(...clipStretches(covered, neededOf(hour, call.asOf)));
      const known = new Set(read.filter(({ covered }) => covered.length > 0).map(({ hour }) => hour));
      found.bare.push(...hoursOf(run).filter((hour) => !known.has(hour)));
      if (fresh.length >= SAVE_HOURS_MAX) save();
      await turn();
    }
    const { lastAt } = found.ticks;
    if (heldAt !== undefined && lastAt < heldAt - NEAR_MS) {
      const older = await lastHourBefore(wish, heldAt, lastAt, call, fresh);
      found.ticks.add(older?.ticks.filter(({ at }) => at > lastAt) ?? []);
    }
    save();
    await Promise.all(saves);
    return found;
  };

  return {
    async read(wishes, call, onRead) {
      const candles = candlePrices({ upstream, store }, call);
      const tapes = new Map<string, TokenTape>();
      const covered: Stretch[] = [];
      let [ticks, wishedMs] = [0, 0];
      await inTurn(wishes, ASKED_MAX, async (wish) => {
        onRead?.();
        for (const hour of wish.hours) wishedMs += lengthOf(neededOf(hour, call.asOf));
        if (ticks >= TICKS_READ_MAX) return;
        const read = await readToken(wish, call);
        ticks += read.ticks.length;
        tapes.set(nameOfToken(wish.token), read.ticks.tape(await candles(wish.token, read.bare)));
        covered.push(...read.covered);
      });
      return {
        tapes,
        ticks,
        wishedMs,
        coveredMs: covered.reduce((sum, stretch) => sum + lengthOf(stretch), 0),
        coveredFrom: covered.reduce<number | null>((first, { from }) => Math.min(first ?? from, from), null),
        coveredTo: covered.reduce<number | null>((last, { to }) => Math.max(last ?? to, to), null),
      };
    },
  };
}

/** The results for one token. */
interface ReadToken {
  ticks: TapeBuilder;
  covered: Stretch[];
  /** Hours that the platform does not cover at all; candles are used for these. */
  bare: number[];
}

const hoursOf = ({ first, count }: HourRun): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

const inOrder = (hours: Iterable<number>): number[] => [...hours].sort((a, b) => a - b);

const lengthOf = ({ from, to }: Stretch): number => Math.max(0, to - from);

const spanOf = (hour: number): Stretch => ({ from: hour * HOUR_MS, to: (hour + 1) * HOUR_MS });

/** For the current hour, only the part before the moment. */
const neededOf = (hour: number, asOf: number): Stretch => ({
  from: hour * HOUR_MS,
  to: Math.min((hour + 1) * HOUR_MS, asOf),
});

function isFresh({ hour, covered, readAt }: TapeHour, asOf: number): boolean {
  const needed = neededOf(hour, asOf);
  if (covered.some(({ from, to }) => from <= needed.from && to >= needed.to)) return true;
  return readAt >= needed.to && asOf - readAt < UNCOVERED_FOR_MS;
}
