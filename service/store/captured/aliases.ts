// Which traders and tokens a handle or a symbol ever stood for. It is what finds events by name without an index on
// names, and what distinguishes a known name from an unknown one.
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
  await insertMany(
    tx,
    "log_alias",
    ["kind", "alias", "stands_for"],
    aliases.map(({ kind, alias, standsFor }) => [kind, alias, standsFor]),
    "ON CONFLICT (kind, alias, stands_for) DO NOTHING",
  );
}

/** The actors or token keys that a name stands for. */
export async function namedBy(read: Queries, kind: Alias["kind"], alias: string): Promise<string[]> {
  const rows = await read.all<{ stands_for: string }>(
    sql`SELECT stands_for FROM log_alias WHERE kind = ${kind} AND alias = ${alias}`,
  );
  return rows.map((row) => row.stands_for);
}
