// A turn of the event loop for everybody else. SQLite answers without leaving the thread, so a loop over its pages must
// give way by itself.

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
