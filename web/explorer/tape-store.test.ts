// The tape's memory: each event once, in the log's order, and never more than it may hold.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TapeEvent } from "../shared/feed.ts";
import { createTapeStore } from "./tape-store.ts";

const event = (seq: number) => ({ seq, alertType: "buy", ts: seq }) as unknown as TapeEvent;

test("whatever comes in whatever order, the tape holds the newest once each, newest first", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(400), { maxLength: 30 }), { maxLength: 40 }),
      fc.integer({ min: 5, max: 60 }),
      (batches, max) => {
        const store = createTapeStore(max);
        for (const batch of batches) store.add(batch.map(event));
        const held = Array.from({ length: store.length }, (_, index) => store.at(index)?.seq ?? -1);
        expect(store.length).toBeLessThanOrEqual(max);
        expect(held).toEqual([...new Set(held)].sort((a, b) => b - a));
        const newest = Math.max(-1, ...batches.flat());
        if (newest >= 0) expect(held[0]).toBe(newest);
      },
    ),
  );
});

test("an event that comes twice, live and from a replay, counts once", () => {
  const store = createTapeStore();
  expect(store.add([event(1), event(2)])).toBe(2);
  expect(store.add([event(2), event(3)])).toBe(1);
  expect(store.length).toBe(3);
});

test("a gap stands where it happened", () => {
  const store = createTapeStore();
  store.add([event(1)]);
  store.gap("lost");
  store.add([event(9)]);
  expect([0, 1, 2].map((index) => store.at(index)?.kind)).toEqual(["event", "gap", "event"]);
});
