// A trader's record in edge cases: nothing closed, nothing known, exactly zero gained.
import { expect, test } from "bun:test";
import { bridgeBars } from "./copy-bridge.ts";
import { type ClosedPosition, drawdownOf, trackRecordOf } from "./track-record.ts";

const closed = (pnlUsd: number | null, costBasisUsd: number | null, minutes = 10): ClosedPosition => ({
  tradeId: crypto.randomUUID(),
  token: { address: "a", symbol: "A", name: "A", image: null } as unknown as ClosedPosition["token"],
  chainId: 1,
  pnlUsd,
  costBasisUsd,
  createdAt: "2026-01-01T00:00:00.000Z",
  closedAt: new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString(),
});

test("nothing closed means nothing known", () => {
  const record = trackRecordOf([]);
  expect([record.winRate, record.profitFactor, record.medianReturnPct, record.best]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(trackRecordOf([closed(null, 100)]).count).toBe(0);
});

test("an unknown profit is left out, a received token has no return, and a zero is no win", () => {
  const record = trackRecordOf([
    closed(50, 100),
    closed(-30, 100),
    closed(0, 100),
    closed(7, 0),
    closed(null, 9),
  ]);
  expect(record.count).toBe(4);
  expect(record.winRate).toBe(0.5);
  expect(record.profitFactor).toBeCloseTo(57 / 30);
  expect(record.medianReturnPct).toBe(0);
  expect(record.returns.map(({ count }) => count)).toEqual([0, 1, 0, 1, 0, 1, 0, 0]);
  expect([record.best?.pnlUsd, record.worst?.pnlUsd]).toEqual([50, -30]);
});

test("the end of a bin belongs to the next one", () => {
  const record = trackRecordOf([closed(-50, 100, 5), closed(100, 100, 60), closed(900, 100, 20_000)]);
  expect(record.returns.filter(({ count }) => count > 0).map(({ label }) => label)).toEqual([
    "−50 to −20%",
    "100 to 300%",
    "over 300%",
  ]);
  expect(record.holds.map(({ count }) => count)).toEqual([0, 1, 1, 0, 0, 1]);
  expect(record.medianHoldMs).toBe(60 * 60_000);
});

test("a drawdown is the largest fall from a high, from the beginning on", () => {
  expect([drawdownOf([]), drawdownOf([5, 9, 12]), drawdownOf([-4, 10, 3, 20, 16])]).toEqual([0, 0, 7]);
});

test("the bridge's bars begin where the previous one ended and the last is the sum, within the picture", () => {
  const bars = bridgeBars({
    leaderUsd: 100,
    skippedUsd: -20,
    delayUsd: -90,
    impactUsd: 0,
    feesUsd: -10,
    netUsd: -20,
  });
  for (let index = 1; index < 5; index++) expect(bars[index]?.from).toBeCloseTo(Number(bars[index - 1]?.to));
  expect(bars[5]?.to).toBeCloseTo(Number(bars[4]?.to));
  expect(bars.every(({ from, to }) => Math.min(from, to) >= 0 && Math.max(from, to) <= 100)).toBe(true);
  const none = { leaderUsd: 0, skippedUsd: 0, delayUsd: 0, impactUsd: 0, feesUsd: 0, netUsd: 0 };
  expect(bridgeBars(none).every(({ from, to }) => from === 0 && to === 0)).toBe(true);
});
