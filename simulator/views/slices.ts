// Answers that are too much for one turn of the event loop: they stop after each slice and say nothing of what comes. Run
// at once, or a slice a turn, the answer is the same as long as the world stands still.
import { nextTurn } from "../../kit/turn.ts";

export type Sliced<T> = Generator<void, T, void>;

export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

export async function inTurns<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn();
  }
}
