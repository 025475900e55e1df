// The curve against plain accounting: windows add up, tokens add up, and missing fills are told.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Book, type Move, movesOf, pnlCurve, priceBook } from "./pnl-curve.ts";
import type { Position } from "./position.ts";

const HOUR = 3_600_000;
const token = (address: string, networkId = 1) => ({
  address,
  networkId,
  symbol: address,
  name: address,
  image: null,
  decimals: 6,
});
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

const book = (tradeId: string, moves: Move[], prices: { at: number; price: number }[]): Book => ({
  ...{ tradeId, token: token(tradeId), moves: moves.sort((a, b) => a.at - b.at), priceAt: priceBook(prices) },
});

describe("a profit curve", () => {
  test("by hand: bought at 1, half sold at 3, the rest worth 2", () => {
    const moves: Move[] = [
      { at: 1, kind: "buy", amount: 10, usd: 10, feeUsd: 1 },
      { at: 2 * HOUR + 1, kind: "sell", amount: 5, usd: 15, feeUsd: 0.5 },
    ];
    const prices = [
      { at: 1, price: 1 },
      { at: 2 * HOUR, price: 3 },
      { at: 3 * HOUR, price: 2 },
    ];
    const curve = pnlCurve([book("a", moves, prices)], { from: 0, to: 4 * HOUR, stepMs: HOUR });
    expect(curve.buckets.map(({ pnlUsd }) => pnlUsd)).toEqual([-1, 19, 13.5, 13.5]);
    expect(curve.realizedUsd).toBe(-1 + 15 - 5 - 0.5);
    expect(curve.unrealizedChangeUsd).toBe(5);
    expect(curve.buckets.map(({ fills }) => fills)).toEqual([1, 0, 1, 0]);
    expect(curve.buckets.at(-1)?.equityUsd).toBe(10);
  });

  test("what is received counts at its price then, and what is sent away is neither gain nor loss", () => {
    const moves: Move[] = [
      { at: 1, kind: "in", amount: 10, usd: 20, feeUsd: 0 },
      { at: 2, kind: "out", amount: 4, usd: 40, feeUsd: 0 },
    ];
    const curve = pnlCurve([book("a", moves, [{ at: 1, price: 2 }])], { from: 0, to: HOUR, stepMs: HOUR });
    expect(curve.pnlUsd).toBe(0);
    expect(curve.volumeUsd).toBe(0);
  });

  const aBook = fc
    .record({
      buys: fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 40 }),
          amount: fc.integer({ min: 1, max: 99 }),
          price: fc.integer({ min: 1, max: 50 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      sells: fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 40 }),
          share: fc.integer({ min: 1, max: 100 }),
          price: fc.integer({ min: 1, max: 50 }),
        }),
        { maxLength: 5 },
      ),
      prices: fc.array(
        fc.record({ at: fc.integer({ min: 0, max: 40 }), price: fc.integer({ min: 1, max: 50 }) }),
        { minLength: 1, maxLength: 20 },
      ),
    })
    .map(({ buys, sells, prices }): { moves: Move[]; prices: { at: number; price: number }[] } => {
      const moves: Move[] = buys.map(({ at, amount, price }) => ({
        at: at * HOUR,
        kind: "buy",
        amount,
        usd: amount * price,
        feeUsd: 0.25,
      }));
      for (const { at, share, price } of sells) {
        const held = moves
          .filter((move) => move.at <= at * HOUR)
          .reduce((sum, move) => sum + (move.kind === "buy" ? move.amount : -move.amount), 0);
        const later = moves.some((move) => move.at > at * HOUR);
        if (held > 0 && !later)
          moves.push({
            at: at * HOUR,
            kind: "sell",
            amount: (held * share) / 100,
            usd: ((held * share) / 100) * price,
            feeUsd: 0.25,
          });
      }
      return { moves, prices: prices.map(({ at, price }) => ({ at: at * HOUR, price })) };
    });

  test("two windows that touch earn together what one over both earns", () => {
    fc.assert(
      fc.property(
        fc.array(aBook, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 39 }),
        (made, middle) => {
          const books = made.map(({ moves, prices }, index) => book(`t${index}`, [...moves], prices));
          const over = (from: number, to: number) =>
            pnlCurve(books, { from: from * HOUR, to: to * HOUR, stepMs: HOUR });
          const [whole, first, second] = [over(0, 41), over(0, middle), over(middle, 41)];
          expect(near(whole.pnlUsd, first.pnlUsd + second.pnlUsd)).toBe(true);
          expect(whole.fills).toBe(first.fills + second.fills);
        },
      ),
    );
  });

  test("tokens add up to the whole, and so do taken and open", () => {
    fc.assert(
      fc.property(
        fc.array(aBook, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 30 }),
        (made, from) => {
          const books = made.map(({ moves, prices }, index) => book(`t${index}`, [...moves], prices));
          const curve = pnlCurve(books, { from: from * HOUR, to: 41 * HOUR, stepMs: 4 * HOUR });
          expect(
            near(
              curve.pnlUsd,
              curve.shares.reduce((sum, { pnlUsd }) => sum + pnlUsd, 0),
            ),
          ).toBe(true);
          expect(near(curve.pnlUsd, curve.realizedUsd + curve.unrealizedChangeUsd)).toBe(true);
          expect(
            near(
              curve.volumeUsd,
              curve.shares.reduce((sum, { volumeUsd }) => sum + volumeUsd, 0),
            ),
          ).toBe(true);
          for (let index = 1; index < curve.buckets.length; index++)
            expect((curve.buckets[index]?.opensAt ?? 0) - (curve.buckets[index - 1]?.opensAt ?? 0)).toBe(
              4 * HOUR,
            );
        },
      ),
    );
  });
});

