// Credits: the amount spent, and a limit that concurrent calls can't exceed together, because each reserves its maximum cost
// before it is sent.
import { BudgetExceeded } from "./api-error.ts";

export interface Budget {
  spent(): number;
  /** Throws when the call could exceed the limit. The returned function settles it with the actual cost. */
  reserve(credits: number): (cost: number) => void;
}

export function createBudget(maxCredits = Number.POSITIVE_INFINITY): Budget {
  let spent = 0;
  let reserved = 0;
  return {
    spent: () => spent,
    reserve(credits) {
      if (spent + reserved + credits > maxCredits)
        throw new BudgetExceeded(spent + reserved, credits, maxCredits);
      reserved += credits;
      return (cost) => {
        reserved -= credits;
        spent += cost;
      };
    },
  };
}

/** Both limits apply. */
export function both(one: Budget, other: Budget): Budget {
  return {
    spent: other.spent,
    reserve(credits) {
      const settleOne = one.reserve(credits);
      try {
        const settleOther = other.reserve(credits);
        return (cost) => {
          settleOne(cost);
          settleOther(cost);
        };
      } catch (error) {
        settleOne(0);
        throw error;
      }
    },
  };
}
