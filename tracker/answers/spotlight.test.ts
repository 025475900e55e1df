import { expect, test } from "bun:test";
import { wirePosition } from "../../protocol/test-samples.ts";
import { spotlightOf } from "./spotlight.ts";

test("the five most profitable trades are in the spotlight, open or closed, but none with unknown profit", () => {
  const trade = (name: string, realizedPnlUsd: number | null, unrealizedPnlUsd: number | null) => ({
    ...wirePosition,
    tradeId: name,
    realizedPnlUsd,
    unrealizedPnlUsd,
  });
  const open = [trade("b", 10, 40), trade("unknown", 900, null), trade("lost", 5, -6), trade("d", 0, 30)];
  const closed = [trade("a", 60, 0), trade("c", 45, 0), trade("e", 20, 0), trade("f", 10, 0)];
  const { bestTrades, bestTheses } = spotlightOf({ open, closed });
  expect(bestTrades.map(({ tradeId }) => tradeId)).toEqual(["a", "b", "c", "d", "e"]);
  expect(bestTheses).toEqual([]);
  expect(spotlightOf({ open: [], closed: [] })).toEqual({ bestTrades: [], bestTheses: [] });
});
