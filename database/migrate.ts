// Migrates a database to this program's schema: each migration once, in order, all or none, even when
// several processes start at the same moment. A database from a newer program is refused, never changed.
import { createHash } from "node:crypto";
import type { Database } from "./database.ts";
import { SchemaMismatch } from "./errors.ts";
import { type Dialect, raw, sql } from "./sql.ts";

export interface Migration {
  /** Its file name: three digits and a word, so the order is obvious. */
  id: string;
  statements(dialect: Dialect): string[];
}

// Any constant will do; it must only differ from other advisory locks in the same database.
const LOCK_ID = 7_266_114;

const createRecord = (record: string) => `CREATE TABLE IF NOT EXISTS ${record} (
  id TEXT PRIMARY KEY,
  checksum TEXT NOT NULL,
  applied_at BIGINT NOT NULL
)`;

/** The tables of one owner. Two owners may share a database: each has its own migration record. */
export interface SchemaOwner {
  /** The table in which applied migrations are recorded. */
  record: string;
  migrations: readonly Migration[];
}

/** Returns the ids of the migrations that were missing and are now applied. */
export async function migrate(database: Database, now: number, schema: SchemaOwner): Promise<string[]> {
  const { migrations: known } = schema;
  const record = raw(schema.record);
  return database.write(
    async (tx) => {
      if (database.dialect === "postgres") await tx.all(sql`SELECT pg_advisory_xact_lock(${LOCK_ID})`);
      await tx.run(raw(createRecord(schema.record)));
      const rows = await tx.all<{ id: string; checksum: string }>(
        sql`SELECT id, checksum FROM ${record} ORDER BY id`,
      );
      const applied = new Map(rows.map((row) => [row.id, row.checksum]));
      refuseUnknown([...applied.keys()], known);
      const missing = [...known].sort((a, b) => (a.id < b.id ? -1 : 1));
      const done: string[] = [];
      for (const migration of missing) {
        const statements = migration.statements(database.dialect);
        const checksum = checksumOf(statements);
        const before = applied.get(migration.id);
        if (before === checksum) continue;
        if (before !== undefined) {
          throw new SchemaMismatch(
            `Migration ${migration.id} was changed after it had been applied to this database. ` +
              "Restore the file and put the change into a new migration.",
          );
        }
        for (const statement of statements) await tx.run(raw(statement));
        await tx.run(
          sql`INSERT INTO ${record} (id, checksum, applied_at) VALUES (${migration.id}, ${checksum}, ${now})`,
        );
        done.push(migration.id);
      }
      return done;
    },
    { patient: true },
  );
}

function refuseUnknown(applied: string[], known: readonly Migration[]): void {
  const ids = new Set(known.map((migration) => migration.id));
  const unknown = applied.filter((id) => !ids.has(id));
  if (unknown.length === 0) return;
  throw new SchemaMismatch(
    `This database was made by a newer version of Crowdtape: it has ${unknown.join(", ")}, which this one ` +
      "does not know. Run that version or a newer one, or restore a backup made before the upgrade.",
  );
}

function checksumOf(statements: string[]): string {
  const plain = statements.map((statement) => statement.replace(/\s+/g, " ").trim());
  return createHash("sha256").update(plain.join(";\n")).digest("hex");
}
