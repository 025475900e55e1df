import { expect, test } from "bun:test";
import { needing } from "../test/support/needing.ts";
import { sharedPostgres } from "../test/support/postgres.ts";
import { breakableWire } from "../test/support/wire.ts";
import { StoreUnavailable } from "./errors.ts";
import { openDatabase } from "./open.ts";
import { openPostgres } from "./postgres.ts";
import { sql } from "./sql.ts";
import { databaseSuite } from "./suite.ts";

/** Far longer than a connection or a statement takes, even on a busy machine, and short enough to wait for. */
const SHORT = { statementMs: 1_500, silenceMs: 2_000 };

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

  test("a server that goes silent is a typed error by a deadline, and the next call finds it again", async () => {
    const wire = await breakableWire((await sharedPostgres()).port);
    const url = new URL((await location()).url);
    url.port = String(wire.port);
    const database = await openPostgres(url.href, { ...SHORT, transactionMs: 3_000 });
    expect(await database.read.one<object>(sql`SELECT 1 AS one`)).toEqual({ one: 1 });
    wire.cut();
    const calls = [
      database.read.one(sql`SELECT 1`),
      database.write((tx) => tx.one(sql`SELECT 1`)),
      database.write(async () => undefined),
    ];
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes) {
      expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(StoreUnavailable);
    }
    wire.restore();
    expect(await database.read.one<object>(sql`SELECT 2 AS two`)).toEqual({ two: 2 });
    expect(await database.write((tx) => tx.one<object>(sql`SELECT 3 AS three`))).toEqual({ three: 3 });
    await database.close();
    wire.close();
  }, 900_000);

  test("a server that goes silent at the commit is a typed error by a deadline, with an unknown outcome", async () => {
    const wire = await breakableWire((await sharedPostgres()).port);
    const url = new URL((await location()).url);
    url.port = String(wire.port);
    const database = await openPostgres(url.href, { ...SHORT, transactionMs: 60_000 });
    await database.write((tx) => tx.run(sql`CREATE TABLE thing (id BIGINT PRIMARY KEY)`));
    const late = database.write(async (tx) => {
      await tx.run(sql`INSERT INTO thing (id) VALUES (1)`);
      wire.cut();
    });
    const unknown = { name: "StoreUnavailable", reason: "timeout", outcomeUnknown: true };
    expect(await late.catch((error) => error)).toMatchObject(unknown);
    expect(
      await database.single(sql`INSERT INTO thing (id) VALUES (2)`).catch((error) => error),
    ).toMatchObject(unknown);
    wire.restore();
    expect(await database.single<object>(sql`INSERT INTO thing (id) VALUES (3) RETURNING id`)).toEqual([
      { id: 3 },
    ]);
    await database.close();
    wire.close();
  }, 900_000);

  test("a statement that takes too long is a typed error and leaves the connection usable", async () => {
    const { url } = await location();
    const database = await openPostgres(url, {
      statementMs: 1_000,
      silenceMs: 30_000,
      transactionMs: 30_000,
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
