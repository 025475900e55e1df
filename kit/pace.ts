// Limits background work to an average rate. Time lost while the process was busy is made up in a short burst,
// never a long one; after every burst and every rest it continues in its own turn, so that serving goes first and
// several such jobs never run in one turn of the event loop.
import type { Clock } from "./clock.ts";
import { nextTurn } from "./turn.ts";

/** One slow write (a checkpoint, a busy disk) must not become a long pause. */
const REST_MS_MAX = 200;

export interface Pace {
  turn(signal: AbortSignal): Promise<void>;
}

/** At most `burst` turns run without a pause. */
export function createPace(clock: Clock, turnsPerSecond: number, burst = 1): Pace {
  const intervalMs = 1_000 / turnsPerSecond;
  let dueAt = Number.NEGATIVE_INFINITY;
  let unpaused = 0;
  return {
    async turn(signal) {
      const now = clock.now();
      dueAt = Math.max(dueAt + intervalMs, now - burst * intervalMs);
      const waitMs = dueAt - now;
      unpaused += 1;
      if (waitMs < 1 && unpaused < burst) return;
      unpaused = 0;
      if (waitMs >= 1) await clock.sleep(waitMs, signal);
      await nextTurn();
    },
  };
}

/** Rests after work so that it uses no more than its share of the time. */
export async function rest(
  clock: Clock,
  workedMs: number,
  share: number,
  signal: AbortSignal,
): Promise<void> {
  const restMs = Math.min(workedMs * (1 / share - 1), REST_MS_MAX);
  if (restMs >= 1) await clock.sleep(restMs, signal);
  await nextTurn();
}
