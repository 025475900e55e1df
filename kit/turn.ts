// A turn of the event loop for everybody else. SQLite answers without leaving the thread, so a loop over its pages must
// give way by itself. Whoever waits here goes on in a turn of their own, in order, so what several loops do between two
// turns never adds up to one long one.

const waiting: (() => void)[] = [];

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(letOneGo);
  });
}

function letOneGo(): void {
  const goOn = waiting.shift();
  // Asked for before going on: it runs in the turn after the one that is about to begin.
  if (waiting.length > 0) setImmediate(letOneGo);
  goOn?.();
}
