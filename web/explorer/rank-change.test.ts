// How a leaderboard's row shows a change of rank.
import { expect, test } from "bun:test";
import { shownMove } from "./rank-change.tsx";

const ASOF = "2026-03-14T15:40:00.000Z";
const day = { since: "2026-03-13T15:00:00.000Z" };

test("a rank that rose, fell, stayed or is new says so in a mark and in a sentence", () => {
  const shown = (previousRank: number | null, places: number | null) =>
    shownMove({ ...day, previousRank, places }, ASOF);
  expect(shown(4, 3)).toEqual({ mark: "▲3", tone: "gain", label: "up 3 places in 24 hours" });
  expect(shown(2, -1)).toEqual({ mark: "▼1", tone: "loss", label: "down 1 place in 24 hours" });
  expect(shown(2, 0)).toEqual({ mark: "=", tone: "even", label: "same place as 24 hours ago" });
  expect(shown(null, null)).toEqual({ mark: "new", tone: "fresh", label: "new on the board in 24 hours" });
  const hour = { since: "2026-03-14T14:00:00.000Z", previousRank: 12, places: 11 };
  expect(shownMove(hour, ASOF)?.label).toBe("up 11 places in 1 hour");
});

test("an unknown change is not shown", () => {
  expect(shownMove(null, ASOF)).toBeNull();
  expect(shownMove({ ...day, previousRank: 4, places: 3 }, null)).toBeNull();
});
