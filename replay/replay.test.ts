// What must hold of any replay, and the worked example of docs/replay.md.
import { describe, expect, test } from "bun:test";
import { type BookMove, NOTHING_HELD } from "../accounting/lot.ts";
import { toUsd } from "../accounting/money.ts";
import { type PositionBook, windowProfit } from "../accounting/window.ts";
import { seededRandom } from "../kit/random.ts";
import { atOnce } from "../kit/slices.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../kit/units.ts";
import { appraise } from "./appraise.ts";
import { fold } from "./fold.ts";
import { type LeaderMove, type LeaderPosition, planOf } from "./leader.ts";
import { type ReplayAnswer, replay } from "./replay.ts";
import { scheduleOf } from "./schedule.ts";
import { type Tick, type TokenTape, tapeOf } from "./tape.ts";
import type { ReplayTerms } from "./terms.ts";
import { inventMarket, inventTerms, MARKET_FROM, STANDARD_TERMS } from "./test-market.ts";

const run = (positions: readonly LeaderPosition[], terms: Partial<ReplayTerms> = {}): ReplayAnswer =>
  atOnce(replay({ positions, terms: { ...STANDARD_TERMS, ...terms }, random: seededRandom("test") }));

const foldOf = (positions: readonly LeaderPosition[], given: Partial<ReplayTerms>) => {
  const terms = { ...STANDARD_TERMS, ...given };
  const plan = atOnce(planOf(positions, terms));
  const schedule = atOnce(scheduleOf(plan, terms.delayMs));
  return atOnce(fold(plan, schedule, terms, { keepsOrders: true, curveEnds: [] }));
};

const cents = (usd: number) => Math.round(usd * 100);
const at = (seconds: number) => MARKET_FROM + seconds * SECOND_MS;
const tick = (seconds: number, priceUsd: number, depthUsd: number, feeBps = 30): Tick => ({
  at: at(seconds),
  priceUsd,
  depthUsd,
  feeBps,
});
const move = (seconds: number, kind: LeaderMove["kind"], amount: number, usd: number): LeaderMove => ({
  at: at(seconds),
  kind,
  amount,
  usd,
  networkFeeUsd: 0.1,
  txHash: `tx ${seconds}`,
});

/** docs/replay.md works this out by hand. */
const EXAMPLE: LeaderPosition[] = [
  {
    token: "EXAMPLE",
    networkId: 8453,
    openingAmount: 0,
    tape: tapeOf([
      tick(0, 0.95, 9_650),
      tick(4, 1, 9_900),
      tick(600, 1.45, 14_500),
      tick(603, 1.4, 14_000),
      tick(1_200, 1.1, 11_000),
    ]),
    moves: [move(0, "buy", 1_000, 900), move(600, "sell", 500, 750), move(1_200, "sell", 500, 600)],
  },
];
const EXAMPLE_TERMS: Partial<ReplayTerms> = { costs: { networkFeeUsd: 0.1, botFeeBps: 70 } };

describe("the worked example", () => {
  test("comes out to the cent", () => {
    const { bridge, follower, captured, orders } = run(EXAMPLE, EXAMPLE_TERMS);
    expect(bridge).toEqual({
      leaderUsd: 50,
      skippedUsd: 0,
      delayUsd: -25,
      impactUsd: -1.86,
      feesUsd: -2.73,
      netUsd: 20.41,
    });
    expect(orders.map(({ side, amount, usd, fee }) => [side, amount.toFixed(4), usd, fee])).toEqual([
      ["buy", "98.0198", 99_000_000, 1_100_000],
      ["sell", "49.0099", 68_279_226, 782_792],
      ["sell", "49.0099", 53_647_963, 636_480],
    ]);
    expect(follower).toMatchObject({
      pnlUsd: 20.41,
      roundTrips: 1,
      orders: 3,
      winRate: 1,
      medianHoldSeconds: 1_200,
    });
    expect(follower.roi?.toFixed(4)).toBe("0.2039");
    expect(captured?.toFixed(4)).toBe("0.4078");
  });

  test("says too few of one round trip, whatever it earned", () => {
    expect(run(EXAMPLE, EXAMPLE_TERMS)).toMatchObject({ verdict: "too_few", doubts: ["roundTrips"] });
  });

  test("falls back to the leader's own price without a tape, and says so", () => {
    const { coverage, bridge } = run(
      EXAMPLE.map((position) => ({ ...position, tape: null })),
      EXAMPLE_TERMS,
    );
    expect(coverage).toEqual({ tape: 0, candle: 0, leader: 1 });
    expect(bridge.delayUsd).toBe(0);
  });

  test("takes a candle that closed after the leader's fill where there is no tick", () => {
    const tape = tapeOf([], [{ closesAt: at(60), priceUsd: 1.2 }]);
    const { orders } = run(
      EXAMPLE.map((position) => ({ ...position, tape })),
      { ...EXAMPLE_TERMS, delayMs: 70 * SECOND_MS },
    );
    expect(orders[0]).toMatchObject({ source: "candle", priceUsd: 1.2 });
  });
});

