// What this folder needs of the ledger: one grant, inside the transaction that records the transfer which pays for
// it, so that the two are stored together or not at all.
import type { PlanName } from "../../../contract/plans.ts";
import type { Queries } from "../../../database/database.ts";

export type PaymentGrant = {
  accountId: string;
  /** Each reference is applied once, whatever happens. */
  reference: string;
  at: number;
} & (
  | { kind: "prepaid"; credits: number }
  | { kind: "plan"; plan: Exclude<PlanName, "free">; months: number }
);

export interface PaymentGrants {
  /** False when the reference had been applied before; then nothing changed. */
  apply(tx: Queries, grant: PaymentGrant): Promise<boolean>;
  /** After the commit: balances that nodes remember are read again. */
  announce(accountId: string): void;
}
