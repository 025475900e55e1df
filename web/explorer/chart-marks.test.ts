import { describe, expect, test } from "bun:test";
import type { Candle, FillsAnswer, TraderFill } from "../../client/src/generated.ts";
import { HOUR_MS } from "../../kit/units.ts";
import type { TapeEvent } from "../shared/feed.ts";
import { gapIn, joined, marksOf, tradesOf, walkFills } from "./chart-marks.ts";
import { hoursOf } from "./token-flow.tsx";

const iso = (at: number) => new Date(at).toISOString();
const leg = (usd: number) => ({ address: "a", symbol: "A", amount: 1, usd });
const fill = (at: number, side: "buy" | "sell" = "buy") =>
  ({
    ...{
      at: iso(at),
      side,
      txHash: `tx${at}`,
      handle: "amy",
      priceUsd: 2,
      tokenIn: leg(10),
      tokenOut: leg(10),
    },
    ...(side === "buy" ? { tradeIdIn: null, tradeIdOut: "t1" } : { tradeIdIn: "t1", tradeIdOut: null }),
  }) as TraderFill;
const heard = (ts: number, alertType: "buy" | "sell" = "buy") =>
  ({ ts, alertType, txHash: `tx${ts}`, tradeId: "t1", seq: ts, trader: "amy", fillUsd: 10 }) as TapeEvent;

/** A service with this many fills, in pages of a hundred, newest first. */
function served(total: number) {
  let reads = 0;
  const read = async (cursor: string | null): Promise<FillsAnswer> => {
    reads += 1;
    const from = Number(cursor ?? 0);
    const to = Math.min(total, from + 100);
    const fills = Array.from({ length: to - from }, (_, index) => fill(total - from - index));
    const nextCursor = to < total ? String(to) : null;
    const rest = { order: "desc" as const, count: fills.length, complete: nextCursor === null, note: null };
    return { ...rest, fills, nextCursor, coveredFrom: iso(0), coveredTo: iso(total) };
  };
  return { read, reads: () => reads };
}

describe("the marks of a chart", () => {
  test("are of every fill of the range, not of the last hundred", async () => {
    const { walked, trades } = await marked(served(917), 10);
    expect(walked.cutAt).toBeNull();
    expect(trades).toHaveLength(917);
  });

  test("state where they start if the range has more than is read at once", async () => {
    const service = served(2_000);
    const { walked, trades } = await marked(service, 10);
    expect(service.reads()).toBe(10);
    expect(trades).toHaveLength(1_000);
    expect(walked.cutAt).toBe(1_001);
  });

  test("are read for the visible range, the newest gap first, and nothing is read twice", () => {
    const now = Number.POSITIVE_INFINITY;
    expect(gapIn([], { from: 50, to: now })).toEqual({ from: 50, to: now });
    // The walk was cut at 80: everything else is older.
    let known = joined([], { from: 80, to: now });
    expect(gapIn(known, { from: 50, to: now })).toEqual({ from: 50, to: 80 });
    expect(gapIn(known, { from: 90, to: 95 })).toBeNull();
    // Another range in the past, then the gap in between.
    expect(gapIn(known, { from: 10, to: 20 })).toEqual({ from: 10, to: 20 });
    known = joined(known, { from: 10, to: 20 });
    expect(gapIn(known, { from: 5, to: now })).toEqual({ from: 20, to: 80 });
    known = joined(known, { from: 20, to: 80 });
    expect(known).toEqual([{ from: 10, to: now }]);
    expect(gapIn(known, { from: 5, to: now })).toEqual({ from: 5, to: 10 });
  });

  test("count a trade in both the fills and the tape once, and include one that only the tape has yet", () => {
    const trades = tradesOf([fill(5), fill(3, "sell")], [heard(9), heard(5), heard(3, "sell")]);
    expect(trades.map(({ at, side }) => [at, side])).toEqual([
      [9, "buy"],
      [5, "buy"],
      [3, "sell"],
    ]);
  });

  test("are one per side of each visible candle", () => {
    const trades = tradesOf([fill(5), fill(7), fill(8, "sell"), fill(99)], []);
    expect(marksOf(trades, (at) => Math.floor(at / 10) * 10, new Set([0]))).toEqual([
      { at: 0, side: "buy", count: 2 },
      { at: 0, side: "sell", count: 1 },
    ]);
  });
});

describe("the hours of a token", () => {
  const candle = (hour: number, buyV: number, sellV: number) =>
    ({ t: iso(hour * HOUR_MS), buyV, sellV, trades: 3 }) as Candle;

  test("are all there: zero for one without a trade, unknown for one before the captured time", () => {
    const body = { candles: [candle(8, 1, 2), candle(97, 5, 7)], coveredFrom: iso(95 * HOUR_MS) };
    expect(hoursOf(body, 98.5 * HOUR_MS).map(({ at, ...flow }) => [at / HOUR_MS, flow])).toEqual([
      [95, { boughtUsd: 0, soldUsd: 0, trades: 0 }],
      [96, { boughtUsd: 0, soldUsd: 0, trades: 0 }],
      [97, { boughtUsd: 5, soldUsd: 7, trades: 3 }],
      [98, { boughtUsd: 0, soldUsd: 0, trades: 0 }],
    ]);
  });
});

async function marked(service: ReturnType<typeof served>, pagesMax: number) {
  const walked = await walkFills(service.read, pagesMax);
  return { walked, trades: tradesOf(walked.fills, []) };
}
