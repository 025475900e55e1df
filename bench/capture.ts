// S6: upstream items normalised, deduplicated and appended to the log, and the same with fills, candles and positions derived
// as well. Real parts and a real world; the databases are temporary, with fsync. Run: bun bench/capture.ts [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseLocation } from "../database/open.ts";
import { manualClock, systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { seededRandom } from "../kit/random.ts";
import { FEEDS } from "../protocol/shapes/event.ts";
import { deriveAlong } from "../service/capture/deriver.ts";
import { follow } from "../service/capture/follow.ts";
import { createJointAppend } from "../service/capture/joint-append.ts";
import { createSeen } from "../service/capture/seen.ts";
import { newFeedStatuses } from "../service/capture/status.ts";
import { createWakers } from "../service/capture/wakers.ts";
import { openStore } from "../service/store/store.ts";
import { inProcessUpstream } from "../service/upstream/in-process.ts";
import type { Upstream } from "../service/upstream/port.ts";
import { openSimulator } from "../simulator/open.ts";
import { throwAwayPostgres } from "../test/support/postgres.ts";
import { figure, interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";

const BARS = { sqlite: 20_000, postgres: 10_000 };
type StoreEngine = keyof typeof BARS;
const NAMES: Record<StoreEngine, string> = { sqlite: "SQLite", postgres: "PostgreSQL" };
/** From a profile; PostgreSQL was not profiled. */
const CAUSES: Partial<Record<StoreEngine, string>> = {
  sqlite:
    "some 30 % of the CPU is the system's, for two to three writes an event: ids are random, so that an event changes a " +
    "page of their index as well as the log's last one, and a page of the write-ahead log is two writes. A fifth is SQLite's " +
    "statements, and a fifth the simulated platform's answers, made and normalised in the same process.",
};
/** One takes at least ten seconds. */
const ROUNDS_MAX = 3;
const DEADLINE_MS = 60_000;
const PAGE = 1_000;

const clock = systemClock();
const log = createLog("warn", clock.now);

/** A world with full feeds and a stopped clock, so that every run reads the same. */
async function busyWorld(): Promise<Upstream> {
  const time = manualClock(Date.UTC(2026, 0, 31));
  const platform = await openSimulator({
    seed: "bench",
    eventsPerSecond: 3,
    dataFolder: null,
    clock: time,
    traders: 1_000,
    historyDays: 10,
  });
  return inProcessUpstream(platform, { log, clock });
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
  const wakers = createWakers(clock);
  const joint = createJointAppend({
    source: "bench",
    log: store.log,
    lease,
    clock,
    logger: log,
    batch: PAGE,
  });
  const beganAt = performance.now();
  let appendedMs = 0;
  const followers = FEEDS.map((feed) =>
    follow(
      {
        feed,
        upstream,
        clock,
        random,
        wakers,
        joint,
        logger: log,
        batch: PAGE,
        catchUpShare: 1,
        from: null,
        status: feeds[feed],
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
      store,
      lease,
      clock,
      log,
      seen,
      batch: PAGE,
      catchUpShare: 1,
      onDoubt() {},
      onUnswept() {},
      onThesis() {},
      moved: async () => derived.abort(),
      onDerived() {},
    },
    derived.signal,
  );
  const derivedMs = performance.now() - deriveBeganAt;
  await store.close();
  return { events, appendedMs, derivedMs };
}

interface Rates {
  appended: number;
  derived: number;
  whole: number;
}

const perSecond = (events: number, ms: number) => (events / ms) * 1_000;

await suite(async ({ rounds }): Promise<Measured> => {
  const upstream = await busyWorld();
  await normalise(upstream);
  const { events, ms } = await normalise(upstream);
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-"));
  const postgres = await throwAwayPostgres({ fsync: true });
  const engines: Record<StoreEngine, () => Promise<DatabaseLocation>> = {
    sqlite: async () => ({ file: join(folder, `${++made}.sqlite`) }),
    postgres: async () => ({ url: await postgres.createDatabase() }),
  };
  let made = 0;
  const names = Object.keys(engines) as StoreEngine[];
  const measure = async (name: StoreEngine): Promise<Rates> => {
    const result = await capture(upstream, await engines[name]());
    const { appendedMs, derivedMs } = result;
    return {
      appended: perSecond(result.events, appendedMs),
      derived: perSecond(result.events, derivedMs),
      whole: perSecond(result.events, appendedMs + derivedMs),
    };
  };
  const { kept, notes } = await interleaved(
    names.map((name) => ({ name, measure: () => measure(name) })),
    Math.min(rounds, ROUNDS_MAX),
  );
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });

  const of = (name: StoreEngine, what: keyof Rates) =>
    spreadOf(kept.map((round) => round[name]?.[what] ?? Number.NaN));
  return {
    findings: names.map((name) => ({
      bar: `at least ${figure(BARS[name], 0)} events/s on ${NAMES[name]}`,
      result: `${spreadText(of(name, "appended"), 0)} events/s`,
      met: of(name, "appended").median >= BARS[name],
      ...(CAUSES[name] ? { cause: CAUSES[name] } : {}),
    })),
    tables: [
      {
        title: `${figure(events, 0)} events of a busy world, everything in one process; normalising alone runs at ${figure(perSecond(events, ms), 0)} events/s`,
        columns: [
          "store",
          "normalise, dedupe, append",
          "derive fills, candles, positions",
          "both, one after the other",
        ],
        rows: names.map((name) => [
          NAMES[name],
          ...(["appended", "derived", "whole"] as const).map((what) => spreadText(of(name, what), 0)),
        ]),
      },
    ],
    notes,
  };
});
