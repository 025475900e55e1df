// Everyone's profit in a window, as of a moment. Windows are computed from the positions in memory and the prices at both ends;
// the moments that the service asks about are computed in advance, and recomputed after changes.
import { roiOf, type TradingFigures } from "../../accounting/figures.ts";
import { markAgeMsMax } from "../../accounting/marks.ts";
import { type BookPoint, NOTHING_BOOKED, spanProfit } from "../../accounting/span.ts";
import { addProfit, noProfit, type Profit } from "../../accounting/totals.ts";
import type { Clock } from "../../kit/clock.ts";
import { inTurns, type Sliced } from "../../kit/slices.ts";
import { nextTurn } from "../../kit/turn.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../kit/units.ts";
import type { PnlWindow } from "../../protocol/shapes/trader.ts";
import type { SeenPrice } from "../prices/observed.ts";
import type { Directory } from "../roster/directory.ts";
import type { RosterTrader } from "../roster/roster.ts";
import {
  isAmid,
  type LivePosition,
  type LivePositions,
  type LiveToken,
  pointBefore,
} from "./live-positions.ts";
import type { Edge, Quotes } from "./quotes.ts";
import { isSpam, mayBeSpam } from "./spam.ts";
import type { Verdicts } from "./verdicts.ts";

const WINDOW_MS: Record<Exclude<PnlWindow, "all">, number> = {
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
};
const WINDOWS: readonly PnlWindow[] = ["24h", "7d", "30d", "all"];

export interface TraderStanding {
  trader: RosterTrader;
  total: Profit;
  figures: TradingFigures<LivePosition>;
  /** Whether there was any activity or holding in the window. */
  wasActive: boolean;
  /** The rank by profit; null without activity or holdings. */
  rank: number | null;
  lastFillAt: number | null;
  /** Over all time: the number of positions, and how long the closed ones were held. */
  positions: number;
  averageHoldMs: number | null;
}

export interface RosterStandings {
  /**
   * Traders with activity or holdings first, by profit, on all chains or on one; ties go by userId. Without a moment, it is
   * about now.
   */
  everybody(
    window: PnlWindow,
    at?: number,
    networkId?: number,
  ): Promise<{ asOf: number; ranked: readonly TraderStanding[] }>;
  /** One trader's standing in each window, now. */
  one(trader: RosterTrader): Promise<Record<PnlWindow, TraderStanding>>;
  /** The earliest moment affected. */
  change(sinceMs: number): void;
  /** Computes a moment before it is requested. */
  prepare(at: number): Promise<void>;
  /** The start of the last computed day: prices there are cached. */
  dayAgo(): number;
}

/** Some moments of each window: each takes some hundred bytes a trader. */
const KEPT_MAX = 16;
const TRADERS_A_SLICE = 10;
/** About now: a result without changes since counts as now for this long. */
const NOW_MS = MINUTE_MS;
/** If books change faster than they can be computed, return the best effort and don't cache it. */
const TRIES_MAX = 3;

interface KeptStandings {
  window: PnlWindow;
  networkId: number | undefined;
  asOf: number;
  ranked: readonly TraderStanding[];
}

