// A node takes over a follow: earlier retractions are part of the follow's first step.
import { expect, test } from "bun:test";
import { DEFAULT_CHAINS } from "../../../contract/chains.ts";
import { type ManualClock, manualClock, systemClock } from "../../../kit/clock.ts";
import { createLog } from "../../../kit/log.ts";
import { createMetrics } from "../../../kit/metrics.ts";
import { SECOND_MS } from "../../../kit/units.ts";
import { beginPaper } from "../../../replay/paper.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { appEvent } from "../../../test/support/nouns.ts";
import { makeKey, testAccess } from "../../access/test-support.ts";
import { leasesOf } from "../../store/captured/lease.ts";
import { openLog } from "../../store/captured/log.ts";
import { findFollow, insertFollow } from "../../store/money/follows.ts";
import { testFollow } from "../../store/money/test-follow.ts";
import { createPaper } from "./engine.ts";
import { keepPaper } from "./kept.ts";
import { testTerms } from "./test-terms.ts";

const LEADER = "5b0cbb5e-5d6a-4c53-9d2c-0f5f6f0a9d21";
const TERMS = testTerms();

test("a follow is not stepped before its retractions are known, and they are read until they are", async () => {
  const real = systemClock();
  let rounds = 0;
  const clock: ManualClock = {
    ...manualClock(real.now()),
    now: real.now,
    sleep(ms, signal) {
      rounds += 1;
      return real.sleep(ms, signal);
    },
  };
  const { access, database, close } = await testAccess("sqlite", { clock });
  const now = clock.now();
  const log = await openLog(database, now - 1);
  const lease = await leasesOf(database, clock).acquire("writer", "test", 1e12);
  if (!lease) throw new Error("a new database has no other writer");
  await log.append(lease, { events: [appEvent({ at: now, userId: LEADER })], capturedAt: now });
  const { epoch, seq } = await log.head();
  const { accountId, key } = await makeKey(access, { plan: "scale" });
  const state = JSON.stringify(keepPaper(beginPaper(now - SECOND_MS, [], false), now - SECOND_MS, {}));
  const terms = JSON.stringify({ fold: TERMS });
  const of = { followId: "f1", accountId, keyId: key.id, userId: LEADER, createdAt: now - SECOND_MS };
  await database.write((tx) => insertFollow(tx, testFollow({ ...of, epoch, terms, state })));
  const place = async () => (await findFollow(database.read, accountId, "f1"))?.position;
  const before = await place();
  expect(Number(before)).toBeLessThan(seq);

  let looks = 0;
  const first = Promise.withResolvers<never>();
  const paper = createPaper({
    store: {
      database,
      log: {
        ...log,
        readAfter: (after, query) => {
          if (query.feeds?.includes("chain") !== true) return log.readAfter(after, query);
          looks += 1;
          return looks === 1 ? first.promise : log.readAfter(after, query);
        },
      },
    },
    access,
    tail: {
      listen: () => () => {},
      epoch: () => epoch,
      newest: () => seq,
      recent: () => [],
      oldestKept: async () => 1,
      positionAt: async () => seq,
    },
    tape: {
      read: async () => ({
        tapes: new Map(),
        ticks: 0,
        wishedMs: 0,
        coveredMs: 0,
        coveredFrom: null,
        coveredTo: null,
      }),
    },
    chains: DEFAULT_CHAINS,
    settleMs: 0,
    booked: () => {},
    clock,
    log: createLog("silent", clock.now),
    metrics: createMetrics(),
  });
  paper.start();
  await eventually(() => looks === 1, "they are looked for");
  const from = rounds;
  await eventually(() => rounds > from + 4, "there was time for steps");
  expect(await place()).toBe(before);
  first.reject(new Error("the store is away"));
  await eventually(async () => (await place()) === seq, "the follow continues");
  expect(looks).toBeGreaterThan(1);
  await paper.stop();
  await close();
});
