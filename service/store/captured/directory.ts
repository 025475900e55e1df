// Versions of traders, tokens and verdicts about tokens: each change gets a higher one, so a search index asks "what changed
// after version N" and misses nothing, regardless of clocks.
import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

/** The next version; the row stays locked until `tx` ends, so versions become visible in order. */
export async function nextVersion(tx: Queries, name: "trader" | "token" | "verdict"): Promise<number> {
  const row = await tx.one<{ version: number }>(
    sql`UPDATE directory_version SET version = version + 1 WHERE name = ${name} RETURNING version`,
  );
  if (!row) throw new Error(`The directory of ${name}s has no version.`);
  return row.version;
}

/** Rows changed after a version. A batch shares one version and is never cut, so `version` is safe to continue from. */
export interface Changes<T> {
  rows: T[];
  version: number;
  more: boolean;
}
