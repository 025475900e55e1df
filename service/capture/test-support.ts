// For capture's tests: a small real world that moves only on request, a real store, and captures on them that work as
// fast as they can. What upstream sends is read straight from it, to compare with.
import { afterEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseLocation } from "../../database/open.ts";
import type { Clock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { FEEDS, type FeedEvent, type FeedName } from "../../protocol/shapes/event.ts";
import { type OpenedSimulator, openSimulator } from "../../simulator/open.ts";
import { eventually } from "../../test/support/eventually.ts";
import { STARTS_AT, testClock } from "../../test/support/steered-clock.ts";
import { memoryBus } from "../bus/memory.ts";
import type { Bus } from "../bus/port.ts";
import type { LogEvent } from "../model/event.ts";
import { openStore, type Store } from "../store/store.ts";
import { inProcessUpstream } from "../upstream/in-process.ts";
import type { Upstream } from "../upstream/port.ts";
import { type Capture, createCapture } from "./capture.ts";
import type { RetentionDays } from "./keepers/retention.ts";
import type { CaptureRates } from "./rates.ts";

export const quietLog = createLog("silent", () => 0);
const CALL = { deadlineMs: 10_000 };

/** No pauses: tests wait for conditions, and no clients are served meanwhile. */
const TEST_RATES: CaptureRates = {
  questionsPerSecond: 100_000,
  tradersPerSecond: 100_000,
  pagesPerSecond: 10_000,
  batch: 97,
  page: 31,
  catchUpShare: 1,
};

/** For the top of a test file: what a test opens is closed when it ends, the last first. */
export function closedAfterEach() {
  const cleanUps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  const openStore = async (): Promise<Store> => {
    const storage = await testStore();
    cleanUps.push(() => storage.close());
    return storage.store;
  };
  return { cleanUps, openStore };
}

export interface TestWorld {
  platform: OpenedSimulator;
  upstream: Upstream;
  /** Lets the world live for so long. */
  live(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function testWorld(
  seed: string,
  changed: { traders?: number; days?: number } = {},
): Promise<TestWorld> {
  const clock = standingClock();
  const platform = await openSimulator({
    seed,
    eventsPerSecond: 20,
    dataFolder: null,
    clock,
    traders: changed.traders ?? 60,
    historyDays: changed.days ?? 0.5,
    // A few thousand events are enough to page through.
    historyEventsPerSecond: 0.05,
  });
  return {
    platform,
    upstream: inProcessUpstream(platform, { log: quietLog, clock: testClock }),
    async live(milliseconds) {
      clock.step(milliseconds);
      await platform.advance();
    },
    close: () => platform.close(),
  };
}

/** Stands still but for its steps, and wakes no sleeper: the world lives only on request. */
function standingClock(): Clock & { step(milliseconds: number): void } {
  let now = STARTS_AT;
  return {
    now: () => now,
    step(milliseconds) {
      now += milliseconds;
    },
    sleep: (_milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        signal?.addEventListener("abort", () => resolve(), { once: true });
      }),
  };
}

export interface CaptureTestStore {
  store: Store;
  location: DatabaseLocation;
  /** All that were opened, each with its own connections. */
  stores: readonly Store[];
  /** Another connection to the same database, as another process would have. */
  another(clock?: Clock): Promise<Store>;
  close(): Promise<void>;
}

export async function testStore(clock: Clock = testClock, url?: string): Promise<CaptureTestStore> {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-capture-"));
  const location = url === undefined ? { file: join(folder, "test.sqlite") } : { url };
  const opened: Store[] = [];
  const another = async (its: Clock = clock) => {
    const store = await openStore({ location, clock: its, log: quietLog });
    opened.push(store);
    return store;
  };
  return {
    store: await another(),
    stores: opened,
    location,
    another,
    async close() {
      for (const store of opened) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function captureOn(
  upstream: Upstream,
  store: Store,
  changed: {
    clock?: Clock;
    bus?: Bus;
    rates?: Partial<CaptureRates>;
    retentionDays?: RetentionDays;
  } = {},
): Capture {
  return createCapture({
    upstream,
    store,
    bus: changed.bus ?? memoryBus(quietLog),
    clock: changed.clock ?? testClock,
    log: quietLog,
    metrics: createMetrics(),
    random: seededRandom("capture"),
    settings: {
      retentionDays: changed.retentionDays ?? { log: 3_650, fills: 3_650, tape: 3_650 },
      rates: { ...TEST_RATES, ...changed.rates },
    },
  });
}

/** Everything upstream has in its feeds, each event once, by feed in order of first appearance. */
export async function sentBy(upstream: Upstream): Promise<Record<FeedName, FeedEvent[]>> {
  const sent: Record<FeedName, FeedEvent[]> = { app: [], push: [], chain: [] };
  for (const feed of FEEDS) {
    const seen = new Set<string>();
    for (let after = 0; ; ) {
      const page = await upstream.feed(feed, after, 1_000, CALL);
      if (page.kind !== "found") throw new Error(`the feed ${feed} answered ${page.kind}`);
      const last = page.value.items.at(-1);
      if (!last) break;
      for (const item of page.value.items) {
        if (!("event" in item) || seen.has(item.event.eventId)) continue;
        seen.add(item.event.eventId);
        sent[feed].push(item.event);
      }
      after = last.position;
    }
  }
  return sent;
}

export async function wholeLog(store: Store): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for (;;) {
    const page = await store.log.readAfter(events.at(-1)?.seq ?? 0, { limit: 1_000 });
    if (page.length === 0) return events;
    events.push(...page);
  }
}

export function withoutPlace(logged: LogEvent): FeedEvent {
  const { seq: _seq, capturedAt: _capturedAt, isHistory: _isHistory, ...event } = logged;
  return event;
}

/** Everything upstream has is in the log, and everything derived has followed. */
export async function caughtUp(capture: Capture, upstream: Upstream, store: Store): Promise<void> {
  await eventually(async () => {
    for (const feed of FEEDS) {
      const page = await upstream.feed(feed, Number.MAX_SAFE_INTEGER - 1, 1, CALL);
      const saved = await store.progress.position(feed);
      if (page.kind !== "found" || saved !== page.value.newest) return false;
    }
    if ((await store.log.historyLeft()).length > 0) return false;
    const { derivedSeq, waiting } = capture.status();
    const isQuiet = Object.values(waiting).every((count) => count === 0);
    return isQuiet && derivedSeq === (await store.log.head()).seq;
  }, "capture has caught up with upstream");
}
