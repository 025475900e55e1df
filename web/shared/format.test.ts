// Figures of pages at their edges.
import { expect, test } from "bun:test";
import { netUsd } from "./format.ts";

test("a net of which one part is unknown is unknown, not the other part", () => {
  expect(netUsd({ realizedPnlUsd: 5, unrealizedPnlUsd: -2 })).toBe(3);
  expect(netUsd({ realizedPnlUsd: 5, unrealizedPnlUsd: null })).toBeNull();
  expect(netUsd({ realizedPnlUsd: null, unrealizedPnlUsd: 5 })).toBeNull();
});