describe("exits", () => {
  const hold: LeaderPosition[] = [
    {
      ...(EXAMPLE[0] as LeaderPosition),
      moves: [move(0, "buy", 1_000, 900)],
      tape: tapeOf([
        tick(0, 1, 1e9, 0),
        tick(100, 1.3, 1e9, 0),
        tick(200, 0.8, 1e9, 0),
        tick(300, 0.7, 1e9, 0),
      ]),
    },
  ];
  const exitOf = (rules: Partial<ReplayTerms["rules"]>) => {
    const terms = { rules: { ...STANDARD_TERMS.rules, ...rules } };
    const order = run(hold, terms).orders[1];
    return order && [order.cause, (order.at - MARKET_FROM) / SECOND_MS, order.priceUsd];
  };

  test("a rule is met by a tick and carried out in the next block", () => {
    expect(exitOf({ stopLossPct: 15 })).toEqual(["stopLoss", 202, 0.8]);
    expect(exitOf({ takeProfitPct: 25 })).toEqual(["takeProfit", 102, 1.3]);
    expect(exitOf({ trailingPct: 30 })).toEqual(["trailing", 202, 0.8]);
    expect(exitOf({ maxHoldMs: 150 * SECOND_MS })).toEqual(["maxHold", 155, 1.3]);
    expect(exitOf({ stopLossPct: 90 })).toBeUndefined();
  });

  test("the first sell of the leader's sells everything, and later ones find nothing", () => {
    const { orders, skipped } = run(EXAMPLE, { exit: "firstSell" });
    expect(orders.map(({ side, share, skipped: reason }) => [side, share, reason])).toEqual([
      ["buy", 0, null],
      ["sell", 1, null],
      ["sell", 1, "nothingHeld"],
    ]);
    expect(skipped).toEqual({ nothingHeld: 1 });
  });

  test("tokens that the leader sends away are kept, and counted", () => {
    const sent = EXAMPLE.map((position) => ({
      ...position,
      moves: [move(0, "buy", 1_000, 900), move(300, "send", 500, 450), move(1_200, "sell", 500, 600)],
    }));
    const { leaderMovedTokens, orders } = run(sent);
    expect(leaderMovedTokens).toBe(1);
    expect(orders.at(-1)).toMatchObject({ side: "sell", share: 1 });
  });

  test("what can't be sold any more is worth nothing", () => {
    // A little is left in the pool, or nothing at all.
    for (const left of [[], [tick(60, 1, 0)]]) {
      const tape = tapeOf([tick(0, 1, 40), ...left]);
      const { bridge, dead } = run(
        hold.map((position) => ({ ...position, tape })),
        { costs: { networkFeeUsd: 0, botFeeBps: 0 } },
      );
      expect([bridge.netUsd, dead]).toEqual([-100, 1]);
    }
  });
});

