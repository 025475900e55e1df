// An account that continues ends where one replay over the whole ends, however its time is cut and wherever it is taken up.
import { describe, expect, test } from "bun:test";
import { seededRandom } from "../kit/random.ts";
import { atOnce } from "../kit/slices.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/units.ts";
import { fold } from "./fold.ts";
import { type LeaderPosition, medianOf, planOf } from "./leader.ts";
import {
  beginPaper,
  extendPaper,
  nextDueAt,
  type PaperMove,
  type PaperOrder,
  type PaperState,
  type PaperTerms,
} from "./paper.ts";
import { scheduleOf } from "./schedule.ts";
import { lastAt, type TokenTape } from "./tape.ts";
import type { ReplayTerms } from "./terms.ts";
import { inventMarket, inventTerms, MARKET_FROM, STANDARD_TERMS } from "./test-market.ts";

/** Some ticks only: what came before the stretch is not read again, and what comes after it is not known yet. */
function cut(tape: TokenTape, from: number, to: number): TokenTape {
  const [first, end] = [lastAt(tape.at, from) + 1, lastAt(tape.at, to) + 1];
  const part = (column: Float64Array) => column.slice(first, end);
  return {
    ...tape,
    at: part(tape.at),
    price: part(tape.price),
    depth: part(tape.depth),
    feeBps: part(tape.feeBps),
  };
}

/** Moves of several tokens share a moment, as they share a block. */
const inBlocks = (market: readonly LeaderPosition[]): LeaderPosition[] =>
  market.map((position) => ({
    ...position,
    moves: position.moves.map((move) => ({ ...move, at: Math.ceil(move.at / BLOCK_MS) * BLOCK_MS })),
  }));
const BLOCK_MS = 5 * MINUTE_MS;

/** The tokens in another order than a replay has them. */
const movesOf = (market: readonly LeaderPosition[]): PaperMove[] =>
  market
    .toReversed()
    .flatMap(({ token, networkId, moves }) => moves.map((move) => ({ ...move, token, networkId })))
    .sort((a, b) => a.at - b.at);

function paperTerms(market: readonly LeaderPosition[], terms: ReplayTerms): PaperTerms {
  const fees: Record<string, number> = {};
  for (const { networkId } of market) {
    const own = market.filter((position) => position.networkId === networkId);
    const paid = own.flatMap(({ moves }) => moves.flatMap(({ networkFeeUsd }) => networkFeeUsd ?? []));
    fees[networkId] = medianOf(paid) ?? 0;
  }
  return { ...terms, networkFees: fees };
}

/** How much of the tape before a stretch is read with it. */
const REACH_MS = 15 * MINUTE_MS;

/** `heardAt` says by which end a move is known: at the first that is not before it, unless said. */
function follow(
  market: readonly LeaderPosition[],
  terms: ReplayTerms,
  ends: readonly number[],
  heardAt = (move: PaperMove) => move.at,
) {
  const own = paperTerms(market, terms);
  const moves = movesOf(market);
  let state: PaperState = beginPaper(
    terms.from,
    market.map(({ token, networkId, openingAmount }) => ({ token, networkId, amount: openingAmount })),
    terms.copyOpen,
  );
  const known = new Set<PaperMove>();
  const orders: PaperOrder[] = [];
  for (const to of ends) {
    const fresh = moves.filter((move) => !known.has(move) && heardAt(move) <= to);
    for (const move of fresh) known.add(move);
    const reach = Math.min(state.at, ...state.waiting.map(({ at }) => at)) - REACH_MS;
    const tapes = new Map(market.map(({ token, tape }) => [token, cut(tape as TokenTape, reach, to)]));
    // As it would come back from a store.
    const kept = JSON.parse(JSON.stringify(state)) as PaperState;
    const next = atOnce(extendPaper(kept, { moves: fresh, tapes, to }, own));
    state = next.state;
    orders.push(...next.orders);
  }
  return { state, orders };
}

function replayOf(market: readonly LeaderPosition[], terms: ReplayTerms) {
  const plan = atOnce(planOf(market, terms));
  const schedule = atOnce(scheduleOf(plan, terms.delayMs));
  const result = atOnce(fold(plan, schedule, terms, { keepsOrders: true, curveEnds: [] }));
  const orders = result.orders
    .filter(({ skipped }) => skipped !== "afterWindow")
    .map(({ position, ...order }) => {
      const { token, networkId } = market[position] as LeaderPosition;
      return { ...order, token, networkId };
    });
  return { ...result, orders };
}

