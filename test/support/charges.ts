// Charges as they are stored, for tests that hold answers to them.
import type { Queries } from "../../database/database.ts";
import { type Charge, chargesOfAccount } from "../../service/store/money/journal.ts";

/** All of an account, oldest first. */
export function allCharges(queries: Queries, accountId: string): Promise<Charge[]> {
  return chargesOfAccount(
    queries,
    accountId,
    { from: 0, to: Number.MAX_SAFE_INTEGER },
    Number.POSITIVE_INFINITY,
  );
}