describe("any terms", () => {
  /** Fewer ticks than the tape of a busy token has, so that many seeds take little time. */
  const QUIET = { tickEveryMs: 50 * SECOND_MS };

  test("the bridge adds up to the cent for 1,000 random terms, and accounting agrees with the net", () => {
    for (let seed = 0; seed < 1_000; seed++) {
      const positions = inventMarket(seed, { tokens: 3, trips: 2, days: 1, tickEveryMs: 120 * SECOND_MS });
      const terms = { ...inventTerms(seed), to: MARKET_FROM + DAY_MS };
      const { bridge, follower } = run(positions, terms);
      const sum =
        cents(bridge.leaderUsd) +
        cents(bridge.skippedUsd) +
        cents(bridge.delayUsd) +
        cents(bridge.impactUsd) +
        cents(bridge.feesUsd);
      expect({ seed, sum }).toEqual({ seed, sum: cents(bridge.netUsd) });
      expect(follower.pnlUsd).toBe(bridge.netUsd);
      const folded = foldOf(positions, terms);
      expect(Math.abs(toUsd(folded.net - bookedNet(positions.length, folded)))).toBeLessThan(1e-5);
    }
  });

  test("net never rises with the bot's fee, nor the return with the order's size", () => {
    for (let seed = 0; seed < 60; seed++) {
      const positions = inventMarket(seed, QUIET);
      const roomy = { capitalUsd: 1e9 };
      const nets = [0, 10, 50, 200].map(
        (botFeeBps) => foldOf(positions, { ...roomy, costs: { networkFeeUsd: 0, botFeeBps } }).net,
      );
      expect(nets).toEqual(nets.toSorted((a, b) => b - a));
      const perDollar = [10, 100, 1_000, 10_000].map((value) => {
        const size = { mode: "fixed", value, minUsd: null, maxUsd: null } as const;
        return foldOf(positions, { ...roomy, size, costs: { networkFeeUsd: 0, botFeeBps: 0 } }).net / value;
      });
      expect(perDollar).toEqual(perDollar.toSorted((a, b) => b - a));
    }
  });

  test("at no delay, no fee and a tiny size the leader's own return is left, but for the leader's own impact", () => {
    const errors: number[] = [];
    for (let seed = 0; seed < 100; seed++) {
      const positions = inventMarket(seed, { ...QUIET, leaderUsd: 20, poolFeeBps: 0 });
      const { bridge, turnoverUsd } = run(positions, {
        capitalUsd: 1e6,
        delayMs: 0,
        size: { mode: "share", value: 1, minUsd: null, maxUsd: null },
        costs: { networkFeeUsd: 0, botFeeBps: 0 },
      });
      errors.push(Math.abs(bridge.netUsd - bridge.leaderUsd) / turnoverUsd);
    }
    errors.sort((a, b) => a - b);
    expect(errors[50]).toBeLessThan(0.005);
  });

  test("a tape that is cut changes nothing before the cut", () => {
    for (let seed = 0; seed < 100; seed++) {
      const positions = inventMarket(seed, QUIET);
      const terms = inventTerms(seed);
      const cutAt = MARKET_FROM + seededRandom(seed).next() * 3 * DAY_MS;
      const cut = positions.map((position) => ({ ...position, tape: cutTape(position.tape, cutAt) }));
      const before = (orders: ReplayAnswer["orders"]) => orders.filter((order) => order.at < cutAt);
      expect(before(foldOf(cut, terms).orders)).toEqual(before(foldOf(positions, terms).orders));
    }
  });

  test("the figures that traders are ranked by are those of the whole replay", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const positions = inventMarket(seed);
      const terms = inventTerms(seed);
      const whole = run(positions, terms);
      const figures = atOnce(appraise({ positions, terms, random: seededRandom("test") }));
      expect({ seed, ...figures }).toEqual({
        seed,
        pnlUsd: whole.follower.pnlUsd,
        roi: whole.follower.roi,
        orders: whole.follower.orders,
        roundTrips: whole.follower.roundTrips,
        covered: whole.coverage?.tape ?? null,
        verdict: whole.verdict,
        doubts: whole.doubts,
        low90Usd: whole.low90Usd,
        high90Usd: whole.high90Usd,
      });
    }
  });

  test("the same question has the same answer, at once or in slices", () => {
    const positions = inventMarket(7);
    expect(run(positions)).toEqual(run(positions));
  });

  test("a leader who did nothing leaves nothing to copy", () => {
    const answer = run([]);
    expect(answer).toMatchObject({ verdict: "too_few", coverage: null, captured: null, capacityUsd: null });
    expect(answer.follower).toMatchObject({ pnlUsd: 0, roi: null, winRate: null, orders: 0 });
  });
});

