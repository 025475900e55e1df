// The balances a node last saw, for checks before work begins. They may be behind; the commit decides.
import { createLru } from "../../../kit/lru.ts";
import type { Account } from "../../store/money/accounts.ts";

export interface AccountView {
  account: Account;
  /** When this was read from, or written to, the store. */
  asOf: number;
}

export interface Views {
  get(accountId: string): AccountView | undefined;
  /** Puts down what the store said; holders of the view see it at once. */
  learn(account: Account, asOf: number): AccountView;
  /** The same where the account's view is at hand. */
  see(view: AccountView, account: Account, asOf: number): void;
  /** From now on rows are taken for what this makes of them: who charges may know more than the row does. */
  correctBy(latest: (row: Account) => Account): void;
}

/** Accounts that call within one node's memory; one that falls out is read again at its next call. */
const VIEWS_MAX = 50_000;

export function createViews(viewsMax = VIEWS_MAX): Views {
  const views = createLru<string, AccountView>(viewsMax);
  let latest = (row: Account) => row;
  const see = (view: AccountView, row: Account, asOf: number) => {
    if (asOf < view.asOf) return;
    view.account = latest(row);
    view.asOf = asOf;
  };
  return {
    see,
    get: (accountId) => views.get(accountId),
    correctBy(correction) {
      latest = correction;
    },
    learn(row, asOf) {
      const known = views.get(row.id);
      if (known) {
        see(known, row, asOf);
        return known;
      }
      const fresh = { account: latest(row), asOf };
      views.set(row.id, fresh);
      return fresh;
    },
  };
}
