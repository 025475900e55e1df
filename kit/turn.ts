// A turn of the event loop for everybody else. SQLite answers without leaving the thread, so a loop over its pages must
// yield explicitly. Each waiter continues in its own turn, in order, so what several loops do between two
// turns never adds up to one long one. An answer that somebody waits for goes before work in the background, which still
// gets every fourth turn.

import type { MaybePromise } from "./maybe-promise.ts";

type TurnQueue = (() => void)[];

const background: TurnQueue = [];
const serving: TurnQueue = [];
/** This many turns in a row may be those of answers while something in the background waits. */
const SERVING_IN_A_ROW_MAX = 3;
let servedInARow = 0;
let isDue = false;

/** For work in the background. */
export function nextTurn(): Promise<void> {
  return turnOf(background);
}

/** For an answer that somebody waits for. */
export function servingTurn(): Promise<void> {
  return turnOf(serving);
}

/** Pieces of work that took this long together have had their turn. */
const SHARED_TURN_MS = 4;

/** Does a piece of work: at once while the turn has room for it, else in a later one. */
export type SharedTurn = <T extends object>(piece: () => T) => MaybePromise<T>;

/** Lets pieces that are mostly short share a turn, and never many of them or long ones. */
export function createSharedTurn(now: () => number = () => performance.now()): SharedTurn {
  let workedMs = 0;
  const startOver = () => {
    workedMs = 0;
  };
  const share: SharedTurn = (piece) => {
    if (workedMs >= SHARED_TURN_MS)
      return servingTurn().then(() => {
        startOver();
        return share(piece);
      });
    if (workedMs === 0) setImmediate(startOver);
    const beganAt = now();
    try {
      return piece();
    } finally {
      workedMs += now() - beganAt;
    }
  };
  return share;
}

function turnOf(queue: TurnQueue): Promise<void> {
  return new Promise((resolve) => {
    queue.push(resolve);
    if (isDue) return;
    isDue = true;
    setImmediate(letOneGo);
  });
}

function letOneGo(): void {
  const isServed = serving.length > 0 && (background.length === 0 || servedInARow < SERVING_IN_A_ROW_MAX);
  servedInARow = isServed ? servedInARow + 1 : 0;
  const goOn = (isServed ? serving : background).shift();
  isDue = serving.length + background.length > 0;
  // Asked for before continuing: it runs in the turn after the one that is about to begin.
  if (isDue) setImmediate(letOneGo);
  goOn?.();
}