describe("verdicts", () => {
  const MANY = { tokens: 40, trips: 2, days: 3, tickEveryMs: 60 * SECOND_MS };
  const terms = { capitalUsd: 1e6, costs: { networkFeeUsd: 0, botFeeBps: 0 } };
  /** Prices that only rise once the leader has bought, by so much within `riseMs`. */
  const rising = (riseMs: number, total: number): LeaderPosition[] =>
    Array.from({ length: MANY.tokens }, (_, token) => {
      const start = 1_000 * token;
      const steps = Array.from({ length: 400 }, (_, step) => step * 10);
      const priceAt = (seconds: number) => 1 + total * Math.min(1, (seconds * SECOND_MS) / riseMs);
      return {
        token: `rising ${token}`,
        networkId: 8453,
        openingAmount: 0,
        tape: tapeOf(steps.map((seconds) => tick(start + seconds, priceAt(seconds), 1e9, 0))),
        moves: [move(start, "buy", 1_000, 1_000), move(start + 3_600, "sell", 1_000, 1_000 * priceAt(3_600))],
      };
    });

  test("copyable where the gain is still to come, with a capacity and no break-even", () => {
    const answer = run(rising(HOUR_MS, 0.5), terms);
    expect(answer).toMatchObject({ verdict: "copyable", doubts: [], breakEvenDelaySeconds: null });
    expect(answer.low90Usd).toBeGreaterThan(0);
    expect(answer.capacityUsd).toBeGreaterThanOrEqual(100);
  });

  test("fades where the gain is over before the delay, and the break-even says when", () => {
    const fading = rising(30 * SECOND_MS, 0.5).map((position) => ({
      ...position,
      // Half of it is lost again at the end.
      tape: endsAt(position.tape as TokenTape, 1.25),
    }));
    const answer = run(fading, { ...terms, delayMs: 60 * SECOND_MS });
    expect(answer.verdict).toBe("fades");
    expect(answer.breakEvenDelaySeconds).toBeGreaterThan(5);
    expect(answer.breakEvenDelaySeconds).toBeLessThanOrEqual(60);
  });

  test("not copyable where it loses at once", () => {
    expect(run(rising(HOUR_MS, -0.5), terms).verdict).toBe("not_copyable");
  });
});

function endsAt(tape: TokenTape, priceUsd: number): TokenTape {
  const price = tape.price.slice();
  price.fill(priceUsd, price.length - 60);
  return { ...tape, price };
}

function cutTape(tape: TokenTape | null, cutAt: number): TokenTape | null {
  if (tape === null) return null;
  const end = tape.at.findLastIndex((moment) => moment < cutAt) + 1;
  const { at: times, price, depth, feeBps } = tape;
  return {
    ...tape,
    at: times.slice(0, end),
    price: price.slice(0, end),
    depth: depth.slice(0, end),
    feeBps: feeBps.slice(0, end),
  };
}

/** What the one accounting makes of the same orders. */
function bookedNet(positions: number, { orders, closing }: ReturnType<typeof foldOf>): number {
  const books = Array.from({ length: positions }, (_, position): PositionBook<number> => {
    const moves = orders
      .filter((order) => order.position === position && order.skipped === null)
      .map(
        ({ at: moment, side, amount, usd, fee }): BookMove => ({
          at: moment,
          kind: side,
          amount,
          usd: toUsd(usd),
          feeUsd: toUsd(fee),
          txHash: null,
        }),
      );
    const end = closing.find((each) => each.position === position);
    const closingMark = end ? { priceUsd: toUsd(end.value) / end.amount, at: 0, source: "tape" } : null;
    return { subject: position, opening: NOTHING_HELD, moves, openingMark: null, closingMark, isWhole: true };
  });
  const { total, unpriced } = windowProfit(books);
  expect(unpriced).toBe(0);
  return total.net;
}