describe("a paper account", () => {
  test("that ends while copies are due has the orders of a replay that ends then", () => {
    for (let seed = 0; seed < 60; seed++) {
      const market = inBlocks(inventMarket(seed, { tokens: 4, days: 1, tickEveryMs: 20 * SECOND_MS }));
      const invented = inventTerms(seed);
      const moves = movesOf(market);
      const last = moves[seededRandom(seed, "end").below(moves.length)];
      const terms = { ...invented, to: Number(last?.at) + Math.floor(invented.delayMs / 2) };
      const { orders } = follow(market, terms, [terms.to]);
      expect({ seed, orders }).toEqual({ seed, orders: replayOf(market, terms).orders });
    }
  });

  test("that continues stretch by stretch has the orders and the net of one replay over the whole", () => {
    for (let seed = 0; seed < 60; seed++) {
      const market = inBlocks(inventMarket(seed, { tokens: 4, days: 1, tickEveryMs: 20 * SECOND_MS }));
      const terms = { ...inventTerms(seed), to: MARKET_FROM + DAY_MS };
      const random = seededRandom(seed, "paper");
      const ends = Array.from({ length: 1 + random.below(60) }, () =>
        Math.floor(MARKET_FROM + random.next() * DAY_MS),
      ).sort((a, b) => a - b);
      const { state, orders } = follow(market, terms, [...ends, terms.to]);
      const whole = replayOf(market, terms);
      expect({ seed, orders }).toEqual({ seed, orders: whole.orders });
      expect({ seed, net: state.net, peak: state.peak, filled: state.filled }).toEqual({
        seed,
        net: whole.net,
        peak: whole.peak,
        filled: whole.filled,
      });
      expect([state.trips, state.wins, state.volume, state.sources]).toEqual([
        whole.trips.length,
        whole.trips.filter(({ net }) => net > 0).length,
        whole.volume,
        whole.sources,
      ]);
    }
  });

  test("has the same orders however early, and in whatever order, what happened is learned", () => {
    for (let seed = 0; seed < 30; seed++) {
      const market = inBlocks(inventMarket(seed, { tokens: 4, days: 1, tickEveryMs: 20 * SECOND_MS }));
      const terms = { ...inventTerms(seed), to: MARKET_FROM + DAY_MS };
      // Moves in one token and block have no other order than that in which they are heard.
      const heardAt = ({ token, at }: PaperMove) =>
        at - seededRandom(seed, "heard", token, at).below(4) * HOUR_MS;
      const ends = Array.from({ length: 40 }, (_, part) => MARKET_FROM + ((part + 1) / 40) * DAY_MS);
      const { orders } = follow(market, terms, ends, heardAt);
      expect({ seed, orders }).toEqual({ seed, orders: replayOf(market, terms).orders });
    }
  });

  test("copies a move that comes late when it comes, and never before what it decided already", () => {
    const market = inventMarket(3, { tokens: 1, trips: 1, days: 1 });
    const [move] = movesOf(market);
    const tapes = new Map(market.map(({ token, tape }) => [token, tape as TokenTape]));
    const terms = paperTerms(market, STANDARD_TERMS);
    const at = (move as PaperMove).at + HOUR_MS;
    const quiet = atOnce(
      extendPaper(beginPaper(MARKET_FROM, [], false), { moves: [], tapes, to: at }, terms),
    );
    expect([quiet.orders, nextDueAt(quiet.state, terms)]).toEqual([[], Number.POSITIVE_INFINITY]);
    const late = atOnce(extendPaper(quiet.state, { moves: [move as PaperMove], tapes, to: at + 1 }, terms));
    expect(late.orders).toMatchObject([{ side: "buy", at, leaderAt: move?.at, skipped: null }]);
  });

  test("copies what happens at the moment it begins, as a replay from then does", () => {
    const market = inventMarket(3, { tokens: 1, trips: 1, days: 1 });
    const from = (movesOf(market)[0] as PaperMove).at;
    const terms = { ...STANDARD_TERMS, from, to: from + DAY_MS };
    const { orders } = follow(market, terms, [terms.to]);
    expect(orders[0]).toMatchObject({ side: "buy", leaderAt: from, skipped: null });
    expect(orders).toEqual(replayOf(market, terms).orders);
  });

  test("says when the next copy is due, and waits for it", () => {
    const market = inventMarket(3, { tokens: 1, trips: 1, days: 1 });
    const [move] = movesOf(market) as [PaperMove];
    const terms = { ...paperTerms(market, STANDARD_TERMS), delayMs: MINUTE_MS };
    const { state, orders } = atOnce(
      extendPaper(
        beginPaper(MARKET_FROM, [], false),
        { moves: [move], tapes: new Map(), to: move.at + SECOND_MS },
        terms,
      ),
    );
    expect([orders, nextDueAt(state, terms)]).toEqual([[], move.at + MINUTE_MS]);
  });
});
