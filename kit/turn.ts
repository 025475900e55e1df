// Yields a turn of the event loop. SQLite calls are synchronous, so a loop over its pages must
// yield explicitly. Each waiter continues in its own turn, in order, so the work of several loops never adds up to one long
// turn. Answers that a caller waits for go before background work, which still gets every fourth turn.

import type { MaybePromise } from "./maybe-promise.ts";

type TurnQueue = (() => void)[];

const background: TurnQueue = [];
const serving: TurnQueue = [];
/** How many turns in a row answers may take while background work waits. */
const SERVING_IN_A_ROW_MAX = 3;
let servedInARow = 0;
let isDue = false;

/** For background work. */
export function nextTurn(): Promise<void> {
  return turnOf(background);
}

/** For an answer that a caller waits for. */
export function servingTurn(): Promise<void> {
  return turnOf(serving);
}

/** Pieces of work that together took this long have used up their turn. */
const SHARED_TURN_MS = 4;

/** Runs a piece of work: at once while the turn has time left, else in a later one. */
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
  // Scheduled before continuing: it runs in the turn after the one that is about to start.
  if (isDue) setImmediate(letOneGo);
  goOn?.();
}
