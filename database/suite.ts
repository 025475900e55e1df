// Guarantees of both databases: atomic transactions, numbers as numbers, typed errors,
// migrations once. Run on SQLite and on a real PostgreSQL.
import { describe, expect, test } from "bun:test";
import { type Database, insertMany } from "./database.ts";
import { AlreadyExists, SchemaMismatch } from "./errors.ts";
import { type Migration, migrate } from "./migrate.ts";
import { type DatabaseLocation, openDatabase } from "./open.ts";
import { list, raw, sql, tuples } from "./sql.ts";

/** A database that is not shared. */
export interface DatabaseBench {
  location(): Promise<DatabaseLocation>;
}

const MIDNIGHT = Date.UTC(2026, 0, 1);
const TABLE = raw("CREATE TABLE thing (id BIGINT PRIMARY KEY, ratio DOUBLE PRECISION, name TEXT)");

const schema = (migrations: readonly Migration[]) => ({ record: "schema_migration", migrations });

export function databaseSuite(bench: DatabaseBench): void {
  describe("the database", () => {
    const withTable = (body: (database: Database) => Promise<void>) => async () => {
      const database = await openDatabase(await bench.location());
      try {
        await database.write((tx) => tx.run(TABLE));
        await body(database);
      } finally {
        await database.close();
      }
    };

    test(
      "inserts any number of rows, each once and as it is",
      withTable(async (database) => {
        // More than one statement of the largest size, and smaller ones for the rest.
        for (const count of [1, 45, 523]) {
          const rows = Array.from({ length: count }, (_, id) => ({ id, ratio: id / 8, name: `thing ${id}` }));
          await database.write((tx) => tx.run(sql`DELETE FROM thing`));
          expect(await database.write((tx) => insertMany(tx, "thing", rows))).toBe(count);
          const stored = await database.read.all<object>(sql`SELECT id, ratio, name FROM thing ORDER BY id`);
          expect(stored).toEqual(rows);
        }
      }),
    );

    test(
      "refuses a row whose property is not a plain name, and runs nothing",
      withTable(async (database) => {
        for (const name of ["name) VALUES (1); DROP TABLE thing; --", "na me", 'name"', "", "1"])
          await expect(
            database.write((tx) => insertMany<Record<string, number>>(tx, "thing", [{ id: 1, [name]: 2 }])),
          ).rejects.toThrow("No column");
        expect(await database.read.all(sql`SELECT id FROM thing`)).toEqual([]);
      }),
    );

    test(
      "gives numbers, texts and nulls back as they went in, and counts changed rows",
      withTable(async (database) => {
        const rows = [
          { id: 1, ratio: 0.1, name: "12" },
          { id: Number.MAX_SAFE_INTEGER, ratio: -1e-300, name: "é🚀'?$1" },
          { id: -3, ratio: 5, name: null },
          { id: 4, ratio: null, name: "" },
        ];
        expect(await database.write((tx) => insertMany(tx, "thing", rows))).toBe(4);
        const read = await database.read.all<object>(sql`SELECT id, ratio, name FROM thing ORDER BY id`);
        expect(read).toEqual(rows.toSorted((a, b) => a.id - b.id));
        expect(await database.read.one(sql`SELECT id FROM thing WHERE id = ${99}`)).toBeNull();
        expect(
          await database.write((tx) =>
            tx.run(sql`UPDATE thing SET ratio = 1 WHERE id IN (${list([1, 4, 7])})`),
          ),
        ).toBe(2);
        const pairs = tuples([
          [4, ""],
          [1, "12"],
          [1, "x"],
        ]);
        const found = await database.read.all(
          sql`SELECT id FROM thing WHERE (id, name) IN (VALUES ${pairs}) ORDER BY id`,
        );
        expect(found).toEqual([{ id: 1 }, { id: 4 }]);
        expect(await database.read.all(sql`SELECT id FROM thing WHERE id IN (${list([])})`)).toEqual([]);
      }),
    );

    test(
      "hides a failed write's changes from all readers, even while it runs",
      withTable(async (database) => {
        const count = async () =>
          (await database.read.one<{ n: number }>(sql`SELECT COUNT(*) AS n FROM thing`))?.n;
        const failing = database.write(async (tx) => {
          await tx.run(sql`INSERT INTO thing (id) VALUES (${1})`);
          expect(await count()).toBe(0);
          expect((await tx.one<{ n: number }>(sql`SELECT COUNT(*) AS n FROM thing`))?.n).toBe(1);
          throw new Error("changed my mind");
        });
        await expect(failing).rejects.toThrow("changed my mind");
        expect(await count()).toBe(0);
        await database.write((tx) => tx.run(sql`INSERT INTO thing (id) VALUES (${2})`));
        expect(await count()).toBe(1);
      }),
    );

    test(
      "loses no update with many concurrent writes",
      withTable(async (database) => {
        await database.write((tx) => tx.run(sql`INSERT INTO thing (id, ratio) VALUES (1, 0)`));
        const lock = raw(database.dialect === "postgres" ? "FOR UPDATE" : "");
        const adding = Array.from({ length: 40 }, () =>
          database.write(async (tx) => {
            const row = await tx.one<{ ratio: number }>(sql`SELECT ratio FROM thing WHERE id = 1 ${lock}`);
            await Bun.sleep(0);
            await tx.run(sql`UPDATE thing SET ratio = ${(row?.ratio ?? 0) + 1} WHERE id = 1`);
          }),
        );
        await Promise.all(adding);
        expect(await database.read.one<object>(sql`SELECT ratio FROM thing`)).toEqual({ ratio: 40 });
      }),
    );

    test(
      "names a repeated key by type and refuses to write through reads",
      withTable(async (database) => {
        const insert = () => database.write((tx) => tx.run(sql`INSERT INTO thing (id) VALUES (1)`));
        await insert();
        await expect(insert()).rejects.toBeInstanceOf(AlreadyExists);
        if (database.dialect === "sqlite") {
          await expect(database.read.run(sql`DELETE FROM thing`)).rejects.toThrow();
        }
      }),
    );
  });

  describe("migrations", () => {
    test("of a newer program are refused with a sentence, and so are changed ones", async () => {
      const database = await openDatabase(await bench.location());
      const make = (id: string, text: string): Migration => ({ id, statements: () => [text] });
      const first = make("001-a", "CREATE TABLE a (x BIGINT)");
      await migrate(database, MIDNIGHT, schema([first, make("002-b", "CREATE TABLE b (x BIGINT)")]));
      const older = migrate(database, MIDNIGHT, schema([first]));
      await expect(older).rejects.toBeInstanceOf(SchemaMismatch);
      await expect(older).rejects.toThrow("made by a newer version");
      const changed = migrate(
        database,
        MIDNIGHT,
        schema([first, make("002-b", "CREATE TABLE b (y BIGINT)")]),
      );
      await expect(changed).rejects.toThrow("Migration 002-b was changed");
      await database.close();
    });

    test("that fail half way leave nothing behind", async () => {
      const database = await openDatabase(await bench.location());
      const half: Migration = { id: "001-a", statements: () => ["CREATE TABLE a (x BIGINT)", "NOT SQL"] };
      await expect(migrate(database, MIDNIGHT, schema([half]))).rejects.toThrow();
      const whole: Migration = { id: "001-a", statements: () => ["CREATE TABLE a (x BIGINT)"] };
      expect(await migrate(database, MIDNIGHT, schema([whole]))).toEqual(["001-a"]);
      await database.close();
    });
  });
}
