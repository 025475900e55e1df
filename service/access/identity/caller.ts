// The caller: an address without a key, or a key with its account. A key's permissions follow from the account's last
// known state, so a plan change applies to every holder at once.

import { KEYLESS, PLANS, type PlanName } from "../../../contract/plans.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { Key } from "../../store/money/keys.ts";
import { advance, planOf } from "../ledger/renewal.ts";
import type { AccountView } from "../ledger/views.ts";

interface KeylessCaller {
  readonly kind: "keyless";
  readonly address: string;
  /** The subject its requests and sockets are counted under. */
  readonly subject: string;
  /** For pages of the explorer, which may call more often than others without a key. */
  readonly requestsPerMinute?: number;
}

export interface KeyCaller {
  readonly kind: "key";
  readonly keyId: string;
  readonly accountId: string;
  readonly plan: PlanName;
  /** When the account was opened: its realtime days count from here, however many keys it creates later. */
  readonly realtimeSince: number;
  /** The subject its requests and sockets are counted under: its account, whatever the number of its keys. */
  readonly subject: string;
  /** Its key lineage, where an operator set a rate for it. */
  readonly ownSubject: string;
  readonly key: Key;
  readonly view: AccountView;
}

export type Caller = KeylessCaller | KeyCaller;

export function keyCaller(key: Key, view: AccountView): KeyCaller {
  return {
    kind: "key",
    keyId: key.id,
    accountId: key.accountId,
    get plan() {
      return planOf(view.account);
    },
    get realtimeSince() {
      return Math.min(key.createdAt, view.account.createdAt);
    },
    subject: `account:${key.accountId}`,
    ownSubject: `key:${key.lineage}`,
    key,
    view,
  };
}

/** Advances the account's month or plan to now, in memory: the next charge persists it. */
export function bringUpToDate(view: AccountView, now: number): void {
  if (now >= view.account.nextChangeAt) view.account = advance(view.account, now).account;
}

/** The app feed's delay for a caller. It only increases, as a free account's first days pass. */
export function delayMsOf(caller: Caller, now: number): number {
  if (caller.kind === "keyless") return KEYLESS.delaySeconds * 1000;
  bringUpToDate(caller.view, now);
  return planDelayMs(caller.plan, caller.realtimeSince, now);
}

/** The same for work that continues without a call, such as a webhook. */
export function planDelayMs(name: PlanName, realtimeSince: number, now: number): number {
  const plan = PLANS[name];
  if (plan.realtimeDays !== null && now < realtimeSince + plan.realtimeDays * DAY_MS) return 0;
  return plan.delaySeconds * 1000;
}
