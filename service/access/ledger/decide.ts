// Decides who in a batch can pay, in order of arrival, on balances that are locked for the whole transaction.
// A charge that does not fit is refused in full and leaves room for smaller ones after it; no balance goes below zero.
import { type Account, remainingOf, takeOff } from "../../store/money/accounts.ts";
import type { Charge } from "../../store/money/journal.ts";
import type { Cap } from "../../store/money/keys.ts";
import type { AccountView } from "./views.ts";

export type ChargeRefusal = "credits_exhausted" | "resolutions_exhausted" | "key_cap_reached";

export interface ChargeResult {
  /** Null when it was paid. */
  refused: ChargeRefusal | null;
  /** Credits left just after this charge. */
  remaining: number;
  /** The account after the whole batch. */
  account: Account;
  /** Its key lineage's use of its cap, if it has one. */
  capUsed: number | null;
}

export interface Decision {
  /** One for each charge, in the same order. */
  results: ChargeResult[];
  accepted: Charge[];
  /** Those that were charged, as they are now. */
  accounts: Map<string, Account>;
  caps: Map<string, Cap>;
}

/** A charge, and what it counts against. */
export interface ChargeOrder extends Charge {
  /** The key lineage with a cap, if any. */
  capOf: string | null;
  /** The payer's view of the account, if it is at hand: a lookup would cost as much as the decision. */
  view?: AccountView;
}

/** A key lineage's use of its cap in the account's current month. */
export function capUsedIn(cap: Pick<Cap, "capUsed" | "capPeriodStart">, account: Account): number {
  return cap.capPeriodStart === account.periodStart ? cap.capUsed : 0;
}

export function refusalOf(
  account: Account,
  cap: Cap | undefined,
  credits: number,
  resolutions: number,
): ChargeRefusal | null {
  if (remainingOf(account) < credits) return "credits_exhausted";
  if (account.resolutionsRemaining < resolutions) return "resolutions_exhausted";
  if (cap && capUsedIn(cap, account) + credits > cap.monthlyCap) return "key_cap_reached";
  return null;
}

/** `repeated` holds ids already charged: those are answered as paid and not charged again. */
export function decide(
  batch: readonly ChargeOrder[],
  held: readonly Account[],
  caps: readonly Cap[] = [],
  repeated = new Set<string>(),
): Decision {
  // Our own copies, mutated in place: a batch may hold a thousand charges of one account.
  const accounts = new Map<string, Account>();
  for (const account of held) accounts.set(account.id, { ...account });
  const capped = new Map(caps.map((cap) => [cap.lineage, { ...cap }]));
  const decision: Decision = { results: [], accepted: [], accounts: new Map(), caps: new Map() };
  let account: Account | undefined;
  for (const order of batch) {
    if (account?.id !== order.accountId) account = accounts.get(order.accountId);
    if (!account) throw new Error("A charge names an account that does not exist.");
    const cap = order.capOf === null ? undefined : capped.get(order.capOf);
    const again = repeated.has(order.requestId);
    const refused = again ? null : refusalOf(account, cap, order.credits, order.resolutions);
    if (!again && refused === null) {
      takeOff(account, order);
      if (cap) {
        cap.capUsed = capUsedIn(cap, account) + order.credits;
        cap.capPeriodStart = account.periodStart;
        decision.caps.set(cap.lineage, cap);
      }
      decision.accounts.set(account.id, account);
      decision.accepted.push(order);
      repeated.add(order.requestId);
    }
    decision.results.push({
      refused,
      remaining: remainingOf(account),
      account,
      capUsed: cap ? capUsedIn(cap, account) : null,
    });
  }
  return decision;
}
