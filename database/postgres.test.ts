import { expect, test } from "bun:test";
import { eventually } from "../test/support/eventually.ts";
import { needing } from "../test/support/needing.ts";
import { sharedPostgres } from "../test/support/postgres.ts";
import { breakableWire } from "../test/support/wire.ts";
import { countOf } from "./database.ts";
import { StoreUnavailable } from "./errors.ts";
import { openDatabase } from "./open.ts";
import { openPostgres } from "./postgres.ts";
import { sql } from "./sql.ts";
import { databaseSuite } from "./suite.ts";

/** Longer than any stall of the machine. */
const LONG = { statementMs: 60_000, silenceMs: 60_000, transactionMs: 60_000 };
const SHORT = { silenceMs: 500, transactionMs: 1_000 };

const location = async () => ({ url: await (await sharedPostgres()).createDatabase() });

needing("postgres").describe("PostgreSQL", () => {
  databaseSuite({ location });

  test("keeps few prepared statements for any numbers and list lengths", async () => {
    const database = await openDatabase(await location());
    await database.write(async (tx) => {
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
    await database.close();
  });

  test("a server that goes silent is a typed error by a deadline, and is found again", async () => {
    const wire = await breakableWire((await sharedPostgres()).port);
    const url = new URL((await location()).url);
    url.port = String(wire.port);
    // Each call looks at them, so they are short only while nothing answers.
    const limits = { ...LONG };
    const database = await openPostgres(url.href, limits);
    expect(await database.read.one<object>(sql`SELECT 1 AS one`)).toEqual({ one: 1 });
    wire.cut();
    Object.assign(limits, SHORT);
    const calls = [
      database.read.one(sql`SELECT 1`),
      database.write((tx) => tx.one(sql`SELECT 1`)),
      database.write(async () => undefined),
    ];
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes) {
      expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(StoreUnavailable);
    }
    // A call that gives up closes the other calls' connections, and they go on with new ones for what is left of their
    // wait. A pool opens ten at once.
    expect(wire.opened()).toBeLessThanOrEqual(30);
    wire.restore();
    Object.assign(limits, LONG);
    const two = () => database.read.one<object>(sql`SELECT 2 AS two`).catch(() => null);
    // Connections that were opened meanwhile time out first.
    await eventually(async () => Bun.deepEquals(await two(), { two: 2 }), "it answers again");
    expect(await database.write((tx) => tx.one<object>(sql`SELECT 3 AS three`))).toEqual({ three: 3 });
    await database.close();
    wire.close();
  }, 900_000);

  test("a server that goes silent at the commit is a typed error by a deadline, with an unknown outcome", async () => {
    const wire = await breakableWire((await sharedPostgres()).port);
    const url = new URL((await location()).url);
    url.port = String(wire.port);
    const limits = { ...LONG };
    const database = await openPostgres(url.href, limits);
    await database.write((tx) => tx.run(sql`CREATE TABLE thing (id BIGINT PRIMARY KEY)`));
    const late = database.write(async (tx) => {
      await tx.run(sql`INSERT INTO thing (id) VALUES (1)`);
      wire.cut();
      limits.silenceMs = SHORT.silenceMs;
    });
    const unknown = { name: "StoreUnavailable", reason: "timeout", outcomeUnknown: true };
    expect(await late.catch((error) => error)).toMatchObject(unknown);
    expect(
      await database.single(sql`INSERT INTO thing (id) VALUES (2)`).catch((error) => error),
    ).toMatchObject(unknown);
    wire.restore();
    limits.silenceMs = LONG.silenceMs;
    const third = () => database.single(sql`INSERT INTO thing (id) VALUES (3) ON CONFLICT DO NOTHING`);
    await eventually(
      () =>
        third().then(
          () => true,
          () => false,
        ),
      "it stores again",
    );
    await database.close();
    wire.close();
  }, 900_000);

  test("a transaction that was refused while it went on is not stored, though its connection is well", async () => {
    const wire = await breakableWire((await sharedPostgres()).port);
    const { url: direct } = await location();
    const url = new URL(direct);
    url.port = String(wire.port);
    const limits = { ...LONG };
    const database = await openPostgres(url.href, limits);
    await database.write((tx) => tx.run(sql`CREATE TABLE thing (id BIGINT PRIMARY KEY)`));
    // Open connections are dead, new ones are not.
    wire.cut();
    wire.restore();
    Object.assign(limits, { silenceMs: 500, transactionMs: 5_000 });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const late = database.write(async (tx) => {
      await tx.run(sql`INSERT INTO thing (id) VALUES (1)`);
      await held;
    });
    const refused = late.catch((error) => error);
    // Gives up the connections, and the transaction goes on with another.
    await database.read.one(sql`SELECT 1`).catch(() => null);
    limits.silenceMs = LONG.silenceMs;
    expect(await refused).toMatchObject({ reason: "timeout", outcomeUnknown: false });
    release();
    const other = await openPostgres(direct, LONG);
    const open = sql`FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()`;
    await eventually(async () => (await countOf(other.read, open)) === 0, "the transaction has ended");
    expect(await countOf(other.read, sql`FROM thing`)).toBe(0);
    await Promise.all([database.close(), other.close()]);
    wire.close();
  }, 900_000);

  test("a statement that takes too long is a typed error and leaves the connection usable", async () => {
    const { url } = await location();
    const database = await openPostgres(url, {
      ...LONG,
      // Longer than a stall of the machine, for the statement after it.
      statementMs: 3_000,
    });
    const slow = await database.read.one(sql`SELECT pg_sleep(60)`).catch((error) => error);
    expect(slow).toBeInstanceOf(StoreUnavailable);
    expect(slow).toMatchObject({ reason: "timeout", outcomeUnknown: false });
    expect(await database.read.one<object>(sql`SELECT 1 AS one`)).toEqual({ one: 1 });
    await database.close();
  });

  test("an unreachable server is a typed error immediately", async () => {
    const database = await openDatabase({ url: "postgres://crowdtape@127.0.0.1:1/none" });
    await expect(database.read.one(sql`SELECT 1`)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(database.write((tx) => tx.one(sql`SELECT 1`))).rejects.toBeInstanceOf(StoreUnavailable);
    await database.close();
  });
});
