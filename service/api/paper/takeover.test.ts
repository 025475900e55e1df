// Nodes die at any moment, wake up late or lose the response to a commit: a follow's orders are still those of an
// undisturbed one, each booked once, and paid for once.
import { describe, expect, test } from "bun:test";
import { DEFAULT_CHAINS } from "../../../contract/chains.ts";
import { FOLLOW_CHARGE } from "../../../contract/follows.ts";
import type { Database } from "../../../database/database.ts";
import { manualClock } from "../../../kit/clock.ts";
import { type Random, seededRandom } from "../../../kit/random.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import { beginPaper } from "../../../replay/paper.ts";
import { tapeOf } from "../../../replay/tape.ts";
import { NO_RULES } from "../../../replay/terms.ts";
import { appEvent, MIDNIGHT, token } from "../../../test/support/nouns.ts";
import { drainTo, makeKey, testAccess } from "../../access/test-support.ts";
import { leasesOf } from "../../store/captured/lease.ts";
import { openLog } from "../../store/captured/log.ts";
import { claimFollows, findFollow, insertFollow, paperOfFollow } from "../../store/money/follows.ts";
import { testFollow } from "../../store/money/test-follow.ts";
import type { TapeReader } from "../copy/tape.ts";
import { createPaperCommit } from "./commit.ts";
import { keepPaper, readKept } from "./kept.ts";
import type { PaperOrderBody } from "./present.ts";
import { createPaperStep } from "./step.ts";
import { testTerms } from "./test-terms.ts";

const LEADER = "5b0cbb5e-5d6a-4c53-9d2c-0f5f6f0a9d21";
const TERMS = testTerms({ rules: { ...NO_RULES, maxHoldMs: 3 * MINUTE_MS } });
const TICKS = tapeOf(
  Array.from({ length: 400 }, (_, index) => ({
    at: MIDNIGHT + index * 20 * SECOND_MS,
    priceUsd: 2 + Math.sin(index / 7),
    depthUsd: 50_000,
    feeBps: 30,
  })),
);
const tape: TapeReader = {
  read: async (wishes) => ({
    tapes: new Map(wishes.map(({ token: { networkId, address } }) => [`${networkId}:${address}`, TICKS])),
    ticks: 0,
    wishedMs: 0,
    coveredMs: 0,
    coveredFrom: null,
    coveredTo: null,
  }),
};

class Killed extends Error {}

/** Dies before a commit, or after it but before the response arrives. */
function mortal(database: Database, random: Random): Database {
  return {
    ...database,
    async write(work, options) {
      const fate = random.next();
      if (fate < 0.15) throw new Killed();
      const result = await database.write(work, options);
      if (fate > 0.85) throw new Killed();
      return result;
    },
  };
}

async function openWorld(seed: number) {
  const { access, account, database, clock, close } = await testAccess("sqlite", {
    clock: manualClock(MIDNIGHT),
  });
  const log = await openLog(database, MIDNIGHT - 1);
  const lease = await leasesOf(database, clock).acquire("writer", "test", 1e12);
  if (!lease) throw new Error("a new database has no other writer");
  const key = await makeKey(access, { plan: "scale" });
  const state = JSON.stringify(keepPaper(beginPaper(MIDNIGHT, [], false), MIDNIGHT, {}));
  const follow = (followId: string) =>
    testFollow({
      followId,
      accountId: key.accountId,
      keyId: key.key.id,
      userId: LEADER,
      handle: "leader",
      createdAt: MIDNIGHT,
      state,
    });
  const random = seededRandom(seed, "leader");
  const trade = async () => {
    const at = clock.now() - SECOND_MS;
    const kind = random.chance(0.6) ? "buy" : "sell";
    const symbol = random.pick(["BONK", "WIF"]);
    const event = appEvent({ at, kind, userId: LEADER, token: token({ symbol, address: `${symbol}111` }) });
    await log.append(lease, { events: [event], capturedAt: clock.now() });
  };
  /** One round of a node with this name: claim, step, commit. */
  const look = async (holder: string, own: Database) => {
    const claim = { holder, now: clock.now(), leaseMs: 6_000, heldMax: 10, known: [] };
    const { taken } = await own.write((tx) => claimFollows(tx, claim));
    const step = createPaperStep({ clock, log, tape, settleMs: 0 });
    const commit = createPaperCommit({ database: own, access, chains: DEFAULT_CHAINS, clock, holder });
    const { seq } = await log.head();
    const steps = taken.map(async (row) => {
      const kept = readKept(row.state);
      const reach = { upTo: seq, delayMs: 0, newestAt: clock.now() };
      const stepped = await step({ follow: row, kept, terms: TERMS, retracted: [], ...reach });
      return () => commit(row, stepped);
    });
    return Promise.all(steps);
  };
  const charged = async (followId: string) =>
    (await account.charges(key.accountId, { from: 0, to: clock.now() + MINUTE_MS }, 1_000))
      .filter(({ routeId, requestId }) => routeId === FOLLOW_CHARGE && requestId.startsWith(followId))
      .map(({ requestId, credits }) => [requestId, credits]);
  return { access, key, database, clock, log, follow, trade, look, charged, close };
}

