import { expect, test } from "bun:test";
import { manualClock } from "../../kit/clock.ts";
import { eventually } from "../../test/support/eventually.ts";
import { onEngine } from "../../test/support/needing.ts";
import { appEvent } from "../../test/support/nouns.ts";
import { sharedPostgres } from "../../test/support/postgres.ts";
import { testClock } from "../../test/support/steered-clock.ts";
import { LeaseLost } from "../store/captured/lease.ts";
import type { Store } from "../store/store.ts";
import type { Capture } from "./capture.ts";
import { LEASE_MS, WRITER_LEASE } from "./lease-keeper.ts";
import { type CaptureTestStore, captureOn, closedAfterEach, testStore, wholeLog } from "./test-support.ts";
import { scriptedUpstream } from "./test-upstream.ts";

const TAKE_OVER_MS = 5_000;
const STEP_MS = 100;

const { cleanUps } = closedAfterEach();

/**
 * A store of which it is known how many answers about leases are still to come: a real database answers in real time, which
 * does not pass on the manual clock. They can also be held back for ever, as those of a stalled process are.
 */
function watchedStore(store: Store) {
  let isStalled = false;
  let awaited = 0;
  const watched =
    <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
    (...given: Given): Promise<Answer> => {
      if (isStalled) return new Promise(() => {});
      awaited += 1;
      return ask(...given).finally(() => {
        awaited -= 1;
      });
    };
  const { acquire, renew, release, current } = store.leases;
  const leases = { acquire: watched(acquire), renew: watched(renew), release: watched(release), current };
  return {
    store: { ...store, leases },
    awaited: () => awaited,
    stall: () => {
      isStalled = true;
    },
  };
}

for (const dialect of ["sqlite", "postgres"] as const) {
  onEngine(dialect).describe(`the writer's lease on ${dialect}`, () => {
    async function setUp() {
      const clock = manualClock(testClock.now());
      const url = dialect === "postgres" ? await (await sharedPostgres()).createDatabase() : undefined;
      const storage: CaptureTestStore = await testStore(clock, url);
      cleanUps.push(() => storage.close());
      const upstream = scriptedUpstream();
      const nodes: ReturnType<typeof watchedStore>[] = [];
      const begin = (store: Store): Capture & { stall(): void } => {
        const node = watchedStore(store);
        nodes.push(node);
        const capture = captureOn(upstream, node.store, { clock });
        capture.start();
        return { ...capture, stall: node.stall };
      };
      const step = async () => {
        await clock.advance(STEP_MS);
        await eventually(() => nodes.every(({ awaited }) => awaited() === 0), "the database has answered");
      };
      /** Moves time until the condition holds and tells how much of it passed. */
      const elapsed = async (timeoutMs: number, condition: () => boolean): Promise<number> => {
        const from = clock.now();
        while (!condition() && clock.now() - from < timeoutMs) await step();
        return clock.now() - from;
      };
      const writes = (capture: Capture) => elapsed(60_000, () => capture.status().writing);
      const reached = (position: number) =>
        eventually(async () => {
          await step();
          return (await storage.store.progress.position("app")) === position;
        }, `the app feed was read up to ${position}`);
      return { clock, storage, upstream, begin, step, elapsed, writes, reached };
    }
    const buys = (count: number) => Array.from({ length: count }, () => appEvent());

    test("only one of two nodes writes; the other stands by and takes over when it stops", async () => {
      const { storage, upstream, begin, elapsed, writes, reached } = await setUp();
      const first = begin(storage.store);
      await writes(first);
      const second = begin(await storage.another());
      cleanUps.push(() => second.stop());
      upstream.put("app", ...buys(5));
      await reached(5);
      await elapsed(10_000, () => second.status().writing);
      expect([first.status().writing, second.status().writing]).toEqual([true, false]);
      await first.stop();
      upstream.put("app", ...buys(5));
      expect(await writes(second)).toBeLessThan(LEASE_MS);
      await reached(10);
      expect((await wholeLog(storage.store)).map((event) => event.seq)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
      ]);
    });

    test("a holder that dies is replaced within 5 s, from the position it had saved", async () => {
      const { storage, upstream, begin, writes, reached } = await setUp();
      const first = begin(await storage.another());
      await writes(first);
      const events = buys(12);
      upstream.put("app", ...events.slice(0, 6));
      await reached(6);
      const second = begin(storage.store);
      cleanUps.push(() => second.stop());
      // As good as dead: it neither renews nor writes any more, and the other does not know.
      first.stall();
      void first.stop();
      upstream.put("app", ...events.slice(6), ...events.slice(0, 3));
      expect(await writes(second)).toBeLessThanOrEqual(TAKE_OVER_MS);
      await reached(15);
      const log = await wholeLog(storage.store);
      expect(log.map((event) => event.eventId)).toEqual(events.map((event) => event.eventId));
    });

    test("a holder that can't renew stops writing before its lease ends", async () => {
      const { clock, storage, begin, elapsed, writes } = await setUp();
      const capture = begin(await storage.another());
      cleanUps.push(() => void capture.stop());
      await writes(capture);
      capture.stall();
      const lease = await storage.store.leases.current(WRITER_LEASE);
      const endsAt = Number(lease?.expiresAt);
      const isOver = () => !capture.status().writing;
      // To just before the end. Its open calls to the database end a little later, in real time.
      await elapsed(endsAt - clock.now() - STEP_MS, isOver);
      await eventually(isOver, "it no longer writes");
      expect(clock.now()).toBeLessThan(endsAt);
    });

    test("what a former holder still tries to write is refused", async () => {
      const { clock, storage, begin, writes } = await setUp();
      const old = await storage.store.leases.acquire(WRITER_LEASE, "old", LEASE_MS);
      if (!old) throw new Error("no lease");
      const capture = begin(await storage.another());
      cleanUps.push(() => capture.stop());
      await writes(capture);
      const late = storage.store.log.append(old, { events: buys(1), capturedAt: clock.now() });
      expect(late).rejects.toBeInstanceOf(LeaseLost);
      await late.catch(() => undefined);
      expect((await storage.store.log.head()).seq).toBe(0);
    });

    test("a node whose lease was taken from it notices and stands by again", async () => {
      const { storage, upstream, begin, step, writes } = await setUp();
      const capture = begin(await storage.another());
      cleanUps.push(() => capture.stop());
      await writes(capture);
      await storage.store.database.write((tx) =>
        tx.run({ text: `UPDATE lease SET holder = 'other', term = term + 1`, values: [] }),
      );
      upstream.put("app", ...buys(3));
      await eventually(async () => {
        await step();
        return !capture.status().writing;
      }, "it no longer writes");
      expect((await storage.store.log.head()).seq).toBe(0);
    });
  });
}
