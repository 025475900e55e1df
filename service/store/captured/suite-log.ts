// The log: each event once, in order, only by the lease's holder, with progress in the same transaction.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sql } from "../../../database/sql.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { FeedEvent } from "../../../protocol/shapes/event.ts";
import { appEvent, chainRetract, chainTrade, MIDNIGHT, pushEvent } from "../../../test/support/nouns.ts";
import type { LogEvent } from "../../model/event.ts";
import { openTestStore, type StoreBench, withStore } from "../suite-support.ts";
import { LeaseLost } from "./lease.ts";

export function logSuite(bench: StoreBench): void {
  describe("the log", () => {
    test(
      "is empty at first, with an epoch that stays",
      withStore(bench, async (store) => {
        const head = await store.log.head();
        expect(head).toMatchObject({ seq: 0, capturedAt: 0 });
        expect(head.epoch).not.toBe("");
        expect(await store.log.oldest()).toEqual({ seq: 1, capturedAt: null, isFirst: true });
        expect(await store.log.readAfter(0, { limit: 10 })).toEqual([]);
        expect((await store.log.head()).epoch).toBe(head.epoch);
      }),
    );

    test(
      "returns exactly what was appended, of every kind, with any text",
      withStore(bench, async (store) => {
        const events = [
          appEvent({ text: "nul \u0000, half \ud800, quote ', emoji 🚀, ünï, \\u0000" }),
          pushEvent({ raw: { a: [1, { b: null }], __proto__x: "y" }, notificationType: null }),
          chainTrade({ amount: 1e-18, priceUsd: 1.7976931348623157e308 }),
          chainRetract(),
          appEvent({ userId: null, handle: null, token: null }),
        ];
        const appended = await store.log.append(store.lease, { events, capturedAt: MIDNIGHT });
        const expected = events.map((event, n) => ({ ...event, seq: n + 1, capturedAt: MIDNIGHT }));
        expect(appended).toEqual(expected as LogEvent[]);
        expect(await store.log.readAfter(0, { limit: 10 })).toEqual(expected as LogEvent[]);
        expect(await store.log.readAfter(1, { limit: 1, feeds: ["chain"] })).toEqual([
          expected[2],
        ] as LogEvent[]);
        expect(await store.log.readAfter(1, { limit: 9, upTo: 3 })).toHaveLength(2);
        expect(await store.log.find(events[1]?.eventId ?? "")).toEqual(expected[1] as LogEvent);
        expect(await store.log.find("no such event")).toBeNull();
      }),
    );

    test(
      "shows a retracted alert on no page, but still stores it",
      withStore(bench, async (store) => {
        const [kept, undone, late] = [appEvent(), appEvent(), appEvent()];
        const retracted = [undone, late].map(({ eventId }) => chainRetract({ retractedEventId: eventId }));
        const append = (...events: FeedEvent[]) =>
          store.log.append(store.lease, { events, capturedAt: MIDNIGHT });
        await append(kept, undone);
        expect((await store.log.page({ limit: 10 })).events).toHaveLength(2);
        await append(late, ...retracted);
        const { events } = await store.log.page({ limit: 10 });
        expect(events.map(({ eventId }) => eventId)).toEqual([kept.eventId]);
        expect(await store.log.find(undone.eventId)).toMatchObject(undone);
        expect(await store.log.readAfter(0, { limit: 10 })).toHaveLength(5);
      }),
    );

    test(
      "returns retractions after a position in order, each with the event it retracts if that is stored",
      withStore(bench, async (store) => {
        const [first, second] = [appEvent(), appEvent()];
        const takesBack = (eventId: string) => chainRetract({ retractedEventId: eventId });
        const events = [
          first,
          takesBack(first.eventId),
          second,
          takesBack("gone"),
          takesBack(second.eventId),
        ];
        await store.log.append(store.lease, { events, capturedAt: MIDNIGHT });
        const read = async (after: number, limit: number) =>
          (await store.log.retractionsAfter(after, limit)).map(({ retract, undone }) => [
            retract.seq,
            undone?.eventId ?? null,
          ]);
        expect(await read(0, 10)).toEqual([
          [2, first.eventId],
          [4, null],
          [5, second.eventId],
        ]);
        expect(await read(2, 1)).toEqual([[4, null]]);
        expect(await read(5, 10)).toEqual([]);
      }),
    );

    test(
      "neither shows nor sends an alert whose retraction came before it",
      withStore(bench, async (store) => {
        const [undone, kept] = [appEvent(), appEvent()];
        const retract = chainRetract({ retractedEventId: undone.eventId });
        const append = (...events: FeedEvent[]) =>
          store.log.append(store.lease, { events, capturedAt: MIDNIGHT });
        await append(retract);
        const appended = await append(undone, kept);
        expect(appended.map(({ isHistory }) => isHistory === true)).toEqual([true, false]);
        const { events } = await store.log.page({ limit: 10 });
        expect(events.map(({ eventId }) => eventId)).toEqual([kept.eventId]);
      }),
    );

    test(
      "has each event once and in order, in whatever order and however many times upstream sends it",
      withStore(bench, async (store) => {
        const pool = Array.from({ length: 60 }, (_, n) => appEvent({ eventId: `event-${n}` }));
        const batches = fc.array(fc.array(fc.nat(pool.length - 1), { maxLength: 40 }), { maxLength: 6 });
        const seen: LogEvent[] = [];
        await fc.assert(
          fc.asyncProperty(batches, async (rounds) => {
            for (const round of rounds) {
              const events = round.map((n) => pool[n] ?? appEvent());
              const fresh = await store.log.append(store.lease, { events, capturedAt: MIDNIGHT });
              const known = new Set(seen.map((event) => event.eventId));
              const expected = [...new Set(events.map((event) => event.eventId))].filter(
                (id) => !known.has(id),
              );
              expect(fresh.map((event) => event.eventId)).toEqual(expected);
              seen.push(...fresh);
            }
          }),
          { numRuns: 25 },
        );
        expect(seen.map((event) => event.seq)).toEqual(seen.map((_, n) => n + 1));
        const paged: LogEvent[] = [];
        for (let after = 0; ; ) {
          const page = await store.log.readAfter(after, { limit: 7 });
          if (page.length === 0) break;
          paged.push(...page);
          after = page.at(-1)?.seq ?? after;
        }
        expect(paged).toEqual(seen);
        expect((await store.log.head()).seq).toBe(seen.length);
      }),
    );

    test(
      "shows a reader that follows while it is written every position, none skipped",
      withStore(bench, async (store) => {
        const total = 400;
        const writing = (async () => {
          for (let n = 0; n < total; n += 10) {
            const events = Array.from({ length: 10 }, () => appEvent());
            await store.log.append(store.lease, { events, capturedAt: MIDNIGHT + n });
          }
        })();
        const read: number[] = [];
        while (read.length < total) {
          const page = await store.log.readAfter(read.at(-1) ?? 0, { limit: 17 });
          read.push(...page.map((event) => event.seq));
          await Bun.sleep(0);
        }
        await writing;
        expect(read).toEqual(Array.from({ length: total }, (_, n) => n + 1));
      }),
    );

    test(
      "keeps capture times in position order even when the clock goes back",
      withStore(bench, async (store) => {
        const at = [MIDNIGHT, MIDNIGHT - 5_000, MIDNIGHT + 10];
        for (const capturedAt of at) {
          await store.log.append(store.lease, { events: [appEvent()], capturedAt });
        }
        const times = (await store.log.readAfter(0, { limit: 9 })).map((event) => event.capturedAt);
        expect(times).toEqual([MIDNIGHT, MIDNIGHT, MIDNIGHT + 10]);
        expect(await store.log.positionAt(MIDNIGHT - 1)).toBe(0);
        expect(await store.log.positionAt(MIDNIGHT)).toBe(2);
        expect(await store.log.positionAt(MIDNIGHT + 9)).toBe(2);
        expect(await store.log.positionAt(MIDNIGHT + 99)).toBe(3);
      }),
    );

    test(
      "takes the time that it is given a function for when nothing is left to wait for",
      withStore(bench, async (store) => {
        let now = MIDNIGHT;
        const held = Promise.withResolvers<void>();
        const released = Promise.withResolvers<void>();
        const busy = store.database.write(async (tx) => {
          await tx.run(sql`UPDATE log_head SET seq = seq WHERE id = 1`);
          held.resolve();
          await released.promise;
        });
        await held.promise;
        const appending = store.log.append(store.lease, { events: [appEvent()], capturedAt: () => now });
        await Bun.sleep(10);
        now += 1_600;
        released.resolve();
        await busy;
        expect((await appending)[0]?.capturedAt).toBe(MIDNIGHT + 1_600);
      }),
    );

    test(
      "forgets whole months that are too old, keeps the rest, and never gives a position twice",
      withStore(bench, async (store) => {
        const months = [MIDNIGHT, MIDNIGHT + 31 * DAY_MS, MIDNIGHT + 59 * DAY_MS];
        const events: FeedEvent[] = [];
        for (const capturedAt of months) {
          // Captured late: old events go to the month in which they were captured.
          const batch = Array.from({ length: 4 }, () => appEvent({ at: MIDNIGHT - 400 * DAY_MS }));
          await store.log.append(store.lease, { events: batch, capturedAt });
          events.push(...batch);
        }
        const before = months[2] ?? 0;
        while ((await store.log.prune(before, 3)) > 0);
        expect(await store.log.oldest()).toEqual({ seq: 9, capturedAt: before, isFirst: false });
        const kept = await store.log.readAfter(0, { limit: 99 });
        expect(kept.map((event) => event.eventId)).toEqual(events.slice(8).map((event) => event.eventId));
        const next = await store.log.append(store.lease, { events: [appEvent()], capturedAt: before });
        expect(next.map((event) => event.seq)).toEqual([13]);
      }),
    );

    test(
      "holds an event once over all its months, pages through them in order, and takes any time",
      withStore(bench, async (store) => {
        const early = appEvent({ userId: "me" });
        const appended: LogEvent[] = [];
        for (const capturedAt of [0, MIDNIGHT, MIDNIGHT + 31 * DAY_MS, MIDNIGHT + 400 * DAY_MS, 2 ** 52]) {
          const events = [early, appEvent({ userId: "me" }), appEvent(), chainTrade()];
          appended.push(...(await store.log.append(store.lease, { events, capturedAt })));
        }
        expect(appended.filter((event) => event.eventId === early.eventId)).toHaveLength(1);
        expect(appended.map((event) => event.seq)).toEqual(appended.map((_, n) => n + 1));
        expect(await store.log.readAfter(0, { limit: 99 })).toEqual(appended);
        const mine = appended.filter((event) => "userId" in event && event.userId === "me");
        const pages: LogEvent[] = [];
        for (let before: number | undefined; ; ) {
          const page = await store.log.page({ limit: 2, userId: "me", ...(before && { before }) });
          pages.push(...page.events);
          before = page.events.at(-1)?.seq;
          if (!page.hasMore) break;
        }
        expect(pages).toEqual(mine.reverse());
        expect(await store.log.find(early.eventId)).toEqual(appended[0] ?? null);
        expect(await store.log.positionAt(MIDNIGHT + 31 * DAY_MS)).toBe(10);
      }),
    );

    test(
      "saves positions, gaps and refusals with the events or not at all",
      withStore(bench, async (store) => {
        expect(await store.progress.position("app")).toBeNull();
        const gap = { source: "test", feed: "app" as const, fromPosition: 5, toPosition: 9 };
        const batch = {
          events: [appEvent()],
          capturedAt: MIDNIGHT,
          positions: [{ source: "test", feed: "app" as const, position: 10 }],
          gaps: [gap],
          refusals: [{ feed: "app" as const, reason: "malformed", sample: "{\u0000" }],
        };
        await store.log.append(store.lease, batch);
        expect(await store.progress.position("app")).toBe(10);
        expect(await store.progress.gaps(9)).toEqual([{ ...gap, seq: 1, foundAt: MIDNIGHT }]);
        const stale = { ...store.lease, term: store.lease.term - 1 };
        const later = {
          ...batch,
          events: [appEvent()],
          positions: [{ source: "test", feed: "app" as const, position: 11 }],
        };
        await expect(store.log.append(stale, later)).rejects.toBeInstanceOf(LeaseLost);
        expect(await store.progress.position("app")).toBe(10);
        expect((await store.log.head()).seq).toBe(1);
        await store.log.append(store.lease, { events: [], capturedAt: MIDNIGHT, positions: later.positions });
        expect(await store.progress.position("app")).toBe(11);
        expect(await store.progress.derivedSeq()).toBe(0);
        await store.progress.saveDerivedSeq(store.lease, 1, MIDNIGHT);
        await expect(store.progress.saveDerivedSeq(stale, 2, MIDNIGHT)).rejects.toBeInstanceOf(LeaseLost);
        expect(await store.progress.derivedSeq()).toBe(1);
      }),
    );

    test(
      "counts every refusal and keeps a bounded number of samples, the newest",
      withStore(bench, async (store) => {
        const refusals = Array.from({ length: 50 }, (_, n) => ({
          feed: "push" as const,
          reason: n % 5 === 0 ? "oversized" : "malformed",
          sample: `${n}`.padEnd(5_000, "x"),
        }));
        for (const [n, refusal] of refusals.entries()) {
          await store.log.append(store.lease, { events: [], capturedAt: MIDNIGHT + n, refusals: [refusal] });
        }
        const [malformed, oversized] = await store.progress.refusals();
        expect(malformed).toMatchObject({ reason: "malformed", refused: 40, lastAt: MIDNIGHT + 49 });
        expect(oversized).toMatchObject({ reason: "oversized", refused: 10, lastAt: MIDNIGHT + 45 });
        expect(malformed?.samples).toHaveLength(20);
        expect(malformed?.samples[0]?.sample).toStartWith("49x");
        expect(malformed?.samples[0]?.sample).toHaveLength(2_000);
        expect(oversized?.samples).toHaveLength(10);
      }),
    );
  });

  describe("a lease", () => {
    test(
      "has one holder until it expires or is released, and each holder a higher term",
      withStore(bench, async ({ leases, clock }) => {
        const first = await leases.acquire("x", "a", 1_000);
        expect(first).toEqual({ name: "x", holder: "a", term: 1, expiresAt: MIDNIGHT + 1_000 });
        if (!first) return;
        expect(await leases.acquire("x", "b", 1_000)).toBeNull();
        expect(await leases.acquire("y", "b", 1_000)).toMatchObject({ name: "y", term: 1 });
        await clock.advance(999);
        expect(await leases.renew(first, 1_000)).toMatchObject({ term: 1, expiresAt: MIDNIGHT + 1_999 });
        await clock.advance(999);
        expect(await leases.acquire("x", "b", 1_000)).toBeNull();
        await clock.advance(1);
        const second = await leases.acquire("x", "b", 1_000);
        expect(second).toMatchObject({ holder: "b", term: 2 });
        expect(await leases.renew(first, 1_000)).toBeNull();
        await leases.release(first);
        expect(await leases.current("x")).toEqual(second);
        if (second) await leases.release(second);
        expect(await leases.acquire("x", "a", 1_000)).toMatchObject({ holder: "a", term: 3 });
      }),
    );

    test("goes to exactly one of many concurrent requests, on two connections", async () => {
      const store = await openTestStore(bench);
      const asked = Array.from({ length: 20 }, (_, n) => store.leases.acquire("race", `holder-${n}`, 1_000));
      const won = (await Promise.all(asked)).filter((lease) => lease !== null);
      expect(won).toHaveLength(1);
      await store.close();
    });

    test(
      "that has passed on stops its old holder from writing, even in mid-race",
      withStore(bench, async (store) => {
        await store.clock.advance(60_000);
        const taking = store.leases.acquire("writer", "standby", 1_000);
        const old = Array.from({ length: 10 }, () =>
          store.log.append(store.lease, { events: [appEvent()], capturedAt: MIDNIGHT }).then(
            (events) => events.length,
            (error) => error,
          ),
        );
        const next = await taking;
        const outcomes = await Promise.all(old);
        const stored = outcomes.filter((outcome) => outcome === 1).length;
        for (const outcome of outcomes) if (outcome !== 1) expect(outcome).toBeInstanceOf(LeaseLost);
        expect((await store.log.head()).seq).toBe(stored);
        if (!next) throw new Error("the standby gets the lease");
        await expect(
          store.log.append(store.lease, { events: [appEvent()], capturedAt: MIDNIGHT }),
        ).rejects.toBeInstanceOf(LeaseLost);
        const after = await store.log.append(next, { events: [appEvent()], capturedAt: MIDNIGHT });
        expect(after.map((event) => event.seq)).toEqual([stored + 1]);
      }),
    );
  });
}