const ordersOf = async (database: Database, id: string) =>
  (await paperOfFollow(database.read, id, 0, 10_000)).map(({ number, body }) => {
    const { bookedAt: _, ...order } = JSON.parse(body) as PaperOrderBody;
    return { number, order };
  });

describe("a paper follow whose nodes die", () => {
  test("has the orders of an undisturbed one, each once, and is paid for once per hundred", async () => {
    const seed = Number(process.env.SEED ?? 7);
    const world = await openWorld(seed);
    const random = seededRandom(seed, "deaths");
    await world.database.write((tx) => insertFollow(tx, world.follow("f1")));
    const stale: (() => Promise<unknown>)[] = [];
    for (let round = 0; round < 150; round++) {
      await world.trade();
      // A hold lasts six seconds: the next round may be another node's, or the same one's.
      await world.clock.jump(random.pick([2_000, 7_000, 20_000]));
      const holder = random.pick(["one", "two", "three"]);
      try {
        for (const commit of await world.look(holder, mortal(world.database, random))) {
          // Some stall here and wake up rounds later.
          if (random.chance(0.2)) stale.push(commit);
          else await commit();
        }
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
      if (random.chance(0.3))
        await stale
          .shift()?.()
          .catch(() => undefined);
    }
    await world.clock.jump(10_000);
    for (const commit of await world.look("last", world.database)) await commit();
    const disturbed = await ordersOf(world.database, "f1");
    expect(disturbed.map(({ number }) => number)).toEqual(disturbed.map((_, index) => index));
    // The same period, on one node that stays alive.
    const position = { ...world.follow("f2") };
    await world.database.write((tx) => insertFollow(tx, position));
    for (const commit of await world.look("calm", world.database)) await commit();
    const calm = await ordersOf(world.database, "f2");
    expect({ seed, orders: disturbed }).toEqual({ seed, orders: calm });
    const row = await findFollow(world.database.read, world.key.accountId, "f1");
    expect(calm.length).toBeGreaterThan(100);
    const blocks = Math.ceil(readKept(row?.state ?? "").state.filled / 100);
    const paid = Array.from({ length: blocks }, (_, index) => [`f1:${index + 1}`, 125]);
    expect([row?.paidBlocks, (await world.charged("f1")).sort()]).toEqual([blocks, paid]);
    await world.close();
  });

  test("writes nothing while it can't be paid for, and continues where it was once it can", async () => {
    const world = await openWorld(1);
    await world.database.write((tx) => insertFollow(tx, world.follow("f1")));
    await world.clock.jump(MINUTE_MS);
    for (let more = 0; more < 5; more++) await world.trade();
    await world.clock.jump(MINUTE_MS);
    await drainTo(world.database, world.key.accountId, 100);
    const [poor] = await world.look("one", world.database);
    expect(await poor?.()).toEqual({ kind: "unpaid" });
    expect(await ordersOf(world.database, "f1")).toEqual([]);
    expect(await findFollow(world.database.read, world.key.accountId, "f1")).toMatchObject({
      position: 0,
      orders: 0,
    });
    const { accountId } = world.key;
    await world.access.grants.addPrepaid({ accountId, credits: 1_000, reference: "more" });
    const [rich] = await world.look("one", world.database);
    expect(await rich?.()).toMatchObject({ kind: "done", booked: 5 });
    expect(await world.charged("f1")).toEqual([["f1:1", 125]]);
    await world.close();
  });
});
