// Making a live service hold still: time stops, and what happened before it stopped has arrived everywhere.
import { MINUTE_MS } from "../../kit/units.ts";
import { eventually } from "../support/eventually.ts";
import type { LiveService } from "../support/live-service.ts";

/** Longer than any cache but the boards'. */
const PAST_CACHES_MS = 2 * MINUTE_MS;

/** Nothing that the events left open is still asked about: an answer may add a row, or change one. */
export function isAnswered(live: LiveService): boolean {
  return live.service.metrics.render().includes("\ncrowdtape_capture_questions_waiting 0\n");
}

/** What happened by now is in the log, and derived from. */
async function caughtUp(live: LiveService): Promise<void> {
  const { log, progress } = live.service.store;
  const now = live.clock.now();
  await eventually(async () => {
    const [head, derived] = await Promise.all([log.head(), progress.derivedSeq()]);
    if ((await log.historyLeft()).length > 0) return false;
    return head.capturedAt >= now && derived >= head.seq && isAnswered(live);
  }, "the log has come to the present");
}

/** The world looks at the clock at least twice a second, and what it then does takes a moment to arrive. */
const STILL_FOR_MS = 900;
/** As many looks go by in that time; a process that stood still itself has not looked. */
const LOOKS_AT_STILL = 30;
const LOOK_MS = 25;

/** While time stands still: nothing more arrives. */
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

/** Time stands still, past every cache, and all that happened before is in the log and derived from. */
export async function stillness(live: LiveService): Promise<void> {
  live.clock.push(PAST_CACHES_MS);
  await caughtUp(live);
  live.clock.hold();
  await quiet(live);
}

/** Longer than anything is kept, also the boards, which are served for a while as they were. */
const PAST_ALL_CACHES_MS = 15 * MINUTE_MS;

/** Time stands still, and nothing that was kept before is served: what is answered now is kept for as long as it stands. */
export function freshlyKept(live: LiveService): void {
  live.clock.push(PAST_ALL_CACHES_MS);
  live.clock.hold();
}
