// The worked example of docs/tracker.md, and invariants of the accounting.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { book, type Change, positionsOf } from "./accounting.ts";

let made = 0;
function change(netRaw: bigint, valueUsd: number | null, more: Partial<Change> = {}): Change {
  made += 1;
  return {
    chainId: 1,
    token: "0xt",
    txHash: `tx-${made}`,
    height: made,
    txIndex: 0,
    timeMs: made * 1_000,
    wallet: "0xw",
    netRaw,
    isSwap: true,
    valueUsd,
    feeUsd: 0,
    counterparty: null,
    pricedBy: "stable",
    depthUsd: null,
    asOf: made * 1_000,
    isExact: true,
    ...more,
  };
}

describe("a position's accounting", () => {
  test("matches the worked example", () => {
    const booked = book(
      "user",
      [
        change(100n, 100, { feeUsd: 1 }),
        change(100n, 300, { isSwap: false }),
        change(-50n, 150, { feeUsd: 2 }),
      ],
      0,
    );
    const last = booked.at(-1);
    // 200 for 400 dollars are 2 each; 50 of them cost 100. The buy's fee was charged when it was paid.
    expect(last?.realizedDeltaUsd).toBeCloseTo(150 - 2 - 100, 9);
    expect(last?.after.lot.cost).toBe(300_000_000);
    expect(last?.after).toMatchObject({ costBasisUsd: 100, proceedsUsd: 150 });
    expect(last?.after).toMatchObject({ heldRaw: 150n, boughtRaw: 100n, inRaw: 100n, soldRaw: 50n });
  });

  test("a gift is no profit, whether kept or sold at its arrival price", () => {
    const [, sold] = book("user", [change(10n, 50, { isSwap: false }), change(-10n, 50)], 0);
    expect(sold?.realizedDeltaUsd).toBeCloseTo(0, 9);
    expect(sold?.after.closedAt).not.toBeNull();
  });

  test("tokens sold but never seen to arrive count as received then, for no gain", () => {
    const [sold] = book("user", [change(-10n, 50)], 0);
    expect(sold?.realizedDeltaUsd).toBeCloseTo(0, 9);
    expect(sold?.after).toMatchObject({ heldRaw: 0n, inRaw: 10n });
  });

  test("a new position begins after the last one ended", () => {
    const booked = book("user", [change(5n, 5), change(-5n, 6), change(7n, 7)], 0);
    const positions = positionsOf(booked);
    expect(positions).toHaveLength(2);
    expect(new Set(positions.map(({ tradeId }) => tradeId)).size).toBe(2);
  });

  test("holds exactly what came in minus what went out, and is never negative", () => {
    const move = fc.tuple(
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
      fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        const changes = moves
          .filter(([net]) => net !== 0n)
          .map(([net, value, isSwap]) => change(net, value, { isSwap }));
        for (const { after } of book("user", changes, 18)) {
          expect(after.heldRaw).toBe(after.boughtRaw + after.inRaw - after.soldRaw - after.outRaw);
          expect(after.heldRaw >= 0n).toBe(true);
          for (const value of [after.realizedUsd, after.lot.cost])
            expect(value === null || Number.isFinite(value)).toBe(true);
          expect(after.closedAt === null).toBe(after.heldRaw > 0n);
        }
      }),
    );
  });
});
