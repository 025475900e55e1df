// Copies a whole store into an empty one, on the same engine or the other. It is one transaction on the target: after an
// interruption, or when the copy does not match its source, the target is as empty as before. Positions, ids and the
// log's epoch stay what they were, so clients' cursors and keys continue working.

import { type CatalogTable, tablesOf } from "../../database/catalog.ts";
import { type Database, insertMany, type Queries } from "../../database/database.ts";
import { makeMonths } from "../../database/partitions.ts";
import { raw, type SqlValue, sql } from "../../database/sql.ts";
import { imbalances } from "./money/ledger.ts";
import { rollUp } from "./money/rollup.ts";
import { MONTHLY } from "./months.ts";

/** The copy can't be made, in words for the operator; nothing was changed. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused";
}

export interface CopyParts {
  from: Database;
  /** Both must be at the schema of this program. */
  to: Database;
  now: number;
  onProgress?: (table: string, rows: number) => void;
}

export interface Copied {
  rows: number;
  tables: { name: string; rows: number }[];
  /** The log's position, the same in both. */
  epoch: string | null;
  seq: number;
}

type TableRow = Record<string, SqlValue>;

/** Rows per read: a few megabytes of the widest rows, and few round trips. */
const PAGE_ROWS = 2_000;
/** What an unused database already contains: the schema record, and rows that the first start creates. */
const RECORD = "schema_migration";
const SEEDED = new Set([
  RECORD,
  "log_head",
  "directory_version",
  "lease",
  "ledger_state",
  "webhook_shard",
  "push_revision",
]);

export async function copyStore({ from, to, now, onProgress }: CopyParts): Promise<Copied> {
  const tables = await tablesInBoth(from, to);
  await refuseWhileWritten(from, now);
  await refuseUnlessEmpty(to, tables);
  await refuseUnlessRolledUp(from);
  return to.write(
    async (tx) => {
      for (const { name } of tables.toReversed())
        if (SEEDED.has(name)) await tx.run(raw(`DELETE FROM ${name}`));
      const done: Copied["tables"] = [];
      for (const table of tables) {
        const rows = await copyTable(from.read, tx, table);
        await continueNumbers(tx, table);
        done.push({ name: table.name, rows });
        onProgress?.(table.name, rows);
      }
      await numberJournal(tx);
      await verify(from.read, tx, done);
      const head = await headOf(tx);
      return {
        rows: done.reduce((sum, table) => sum + table.rows, 0),
        tables: done,
        epoch: head?.epoch ?? null,
        seq: head?.seq ?? 0,
      };
    },
    { patient: true },
  );
}

async function tablesInBoth(from: Database, to: Database): Promise<CatalogTable[]> {
  const [source, target] = await Promise.all([ownTables(from), ownTables(to)]);
  if (!source.some((table) => table.name === RECORD))
    throw new CopyRefused("The source is not a store of Crowdtape.");
  await refuseOtherSchema(from, to);
  for (const table of source) {
    const other = target.find((one) => one.name === table.name);
    const missing = table.columns.filter((column) => !other?.columns.includes(column));
    if (!other || missing.length > 0) {
      throw new CopyRefused(`The target has no place for ${table.name} (${missing.join(", ")}).`);
    }
  }
  // Column order and numbering come from the target; the key pages through the source.
  return target.flatMap((table) => {
    const own = source.find((one) => one.name === table.name);
    if (!own || table.name === RECORD) return [];
    return [{ ...table, columns: columnsOf(own), key: keyOf(own) }];
  });
}

/** The chat bots' state is next to the store on PostgreSQL and in separate files otherwise: it is not copied. */
async function ownTables(database: Database): Promise<CatalogTable[]> {
  return (await tablesOf(database.read)).filter(({ name }) => !name.startsWith("bot_"));
}

/** The journal's positions are engine-specific; all of it is rolled up first, so new ones can be assigned. */
function columnsOf({ name, columns }: CatalogTable): string[] {
  return name === "journal" ? columns.filter((column) => column !== "position") : columns;
}

/** Positions of charges that were not rolled up would be meaningless in another database. */
async function refuseUnlessRolledUp(from: Database): Promise<void> {
  await from.write((tx) => rollUp(tx), { patient: true });
  const left = await from.read.one(
    raw("SELECT 1 AS one FROM journal, ledger_state WHERE position >= rolled_below LIMIT 1"),
  );
  if (left) throw new CopyRefused("A service still charges on the source. Stop every process that uses it.");
}

/** Copied rows go below the first position to be rolled up. */
async function numberJournal(tx: Queries): Promise<void> {
  if (tx.dialect === "postgres") {
    await tx.run(raw("UPDATE journal SET position = 0"));
    await tx.run(raw("UPDATE ledger_state SET rolled_below = 1"));
  } else {
    await tx.run(
      raw("UPDATE ledger_state SET rolled_below = COALESCE((SELECT MAX(position) FROM journal), 0) + 1"),
    );
  }
}

