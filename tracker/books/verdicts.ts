// The operator's verdicts on tokens: they override the tracker's own opinion.
import { insertMany, type Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { freshUuid } from "../../kit/ids.ts";

export interface SaidOfToken {
  chainId: number;
  token: string;
  /** Null: withdrawn. */
  verdict: "spam" | "fine" | null;
}

const VERSION = "verdict_version";

export async function saveVerdicts(tx: Queries, said: readonly SaidOfToken[]): Promise<void> {
  await insertMany(
    tx,
    "tracker_verdict",
    said.map(({ chainId, token, verdict }) => ({ chainId, token, verdict })),
    "ON CONFLICT (chain_id, token) DO UPDATE SET verdict = excluded.verdict",
  );
  await tx.run(
    sql`INSERT INTO tracker_meta (name, value) VALUES (${VERSION}, ${freshUuid()})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
}

/** Changes with every new verdict. */
export async function verdictsVersion(queries: Queries): Promise<string> {
  const row = await queries.one<{ value: string }>(
    sql`SELECT value FROM tracker_meta WHERE name = ${VERSION}`,
  );
  return row?.value ?? "";
}

/** The verdicts in force; a few thousand at most. */
export async function readVerdicts(queries: Queries): Promise<SaidOfToken[]> {
  return queries.all<SaidOfToken & { [column: string]: string | number | null }>(
    sql`SELECT chain_id AS "chainId", token, verdict FROM tracker_verdict WHERE verdict IS NOT NULL`,
  );
}
