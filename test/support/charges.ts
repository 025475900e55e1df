// Stored charges, for tests that compare answers with them.
import type { Queries } from "../../database/database.ts";
import { type Charge, chargesOfAccount } from "../../service/store/money/journal.ts";

/** All charges of an account, oldest first. */
export function allCharges(queries: Queries, accountId: string): Promise<Charge[]> {
  return chargesOfAccount(
    queries,
    accountId,
    { from: 0, to: Number.MAX_SAFE_INTEGER },
    Number.POSITIVE_INFINITY,
  );
}
