// Which ranking a board is compared with, and the resulting moves.
import { expect, test } from "bun:test";
import { comparedHour, rankMoves } from "./past-ranks.ts";

const AT = Date.UTC(2026, 2, 14, 15, 40);

test("a day's board is compared with an hour before the last full one, the others with a day before it", () => {
  expect(comparedHour("24h", AT)).toBe(Date.UTC(2026, 2, 14, 14));
  for (const window of ["7d", "30d", "all"] as const)
    expect(comparedHour(window, AT)).toBe(Date.UTC(2026, 2, 13, 15));
});

test("a trader who was not on the board is new within its former length, and unknown below it", () => {
  const moveOf = rankMoves({
    asOf: AT,
    ranks: [
      ["a", 1],
      ["b", 2],
      ["c", 4],
    ],
  });
  expect(moveOf("a", 3)).toEqual({ since: AT, previousRank: 1, places: -2 });
  expect(moveOf("c", 1)).toEqual({ since: AT, previousRank: 4, places: 3 });
  expect(moveOf("b", 2)).toEqual({ since: AT, previousRank: 2, places: 0 });
  expect(moveOf("d", 4)).toEqual({ since: AT, previousRank: null, places: null });
  expect(moveOf("d", 5)).toBeNull();
  // Known to have been there, however far down now.
  expect(moveOf("c", 900)?.places).toBe(-896);
  expect(rankMoves({ asOf: AT, ranks: [] })("a", 1)).toBeNull();
});
