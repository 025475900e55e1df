// The operator's verdicts on tokens, by network and address.
import { countOf, type Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import type { Repository } from "../repository.ts";
import { type Changes, nextVersion } from "./directory.ts";
import { tokenKey } from "./tokens.ts";

export interface TokenVerdict {
  address: string;
  networkId: number;
  /** Null: withdrawn. */
  verdict: "spam" | "fine" | null;
  judgedBy: string;
  judgedAt: number;
}

interface VerdictRow extends TokenVerdict {
  version: number;
}

const FIELDS = sql`address_key AS "address", network_id AS "networkId", verdict, judged_by AS "judgedBy",
  judged_at AS "judgedAt", version`;

/** One change is one version, so a page never ends in the middle of one. */
async function verdictsChangedAfter(
  queries: Queries,
  version: number,
  limit: number,
): Promise<Changes<TokenVerdict>> {
  const rows = await queries.all<VerdictRow>(
    sql`SELECT ${FIELDS} FROM token_verdict WHERE version > ${version} ORDER BY version LIMIT ${limit}`,
  );
  return { rows, version: rows.at(-1)?.version ?? version, more: rows.length >= limit };
}

function countVerdicts(queries: Queries): Promise<number> {
  return countOf(queries, sql`FROM token_verdict`);
}

async function saveVerdict(tx: Queries, given: TokenVerdict): Promise<void> {
  const version = await nextVersion(tx, "verdict");
  await tx.run(
    sql`INSERT INTO token_verdict (address_key, network_id, verdict, judged_by, judged_at, version)
        VALUES (${tokenKey(given.address)}, ${given.networkId}, ${given.verdict}, ${given.judgedBy},
          ${given.judgedAt}, ${version})
        ON CONFLICT (address_key, network_id) DO UPDATE SET verdict = excluded.verdict,
          judged_by = excluded.judged_by, judged_at = excluded.judged_at, version = excluded.version`,
  );
}

export const verdicts = {
  reads: { changedAfter: verdictsChangedAfter, count: countVerdicts },
  writes: { save: saveVerdict },
} satisfies Repository;
