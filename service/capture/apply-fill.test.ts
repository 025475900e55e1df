import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AppItem } from "../../protocol/shapes/event.ts";
import type { Position } from "../../protocol/shapes/position.ts";
import { appEvent, MIDNIGHT, position } from "../../test/support/nouns.ts";
import { heldAmount } from "../model/position.ts";
import { applyFill } from "./apply-fill.ts";

/** Ten tokens bought at one dollar. */
const held = position({ boughtAmount: 10, costBasisUsd: 10, priceUsd: 1, lastActivityAt: MIDNIGHT });

function buy(change: Partial<AppItem> = {}): AppItem {
  return appEvent({
    kind: "buy",
    at: MIDNIGHT + 1_000,
    amount: 5,
    priceUsd: 2,
    fillUsd: 10,
    positionValueUsd: 30,
    ...change,
  });
}

function sell(change: Partial<AppItem> = {}): AppItem {
  return appEvent({
    kind: "sell",
    at: MIDNIGHT + 1_000,
    amount: 4,
    priceUsd: 2,
    fillUsd: 8,
    positionValueUsd: 12,
    realizedPnlUsd: 4,
    realizedPnlUsdDelta: 4,
    ...change,
  });
}

function applied(to: Position, event: AppItem): Position {
  const result = applyFill(to, event);
  if (result.kind !== "applied") throw new Error(`it was ${result.kind}`);
  return result.position;
}

describe("applying a fill to a known position", () => {
  test("a buy adds to what was bought and paid", () => {
    const next = applied(held, buy());
    expect(next).toMatchObject({ boughtAmount: 15, costBasisUsd: 20, priceUsd: 2, status: "open" });
    expect(next.unrealizedPnlUsd).toBeCloseTo(15 * 2 - 20, 9);
    expect(next.lastActivityAt).toBe(MIDNIGHT + 1_000);
  });

  test("a sell realizes its part and leaves the rest open", () => {
    const next = applied(held, sell());
    expect(next).toMatchObject({
      soldAmount: 4,
      proceedsUsd: 8,
      avgExitPrice: 2,
      realizedPnlUsd: 4,
      status: "open",
    });
    expect(next.unrealizedPnlUsd).toBeCloseTo(6 * 2 - 6, 9);
  });

  test("a fee that is not known leaves what was taken unknown, until the platform says it", () => {
    const next = applied(held, buy({ feeUsd: null }));
    expect([next.realizedPnlUsd, next.feesUsd]).toEqual([null, null]);
    expect(next.unrealizedPnlUsd).toBeCloseTo(15 * 2 - 20, 9);
    const later = applied(
      next,
      sell({ at: MIDNIGHT + 2_000, amount: 3, fillUsd: 6, positionValueUsd: 24, realizedPnlUsd: 1.9 }),
    );
    expect([later.realizedPnlUsd, later.feesUsd]).toEqual([1.9, null]);
    expect(applied(held, buy({ feeUsd: 0.25 }))).toMatchObject({ realizedPnlUsd: -0.25, feesUsd: 0.25 });
  });

  test("selling all of it closes the position", () => {
    const all = sell({
      amount: 10,
      fillUsd: 20,
      positionValueUsd: 0,
      realizedPnlUsd: 10,
      realizedPnlUsdDelta: 10,
    });
    const next = applied(held, all);
    expect(next).toMatchObject({ status: "closed", closedAt: MIDNIGHT + 1_000, unrealizedPnlUsd: 0 });
    expect(heldAmount(next)).toBe(0);
  });

  test("a fill that the position already has changes nothing, by its time or by its figures", () => {
    expect(applyFill(held, buy({ at: MIDNIGHT - 1 })).kind).toBe("included");
    const next = applied(held, buy());
    expect(applyFill(next, buy()).kind).toBe("included");
    expect(applyFill({ ...next, lastActivityAt: MIDNIGHT }, buy()).kind).toBe("included");
  });

  test("a fill whose figures do not add up, or are missing, is doubtful", () => {
    for (const event of [
      buy({ positionValueUsd: 40 }),
      buy({ positionValueUsd: null }),
      buy({ amount: null }),
      buy({ fillUsd: null }),
      buy({ priceUsd: null }),
      sell({ realizedPnlUsd: 5 }),
      sell({ realizedPnlUsdDelta: null }),
      sell({ amount: 11, fillUsd: 22, positionValueUsd: 0 }),
    ]) {
      expect(applyFill(held, event).kind).toBe("doubtful");
    }
    expect(applyFill({ ...held, status: "closed", closedAt: MIDNIGHT }, buy()).kind).toBe("doubtful");
  });

  test("a fill too small to be seen in the figures is doubtful rather than guessed", () => {
    const tiny = buy({ amount: 0.001, fillUsd: 0.002, positionValueUsd: 20.002 });
    expect(applyFill(held, tiny).kind).toBe("doubtful");
  });

  test("any run of fills, each seen once or twice, ends as the books do", () => {
    const steps = fc.array(
      fc.record({
        buys: fc.boolean(),
        share: fc.double({ min: 0.05, max: 1, noNaN: true }),
        priceUsd: fc.double({ min: 0.5, max: 50, noNaN: true }),
        twice: fc.boolean(),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(steps, (fills) => {
        let ours: Position = { ...held };
        const books = { bought: 10, sold: 0, cost: 10, proceeds: 0, openCost: 10, realized: 0 };
        for (const [index, { buys, share, priceUsd, twice }] of fills.entries()) {
          const before = books.bought - books.sold;
          if (ours.status === "closed") break;
          const amount = buys ? 10 * share : before * share;
          const fillUsd = amount * priceUsd;
          const costShare = buys ? 0 : books.openCost * (amount / before);
          if (buys) {
            books.bought += amount;
            books.cost += fillUsd;
            books.openCost += fillUsd;
          } else {
            books.sold += amount;
            books.proceeds += fillUsd;
            books.openCost -= costShare;
            books.realized += fillUsd - costShare;
          }
          const event = appEvent({
            kind: buys ? "buy" : "sell",
            feeUsd: 0,
            at: MIDNIGHT + 1 + index,
            amount,
            priceUsd,
            fillUsd,
            positionValueUsd: (books.bought - books.sold) * priceUsd,
            realizedPnlUsd: buys ? null : books.realized,
            realizedPnlUsdDelta: buys ? null : fillUsd - costShare,
          });
          const result = applyFill(ours, event);
          // Nothing is guessed: a fill below what the figures show is left to upstream.
          if (result.kind === "doubtful" && fillUsd < 0.1) return;
          if (result.kind !== "applied") throw new Error(`fill ${index} was ${result.kind}`);
          ours = result.position;
          if (twice) expect(applyFill(ours, event).kind).not.toBe("applied");
        }
        expect(ours.boughtAmount).toBeCloseTo(books.bought, 6);
        expect(ours.soldAmount).toBeCloseTo(books.sold, 6);
        expect(ours.costBasisUsd).toBeCloseTo(books.cost, 6);
        expect(ours.proceedsUsd).toBeCloseTo(books.proceeds, 6);
        expect(ours.realizedPnlUsd).toBeCloseTo(books.realized, 6);
        const valueUsd = heldAmount(ours) * (ours.priceUsd ?? 0);
        if (ours.status === "open") expect(ours.unrealizedPnlUsd).toBeCloseTo(valueUsd - books.openCost, 4);
      }),
      { numRuns: 300 },
    );
  });
});
