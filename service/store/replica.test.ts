import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { raw, sql } from "../../database/sql.ts";
import { systemClock } from "../../kit/clock.ts";
import { eventually } from "../../test/support/eventually.ts";
import { appEvent, fill, position, thesis } from "../../test/support/nouns.ts";
import { type ThrowAwayPostgres, throwAwayPostgres } from "../../test/support/postgres.ts";
import { type ThrowAwayReplica, throwAwayReplica } from "../../test/support/postgres-replica.ts";
import { openReplica, type Replica } from "./replica.ts";
import { openStore, type Store } from "./store.ts";
import { silent } from "./suite-support.ts";

const clock = systemClock();
/** Where a read ran: the replica's answer is true. */
const WHERE = raw("SELECT pg_is_in_recovery() AS replica");
const cameFrom = async (db: Pick<Database, "read">) =>
  (await db.read.one<{ replica: boolean }>(WHERE))?.replica ? "replica" : "primary";

describe("history from a replica", () => {
  let primary: ThrowAwayPostgres;
  let standby: ThrowAwayReplica;
  let url: string;
  let store: Store;
  beforeAll(async () => {
    primary = await throwAwayPostgres();
    url = await primary.createDatabase();
    // The replica is made of a store that exists, as an operator's is.
    await (await openStore({ location: { url }, clock, log: silent })).close();
    standby = await throwAwayReplica(primary);
    store = await openStore({ location: { url }, replicaUrl: standby.urlOf(url), clock, log: silent });
    await eventually(() => store.replica() === "used", "the replica is used");
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await standby.stop();
    await primary.stop();
  });

  /** A noun's view of a replica with bounds of its own, beside the store's. */
  const withReplica = async (
    limits: { behindAtMostMs?: number; checkEveryMs?: number; of?: ThrowAwayReplica },
    body: (parts: { replica: Replica; database: Database; history: Database }) => Promise<void>,
  ) => {
    const database = await openDatabase({ url });
    const replica = await openReplica({
      url: (limits.of ?? standby).urlOf(url),
      primary: database,
      clock,
      log: silent,
      limits,
    });
    try {
      await eventually(() => replica.state() === "used", "the replica is used");
      await body({ replica, database, history: replica.historyOf(database) });
    } finally {
      await replica.close();
      await database.close();
    }
  };

  test("is read there once the replica has all that was committed, and what this node wrote is never missing", async () => {
    await withReplica({ checkEveryMs: 50 }, async ({ history }) => {
      expect(await cameFrom(history)).toBe("replica");
      await standby.pause();
      await history.write((tx) => tx.run(raw("CREATE TABLE note (id BIGINT)")));
      await history.write((tx) => tx.run(raw("INSERT INTO note (id) VALUES (1)")));
      expect(await cameFrom(history)).toBe("primary");
      expect(await history.read.one<object>(sql`SELECT id FROM note`)).toEqual({ id: 1 });
      await standby.resume();
      await eventually(async () => (await cameFrom(history)) === "replica", "the replica has caught up");
      expect(await history.read.one<object>(sql`SELECT id FROM note`)).toEqual({ id: 1 });
    });
  });

  test("is read from the primary while the replica is too far behind", async () => {
    await withReplica({ behindAtMostMs: 300, checkEveryMs: 50 }, async ({ replica, database, history }) => {
      await standby.pause();
      // Another node's write: this one knows nothing of it.
      await database.write((tx) => tx.run(raw("CREATE TABLE far (id BIGINT)")));
      await eventually(() => replica.state() === "behind", "the replica is found to be behind");
      expect(await cameFrom(history)).toBe("primary");
      await standby.resume();
      await eventually(() => replica.state() === "used", "the replica is used again");
      expect(await cameFrom(history)).toBe("replica");
    });
  });

  test("of the log is read there only as far as the replica has it", async () => {
    await withReplica({ checkEveryMs: 50 }, async ({ replica, database }) => {
      const lease = await store.leases.acquire("writer", "test", 60_000);
      if (!lease) throw new Error("nobody else has it");
      const append = () =>
        store.log.append(lease, { events: [appEvent(), appEvent()], capturedAt: clock.now() });
      await append();
      const reads = (seq: number) => ({ read: replica.logUpTo(seq, database.read) });
      await eventually(async () => (await cameFrom(reads(2))) === "replica", "the replica has the log");
      await standby.pause();
      await append();
      expect(await cameFrom(reads(2))).toBe("replica");
      expect(await cameFrom(reads(3))).toBe("primary");
      const page = await store.log.page({ limit: 9, before: 5 });
      expect(page.events.map((event) => event.seq)).toEqual([4, 3, 2, 1]);
      expect((await store.log.page({ limit: 9 })).events).toHaveLength(4);
      await standby.resume();
      await eventually(async () => (await cameFrom(reads(4))) === "replica", "the replica has the rest");
    });
  });

  test("goes on, with the same answers, through nouns that are written and read back", async () => {
    const mine = { userId: "me" };
    const [trade, swap, words] = [position(mine), fill(mine), thesis(mine)];
    await store.positions.save([trade], clock.now());
    await store.fills.save([swap]);
    await store.theses.save([words], clock.now());
    const read = async () => [
      (await store.positions.byTrader("me", { limit: 9, sort: "recent" })).rows,
      (await store.fills.byTrader("me", { limit: 9 })).rows,
      (await store.theses.byTrader("me", { limit: 9, sort: "likes" })).rows,
    ];
    expect(await read()).toEqual([[trade], [swap], [words]]);
  });

  test("of a server that is no replica is not read there", async () => {
    const database = await openDatabase({ url });
    const replica = await openReplica({ url, primary: database, clock, log: silent });
    await eventually(() => replica.state() === "away", "it is found out");
    expect(await cameFrom(replica.historyOf(database))).toBe("primary");
    await replica.close();
    await database.close();
  });

  test("is read from the primary, without an error, when the replica dies", async () => {
    const mortal = await throwAwayReplica(primary);
    await withReplica({ checkEveryMs: 50, of: mortal }, async ({ replica, history }) => {
      let asking = true;
      const answers: string[] = [];
      const readers = Array.from({ length: 4 }, async () => {
        while (asking) answers.push(await cameFrom(history));
      });
      await eventually(() => answers.length > 20, "readers are answered");
      await mortal.kill();
      await eventually(() => replica.state() === "away", "the death is noticed");
      const before = answers.length;
      await eventually(() => answers.length > before + 20, "readers go on being answered");
      asking = false;
      await Promise.all(readers);
      expect(answers.slice(0, 20)).toContain("replica");
      expect(answers.slice(-10)).toEqual(Array(10).fill("primary"));
    });
  }, 30_000);
});
