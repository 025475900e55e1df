// The worked example of docs/profit.md, and what must hold of any books.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { atOnce } from "../kit/slices.ts";
import { DAY_MS, HOUR_MS } from "../kit/units.ts";
import { bucketEnds, curveOf } from "./curve.ts";
import { figuresOf } from "./figures.ts";
import { type BookMove, book, type Lot, type MoveKind, NOTHING_HELD } from "./lot.ts";
import { markAgeMsMax, type PriceMark, usableMark } from "./marks.ts";
import { toMicro, toUsd } from "./money.ts";
import { cutShares, sharesBy } from "./shares.ts";
import { addProfit, noProfit } from "./totals.ts";
import { type PositionBook, positionProfit, windowProfit } from "./window.ts";

const mark = (priceUsd: number): PriceMark => ({ priceUsd, at: 0, source: "test" });

function move(kind: MoveKind, amount: number, usd: number | null, more: Partial<BookMove> = {}): BookMove {
  return { at: 0, kind, amount, usd, feeUsd: 0, txHash: null, ...more };
}

function bookOf(
  moves: readonly BookMove[],
  closingPrice: number | null,
  more: Partial<PositionBook<string>> = {},
): PositionBook<string> {
  return {
    subject: "position",
    opening: NOTHING_HELD,
    moves,
    openingMark: null,
    closingMark: closingPrice === null ? null : mark(closingPrice),
    isWhole: true,
    ...more,
  };
}

const netOf = (of: PositionBook<string>): number | null => {
  const { profit } = positionProfit(of);
  return profit && toUsd(profit.net);
};

function heldAfter(moves: readonly BookMove[], held: Lot = NOTHING_HELD): Lot {
  return moves.reduce((before, each) => book(before, each).after, held);
}

