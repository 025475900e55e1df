import { afterAll, beforeAll, expect, test } from "bun:test";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { eventually } from "../test/support/eventually.ts";
import { needing } from "../test/support/needing.ts";
import { type ThrowAwayPostgres, throwAwayPostgres } from "../test/support/postgres.ts";
import { type ThrowAwayReplica, throwAwayReplica } from "../test/support/postgres-replica.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open.ts";
import { openReplica, type Replica } from "./replica.ts";
import { raw, sql } from "./sql.ts";

const clock = systemClock();
const silent = createLog("silent", () => 0);
const MARK = raw("SELECT reached FROM mark");
/** Where a read ran: true for the replica. */
const WHERE = raw("SELECT pg_is_in_recovery() AS replica");
const cameFrom = async (database: Pick<Database, "read">) =>
  (await database.read.one<{ replica: boolean }>(WHERE))?.replica ? "replica" : "primary";

needing("postgres").describe("history from a replica", () => {
  let primary: ThrowAwayPostgres;
  let standby: ThrowAwayReplica;
  let url: string;
  beforeAll(async () => {
    primary = await throwAwayPostgres();
    url = await primary.createDatabase();
    const database = await openDatabase({ url });
    await database.write(async (tx) => {
      await tx.run(raw("CREATE TABLE mark (reached BIGINT)"));
      await tx.run(raw("INSERT INTO mark VALUES (2)"));
    });
    await database.close();
    standby = await throwAwayReplica(primary);
  }, 900_000);
  afterAll(async () => {
    await standby.stop();
    await primary.stop();
  });

  /** A view of a replica with its own limits, separate from the store's. */
  const withReplica = async (
    limits: { behindAtMostMs?: number; checkEveryMs?: number; of?: ThrowAwayReplica },
    body: (parts: { replica: Replica; database: Database; history: Database }) => Promise<void>,
  ) => {
    const database = await openDatabase({ url });
    const replica = await openReplica({
      url: (limits.of ?? standby).urlOf(url),
      primary: database,
      mark: MARK,
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

  test("is read there once the replica has everything committed, and this node's own writes are never missing", async () => {
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
      // Another node's write: this one does not know about it.
      await database.write((tx) => tx.run(raw("CREATE TABLE far (id BIGINT)")));
      await eventually(() => replica.state() === "behind", "the replica is found to be behind");
      expect(await cameFrom(history)).toBe("primary");
      await standby.resume();
      await eventually(() => replica.state() === "used", "the replica is used again");
      await eventually(async () => (await cameFrom(history)) === "replica", "history is read there again");
    });
  });

  test("up to a mark is read there only as far as the replica has it", async () => {
    await withReplica({ behindAtMostMs: 900_000, checkEveryMs: 50 }, async ({ replica, database }) => {
      const reads = (mark: number) => ({ read: replica.upTo(mark, database.read) });
      await eventually(async () => (await cameFrom(reads(2))) === "replica", "the replica has the mark");
      await standby.pause();
      await database.write((tx) => tx.run(raw("UPDATE mark SET reached = 4")));
      expect(await cameFrom(reads(2))).toBe("replica");
      expect(await cameFrom(reads(3))).toBe("primary");
      await standby.resume();
      await eventually(async () => (await cameFrom(reads(4))) === "replica", "the replica has the rest");
    });
  });

  test("is not read from a server that is not a replica", async () => {
    const database = await openDatabase({ url });
    const replica = await openReplica({ url, primary: database, mark: MARK, clock, log: silent });
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
      await eventually(() => answers.length > before + 20, "readers continue being answered");
      asking = false;
      await Promise.all(readers);
      expect(answers.slice(0, 20)).toContain("replica");
      expect(answers.slice(-10)).toEqual(Array(10).fill("primary"));
    });
  }, 900_000);
});
