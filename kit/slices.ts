// Work that is too much for one turn of the event loop: it stops after each slice. Run all at once, or a few milliseconds
// per turn, the result is the same as long as its inputs do not change meanwhile.
import { nextTurn, servingTurn } from "./turn.ts";

export type Sliced<T> = Generator<void, T, void>;

export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** A slice usually takes less than this, so that a turn stays far below what users notice. */
const TURN_MS = 5;

/** Runs slices for a few milliseconds per turn: how many fit varies with the age of the process. */
export async function inTurns<T>(
  work: Sliced<T>,
  now: () => number = () => performance.now(),
  turn: () => Promise<void> = servingTurn,
): Promise<T> {
  for (let beganAt = now(); ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (now() - beganAt < TURN_MS) continue;
    await turn();
    beganAt = now();
  }
}

/** The same for background work. */
export const inBackground = <T>(work: Sliced<T>): Promise<T> => inTurns(work, undefined, nextTurn);
