// The balances a node last saw, for checks before work begins. They may be behind; the commit decides.
import { createLru } from "../../../kit/lru.ts";
import { type Account, remainingOf } from "../../store/money/accounts.ts";

export interface AccountView {
  account: Account;
  /** When this was read from, or written to, the store; minus infinity from the notice of a change to the next read. */
  asOf: number;
  /** When the last change notice arrived: a read that started before it may not show the change. */
  changedAt: number;
}

export interface Views {
  get(accountId: string): AccountView | undefined;
  /** Updates the view from the store; its holders see it at once. */
  learn(account: Account, asOf: number): AccountView;
  /** The same where the account's view is at hand. */
  see(view: AccountView, account: Account, asOf: number): void;
  /** The account was changed. */
  noteChange(accountId: string, at: number): void;
  /** From now on rows are passed through this: the charging process may know more than the row does. */
  correctBy(latest: (row: Account) => Account): void;
}

/** Cached accounts of one node; an evicted one is read again at its next call. */
const VIEWS_MAX = 50_000;

export function createViews(viewsMax = VIEWS_MAX): Views {
  const views = createLru<string, AccountView>(viewsMax);
  let latest = (row: Account) => row;
  const see = (view: AccountView, row: Account, asOf: number) => {
    const account = latest(row);
    if (!isOlder(account, view.account)) view.account = account;
    if (asOf > view.asOf && asOf >= view.changedAt) view.asOf = asOf;
  };
  return {
    see,
    get: (accountId) => views.get(accountId),
    noteChange(accountId, at) {
      const view = views.get(accountId);
      if (view) Object.assign(view, { asOf: Number.NEGATIVE_INFINITY, changedAt: at });
    },
    correctBy(correction) {
      latest = correction;
    },
    learn(row, asOf) {
      const known = views.get(row.id);
      if (known) {
        see(known, row, asOf);
        return known;
      }
      const fresh = { account: latest(row), asOf, changedAt: Number.NEGATIVE_INFINITY };
      views.set(row.id, fresh);
      return fresh;
    },
  };
}

/**
 * Results arrive in any order: a read that started before a charge may end after it. Everything but charges raises the version, and charges
 * only subtract, so of two rows of one version the one with more left is the older.
 */
function isOlder(row: Account, known: Account): boolean {
  if (row.version !== known.version) return row.version < known.version;
  return remainingOf(row) > remainingOf(known) || row.resolutionsRemaining > known.resolutionsRemaining;
}
