// How fast capture is: upstream items normalised, deduplicated and appended to the log, and the same with fills, candles
// and positions derived along. Real parts and a real world; the databases are throw-away ones, with fsync.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPlatform } from "../platform/open.ts";
import { createAbreast } from "../service/capture/abreast.ts";
import { deriveAlong } from "../service/capture/deriver.ts";
import { follow } from "../service/capture/follow.ts";
import { createHints } from "../service/capture/hints.ts";
import { createSeen } from "../service/capture/seen.ts";
import { newFeedStatuses } from "../service/capture/status.ts";
import { manualClock, systemClock } from "../service/kit/clock.ts";
import { createLog } from "../service/kit/log.ts";
import { seededRandom } from "../service/kit/random.ts";
import { FEEDS } from "../service/model/event.ts";
import type { DatabaseLocation } from "../service/store/open.ts";
import { openStore } from "../service/store/store.ts";
import { embeddedUpstream } from "../service/upstream/embedded.ts";
import type { Upstream } from "../service/upstream/port.ts";
import { throwAwayPostgres } from "../test/support/postgres.ts";

const BARS = { sqlite: 20_000, postgres: 10_000 };
const DEADLINE_MS = 60_000;
const PAGE = 1_000;

const clock = systemClock();
const log = createLog("warn", clock.now);

/** A world with full feeds that stands still, so that every run reads the same. */
async function busyWorld(): Promise<Upstream> {
  const time = manualClock(Date.UTC(2026, 0, 31));
  const platform = await openPlatform({
    ...{ seed: "bench", eventsPerSecond: 3, dataFolder: null, clock: time, traders: 1_000, historyDays: 10 },
  });
  return embeddedUpstream(platform, { log });
}

async function normalise(upstream: Upstream): Promise<{ events: number; ms: number }> {
  let events = 0;
  const beganAt = performance.now();
  for (const feed of FEEDS) {
    for (let after = 0; ; ) {
      const page = await upstream.feed(feed, after, PAGE, { deadlineMs: DEADLINE_MS });
      if (page.kind !== "found") throw new Error(`the feed ${feed} answered ${page.kind}`);
      const last = page.value.items.at(-1);
      if (!last) break;
      events += page.value.items.length;
      after = last.position;
    }
  }
  return { events, ms: performance.now() - beganAt };
}

async function capture(upstream: Upstream, location: DatabaseLocation) {
  const store = await openStore({ location, clock, log });
  const lease = await store.leases.acquire("bench", "bench", DEADLINE_MS * 10);
  if (!lease) throw new Error("no lease");
  const feeds = newFeedStatuses();
  const random = seededRandom("bench");
  const stop = new AbortController();
  const [hints, abreast] = [createHints(clock), createAbreast()];
  const beganAt = performance.now();
  let appendedMs = 0;
  const followers = FEEDS.map((feed) =>
    follow(
      {
        ...{ feed, upstream, lease, clock, random, hints, abreast, logger: log, log: store.log },
        ...{ batch: PAGE, catchUpShare: 1, from: null, status: feeds[feed] },
        onStored() {
          const done = FEEDS.every(
            (each) => feeds[each].newest !== null && feeds[each].newest === feeds[each].position,
          );
          if (!done) return;
          appendedMs = performance.now() - beganAt;
          stop.abort();
        },
      },
      stop.signal,
    ),
  );
  await Promise.all(followers);
  const { seq: events } = await store.log.head();

  const seen = createSeen({ traders: store.traders, tokens: store.tokens, onTrader() {}, onToken() {} });
  const derived = new AbortController();
  const deriveBeganAt = performance.now();
  await deriveAlong(
    {
      ...{
        store,
        lease,
        clock,
        seen,
        batch: PAGE,
        catchUpShare: 1,
        onDoubt() {},
        onUnswept() {},
        onThesis() {},
      },
      moved: async () => derived.abort(),
      onDerived() {},
    },
    derived.signal,
  );
  const derivedMs = performance.now() - deriveBeganAt;
  await store.close();
  return { events, appendedMs, derivedMs };
}

const perSecond = (events: number, ms: number) => Math.round((events / ms) * 1_000);
const rows: Record<string, Record<string, string | number>> = {};
const upstream = await busyWorld();
await normalise(upstream);
const { events, ms } = await normalise(upstream);
rows["normalise only"] = { items: events, "events/s": perSecond(events, ms), bar: "" };

const measure = async (name: keyof typeof BARS, location: DatabaseLocation) => {
  const result = await capture(upstream, location);
  const { appendedMs, derivedMs } = result;
  rows[`${name}: normalise, dedupe, append`] = {
    items: result.events,
    "events/s": perSecond(result.events, appendedMs),
    bar: `>= ${BARS[name]}`,
  };
  rows[`${name}: derive`] = {
    items: result.events,
    "events/s": perSecond(result.events, derivedMs),
    bar: "",
  };
  rows[`${name}: end to end`] = {
    items: result.events,
    "events/s": perSecond(result.events, appendedMs + derivedMs),
    bar: "",
  };
};
const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-"));
await measure("sqlite", { file: join(folder, "bench.db") });
rmSync(folder, { recursive: true, force: true });
const postgres = await throwAwayPostgres({ fsync: true });
await measure("postgres", { url: await postgres.createDatabase() });
await postgres.stop();
console.table(rows);
process.exit(0);
