// A batch of charges in one statement, which on PostgreSQL is one round trip and its own transaction. It charges every
// account whose charges all fit without a check of months or caps, which is nearly always all of them; it leaves the
// others unchanged and omits them from the result. Run twice, it charges once.

import type { Database } from "../../../database/database.ts";
import { AlreadyExists } from "../../../database/errors.ts";
import { type Sql, sql } from "../../../database/sql.ts";
import { type Charge, encode, type JournalRow } from "./journal.ts";

/** An account whose charges were all made: its balance before them. */
export interface ChargedBalance {
  accountId: string;
  nextChangeAt: number;
  monthlyRemaining: number;
  prepaidRemaining: number;
  resolutionsRemaining: number;
  version: number;
}

/** One account's part of a batch. */
interface AccountPart {
  accountId: string;
  charges: Charge[];
  credits: number;
  resolutions: number;
  latest: number;
}

/**
 * Each request id once, all within one minute. Accounts missing from the result were not touched. Null when the batch
 * was already stored: then its contents are what was charged.
 */
export async function chargeFitting(
  database: Database,
  { at, batchId }: Pick<JournalRow, "at" | "batchId">,
  charges: readonly Charge[],
): Promise<ChargedBalance[] | null> {
  const parts = partsOf(charges);
  try {
    const charged = await database.single<ChargedBalance>(statementOf({ at, batchId }, [...parts.values()]));
    return charged.map((after) => {
      const part = parts.get(after.accountId);
      return part ? before(after, part) : after;
    });
  } catch (error) {
    if (error instanceof AlreadyExists) return null;
    throw error;
  }
}

function partsOf(charges: readonly Charge[]): Map<string, AccountPart> {
  const parts = new Map<string, AccountPart>();
  for (const charge of charges) {
    const { accountId, credits, resolutions, at } = charge;
    const part = parts.get(accountId);
    if (part) {
      part.charges.push(charge);
      part.credits += credits;
      part.resolutions += resolutions;
      if (at > part.latest) part.latest = at;
    } else parts.set(accountId, { accountId, charges: [charge], credits, resolutions, latest: at });
  }
  return parts;
}

/** A balance that the part turns into this one. When no monthly credits are left, any used here count as prepaid. */
function before(after: ChargedBalance, { credits, resolutions }: AccountPart): ChargedBalance {
  const bucket = after.monthlyRemaining > 0 ? "monthlyRemaining" : "prepaidRemaining";
  return {
    ...after,
    [bucket]: after[bucket] + credits,
    resolutionsRemaining: after.resolutionsRemaining + resolutions,
  };
}

/**
 * A balance that another node changed concurrently is rechecked and debited in its new state, whatever the statement's
 * snapshot says; one that fits only by then is left out. Balances are locked in id order, as everywhere, because the
 * plan walks the list from its beginning; if nodes do meet in another order, PostgreSQL aborts one, which retries. Each
 * row is touched once: locking it first, and finding it again, cost more than the rest of the statement. The batch's
 * row is written even when no account fits, and a second write of it fails and rolls everything back.
 */
function statementOf(
  { at, batchId }: Pick<JournalRow, "at" | "batchId">,
  parts: readonly AccountPart[],
): Sql {
  const column = (of: (part: AccountPart) => string | number) => lines(parts.map(of).join("\n"));
  // Without the brackets, so that several accounts' charges can be joined into one list.
  const encoded = column((part) => encode(part.charges, at).slice(1, -1));
  return sql`WITH wanted AS (
      SELECT * FROM unnest(${column((part) => part.accountId)}, CAST(${column((part) => part.credits)} AS BIGINT[]),
        CAST(${column((part) => part.resolutions)} AS BIGINT[]), CAST(${column((part) => part.latest)} AS BIGINT[]),
        ${encoded}) AS one (account_id, credits, resolutions, latest, charges)
      ORDER BY account_id
    ), paid AS (
      UPDATE balance SET
        monthly_remaining = monthly_remaining - LEAST(monthly_remaining, wanted.credits),
        prepaid_remaining = prepaid_remaining - (wanted.credits - LEAST(monthly_remaining, wanted.credits)),
        resolutions_remaining = resolutions_remaining - wanted.resolutions
      FROM wanted WHERE balance.account_id = wanted.account_id
        AND wanted.latest < next_change_at
        AND wanted.credits <= monthly_remaining + prepaid_remaining
        AND wanted.resolutions <= resolutions_remaining
      RETURNING balance.*, wanted.charges
    ), stored AS (
      INSERT INTO journal (at, batch_id, charges)
      SELECT CAST(${at} AS BIGINT), CAST(${batchId} AS TEXT), '[' || COALESCE(string_agg(charges, ','), '') || ']'
      FROM paid
    )
    SELECT account_id AS "accountId", next_change_at AS "nextChangeAt", monthly_remaining AS "monthlyRemaining",
      prepaid_remaining AS "prepaidRemaining", resolutions_remaining AS "resolutionsRemaining", version FROM paid`;
}

/** A list as one parameter, one item per line: one prepared statement for any batch size, and nothing to escape. */
function lines(text: string): Sql {
  return sql`string_to_array(CAST(${text} AS TEXT), chr(10))`;
}
