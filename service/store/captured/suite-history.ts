// The log's past: below live events, in order, only by the lease's holder, and only for a log that has not begun.

import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../kit/units.ts";
import type { FeedEvent } from "../../../protocol/shapes/event.ts";
import { appEvent, chainRetract, chainTrade, MIDNIGHT } from "../../../test/support/nouns.ts";
import { type StoreBench, withStore } from "../suite-support.ts";
import { LeaseLost } from "./lease.ts";

const SOURCE = "somewhere";
const NOW = MIDNIGHT + 40 * DAY_MS;
const EXTENTS = [
  { feed: "app", oldest: 11, newest: 14 },
  { feed: "chain", oldest: 1, newest: 3 },
  { feed: "push", oldest: 1, newest: 0 },
] as const;
const BEGUN = { source: SOURCE, extents: EXTENTS, at: NOW };

export function historySuite(bench: StoreBench): void {
  describe("the log's history", () => {
    test(
      "takes the positions reserved for it, newest first, and live events those above",
      withStore(bench, async (store) => {
        expect(await store.log.begin(store.lease, BEGUN)).toBe(true);
        expect(await store.log.historyLeft(SOURCE)).toEqual([
          { feed: "app", next: 14, oldest: 11 },
          { feed: "chain", next: 3, oldest: 1 },
        ]);
        expect(await store.progress.position("app", SOURCE)).toBe(14);
        expect(await store.progress.derivedSeq()).toBe(7);
        const news = appEvent({ at: NOW });
        await store.log.append(store.lease, { events: [news], capturedAt: NOW });
        // Two months, so that each row goes to the month of its time.
        const late = [appEvent({ at: NOW - 3_000 }), chainTrade({ at: NOW - 2_000 })];
        const left = { feed: "app", next: 13, oldest: 11 } as const;
        await store.log.appendHistory(store.lease, {
          source: SOURCE,
          events: late,
          refusals: [],
          left: [left, { feed: "chain", next: 2, oldest: 1 }],
        });
        const early = [chainTrade({ at: MIDNIGHT }), appEvent({ at: MIDNIGHT + 1_000 })];
        const last = {
          source: SOURCE,
          events: [...early, ...late],
          refusals: [],
          left: [
            { ...left, next: 10 },
            { feed: "chain" as const, next: 0, oldest: 1 },
          ],
        };
        await store.log.appendHistory(store.lease, last);
        expect(await store.log.historyLeft()).toEqual([]);
        const rows = await store.log.readAfter(0, { limit: 99 });
        expect(rows.map(({ eventId, seq }) => [seq, eventId])).toEqual(
          [...early, ...late, news].map(({ eventId }, n) => [n + 4, eventId]),
        );
        expect(rows.map(({ isHistory }) => isHistory === true)).toEqual([true, true, true, true, false]);
        const times = rows.map(({ capturedAt }) => capturedAt);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(await store.log.head()).toMatchObject({ seq: 8, capturedAt: NOW });
        expect(await store.log.oldest()).toMatchObject({ seq: 4, isFirst: true });
        while ((await store.log.prune(NOW - DAY_MS, 99)) > 0);
        expect(await store.log.oldest()).toMatchObject({ isFirst: false });
      }),
    );

    test(
      "leaves out events that a re-org undid, whose retraction is read first",
      withStore(bench, async (store) => {
        await store.log.begin(store.lease, BEGUN);
        const [undone, kept] = [appEvent({ at: MIDNIGHT }), appEvent({ at: MIDNIGHT + 1 })];
        const retract = chainRetract({ retractedEventId: undone.eventId, at: MIDNIGHT + 2 });
        const batch = (next: number, events: FeedEvent[]) => ({
          source: SOURCE,
          events,
          refusals: [],
          left: [{ feed: "app" as const, next, oldest: 11 }],
        });
        await store.log.appendHistory(store.lease, batch(13, [retract]));
        await store.log.appendHistory(store.lease, batch(10, [undone, kept]));
        const { events } = await store.log.page({ limit: 10 });
        expect(events.map(({ eventId }) => eventId)).toEqual([kept.eventId]);
      }),
    );

    test(
      "is for a log that has not begun, and for the holder of the lease",
      withStore(bench, async (store) => {
        const lost = { ...store.lease, term: store.lease.term - 1 };
        await expect(store.log.begin(lost, BEGUN)).rejects.toBeInstanceOf(LeaseLost);
        await store.log.append(store.lease, { events: [appEvent()], capturedAt: MIDNIGHT });
        expect(await store.log.begin(store.lease, BEGUN)).toBe(false);
        expect(await store.log.historyLeft()).toEqual([]);
        expect((await store.log.head()).seq).toBe(1);
        const batch = { source: SOURCE, events: [appEvent()], left: [], refusals: [] };
        await expect(store.log.appendHistory(lost, batch)).rejects.toBeInstanceOf(LeaseLost);
      }),
    );
  });
}
