// Charges added up for the rollup: by hour, account, key and route for usage, and by account for the balances.
import type { Charge } from "./journal.ts";

export const HOUR_MS = 3_600_000;

export interface Sum {
  calls: number;
  credits: number;
  resolutions: number;
  lastAt: number;
}

export interface HourSum extends Sum {
  hour: number;
  of: Charge;
}

/** An account's, and where its last charge was counted: the next one is nearly always of the same hour, key and route. */
interface AccountSum extends Sum {
  latest: HourSum | null;
}

export interface Sums {
  add(charge: Charge): void;
  charges(): number;
  /** In the order of their table's key, so that each page is touched once. */
  hours(): HourSum[];
  accounts(): [accountId: string, Sum][];
}

export function createSums(): Sums {
  const hours = new Map<string, HourSum>();
  const accounts = new Map<string, AccountSum>();
  let charges = 0;
  const hourOf = (charge: Charge): HourSum => {
    const hour = startOf(charge);
    const name = `${hour} ${charge.accountId} ${charge.keyId} ${charge.routeId}`;
    let sum = hours.get(name);
    if (!sum) {
      sum = { hour, of: charge, calls: 0, credits: 0, resolutions: 0, lastAt: 0 };
      hours.set(name, sum);
    }
    return sum;
  };
  return {
    add(charge) {
      charges += 1;
      let account = accounts.get(charge.accountId);
      if (!account) {
        account = { calls: 0, credits: 0, resolutions: 0, lastAt: 0, latest: null };
        accounts.set(charge.accountId, account);
      }
      if (account.latest === null || !isSame(account.latest, charge)) account.latest = hourOf(charge);
      count(account.latest, charge);
      count(account, charge);
    },
    charges: () => charges,
    hours: () => inOrder(hours).map(([, sum]) => sum),
    accounts: () => inOrder(accounts),
  };
}

const startOf = ({ at }: Charge) => at - (at % HOUR_MS);

function isSame({ hour, of }: HourSum, charge: Charge): boolean {
  return of.keyId === charge.keyId && of.routeId === charge.routeId && hour === startOf(charge);
}

function count(sum: Sum, { credits, resolutions, at }: Charge): void {
  sum.calls += 1;
  sum.credits += credits;
  sum.resolutions += resolutions;
  if (at > sum.lastAt) sum.lastAt = at;
}

/** The names alone are sorted, which the runtime does many times faster than with a comparison of ours. */
function inOrder<T>(sums: ReadonlyMap<string, T>): [string, T][] {
  return [...sums.keys()].sort().map((name) => [name, sums.get(name) as T]);
}
