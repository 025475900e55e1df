// The tape's memory: each event once, in the order they happened, and never more than its limit.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TapeEvent } from "../shared/feed.ts";
import { newsOf } from "./tape-news.ts";
import { createTapeStore } from "./tape-store.ts";
import { createTokenFacts } from "./token-facts.ts";

const event = (seq: number) => ({ seq, alertType: "buy", ts: seq }) as unknown as TapeEvent;

test("events in any order: the tape holds the newest once each, newest first", () => {
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

test("an event that arrives twice, live and from a replay, counts once", () => {
  const store = createTapeStore();
  expect(store.add([event(1), event(2)])).toBe(2);
  expect(store.add([event(2), event(3)])).toBe(1);
  expect(store.length).toBe(3);
});

test("an event that a re-org undid is gone, and does not come back with a replay", () => {
  const store = createTapeStore();
  const undone = { ...event(2), eventId: "two" } as TapeEvent;
  store.add([event(1), undone, event(3)]);
  store.gap("a gap");
  store.remove("two");
  store.add([undone]);
  expect([store.length, store.at(1)?.seq, store.at(2)?.seq]).toEqual([3, 3, 1]);
});

test("a late event is placed by its time, below later ones", () => {
  const store = createTapeStore();
  store.add([event(1), event(5), { ...event(6), ts: 3 } as TapeEvent, { ...event(7), ts: 5 } as TapeEvent]);
  expect([0, 1, 2, 3].map((index) => store.at(index)?.seq)).toEqual([7, 5, 6, 1]);
  expect(store.since(5).map(({ seq }) => seq)).toEqual([6, 7]);
});

test("a trader's usual size is the median of their fills, once there are enough of them", () => {
  const store = createTapeStore();
  const fills = (sizes: number[], from: number) =>
    sizes.map((fillUsd, index) => ({ ...event(from + index), trader: "ana", fillUsd }) as TapeEvent);
  store.add(fills([100, 90, 5_000], 1));
  expect(store.usualUsd("ana")).toBeNull();
  store.add(fills([110, 95], 10));
  expect(store.usualUsd("ana")).toBe(100);
  expect([store.usualUsd("ben"), store.usualUsd(null)]).toEqual([null, null]);
});

test("the news are one sentence, whatever happened", () => {
  const of = (alertType: string, more = {}) =>
    ({ ...event(1), trader: "ana", token: "BONK", ...more, alertType }) as TapeEvent;
  expect(newsOf([])).toBe("");
  expect(newsOf([of("thesis"), of("thesis")])).toBe("2 new: 2 theses.");
  expect(
    newsOf([of("buy", { fillUsd: 20 }), of("sell", { fillUsd: 3_200 }), of("buy", { fillUsd: null })]),
  ).toBe("3 new: 2 buys, 1 sell. Largest: @ana sold BONK for $3,200.");
});

test("facts of tokens are requested once each, a few for many rows, and boards save most requests", async () => {
  const asked: string[] = [];
  const store = createTokenFacts(
    async (path) => {
      asked.push(path);
      if (path.includes("/trending"))
        return { tokens: [{ network: 1, token: { address: "0xa" }, priceUsd: 2, marketCapUsd: 10 }] };
      return path.startsWith("/v2/token/0xb") ? { supply: 7, launchedAt: "1970-01-01T00:00:01.000Z" } : null;
    },
    async () => {},
  );
  const looks: string[] = [];
  for (const address of ["0xa", "0xb", "0xb", "0xgone"])
    store.want(1, address, false, () => looks.push(address));
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked.filter((path) => path.startsWith("/v2/token/"))).toEqual([
    "/v2/token/0xb?networkId=1",
    "/v2/token/0xgone?networkId=1",
  ]);
  expect(looks).toEqual(["0xa", "0xb", "0xb"]);
  expect(store.get(1, "0xa")?.supply).toBe(5);
  expect(store.get(1, "0xb")).toEqual({ supply: 7, launchedAt: 1_000, isWhole: true });
  store.want(1, "0xa", true, () => {});
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked.at(-1)).toBe("/v2/token/0xa?networkId=1");
});

test("a gap is shown where it happened", () => {
  const store = createTapeStore();
  store.add([event(1)]);
  store.gap("lost");
  store.add([event(9)]);
  expect([0, 1, 2].map((index) => store.at(index)?.kind)).toEqual(["event", "gap", "event"]);
});
