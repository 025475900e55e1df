// The time from which an export is complete, judging by its pages.
import { expect, test } from "bun:test";
import { cover, missingOf, newCoverage } from "./coverage.ts";
import { instant } from "./export.ts";

const NOW = Date.parse("2026-03-14T15:00:00Z");

function missingAfter(...pages: Record<string, unknown>[]): string | null {
  const coverage = newCoverage();
  for (const page of pages) cover(coverage, page, [NOW - 1_000]);
  return missingOf(coverage, 0, Number.POSITIVE_INFINITY, NOW);
}

test("the last page of several is an end, a truncated one is not", () => {
  const first = { nextCursor: "more", complete: false, note: null };
  expect(missingAfter(first, { nextCursor: null, complete: false, note: null })).toBeNull();
  const captured = { complete: false, note: "Upstream did not answer: these were captured." };
  expect(missingAfter({ nextCursor: null, ...captured })).toContain("nothing before 2026-03-14");
  expect(missingAfter({ nextCursor: null, available: false, note: null })).toContain("nothing before");
});

test("a time without a zone is UTC, wherever the command runs", () => {
  const zone = process.env.TZ;
  process.env.TZ = "America/New_York";
  try {
    for (const text of ["2026-03-14T15:00:00", "2026-03-14 15:00", "2026-03-14T11:00:00-04:00"])
      expect(instant(text, "--from", 0)).toBe(NOW);
    expect(instant("2026-03-14", "--from", 0)).toBe(Date.parse("2026-03-14T00:00:00Z"));
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});
