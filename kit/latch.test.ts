import { expect, test } from "bun:test";
import { createLatch } from "./latch.ts";

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a closed latch holds everyone until it opens, and an open one holds no one", async () => {
  const latch = createLatch();
  const passed: string[] = [];
  for (const name of ["first", "second"]) void latch.wait().then(() => passed.push(name));
  await settled();
  expect(passed).toEqual([]);
  latch.open();
  await settled();
  expect(passed).toEqual(["first", "second"]);
  await latch.wait();
  expect(latch.isOpen()).toBe(true);
});

test("a latch that is closed again holds later arrivals", async () => {
  const latch = createLatch();
  latch.open();
  latch.close();
  let passed = false;
  void latch.wait().then(() => {
    passed = true;
  });
  await settled();
  expect(passed).toBe(false);
  latch.open();
  await settled();
  expect(passed).toBe(true);
});

test("an aborted wait ends and leaves the latch as it was", async () => {
  const latch = createLatch();
  const abort = new AbortController();
  const waiting = latch.wait(abort.signal);
  abort.abort();
  await waiting;
  await latch.wait(AbortSignal.abort());
  expect(latch.isOpen()).toBe(false);
});
