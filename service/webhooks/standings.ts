// An account's limits for its webhooks: how many its plan includes, its feed's delay, and whether the next hundred
// events can be paid for. Cached briefly; a hint that the account changed invalidates it at once.
import { PLANS, type PlanName } from "../../contract/plans.ts";
import { WEBHOOK_PRICE } from "../../contract/webhooks.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import { createLru } from "../../kit/lru.ts";
import { planDelayMs } from "../access/identity/caller.ts";
import type { Grants } from "../access/ledger/grants.ts";
import { planOf } from "../access/ledger/renewal.ts";
import { remainingOf } from "../store/money/accounts.ts";
import { webhooksOfAccount } from "../store/money/webhooks.ts";

export interface AccountStanding {
  plan: PlanName;
  delayMs: number;
  /** Those that the plan includes: the oldest ones, if there are more. */
  included: ReadonlySet<string>;
  /** When the month or the plan next changes. */
  nextChangeAt: number;
}

export interface Standings {
  of(accountId: string): Promise<AccountStanding | null>;
  /** Asks the store, since it decides whether anything is sent. */
  canPay(accountId: string): Promise<boolean>;
  forget(accountId: string): void;
}

/** How long a plan change without a hint may go unnoticed. */
const TRUSTED_MS = 30_000;
const ACCOUNTS_MAX = 20_000;

export function createStandings(parts: {
  database: Database;
  clock: Clock;
  grants: Pick<Grants, "account">;
}): Standings {
  const { database, clock, grants } = parts;
  const known = createLru<string, { standing: AccountStanding; readAt: number }>(ACCOUNTS_MAX);
  let changes = 0;
  return {
    async of(accountId) {
      const now = clock.now();
      const entry = known.get(accountId);
      if (entry && now - entry.readAt < TRUSTED_MS && now < entry.standing.nextChangeAt)
        return entry.standing;
      const changesBefore = changes;
      const account = await grants.account(accountId);
      if (!account) return null;
      const plan = planOf(account);
      const webhooks = await webhooksOfAccount(database.read, accountId);
      const standing = {
        plan,
        delayMs: planDelayMs(plan, account.createdAt, now),
        included: new Set(webhooks.slice(0, PLANS[plan].webhooks).map(({ id }) => id)),
        nextChangeAt: account.nextChangeAt,
      };
      // Data read while an account changed may be stale.
      if (changes === changesBefore) known.set(accountId, { standing, readAt: now });
      return standing;
    },
    async canPay(accountId) {
      const account = await grants.account(accountId);
      return account !== null && remainingOf(account) >= WEBHOOK_PRICE.credits;
    },
    forget(accountId) {
      changes += 1;
      known.delete(accountId);
    },
  };
}
