// A database's own description of its tables, in one form for both engines: columns, primary key, what must be
// filled first, and auto-numbered columns. Nothing here is maintained by hand.
import type { Queries } from "./database.ts";
import { raw } from "./sql.ts";

export interface CatalogTable {
  name: string;
  columns: string[];
  key: string[];
  /** Tables that this one references. */
  needs: string[];
  /** Auto-numbered columns. */
  numbered: string[];
}

interface ColumnRow {
  table_name: string;
  column_name: string;
  key_place: number;
  numbered: number;
}

interface NeedRow {
  table_name: string;
  needs: string;
}

const SQLITE_COLUMNS = `SELECT m.name AS table_name, c.name AS column_name, c.pk AS key_place, 0 AS numbered
  FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
  WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.name, c.cid`;
const SQLITE_NEEDS = `SELECT m.name AS table_name, f."table" AS needs
  FROM sqlite_master AS m JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table'`;

// Partitions are left out: rows are written and read through their parent table.
const POSTGRES_TABLES = `pg_class AS t
  JOIN pg_namespace AS n ON n.oid = t.relnamespace AND n.nspname = current_schema()`;
const POSTGRES_COLUMNS = `SELECT t.relname AS table_name, a.attname AS column_name,
    COALESCE(array_position(i.indkey::int2[], a.attnum) + 1, 0) AS key_place,
    CASE WHEN a.attidentity <> '' THEN 1 ELSE 0 END AS numbered
  FROM ${POSTGRES_TABLES}
  JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_index AS i ON i.indrelid = t.oid AND i.indisprimary
  WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition ORDER BY t.relname, a.attnum`;
const POSTGRES_NEEDS = `SELECT t.relname AS table_name, other.relname AS needs
  FROM ${POSTGRES_TABLES}
  JOIN pg_constraint AS k ON k.conrelid = t.oid AND k.contype = 'f'
  JOIN pg_class AS other ON other.oid = k.confrelid WHERE NOT t.relispartition`;

/** Every table, referenced ones first. */
export async function tablesOf(queries: Queries): Promise<CatalogTable[]> {
  const isPostgres = queries.dialect === "postgres";
  const columns = await queries.all<ColumnRow>(raw(isPostgres ? POSTGRES_COLUMNS : SQLITE_COLUMNS));
  const needs = await queries.all<NeedRow>(raw(isPostgres ? POSTGRES_NEEDS : SQLITE_NEEDS));
  const tables = Object.entries(Object.groupBy(columns, (row) => row.table_name)).map(
    ([name, rows = []]) => ({
      name,
      columns: rows.map((row) => row.column_name),
      key: rows
        .filter((row) => row.key_place > 0)
        .sort((a, b) => a.key_place - b.key_place)
        .map((row) => row.column_name),
      needs: needs.filter((row) => row.table_name === name && row.needs !== name).map((row) => row.needs),
      numbered: rows.filter((row) => row.numbered === 1).map((row) => row.column_name),
    }),
  );
  return inOrder(tables);
}

function inOrder(tables: readonly CatalogTable[]): CatalogTable[] {
  const placed: CatalogTable[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const ready = waiting.filter(
      (table) => !table.needs.some((name) => waiting.some((one) => one.name === name)),
    );
    if (ready.length === 0) throw new Error("Tables point at each other in a circle.");
    placed.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return placed;
}