export function createStandings(parts: {
  live: LivePositions;
  quotes: Quotes;
  verdicts: Verdicts;
  directory: Directory;
  clock: Clock;
}): RosterStandings {
  const { live, quotes, directory, clock } = parts;
  const ends: WindowEnds = {
    end: quotes.edge(),
    starts: { "24h": quotes.edge(), "7d": quotes.edge(), "30d": quotes.edge() },
  };
  let kept: KeptStandings[] = [];
  /** The number of changes; and the earliest moment changed since the current computation began. */
  let version = 0;
  let changedSince = Number.POSITIVE_INFINITY;

  /** One at a time: the windows' ends can only be in one place at a time. */
  let busy: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = busy.then(work);
    busy = mine.catch(() => undefined);
    return mine;
  };

  function* rankAll(hidden: Hidden, window: PnlWindow, at: number, networkId?: number) {
    const all: TraderStanding[] = [];
    for (const trader of directory.traders()) {
      all.push(standingOf(live, ends, hidden, trader, window, at, networkId));
      if (all.length % TRADERS_A_SLICE === 0) yield;
    }
    return byProfit(all);
  }

  const workOut = async (window: PnlWindow, at: number, networkId?: number): Promise<KeptStandings> => {
    for (let tries = 1; ; tries++) {
      changedSince = Number.POSITIVE_INFINITY;
      const hidden = await gather(parts, ends, directory.traders(), [window], at);
      const ranked = await inTurns(rankAll(hidden, window, at, networkId));
      const found = { window, networkId, asOf: at, ranked };
      if (changedSince > at) kept = [found, ...kept].slice(0, KEPT_MAX);
      else if (tries < TRIES_MAX) continue;
      return found;
    }
  };

  let now = { version: -1, at: 0 };
  return {
    everybody: (window, at, networkId) =>
      inOrder(async () => {
        const wanted = Math.min(at ?? clock.now(), clock.now());
        if (at === undefined && (now.version !== version || wanted - now.at > NOW_MS))
          now = { version, at: wanted };
        const asOf = at === undefined ? now.at : wanted;
        const known = kept.find(
          (each) => each.window === window && each.asOf === asOf && each.networkId === networkId,
        );
        return known ?? (await workOut(window, asOf, networkId));
      }),
    one: (trader) =>
      inOrder(async () => {
        // Rounded up to a whole second, so that requests for many traders in a row share one moment.
        const at = Math.ceil(clock.now() / SECOND_MS) * SECOND_MS;
        const hidden = await gather(parts, ends, [trader], WINDOWS, at);
        const of = (window: PnlWindow) => standingOf(live, ends, hidden, trader, window, at);
        return { "24h": of("24h"), "7d": of("7d"), "30d": of("30d"), all: of("all") };
      }),
    change(sinceMs) {
      version += 1;
      changedSince = Math.min(changedSince, sinceMs);
      // A price at exactly a moment counts in its standings.
      kept = kept.filter(({ asOf }) => asOf < sinceMs);
    },
    async prepare(at) {
      await inOrder(() => live.load());
      live.forgetPast([at, ...Object.values(WINDOW_MS).map((lengthMs) => at - lengthMs)]);
      // One at a time, so that a concurrent request waits for at most one of them.
      for (const window of WINDOWS) await inOrder(() => workOut(window, at));
    },
    dayAgo: () => ends.starts["24h"].moment() || clock.now() - DAY_MS,
  };
}

interface WindowEnds {
  end: Edge;
  starts: Record<Exclude<PnlWindow, "all">, Edge>;
}

interface JudgedBooks {
  live: LivePositions;
  quotes: Quotes;
  verdicts: Verdicts;
}

/** Unsolicited tokens, by key. */
type Hidden = ReadonlySet<string>;

/**
 * Loads what these traders' windows need: positions' states at both ends, and the prices there. Returns the tokens that were
 * spam at the end.
 */
async function gather(
  judging: JudgedBooks,
  { end, starts }: WindowEnds,
  traders: readonly RosterTrader[],
  windows: readonly PnlWindow[],
  at: number,
): Promise<Hidden> {
  const { live } = judging;
  const begins = windows.flatMap((window) =>
    window === "all" ? [] : [{ edge: starts[window], from: at - WINDOW_MS[window] }],
  );
  await end.move(at);
  for (const { edge, from } of begins) await edge.move(from);
  function* positions(look: (position: LivePosition) => void): Sliced<void> {
    for (const [index, { userId }] of traders.entries()) {
      for (const list of live.of(userId).values()) for (const position of list) look(position);
      if (index % TRADERS_A_SLICE === 0) yield;
    }
  }
  const unread: LivePosition[] = [];
  await inTurns(
    positions((position) => {
      if (position.past !== null) return;
      if (isAmid(position, at) || begins.some(({ from }) => isAmid(position, from))) unread.push(position);
    }),
  );
  await live.readPast(unread);
  const wantedAtEnd = new Set<LiveToken>();
  const wanted = begins.map((begin) => ({ ...begin, tokens: new Set<LiveToken>() }));
  const doubtful = new Set<LiveToken>();
  await inTurns(
    positions((position) => {
      const after = pointBefore(position, at);
      if (!after) return;
      if (mayBeSpam(judging, position.of)) doubtful.add(position.of);
      if (after.closedAt === null) wantedAtEnd.add(position.of);
      for (const { from, tokens } of wanted)
        if ((after.closedAt === null || after.at >= from) && (pointBefore(position, from)?.amount ?? 0) > 0)
          tokens.add(position.of);
    }),
  );
  await end.load(wantedAtEnd);
  for (const { edge, tokens } of wanted) await edge.load(tokens);
  return spamAmong(judging, doubtful, at);
}

