import { expect, test } from "bun:test";
import { manualClock } from "./clock.ts";
import { createLog } from "./log.ts";
import { createLoop, LOOP_DONE, type LoopParts, runLoop } from "./loop.ts";
import { seededRandom } from "./random.ts";

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

test("a wake ends the rest, even one that arrived during the round", async () => {
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

test("stopping waits for the round under way and aborts its signal", async () => {
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

function parts(more: Partial<LoopParts> & Pick<LoopParts, "round">) {
  const clock = manualClock(0);
  const lines: string[] = [];
  const log = createLog("warn", clock.now, (line) => lines.push(line));
  return { clock, lines, parts: { failure: "it failed", everyMs: 100, clock, log, ...more } };
}

test("failures in a row are spaced further apart up to the maximum, and a success starts over", async () => {
  const at: number[] = [];
  const outcomes = [false, false, false, false, true, false, true];
  const { clock, parts: given } = parts({
    backoff: { firstMs: 10, msMax: 40, random: { ...seededRandom(1), next: () => 1 } },
    round: async () => {
      at.push(clock.now());
      if (!outcomes[at.length - 1]) throw new Error("no");
    },
  });
  const loop = createLoop(given);
  loop.start();
  await clock.advance(0);
  await clock.advance(300);
  expect(at.slice(0, 7)).toEqual([0, 10, 30, 70, 110, 210, 220]);
  await loop.stop();
});

test("a round that worked before it ended fails as the first in a row", async () => {
  const at: number[] = [];
  const { clock, parts: given } = parts({
    backoff: { firstMs: 10, msMax: 1_000, random: { ...seededRandom(1), next: () => 1 } },
    round: async (_signal, works) => {
      at.push(clock.now());
      if (at.length === 3) works();
      throw new Error("closed");
    },
  });
  const loop = createLoop(given);
  loop.start();
  await clock.advance(0);
  await clock.advance(45);
  expect(at).toEqual([0, 10, 30, 40]);
  await loop.stop();
});

test("without an interval it rests until it is woken", async () => {
  let rounds = 0;
  const {
    clock,
    parts: { everyMs: _, ...given },
  } = parts({ round: () => void ++rounds });
  const loop = createLoop(given);
  loop.start();
  await clock.advance(1e12);
  expect(rounds).toBe(1);
  loop.wake();
  await clock.advance(0);
  expect(rounds).toBe(2);
  await loop.stop();
});

test("it ends when a round says so, by its signal, or by a fatal error", async () => {
  const done = parts({ round: () => LOOP_DONE });
  await runLoop(done.parts, new AbortController().signal);

  const abort = new AbortController();
  const aborted = parts({
    round: () => {
      abort.abort();
      throw new Error("interrupted");
    },
  });
  await runLoop(aborted.parts, abort.signal);
  await runLoop(aborted.parts, abort.signal);
  expect(aborted.lines).toEqual([]);

  const fatal = parts({
    isFatal: (error) => error instanceof RangeError,
    round: () => {
      throw new RangeError("fatal");
    },
  });
  await expect(runLoop(fatal.parts, new AbortController().signal)).rejects.toThrow("fatal");
});

test("the owner may handle failures itself", async () => {
  const seen: unknown[] = [];
  const failed = new Error("no");
  const {
    clock,
    lines,
    parts: given,
  } = parts({
    failure: (error) => seen.push(error),
    round: () => {
      if (seen.length === 0) throw failed;
      return LOOP_DONE;
    },
  });
  const running = runLoop(given, new AbortController().signal);
  await clock.advance(0);
  await clock.advance(100);
  await running;
  expect(seen).toEqual([failed]);
  expect(lines).toEqual([]);
});
