// The claim of docs/replay.md in short: a leader's replay predicts the profit of the accounts that copied that leader. The
// table over 20 seeds is made by `npm run bench -- copiers`.
import { beforeAll, describe, expect, test } from "bun:test";
import { type Prediction, predictCopiers, quantile } from "../support/copiers.ts";
import { START_MS_MAX } from "../support/live-service.ts";

let predictions: Prediction[];

beforeAll(async () => {
  predictions = await predictCopiers({
    seed: "short",
    traders: 100,
    days: 2,
    eventsPerSecond: 0.03,
    copiers: 8,
  });
}, START_MS_MAX);

describe("a replay", () => {
  test("predicts copiers' profit, to half a per cent of their turnover", () => {
    expect(predictions.length).toBeGreaterThan(5);
    const errors = predictions.map(({ error }) => error);
    expect(quantile(errors, 0.5)).toBeLessThan(0.005);
    expect(quantile(errors, 0.95)).toBeLessThan(0.03);
  });

  test("makes the same orders", () => {
    const [orders, predicted] = [predictions, predictions].map((all, place) =>
      all.reduce((sum, each) => sum + (place === 0 ? each.orders : each.predictedOrders), 0),
    ) as [number, number];
    expect(orders).toBeGreaterThan(50);
    expect(Math.abs(predicted - orders)).toBeLessThan(0.02 * orders);
  });
});
