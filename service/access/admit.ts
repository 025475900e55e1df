// Admits a call: it throws the 401, 403, 402 or 429 that the caller gets instead of work, or returns the admission
// that will charge it.
import { fault } from "../../contract/errors.ts";
import { PLANS } from "../../contract/plans.ts";
import type { AnyRoute } from "../../contract/route.ts";
import type { Clock } from "../../kit/clock.ts";
import type { MaybePromise } from "../../kit/maybe-promise.ts";
import { remainingOf } from "../store/money/accounts.ts";
import { type Admission, MeteredAdmission, unmeteredAdmission } from "./admission.ts";
import { bringUpToDate, type Caller, type KeyCaller } from "./identity/caller.ts";
import type { Grants } from "./ledger/grants.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { storeFault } from "./ledger/unavailable.ts";
import type { CallerGate } from "./limits/gate.ts";
import { expectedRefusal, type Links, paymentFault } from "./payment-fault.ts";

/** A 402 is based on a balance read within this time, so that a top-up takes effect at once. */
const REFUSED_ON_BALANCE_OF_MS = 1_000;

export type Admit = (
  caller: Caller,
  route: Pick<AnyRoute, "id" | "access" | "price">,
  unitsMax: number,
) => MaybePromise<Admission>;

export interface AdmitParts {
  gate: Pick<CallerGate, "enter">;
  ledger: Ledger;
  grants: Pick<Grants, "account">;
  clock: Clock;
  links: Links;
  metering: boolean;
}

export function createAdmit({ gate, ledger, grants, clock, links, metering }: AdmitParts): Admit {
  const till = { ledger, links };
  const requirePaid = async (caller: KeyCaller, credits: number, resolutions: number) => {
    if (clock.now() - caller.view.asOf > REFUSED_ON_BALANCE_OF_MS) {
      await grants.account(caller.accountId).catch(storeFault);
      bringUpToDate(caller.view, clock.now());
    }
    const refused = expectedRefusal(caller, credits, resolutions);
    if (refused) throw paymentFault(refused, caller, credits, links);
  };
  return (caller, route, unitsMax) => {
    if (route.access === "open")
      return unmeteredAdmission(
        () => creditsLeftOf(caller),
        () => {},
      );
    requirePlan(caller, route, links);
    const place = gate.enter(caller);
    const { price } = route;
    if (caller.kind === "keyless" || !metering || (price.credits === 0 && !price.resolution)) {
      return unmeteredAdmission(
        () => creditsLeftOf(caller),
        () => place.release(),
      );
    }
    const admission = new MeteredAdmission(caller, route, till, place);
    const credits = price.credits * (price.unit === "call" ? 1 : unitsMax);
    const resolutions = price.resolution ? 1 : 0;
    if (expectedRefusal(caller, credits, resolutions) === null) return admission;
    return requirePaid(caller, credits, resolutions).then(
      () => admission,
      (error) => {
        place.release();
        throw error;
      },
    );
  };
}

function requirePlan(caller: Caller, route: Pick<AnyRoute, "access">, links: Links): void {
  if (caller.kind === "keyless") {
    if (route.access !== "keyless") throw fault("unauthorized", "This call needs a key.");
  } else if (route.access === "onChain" && !PLANS[caller.plan].onChain) {
    throw fault("plan_required", "This needs the Growth or the Scale plan.", {
      plan: caller.plan,
      upgradeUrl: links.upgradeUrl,
    });
  }
}

/** Credits left as far as this node knows; null without a key. */
export function creditsLeftOf(caller: Caller): number | null {
  return caller.kind === "key" ? remainingOf(caller.view.account) : null;
}
