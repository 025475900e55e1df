// Opens an account, whether for a free key, a card or an operator's command. It runs inside the caller's transaction,
// so that an account and its purpose are stored together or not at all.
import type { Queries } from "../../../database/database.ts";
import { secureBase62 } from "../../../kit/base62.ts";
import { type Account, insertAccount } from "../../store/money/accounts.ts";
import { insertEntries } from "../../store/money/ledger.ts";
import { freshAccount } from "./renewal.ts";

/** 12 base62 characters carry 71 bits, and a short id keeps a charge's row short. */
const ACCOUNT_ID_CHARACTERS = 12;

/** An account on the free plan, with its first month's credits. */
export async function openAccount(
  tx: Queries,
  { email, at }: { email: string; at: number },
): Promise<Account> {
  const id = `acc_${secureBase62(ACCOUNT_ID_CHARACTERS)}`;
  const { account, entries } = freshAccount(id, normalEmail(email), at);
  await insertAccount(tx, account);
  await insertEntries(tx, account.id, entries);
  return account;
}

export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}
