import { expect, test } from "bun:test";
import { manualClock } from "./clock.ts";
import { createLog } from "./log.ts";
import { createLoop } from "./loop.ts";

function looped(round: (signal: AbortSignal) => Promise<unknown>, first: "now" | "later" = "now") {
  const clock = manualClock(0);
  const lines: string[] = [];
  const log = createLog("warn", clock.now, (line) => lines.push(line));
  return { clock, lines, loop: createLoop({ failure: "it failed", everyMs: 100, first, clock, log, round }) };
}

test("a round follows each rest, a failed one is logged, and none follows a stop", async () => {
  let rounds = 0;
  const { clock, lines, loop } = looped(async () => {
    rounds += 1;
    if (rounds === 2) throw new Error("once");
  });
  loop.start();
  loop.start();
  await clock.advance(0);
  await clock.advance(250);
  expect(rounds).toBe(3);
  expect(lines.filter((line) => line.includes("it failed"))).toHaveLength(1);
  await loop.stop();
  await clock.advance(1_000);
  expect(rounds).toBe(3);
});

test("a round may say how long to rest, and the first may wait", async () => {
  const at: number[] = [];
  const { clock, loop } = looped(async () => {
    at.push(clock.now());
    return at.length === 1 ? 10 : undefined;
  }, "later");
  loop.start();
  await clock.advance(0);
  await clock.advance(215);
  expect(at).toEqual([100, 110, 210]);
  await loop.stop();
});

test("a wake ends the rest, also one that came while the round ran", async () => {
  let rounds = 0;
  let finish = () => {};
  const { clock, loop } = looped(() => {
    rounds += 1;
    return new Promise((resolve) => {
      finish = () => resolve(undefined);
    });
  });
  loop.start();
  await clock.advance(0);
  loop.wake();
  finish();
  await clock.advance(0);
  expect(rounds).toBe(2);
  finish();
  await clock.advance(0);
  expect(rounds).toBe(2);
  loop.wake();
  await clock.advance(0);
  expect(rounds).toBe(3);
  const stopped = loop.stop();
  finish();
  await stopped;
});

test("stopping waits for the round under way and tells it", async () => {
  let ended = false;
  const { clock, loop } = looped(async (signal) => {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    ended = true;
  });
  loop.start();
  await clock.advance(0);
  await loop.stop();
  expect(ended).toBe(true);
});
