// Freezes a live service: its clock is held, and everything that happened before has arrived everywhere.
import { MINUTE_MS } from "../../kit/units.ts";
import { eventually } from "../support/eventually.ts";
import type { LiveService } from "../support/live-service.ts";

/** Longer than any cache but the boards'. */
const PAST_CACHES_MS = 2 * MINUTE_MS;

/** No follow-up requests for the events are pending: an answer may add a row, or change one. */
export function isAnswered(live: LiveService): boolean {
  return live.service.metrics.render().includes("\ncrowdtape_capture_questions_waiting 0\n");
}

/** Everything up to now is in the log, with its derived data. */
async function caughtUp(live: LiveService): Promise<void> {
  const { log, progress } = live.service.store;
  const now = live.clock.now();
  await eventually(async () => {
    const [head, derived] = await Promise.all([log.head(), progress.derivedSeq()]);
    if ((await log.historyLeft()).length > 0) return false;
    return head.capturedAt >= now && derived >= head.seq && isAnswered(live);
  }, "the log has come to the present");
}

/** The world checks the clock at least twice a second, and the effects take a moment to arrive. */
const STILL_FOR_MS = 900;
/** As many checks as happen in that time; a process that was itself suspended has not checked. */
const LOOKS_AT_STILL = 30;
const LOOK_MS = 25;

/** With the clock held: nothing more arrives. */
export async function quiet(live: LiveService): Promise<void> {
  const { log, progress } = live.service.store;
  let last = -1;
  let stillSince = performance.now();
  let looks = 0;
  await eventually(
    async () => {
      const [{ seq }, derived] = await Promise.all([log.head(), progress.derivedSeq()]);
      if (seq !== last || derived < seq) [stillSince, looks] = [performance.now(), 0];
      last = seq;
      looks += 1;
      return looks > LOOKS_AT_STILL && performance.now() - stillSince > STILL_FOR_MS;
    },
    "the log stands still",
    { pollMs: LOOK_MS },
  );
}

/** Holds the clock, past every cache, with all earlier events in the log and their derived data. */
export async function stillness(live: LiveService): Promise<void> {
  live.clock.push(PAST_CACHES_MS);
  await caughtUp(live);
  live.clock.hold();
  await quiet(live);
}

/** Longer than any cache, even that of boards, which are served stale for a while. */
const PAST_ALL_CACHES_MS = 15 * MINUTE_MS;

/** Holds the clock, with nothing cached from before: answers from now on stay cached as long as it is held. */
export function freshlyKept(live: LiveService): void {
  live.clock.push(PAST_ALL_CACHES_MS);
  live.clock.hold();
}
