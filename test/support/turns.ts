// The number of the event loop's turn, for tests that check whether work yields: two steps with the same number had no other
// work between them.

export interface Turns {
  now(): number;
  stop(): void;
}

export function countTurns(): Turns {
  let turn = 0;
  let counting = true;
  const count = () => {
    turn++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  return {
    now: () => turn,
    stop: () => {
      counting = false;
    },
  };
}
