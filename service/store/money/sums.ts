// Charges summed for the rollup: by hour, account, key and route for usage, and by account for the balances.
import { HOUR_MS } from "../../../kit/units.ts";
import type { Charge } from "./journal.ts";

export interface Sum {
  calls: number;
  credits: number;
  resolutions: number;
  lastAt: number;
}

export interface HourSum extends Sum {
  hour: number;
  keyId: string;
  routeId: string;
}

export interface AccountSum extends Sum {
  accountId: string;
  hours: HourSum[];
  /** Where its last charge was counted: the next one nearly always has the same hour, key and route. */
  latest: HourSum | null;
}

export interface Sums {
  add(charge: Charge): void;
  charges(): number;
  /** In id order, so that each page of a table is touched once. */
  accounts(): AccountSum[];
}

export function createSums(): Sums {
  const hours = new Map<string, HourSum>();
  const accounts = new Map<string, AccountSum>();
  let charges = 0;
  const hourOf = (account: AccountSum, charge: Charge): HourSum => {
    const hour = startOf(charge);
    const { keyId, routeId } = charge;
    const name = `${hour} ${charge.accountId} ${keyId} ${routeId}`;
    let sum = hours.get(name);
    if (!sum) {
      sum = { hour, keyId, routeId, calls: 0, credits: 0, resolutions: 0, lastAt: 0 };
      hours.set(name, sum);
      account.hours.push(sum);
    }
    return sum;
  };
  return {
    add(charge) {
      charges += 1;
      const { accountId } = charge;
      let account = accounts.get(accountId);
      if (!account) {
        account = { accountId, hours: [], latest: null, calls: 0, credits: 0, resolutions: 0, lastAt: 0 };
        accounts.set(accountId, account);
      }
      if (account.latest === null || !isSame(account.latest, charge))
        account.latest = hourOf(account, charge);
      count(account.latest, charge);
      count(account, charge);
    },
    charges: () => charges,
    // Sorts only the ids, which the runtime does many times faster than with a custom comparator.
    accounts: () => [...accounts.keys()].sort().map((id) => accounts.get(id) as AccountSum),
  };
}

const startOf = ({ at }: Charge) => at - (at % HOUR_MS);

function isSame({ hour, keyId, routeId }: HourSum, charge: Charge): boolean {
  return keyId === charge.keyId && routeId === charge.routeId && hour === startOf(charge);
}

function count(sum: Sum, { credits, resolutions, at }: Charge): void {
  sum.calls += 1;
  sum.credits += credits;
  sum.resolutions += resolutions;
  if (at > sum.lastAt) sum.lastAt = at;
}
