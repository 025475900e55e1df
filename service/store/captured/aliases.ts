// Which traders and tokens a handle or a symbol ever stood for. Events are found by handle through this table, without
// an index on handles, and it distinguishes a known name from an unknown one.
import { insertMany, type Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

export interface Alias {
  kind: "handle" | "symbol";
  alias: string;
  standsFor: string;
}

/** Symbols are compared without case. */
export function symbolKeyOf(symbol: string): string {
  return symbol.toUpperCase();
}

export async function saveAliases(tx: Queries, aliases: readonly Alias[]): Promise<void> {
  await insertMany(tx, "log_alias", aliases, "ON CONFLICT (kind, alias, stands_for) DO NOTHING");
}

/** The actors that a handle stands for. */
export async function actorsOf(read: Queries, handle: string): Promise<string[]> {
  const rows = await read.all<{ stands_for: string }>(
    sql`SELECT stands_for FROM log_alias WHERE kind = 'handle' AND alias = ${handle}`,
  );
  return rows.map((row) => row.stands_for);
}

/** Whether a symbol stands for any token: there may be thousands. */
export async function isSymbol(read: Queries, symbol: string): Promise<boolean> {
  const row = await read.one(
    sql`SELECT 1 AS one FROM log_alias WHERE kind = 'symbol' AND alias = ${symbol} LIMIT 1`,
  );
  return row !== null;
}
