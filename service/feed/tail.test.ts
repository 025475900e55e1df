// The one reader of the log: those who are live do not wait for those who resume.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { appEvent } from "../../test/support/nouns.ts";
import { memoryBus } from "../bus/memory.ts";
import { openStore, type Store } from "../store/store.ts";
import { createTail } from "./tail.ts";

const EVENTS = 40;
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
    tail.matching(0, tail.newest(), "trades", {} as never).then(() => {
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
