// Keeps the last good boards and leaderboards, for when upstream does not answer. An empty one is not a
// good one, and a failed read leaves the previous one in place; the others are still kept.

import type { Clock } from "../../../kit/clock.ts";
import type { Pace } from "../../../kit/pace.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import { BOARD_NAMES } from "../../../protocol/shapes/board.ts";
import { PNL_WINDOWS } from "../../../protocol/shapes/trader.ts";
import type { Store } from "../../store/store.ts";
import type { Outcome, Upstream } from "../../upstream/port.ts";
import { type Keeper, NotAnswered } from "../keeper.ts";

/** Under the five minutes for which a board counts as live. */
const REST_MS = 4 * MINUTE_MS;
const DEADLINE_MS = 10_000;

export function boardsKeeper(options: {
  upstream: Upstream;
  store: Store;
  clock: Clock;
  pages: Pace;
}): Keeper {
  const { upstream, store, clock } = options;
  const pace = options.pages;
  return {
    name: "boards",
    restMs: REST_MS,
    async round(signal) {
      let unanswered = 0;
      const keep = async <T extends { rows: unknown[] }>(
        ask: () => Promise<Outcome<T>>,
        save: (value: T, capturedAt: number) => Promise<void>,
      ) => {
        await pace.turn(signal);
        if (signal.aborted) return;
        const askedAt = clock.now();
        const outcome = await ask();
        if (outcome.kind === "unsupported") return;
        if (outcome.kind !== "found") unanswered += 1;
        else if (outcome.value.rows.length > 0) await save(outcome.value, askedAt);
      };
      const call = { deadlineMs: DEADLINE_MS, signal };
      for (const name of BOARD_NAMES) {
        await keep(
          () => upstream.board(name, call),
          (board, capturedAt) => store.boards.save(name, board, capturedAt),
        );
      }
      for (const window of PNL_WINDOWS) {
        await keep(
          () => upstream.leaderboard(window, null, call),
          (leaderboard, capturedAt) => store.leaderboards.save(window, leaderboard, capturedAt),
        );
      }
      if (unanswered > 0) throw new NotAnswered(`${unanswered} boards`);
    },
  };
}
