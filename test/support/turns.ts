// Which turn of the event loop it is, for tests that hold work to giving way: two pieces with the same number had no
// other work between them.

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
