// The one reader of the log: those who are live do not wait for those who resume.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { appEvent, chainRetract, chainTrade } from "../../test/support/nouns.ts";
import { memoryBus } from "../bus/memory.ts";
import { openStore, type Store } from "../store/store.ts";
import { EVERYTHING } from "./filter.ts";
import { REPLAY_EVENTS } from "./replay-reads.ts";
import { createTail } from "./tail.ts";

const EVENTS = 40;
const RARE = { ...EVERYTHING, minUsd: 1e12 };
const stays = () => false;
const folder = mkdtempSync(join(tmpdir(), "crowdtape-tail-"));
const clock = systemClock();
const log = createLog("silent", clock.now);
let store: Store;

beforeAll(async () => {
  store = await openStore({ location: { file: join(folder, "store.sqlite") }, clock, log });
  const lease = await store.leases.acquire("writer", "test", 60_000);
  if (!lease) throw new Error("no lease");
  const events = Array.from({ length: EVENTS }, () => appEvent());
  const positions = [{ source: "test", feed: "app" as const, position: EVENTS }];
  await store.log.append(lease, { events, capturedAt: clock.now(), positions });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a lane that is behind reads on while a crowd resumes, and does not queue behind it", async () => {
  const tail = createTail({ store, bus: memoryBus(log), chains: DEFAULT_CHAINS, clock, log });
  await tail.start();
  let resumed = 0;
  const crowd = Array.from({ length: 50 }, () =>
    tail.matching(0, tail.newest(), "trades", EVERYTHING, stays).then(() => {
      resumed += 1;
    }),
  );
  const page = await tail.older(0, tail.newest());
  expect(page).toHaveLength(EVENTS);
  expect(resumed).toBeLessThan(5);
  await Promise.all(crowd);
  expect(resumed).toBe(50);
  await tail.stop();
});

test("a resume does not queue behind a crowd of searches, nor a short search until long ones are done, and one ends when its reader leaves", async () => {
  const own = await openStore({ location: { file: join(folder, "crowd.sqlite") }, clock, log });
  const lease = await own.leases.acquire("writer", "test", 60_000);
  if (!lease) throw new Error("no lease");
  const buys = Array.from({ length: 3_000 }, () => appEvent({ kind: "buy", userId: "anyone" }));
  const events = [...buys, appEvent({ kind: "buy", userId: "wanted" })];
  await own.log.append(lease, { events, capturedAt: clock.now(), positions: [] });
  const tail = createTail({ store: own, bus: memoryBus(log), chains: DEFAULT_CHAINS, clock, log });
  await tail.start();
  let searched = 0;
  const crowd = Array.from({ length: 10 }, async () => {
    await tail.matching(0, tail.newest(), "alerts", RARE, stays);
    searched += 1;
  });
  const walked = await tail.matching(0, tail.newest(), "alerts", EVERYTHING, stays);
  expect(walked.entries).toHaveLength(REPLAY_EVENTS);
  expect(searched).toBe(0);
  const wanted = { ...EVERYTHING, traders: ["u:wanted"] };
  const found = await tail.matching(0, tail.newest(), "alerts", wanted, stays);
  expect(found.entries.map(({ seq }) => seq)).toEqual([events.length]);
  expect(searched).toBe(0);
  await Promise.all(crowd);
  expect(searched).toBe(10);

  // Nobody waits for the answer any more, so nothing else is read for it.
  let pages = 0;
  const { page } = own.log;
  own.log.page = (query) => {
    pages += 1;
    return page(query);
  };
  let isGone = false;
  const left = Array.from({ length: 10 }, () =>
    tail.matching(0, tail.newest(), "alerts", RARE, () => isGone),
  );
  isGone = true;
  await Promise.all(left);
  expect(pages).toBeLessThanOrEqual(1);
  await tail.stop();
  await own.close();
});

test("a replay from the store has the retractions of alerts in their place, however many, with any filter", async () => {
  const own = await openStore({ location: { file: join(folder, "undone.sqlite") }, clock, log });
  const lease = await own.leases.acquire("writer", "test", 60_000);
  if (!lease) throw new Error("no lease");
  const alerts = Array.from({ length: REPLAY_EVENTS + 10 }, () => appEvent());
  const trade = chainTrade();
  const undo = ({ eventId }: { eventId: string }) => chainRetract({ retractedEventId: eventId });
  const undone = [...alerts.map(undo), undo(trade)];
  const last = appEvent();
  const events = [...alerts, trade, ...undone, last];
  await own.log.append(lease, { events, capturedAt: clock.now() });
  const tail = createTail({ store: own, bus: memoryBus(log), chains: DEFAULT_CHAINS, clock, log });
  await tail.start();
  for (const filter of [EVERYTHING, { ...EVERYTHING, types: ["buy"] }]) {
    const found: string[] = [];
    for (let after = alerts.length; after < tail.newest(); ) {
      const { entries, reached } = await tail.matching(after, tail.newest(), "alerts", filter, stays);
      found.push(...entries.filter(({ stream }) => stream === "alerts").map(({ event }) => event.eventId));
      after = reached;
    }
    expect(found).toEqual([...undone.slice(0, -1), last].map(({ eventId }) => eventId));
  }
  await tail.stop();
  await own.close();
});
