import { describe, expect, test } from "bun:test";
import { StoreUnavailable } from "../../database/errors.ts";
import { openDatabase } from "../../database/open.ts";
import { openPostgres } from "../../database/postgres.ts";
import { sql } from "../../database/sql.ts";
import { manualClock } from "../../kit/clock.ts";
import { eventually } from "../../test/support/eventually.ts";
import { appEvent, MIDNIGHT } from "../../test/support/nouns.ts";
import { sharedPostgres, throwAwayPostgres } from "../../test/support/postgres.ts";
import { breakableWire } from "../../test/support/wire.ts";
import { openStore } from "./store.ts";
import { storeSuite } from "./suite.ts";
import { silent } from "./suite-support.ts";

const TEST_TIMEOUT_MS = 60_000;
const location = async () => ({ url: await (await sharedPostgres()).createDatabase() });

describe("the store on PostgreSQL", () => {
  storeSuite({ location });

  test("keeps few prepared statements whatever the numbers and list lengths are", async () => {
    const db = await openDatabase(await location());
    await db.write(async (tx) => {
      await tx.run(sql`CREATE TABLE thing (id BIGINT, ratio DOUBLE PRECISION, name TEXT)`);
      const values = [1, 2 ** 40, null, 0.5, 3];
      for (const value of values) {
        const id = Number.isInteger(value) ? value : null;
        await tx.run(sql`INSERT INTO thing (id, ratio, name) VALUES (${id}, ${value}, ${String(value)})`);
      }
      const row = await tx.one<{ n: number }>(
        sql`SELECT COUNT(*) AS n FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO thing%'`,
      );
      expect(row?.n).toBe(1);
    });
    await db.close();
  });

  test(
    "tells typed errors while the server is away and goes on by itself when it is back, with everything stored",
    async () => {
      const server = await throwAwayPostgres();
      const store = await openStore({
        location: { url: await server.createDatabase() },
        clock: manualClock(MIDNIGHT),
        log: silent,
      });
      const lease = await store.leases.acquire("writer", "test", 600_000);
      if (!lease) throw new Error("nobody else has it");
      const acknowledged: string[] = [];
      const faults: unknown[] = [];
      let stop = false;
      const writing = Array.from({ length: 4 }, async () => {
        while (!stop) {
          const event = appEvent();
          await store.log.append(lease, { events: [event], capturedAt: MIDNIGHT }).then(
            () => acknowledged.push(event.eventId),
            (error) => faults.push(error),
          );
          await store.log.head().catch((error) => faults.push(error));
          await Bun.sleep(1);
        }
      });
      const goesOn = async () => {
        const before = acknowledged.length;
        await eventually(() => acknowledged.length > before + 20, "events are appended");
      };
      await goesOn();
      await server.restart("immediate");
      await goesOn();
      await server.kill();
      await eventually(() => faults.length > 0, "the fault is noticed");
      await server.start();
      await goesOn();
      stop = true;
      await Promise.all(writing);
      for (const fault of faults) expect(fault).toBeInstanceOf(StoreUnavailable);
      const stored = await store.log.readAfter(0, { limit: 100_000 });
      expect(stored.map((event) => event.seq)).toEqual(stored.map((_, n) => n + 1));
      const ids = new Set(stored.map((event) => event.eventId));
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      await store.close();
      await server.stop();
    },
    TEST_TIMEOUT_MS,
  );

  test("a server that goes silent is a typed error by a deadline, and the next call finds it again", async () => {
    const wire = await breakableWire((await sharedPostgres()).port);
    const url = new URL((await location()).url);
    url.port = String(wire.port);
    const db = await openPostgres(url.href, { statementMs: 300, silenceMs: 400, transactionMs: 600 });
    expect(await db.read.one<object>(sql`SELECT 1 AS one`)).toEqual({ one: 1 });
    wire.cut();
    const calls = [
      db.read.one(sql`SELECT 1`),
      db.write((tx) => tx.one(sql`SELECT 1`)),
      db.write(async () => undefined),
    ];
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes) {
      expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(StoreUnavailable);
    }
    wire.mend();
    expect(await db.read.one<object>(sql`SELECT 2 AS two`)).toEqual({ two: 2 });
    expect(await db.write((tx) => tx.one<object>(sql`SELECT 3 AS three`))).toEqual({ three: 3 });
    await db.close();
    wire.close();
  }, 20_000);

  test("a server that goes silent at the commit is a typed error by a deadline that says what is not known", async () => {
    const wire = await breakableWire((await sharedPostgres()).port);
    const url = new URL((await location()).url);
    url.port = String(wire.port);
    const db = await openPostgres(url.href, { statementMs: 300, silenceMs: 400, transactionMs: 60_000 });
    await db.write((tx) => tx.run(sql`CREATE TABLE thing (id BIGINT PRIMARY KEY)`));
    const late = db.write(async (tx) => {
      await tx.run(sql`INSERT INTO thing (id) VALUES (1)`);
      wire.cut();
    });
    const unknown = { name: "StoreUnavailable", reason: "timeout", outcomeUnknown: true };
    expect(await late.catch((error) => error)).toMatchObject(unknown);
    expect(await db.single(sql`INSERT INTO thing (id) VALUES (2)`).catch((error) => error)).toMatchObject(
      unknown,
    );
    wire.mend();
    expect(await db.single<object>(sql`INSERT INTO thing (id) VALUES (3) RETURNING id`)).toEqual([{ id: 3 }]);
    await db.close();
    wire.close();
  }, 20_000);

  test("a statement that takes too long is a typed error and leaves the connection usable", async () => {
    const { url } = await location();
    const db = await openPostgres(url, { statementMs: 100, silenceMs: 5_000, transactionMs: 5_000 });
    const slow = await db.read.one(sql`SELECT pg_sleep(5)`).catch((error) => error);
    expect(slow).toBeInstanceOf(StoreUnavailable);
    expect(slow).toMatchObject({ reason: "timeout", outcomeUnknown: false });
    expect(await db.read.one<object>(sql`SELECT 1 AS one`)).toEqual({ one: 1 });
    await db.close();
  });

  test("a server that is not there is a typed error at once", async () => {
    const db = await openDatabase({ url: "postgres://crowdtape@127.0.0.1:1/none" });
    await expect(db.read.one(sql`SELECT 1`)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(db.write((tx) => tx.one(sql`SELECT 1`))).rejects.toBeInstanceOf(StoreUnavailable);
    await db.close();
  });
});