const KINDS: MoveKind[] = ["buy", "sell", "receive", "send"];
const price = fc.double({ min: 0.0001, max: 1_000, noNaN: true });
const anyMoves = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      share: fc.double({ min: 0.01, max: 1, noNaN: true }),
      tokens: fc.double({ min: 0.01, max: 10_000, noNaN: true }),
      priceUsd: price,
      feeShare: fc.double({ min: 0, max: 0.05, noNaN: true }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  // Nobody sells more than is held: what leaves is a share of it.
  .map((drawn) => {
    const moves: BookMove[] = [];
    let held = NOTHING_HELD;
    for (const [at, { kind, share, tokens, priceUsd, feeShare }] of drawn.entries()) {
      const isOut = (kind === "sell" || kind === "send") && held.amount > 0;
      const amount = isOut ? held.amount * share : tokens;
      const usd = amount * priceUsd;
      const isSwap = kind === "buy" || kind === "sell";
      const next = move(
        isOut ? kind : kind === "send" || kind === "receive" ? "receive" : "buy",
        amount,
        usd,
        {
          at,
          feeUsd: isSwap ? usd * feeShare : 0,
        },
      );
      moves.push(next);
      held = book(held, next).after;
    }
    return moves;
  });

const near = (a: number | null, b: number | null, tolerance = 0.001) => {
  expect(a === null).toBe(b === null);
  expect(Math.abs((a ?? 0) - (b ?? 0))).toBeLessThanOrEqual(tolerance + Math.abs(b ?? 0) * 1e-9);
};

describe("books", () => {
  test("are those of the worked example", () => {
    const books = bookOf(
      [
        move("buy", 100, 100, { feeUsd: 1 }),
        move("receive", 100, 300),
        move("sell", 50, 150, { feeUsd: 2 }),
        move("send", 50, 200),
      ],
      4,
    );
    const { profit, closing } = positionProfit(books);
    // 200 tokens for 400 dollars are 2 each. 50 sold: 150 - 100. 50 sent: at cost. 100 left: worth 400, cost 200.
    expect(profit).toMatchObject({
      gross: toMicro(50 + 200),
      fees: toMicro(3),
      net: toMicro(247),
      realized: toMicro(47),
      unrealizedChange: toMicro(200),
      volume: toMicro(250),
      fills: 2,
    });
    expect(closing).toMatchObject({ amount: 100, cost: toMicro(200) });
  });

  test("a gift is no profit, kept or sold at the price it had", () => {
    fc.assert(
      fc.property(price, fc.double({ min: 0.1, max: 1_000, noNaN: true }), (priceUsd, amount) => {
        const gift = move("receive", amount, amount * priceUsd);
        near(netOf(bookOf([gift], priceUsd)), 0);
        near(netOf(bookOf([gift, move("sell", amount, amount * priceUsd)], null)), 0);
      }),
    );
  });

  test("what is sold and was never seen to arrive brings no gain", () => {
    expect(netOf(bookOf([move("sell", 10, 50)], null))).toBe(0);
    expect(netOf(bookOf([move("buy", 10, 20), move("sell", 20, 60)], null))).toBe(10);
  });

  test("the same moves in any split give the same", () => {
    fc.assert(
      fc.property(anyMoves, price, fc.integer({ min: 2, max: 4 }), (moves, priceUsd, parts) => {
        const split = moves.flatMap((each) =>
          Array.from({ length: parts }, () => ({
            ...each,
            amount: each.amount / parts,
            usd: (each.usd ?? 0) / parts,
            feeUsd: (each.feeUsd ?? 0) / parts,
          })),
        );
        near(netOf(bookOf(split, priceUsd)), netOf(bookOf(moves, priceUsd)));
      }),
    );
  });

  test("prices scaled scale the result", () => {
    fc.assert(
      fc.property(
        anyMoves,
        price,
        fc.double({ min: 0.5, max: 20, noNaN: true }),
        (moves, priceUsd, factor) => {
          const scaled = moves.map((each) => ({
            ...each,
            usd: (each.usd ?? 0) * factor,
            feeUsd: (each.feeUsd ?? 0) * factor,
          }));
          const whole = netOf(bookOf(moves, priceUsd)) ?? 0;
          near(netOf(bookOf(scaled, priceUsd * factor)), whole * factor, 0.01);
        },
      ),
    );
  });

  test("gross less fees is net, and so is what was taken with the change of what is open", () => {
    fc.assert(
      fc.property(anyMoves, price, (moves, priceUsd) => {
        const { profit } = positionProfit(bookOf(moves, priceUsd));
        expect(profit?.net).toBe((profit?.gross ?? 0) - (profit?.fees ?? 0));
        expect(profit?.net).toBe((profit?.realized ?? 0) + (profit?.unrealizedChange ?? 0));
      }),
    );
  });
});

describe("a window", () => {
  test("cut in two adds up, to the last millionth", () => {
    fc.assert(
      fc.property(anyMoves, price, price, fc.nat(25), (moves, middlePrice, endPrice, cut) => {
        const first = moves.slice(0, cut);
        const opening = heldAfter(first);
        const parts = [
          positionProfit(bookOf(first, middlePrice)),
          positionProfit(bookOf(moves.slice(cut), endPrice, { opening, openingMark: mark(middlePrice) })),
        ];
        const sum = noProfit();
        for (const { profit } of parts) if (profit) addProfit(sum, profit);
        expect(sum.net).toBe(positionProfit(bookOf(moves, endPrice)).profit?.net ?? Number.NaN);
      }),
    );
  });

  test("is the sum of its positions, tokens, and its last bucket, exactly", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyMoves, price), { minLength: 1, maxLength: 60 }), (drawn) => {
        const books = drawn.map(([moves, priceUsd], index) =>
          bookOf(moves, priceUsd, { subject: `token ${index % 50}` }),
        );
        const { positions, total } = windowProfit(books);
        const { shown, rest } = cutShares(sharesBy(positions, String), 5);
        const parts = noProfit();
        for (const { profit } of shown) addProfit(parts, profit);
        if (rest) addProfit(parts, rest.profit);
        expect(parts).toEqual(total);
        const buckets = atOnce(curveOf(positions, bucketEnds(0, 25, 4), () => mark(3)));
        expect(buckets.at(-1)?.sinceStart).toEqual(total);
        expect(buckets.reduce((sum, { fills }) => sum + fills, 0)).toBe(total.fills);
        expect(buckets.reduce((sum, { realized }) => sum + realized, 0)).toBe(total.realized);
      }),
    );
  });

  test("unknown stays unknown: it is left out of the sums and counted", () => {
    const known = bookOf([move("buy", 10, 10)], 3);
    const unknown: [PositionBook<string>, string][] = [
      [bookOf([move("receive", 10, null)], 3), "cost"],
      [bookOf([move("buy", 10, 10), move("sell", 10, null)], null), "proceeds"],
      [bookOf([move("buy", 10, 10)], null), "closingMark"],
      [bookOf([], 3, { opening: { amount: 5, largest: 5, cost: 1 } }), "openingMark"],
      [bookOf([], 3, { opening: { amount: 5, largest: 5, cost: null }, openingMark: mark(1) }), "cost"],
    ];
    for (const [each, why] of unknown) {
      const { positions, total, unpriced, isComplete } = windowProfit([known, each]);
      expect(positions[1]).toMatchObject({ profit: null, missing: [why] });
      expect({ net: total.net, unpriced, isComplete }).toEqual({
        net: toMicro(20),
        unpriced: 1,
        isComplete: false,
      });
    }
  });

  test("is complete only with every move and every fee", () => {
    expect(windowProfit([bookOf([move("buy", 1, 1)], 1)]).isComplete).toBe(true);
    expect(windowProfit([bookOf([move("buy", 1, 1, { feeUsd: null })], 1)]).isComplete).toBe(false);
    expect(windowProfit([bookOf([move("buy", 1, 1)], 1, { isWhole: false })]).isComplete).toBe(false);
  });

  test("a bucket without a mark counts a position as where it stood, and says so", () => {
    const books = bookOf([move("buy", 10, 10, { at: 1 }), move("buy", 10, 30, { at: 5 })], 4);
    const ends = bucketEnds(0, 12, 4);
    const { positions } = windowProfit([books]);
    const buckets = atOnce(curveOf(positions, ends, (_subject, moment) => (moment === 4 ? mark(2) : null)));
    expect(buckets.map(({ sinceStart, unpriced }) => [toUsd(sinceStart.net), unpriced])).toEqual([
      [10, 0],
      [10, 1],
      [40, 0],
    ]);
  });

  test("names the best trade, the share that won and what a dollar brought", () => {
    const window = windowProfit([
      bookOf([move("buy", 10, 10), move("sell", 10, 25)], null, { subject: "won" }),
      bookOf([move("buy", 10, 10), move("sell", 10, 5)], null, { subject: "lost" }),
      bookOf([move("buy", 10, 10)], 1.5, { subject: "open" }),
    ]);
    const lifeNet = new Map([
      ["won", 15],
      ["lost", -5],
    ]);
    const figures = figuresOf(window, (subject) => lifeNet.get(subject) ?? null);
    expect(figures).toMatchObject({ winRate: 0.5, roi: 0.5, best: { subject: "won" } });
  });
});

describe("a mark", () => {
  test("is at or before its moment, and at most an hour or a twentieth of the window old", () => {
    expect(markAgeMsMax(DAY_MS)).toBe(1.2 * HOUR_MS);
    expect(markAgeMsMax(HOUR_MS)).toBe(HOUR_MS);
    const seen = (at: number): PriceMark => ({ priceUsd: 1, at, source: "test" });
    const moment = 100 * DAY_MS;
    expect(usableMark(seen(moment), moment, HOUR_MS)).not.toBeNull();
    expect(usableMark(seen(moment + 1), moment, HOUR_MS)).toBeNull();
    expect(usableMark(seen(moment - HOUR_MS), moment, HOUR_MS)).not.toBeNull();
    expect(usableMark(seen(moment - HOUR_MS - 1), moment, HOUR_MS)).toBeNull();
    expect(usableMark(seen(moment - 8 * HOUR_MS), moment, 7 * DAY_MS)).not.toBeNull();
  });
});