/** The columns that identify a row. A table partitioned by month has no primary key across its months. */
function keyOf({ name, key }: CatalogTable): string[] {
  if (name === "journal") return ["at", "batch_id"];
  if (key.length > 0) return key;
  const monthly = MONTHLY.find((table) => table.name === name);
  if (monthly) return [monthly.id];
  throw new CopyRefused(`The table ${name} has no primary key to be read by.`);
}

/** The target was just migrated to this program's schema. */
async function refuseOtherSchema(from: Database, to: Database): Promise<void> {
  const idsOf = async (database: Database) =>
    (await database.read.all<{ id: string }>(raw(`SELECT id FROM ${RECORD} ORDER BY id`))).map(
      (row) => row.id,
    );
  const [source, target] = [await idsOf(from), await idsOf(to)];
  const lacking = target.filter((id) => !source.includes(id));
  const unknown = source.filter((id) => !target.includes(id));
  if (lacking.length > 0) {
    throw new CopyRefused(
      `The source has an older schema (it lacks ${lacking.join(", ")}). Bring it up to date with "crowdtape migrate" first.`,
    );
  }
  if (unknown.length > 0)
    throw new CopyRefused(
      `The source is of a newer version, which has ${unknown.join(", ")}. Copy with that one.`,
    );
}

async function refuseWhileWritten(from: Database, now: number): Promise<void> {
  const lease = await from.read.one<{ name: string }>(
    sql`SELECT name FROM lease WHERE expires_at > ${now} LIMIT 1`,
  );
  if (lease) {
    throw new CopyRefused(
      "A service still writes to the source. Stop every process that uses it, wait five seconds, and copy again.",
    );
  }
}

async function refuseUnlessEmpty(to: Database, tables: readonly CatalogTable[]): Promise<void> {
  const head = await headOf(to.read);
  const full: string[] = head && head.seq > 0 ? ["log_head"] : [];
  for (const { name } of tables) {
    if (SEEDED.has(name)) continue;
    if (await to.read.one(raw(`SELECT 1 AS one FROM ${name} LIMIT 1`))) full.push(name);
  }
  if (full.length === 0) return;
  throw new CopyRefused(
    `The target is not empty: it has rows in ${full.slice(0, 5).join(", ")}. Copy into a new database, so that ` +
      "nothing is mixed or lost.",
  );
}

async function copyTable(from: Queries, tx: Queries, { name, columns, key }: CatalogTable): Promise<number> {
  const monthly = MONTHLY.find((table) => table.name === name);
  const keyList = key.join(", ");
  const places = key.map(() => "?").join(", ");
  let copied = 0;
  let last: TableRow | undefined;
  for (;;) {
    const before = last;
    const after = before ? `WHERE (${keyList}) > (${places})` : "";
    const rows: TableRow[] = await from.all<TableRow>({
      text: `SELECT ${columns.join(", ")} FROM ${name} ${after} ORDER BY ${keyList} LIMIT ${PAGE_ROWS}`,
      values: before ? key.map((column) => before[column] ?? null) : [],
    });
    last = rows.at(-1);
    if (!last) return copied;
    if (monthly) {
      await makeMonths(
        tx,
        monthly,
        rows.map((row) => Number(row[monthly.time])),
      );
    }
    copied += await insertMany(tx, name, rows);
  }
}

/** Rows keep their numbers; the next row inserted here must not reuse one. */
async function continueNumbers(tx: Queries, { name, numbered }: CatalogTable): Promise<void> {
  for (const column of numbered) {
    await tx.all(
      raw(`SELECT setval(pg_get_serial_sequence('${name}', '${column}'), GREATEST(1, MAX(${column})),
        MAX(${column}) IS NOT NULL) FROM ${name}`),
    );
  }
}

async function verify(from: Queries, tx: Queries, done: Copied["tables"]): Promise<void> {
  for (const { name, rows } of done) {
    const count = raw(`SELECT COUNT(*) AS n FROM ${name}`);
    const [source, target] = [await from.one<{ n: number }>(count), await tx.one<{ n: number }>(count)];
    if (source?.n !== rows || target?.n !== rows) {
      throw new CopyRefused(
        `${name} has ${source?.n} rows in the source and ${target?.n} in the copy: something wrote to the source ` +
          "meanwhile. Stop every process that uses it and copy again.",
      );
    }
  }
  const [head, copy] = [await headOf(from), await headOf(tx)];
  if (head?.epoch !== copy?.epoch || head?.seq !== copy?.seq)
    throw new CopyRefused(
      "The log moved while it was copied. Stop every process that uses it and copy again.",
    );
  // Books that were already wrong are copied as they are; `doctor` reports them.
  const known = await imbalances(from);
  const wrong = (await imbalances(tx)).find((one) => !known.some((other) => Bun.deepEquals(one, other)));
  if (wrong) throw new CopyRefused(`The books of account ${wrong.accountId} do not add up in the copy.`);
}

function headOf(queries: Queries): Promise<{ epoch: string; seq: number } | null> {
  return queries.one(sql`SELECT epoch, seq FROM log_head WHERE id = 1`);
}