describe("a position's moves", () => {
  const position = (more: Partial<Position>): Position => ({
    ...{ tradeId: "t", userId: "u", handle: "h", token: token("t"), status: "open", isDev: false },
    ...{
      boughtAmount: 10,
      soldAmount: 0,
      transferredInAmount: 0,
      transferredOutAmount: 0,
      costBasisUsd: 20,
      proceedsUsd: 0,
    },
    ...{
      avgExitPrice: null,
      avgTransferInPrice: null,
      avgTransferOutPrice: null,
      realizedPnlUsd: 0,
      unrealizedPnlUsd: 0,
    },
    ...{ priceUsd: 2, openedAt: 100, lastActivityAt: 200, closedAt: null, thesis: null },
    ...more,
  });
  const fill = (side: "buy" | "sell", at: number, amount: number, usd: number) => ({
    side,
    at,
    amount,
    usd,
    feeUsd: null,
  });

  test("are its fills, and it is whole when they explain it", () => {
    expect(movesOf(position({}), [fill("buy", 100, 10, 20)])).toEqual({
      moves: [{ kind: "buy", at: 100, amount: 10, usd: 20, feeUsd: 0 }],
      whole: true,
    });
  });
  test("what fills do not explain is taken from its totals, and it is not whole", () => {
    const { moves, whole } = movesOf(position({ soldAmount: 4, proceedsUsd: 12 }), [fill("buy", 150, 6, 15)]);
    expect(whole).toBe(false);
    expect(moves).toEqual([
      { kind: "buy", at: 100, amount: 4, usd: 5, feeUsd: 0 },
      { kind: "buy", at: 150, amount: 6, usd: 15, feeUsd: 0 },
      { kind: "sell", at: 200, amount: 4, usd: 12, feeUsd: 0 },
    ]);
  });
});

test("a price is the last one known, and the first one before that", () => {
  const priceAt = priceBook([
    { at: 20, price: 2 },
    { at: 10, price: 1 },
  ]);
  expect([5, 10, 19, 20, 99].map(priceAt)).toEqual([1, 1, 1, 2, 2]);
  expect(priceBook([])(1)).toBeNull();
});
