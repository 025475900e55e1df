// Keeps the global list of theses: back to the first known one, and a bounded number of pages at first. Single
// tokens' lists, with their likes, are read when an event reports a new thesis.

import type { Clock } from "../../../kit/clock.ts";
import type { Pace } from "../../../kit/pace.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import type { Store } from "../../store/store.ts";
import type { Upstream } from "../../upstream/port.ts";
import { answered, type Keeper } from "../keeper.ts";

const REST_MS = 5 * MINUTE_MS;
const DEADLINE_MS = 10_000;
/** About a thousand theses: more than ten pages of the route that lists them. */
const FIRST_PAGES = 12;
/** Afterwards the newest pages get their counts refreshed; older ones barely change. */
const LATER_PAGES = 3;

export function thesesKeeper(options: {
  upstream: Upstream;
  store: Store;
  clock: Clock;
  pages: Pace;
}): Keeper {
  const { upstream, store, clock } = options;
  const pace = options.pages;
  let pages = FIRST_PAGES;
  return {
    name: "theses",
    restMs: REST_MS,
    async round(signal) {
      let cursor: string | undefined;
      for (let page = 0; page < pages && !signal.aborted; page++) {
        await pace.turn(signal);
        const askedAt = clock.now();
        const query = cursor === undefined ? {} : { cursor };
        const answer = answered(await upstream.theses(query, { deadlineMs: DEADLINE_MS, signal }));
        if (!answer) return;
        if (answer.rows.length > 0) await store.theses.save(answer.rows, askedAt);
        if (answer.nextCursor === null) break;
        cursor = answer.nextCursor;
      }
      pages = LATER_PAGES;
    },
  };
}
