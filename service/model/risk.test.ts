// Each count computed by hand, and the interval that they are judged by.
import { describe, expect, test } from "bun:test";
import type { BookMove } from "../../accounting/lot.ts";
import { DAY_MS, SECOND_MS } from "../../kit/units.ts";
import { type OtherSwap, pooledRates, type RiskPosition, rateOf, riskCounts } from "./risk.ts";

const move = (seconds: number, kind: BookMove["kind"], amount: number, usd: number): BookMove => ({
  at: seconds * SECOND_MS,
  kind,
  amount,
  usd,
  feeUsd: 0,
  txHash: `tx ${seconds}`,
});
const other = (seconds: number, userId: string, side: "buy" | "sell", priceUsd = 1): OtherSwap => ({
  at: seconds * SECOND_MS,
  userId,
  isBuy: side === "buy",
  amount: 10,
  priceUsd,
});
const position = (moves: BookMove[], rest: Partial<RiskPosition> = {}): RiskPosition => ({
  moves,
  isWhole: true,
  isClosed: true,
  others: [],
  launchUntil: null,
  followerUsd: null,
  ...rest,
});
const counted = (...positions: RiskPosition[]) => riskCounts(positions);

describe("risk counts", () => {
  test("a quick dump sells half within a minute of the first buy", () => {
    const { quickDump } = counted(
      position([move(0, "buy", 100, 100), move(60, "sell", 50, 60)]),
      position([move(0, "buy", 100, 100), move(61, "sell", 100, 60)]),
      position([move(0, "buy", 100, 100), move(30, "sell", 49, 60)]),
      position([move(0, "receive", 100, 100), move(30, "sell", 100, 60)]),
    );
    expect(quickDump).toMatchObject({ x: 1, n: 3, evidence: ["tx 60"] });
  });

  test("a buy before the end of a pool's second block counts, if that time is known", () => {
    const at = (launchUntil: number | null) => position([move(10, "buy", 100, 100)], { launchUntil });
    const { launchBlock } = counted(at(10 * SECOND_MS + 1), at(10 * SECOND_MS), at(null));
    expect(launchBlock).toMatchObject({ x: 1, n: 2, evidence: ["tx 10"] });
  });

  test("sold into followers counts dollars above the own entry, right after others bought", () => {
    const moves = [move(0, "buy", 100, 100), move(50, "sell", 50, 75), move(500, "sell", 50, 30)];
    const into = counted(position(moves, { others: [other(20, "a", "buy"), other(480, "b", "buy")] }));
    expect(into.soldIntoFollowers).toEqual({ x: 75, n: 105, sample: 2, evidence: ["tx 50"] });
    const alone = counted(position(moves, { others: [other(20, "a", "sell")] }));
    expect(alone.soldIntoFollowers.x).toBe(0);
  });

  test("left holding is a first-time buyer right after the trader who still held at a fifth of the price", () => {
    const moves = [move(100, "buy", 100, 100)];
    const left = (...others: OtherSwap[]) => counted(position(moves, { others })).followersLeftHolding.x;
    expect(left(other(110, "a", "buy"), other(900, "b", "sell", 0.19))).toBe(1);
    expect(left(other(110, "a", "buy"), other(900, "a", "sell", 0.19))).toBe(1);
    expect(left(other(110, "a", "buy"), other(200, "a", "sell", 0.9), other(900, "b", "sell", 0.1))).toBe(0);
    expect(left(other(50, "a", "buy"), other(110, "a", "buy"), other(900, "b", "sell", 0.1))).toBe(0);
    expect(left(other(131, "a", "buy"), other(900, "b", "sell", 0.1))).toBe(0);
  });

  test("a round trip is a day in a token that ends where it began", () => {
    const day = DAY_MS / SECOND_MS;
    const { roundTrips } = counted(
      position([move(0, "buy", 100, 100), move(9, "sell", 100, 109)]),
      position([move(0, "buy", 100, 100), move(day, "sell", 100, 100)]),
    );
    expect(roundTrips).toMatchObject({ x: 1, n: 3 });
  });

  test("a win while followers lose needs both", () => {
    const won = [move(0, "buy", 100, 100), move(9, "sell", 100, 120)];
    const lost = [move(0, "buy", 100, 100), move(9, "sell", 100, 80)];
    const { winsWhileFollowersLose } = counted(
      position(won, { followerUsd: -5 }),
      position(won, { followerUsd: 5 }),
      position(lost, { followerUsd: -5 }),
      position(won),
      position(won, { followerUsd: -5, isClosed: false }),
    );
    expect(winsWhileFollowersLose).toMatchObject({ x: 1, n: 3, evidence: ["tx 9"] });
  });
});

describe("rates", () => {
  test("lie within Wilson's interval, which is wide for small samples", () => {
    const rounded = (x: number, n: number) =>
      Object.values(rateOf({ x, n, sample: n, evidence: [] })).map((value) => value?.toFixed(3));
    expect(rounded(3, 40)).toEqual(["0.075", "0.030", "0.173"]);
    expect(rounded(1, 1)).toEqual(["1.000", "0.270", "1.000"]);
    expect(rateOf({ x: 0, n: 0, sample: 0, evidence: [] })).toEqual({
      rate: null,
      low90: null,
      high90: null,
    });
  });

  test("of many traders are pooled", () => {
    const dumps = (...kinds: boolean[]) =>
      counted(
        ...kinds.map((isDump) => position([move(0, "buy", 1, 1), move(isDump ? 1 : 99, "sell", 1, 1)])),
      );
    expect(pooledRates([dumps(true), dumps(false, false, false)])).toMatchObject({
      quickDump: 0.25,
      winsWhileFollowersLose: null,
    });
  });
});
