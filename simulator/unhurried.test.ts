// A leaderboard covers everybody's books. It is made over many turns of the event loop, so that it does not block other work.
// The slice length is set here, because a fast machine would do several slices in one turn.
import { afterEach, expect, spyOn, test } from "bun:test";
import { manualClock } from "../kit/clock.ts";
import { countTurns } from "../test/support/turns.ts";
import { openSimulator } from "./open.ts";

const NOW = Date.UTC(2026, 4, 9, 17, 41, 12);
/** A whole turn's budget: each slice that checks the time is the last of its turn. */
const SLICE_MS = 5;

const time = spyOn(performance, "now");
afterEach(() => time.mockRestore());

test("a leaderboard yields between its slices: those of the fills, of the traders and of the rows", async () => {
  const traders = 1_000;
  const clock = manualClock(NOW);
  const platform = await openSimulator({
    seed: "unhurried",
    eventsPerSecond: 20,
    traders,
    historyDays: 2,
    dataFolder: null,
    clock,
  });
  const { fills } = platform.world.context.state.counters;
  let passedMs = 0;
  time.mockImplementation(() => (passedMs += SLICE_MS));
  const turns = countTurns();
  const before = turns.now();
  const { rows } = await platform.api.leaderboard("24h");
  const taken = turns.now() - before;
  turns.stop();
  expect(rows.length).toBeGreaterThan(100);
  expect(fills).toBeGreaterThan(5_000);
  // Per slice, books and sums of two hundred traders, five rows, and a day's fills by the thousand.
  expect(taken).toBeGreaterThanOrEqual((2 * traders) / 200 + rows.length / 5 + 2);
  await platform.close();
});