const JUDGED_A_TURN = 100;

async function spamAmong(judging: JudgedBooks, tokens: Iterable<LiveToken>, at: number): Promise<Hidden> {
  const hidden = new Set<string>();
  let judged = 0;
  for (const of of tokens) {
    if (await isSpam(judging, of, at)) hidden.add(of.key);
    judged += 1;
    if (judged % JUDGED_A_TURN === 0) await nextTurn();
  }
  return hidden;
}

function standingOf(
  live: LivePositions,
  { end, starts }: WindowEnds,
  hidden: Hidden,
  trader: RosterTrader,
  window: PnlWindow,
  at: number,
  networkId?: number,
): TraderStanding {
  const own = live.of(trader.userId);
  const from = window === "all" ? firstOf(own, hidden, at) : at - WINDOW_MS[window];
  const start = window === "all" ? null : starts[window];
  const ageMsMax = markAgeMsMax(at - from);
  const markAt = (edge: Edge | null, key: string, moment: number): SeenPrice | null => {
    const seen = edge?.get(key) ?? null;
    return seen && moment - seen.timeMs <= ageMsMax ? seen : null;
  };
  const total = noProfit();
  let best: { subject: LivePosition; profit: Profit } | null = null;
  let [closed, won, wasActive] = [0, 0, false];
  let lastFillAt: number | null = null;
  const held = { positions: 0, closed: 0, ms: 0 };
  for (const [key, positions] of own) {
    if (hidden.has(key)) continue;
    for (const position of positions) {
      const after = pointBefore(position, at);
      if (!after) continue;
      held.positions += 1;
      if (after.closedAt !== null) {
        held.closed += 1;
        held.ms += after.closedAt - position.openedAt;
      }
      if (after.lastFillAt !== null && after.lastFillAt > (lastFillAt ?? 0)) lastFillAt = after.lastFillAt;
      if (networkId !== undefined && position.of.known.chainId !== networkId) continue;
      if (after.closedAt !== null && after.at < from) continue;
      wasActive = true;
      const before: BookPoint = pointBefore(position, from) ?? NOTHING_BOOKED;
      const openingMark = before.amount > 0 ? markAt(start, key, from) : null;
      const closingMark = after.closedAt === null ? markAt(end, key, at) : null;
      const profit = spanProfit(before, after, openingMark, closingMark);
      if (profit) addProfit(total, profit);
      if (profit && (best === null || profit.net > best.profit.net)) best = { subject: position, profit };
      // A position's total profit is known without a price at the window's start.
      if (after.closedAt === null || position.realizedUsd === null) continue;
      closed += 1;
      if (position.realizedUsd > 0) won += 1;
    }
  }
  const figures = { winRate: closed === 0 ? null : won / closed, roi: roiOf(total), best };
  const averageHoldMs = held.closed === 0 ? null : held.ms / held.closed;
  return {
    trader,
    total,
    figures,
    wasActive,
    rank: null,
    lastFillAt,
    positions: held.positions,
    averageHoldMs,
  };
}

function firstOf(
  own: ReadonlyMap<string, readonly LivePosition[]>,
  hidden: ReadonlySet<string>,
  at: number,
): number {
  let first = at;
  for (const [key, positions] of own)
    if (!hidden.has(key)) for (const { openedAt } of positions) first = Math.min(first, openedAt);
  return first;
}

/** Traders with activity or holdings first, by profit; ties go by userId. */
function byProfit(all: TraderStanding[]): TraderStanding[] {
  all.sort(
    (a, b) =>
      Number(b.wasActive) - Number(a.wasActive) ||
      b.total.net - a.total.net ||
      (a.trader.userId < b.trader.userId ? -1 : 1),
  );
  for (const [index, each] of all.entries()) if (each.wasActive) each.rank = index + 1;
  return all;
}
