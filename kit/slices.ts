// Work that is too much for one turn of the event loop: it stops after each slice. Run at once, or a slice a turn, the
// result is the same as long as what it reads does not change meanwhile.
import { nextTurn } from "./turn.ts";

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
