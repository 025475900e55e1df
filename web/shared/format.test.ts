// Figures of pages at their edges.
import { expect, test } from "bun:test";
import { netUsd, shortGain } from "./format.ts";

test("a net of which one part is unknown is unknown, not the other part", () => {
  expect(netUsd({ realizedPnlUsd: 5, unrealizedPnlUsd: -2 })).toBe(3);
  expect(netUsd({ realizedPnlUsd: 5, unrealizedPnlUsd: null })).toBeNull();
  expect(netUsd({ realizedPnlUsd: null, unrealizedPnlUsd: 5 })).toBeNull();
});

test("a day's gain fits a small box, and is rounded before its unit is chosen", () => {
  expect([0.4, -12.6, 340, 999.9, 1_240, -56_700, 999_999].map(shortGain)).toEqual([
    "+0",
    "−13",
    "+340",
    "+1.0K",
    "+1.2K",
    "−57K",
    "+1.0M",
  ]);
});
