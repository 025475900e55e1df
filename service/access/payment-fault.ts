// Whether a call can be paid for, by what this node last saw, and the error when it can't.
import { type Fault, type FaultDetails, fault } from "../../contract/errors.ts";
import { PLANS } from "../../contract/plans.ts";
import { remainingOf } from "../store/money/accounts.ts";
import type { KeyCaller } from "./identity/caller.ts";
import { type ChargeRefusal, capUsedIn, refusalOf } from "./ledger/decide.ts";

export interface Links {
  upgradeUrl: string;
  topUp: string;
}

/** Whether a key can pay, by what this node last saw. */
export function expectedRefusal(
  caller: KeyCaller,
  credits: number,
  resolutions: number,
): ChargeRefusal | null {
  const { monthlyCap, capUsed, capPeriodStart, lineage } = caller.key;
  const cap = monthlyCap === null ? undefined : { lineage, monthlyCap, capUsed, capPeriodStart };
  return refusalOf(caller.view.account, cap, credits, resolutions);
}

export function paymentFault(
  refused: ChargeRefusal,
  caller: KeyCaller,
  required: number,
  links: Links,
): Fault {
  const { account } = caller.view;
  const common: FaultDetails = {
    plan: caller.plan,
    resetsAt: new Date(account.nextChangeAt).toISOString(),
    upgradeUrl: links.upgradeUrl,
    topUp: links.topUp,
  };
  switch (refused) {
    case "credits_exhausted": {
      const remaining = remainingOf(account);
      const sentence = `This call needs ${required} credits and ${remaining} are left on the ${PLANS[caller.plan].title} plan.`;
      return fault(refused, sentence, { ...common, remaining, required });
    }
    case "resolutions_exhausted": {
      const remaining = account.resolutionsRemaining;
      return fault(refused, "The month's wallet resolutions are used up.", {
        ...common,
        remaining,
        required: 1,
      });
    }
    case "key_cap_reached": {
      const remaining = Math.max(0, (caller.key.monthlyCap ?? 0) - capUsedIn(caller.key, account));
      const sentence = `This call needs ${required} credits and the key's monthly cap leaves ${remaining}.`;
      return fault(refused, sentence, { ...common, remaining, required });
    }
  }
}
