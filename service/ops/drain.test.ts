import { expect, test } from "bun:test";
import { manualClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { type Leaving, leave } from "./drain.ts";

function scripted(change: Partial<Leaving> = {}) {
  const clock = manualClock(0);
  const steps: string[] = [];
  const step = (name: string) => () => void steps.push(`${name} at ${clock.now()}`);
  const leaving: Leaving = {
    drainMs: 10_000,
    balanced: true,
    clock,
    log: createLog("silent", clock.now),
    announce: step("readiness off"),
    moveSockets: async (overMs) => step(`sockets over ${overMs}`)(),
    finish: async () => step("finish")(),
    cut: async () => step("cut")(),
    ...change,
  };
  return { clock, steps, ending: leave(leaving) };
}

test("behind a balancer readiness goes off first, and nothing is refused before the balancer can have noticed", async () => {
  const { clock, steps, ending } = scripted();
  await clock.advance(4_999);
  expect(steps).toEqual(["readiness off at 0", "sockets over 5000 at 0"]);
  await clock.advance(1);
  await ending;
  expect(steps.slice(2)).toEqual(["finish at 5000", "cut at 5000"]);
});

test("an idle process without a balancer stops immediately", async () => {
  const { steps, ending } = scripted({ balanced: false });
  await ending;
  expect(steps).toEqual(["readiness off at 0", "sockets over 5000 at 0", "finish at 0", "cut at 0"]);
});

test("hanging work is cut off at the bound", async () => {
  const { clock, steps, ending } = scripted({ balanced: false, finish: () => new Promise(() => {}) });
  await clock.advance(9_999);
  expect(steps).not.toContain("cut at 9999");
  await clock.advance(1);
  await ending;
  expect(steps.at(-1)).toBe("cut at 10000");
});
