// What this folder needs of accounts and keys. Every grant has a reference that is applied once, so that a step which
// may have been done can be done again.

import type { Queries } from "../../../database/database.ts";
import type { Account } from "../../store/money/accounts.ts";
import type { Key } from "../../store/money/keys.ts";
import type { PaidPlan } from "./provider.ts";

interface Order {
  accountId: string;
  reference: string;
}

export interface OwnerAccounts {
  payForPlan(payment: Order & { plan: PaidPlan; months: number; graceMs: number }): Promise<unknown>;
  endPlan(end: Order): Promise<unknown>;
  addPrepaid(grant: Order & { credits: number }): Promise<unknown>;
  takeBackPrepaid(refund: Order & { credits: number }): Promise<unknown>;
  /** As it stands now. */
  account(accountId: string): Promise<Account | null>;
  accountsOf(email: string): Promise<Account[]>;
}

/** Opens an account on the free plan inside the transaction that records what it is for. */
export type OpenAccount = (tx: Queries, email: string, at: number) => Promise<Account>;

export interface OwnerKeys {
  create(wanted: {
    accountId: string;
    name: string;
    mode: "live" | "test";
    createdAt?: number;
  }): Promise<{ key: Key; secret: string }>;
  list(accountId: string): Promise<Key[]>;
  revoke(key: { accountId: string; keyId: string }): Promise<unknown>;
}
