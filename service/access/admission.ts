// One admitted call, from the promise that it can be paid for to its charge. Its cost is known when it ends: units
// answered, the miss price, or nothing. It is charged once, and its place among the caller's calls is released
// back once.
import type { AnyRoute, Price } from "../../contract/route.ts";
import type { MaybePromise } from "../../kit/maybe-promise.ts";
import { remainingOf } from "../store/money/accounts.ts";
import type { KeyCaller } from "./identity/caller.ts";
import type { ChargeResult } from "./ledger/decide.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { RequestPlace } from "./limits/gate.ts";
import { type Links, paymentFault } from "./payment-fault.ts";

export interface ChargeReceipt {
  cost: number;
  /** Null for callers without a key. */
  remaining: number | null;
}

interface Finish {
  /** Identifies the charge, with its account and time. We must generate it, new for each call. */
  requestId: string;
  /** Pages or upstream calls that answered. */
  units: number;
  outcome: "hit" | "miss" | "free";
}

export interface Admission {
  remaining(): number | null;
  /** Resolves when the charge is durable; throws the 402 or 503 that the caller must get instead of the answer. */
  finish(end: Finish): MaybePromise<ChargeReceipt>;
  /** The same, but maps the receipt with `settle` and a later error with `refuse`, to save promises. */
  finish<T>(
    end: Finish,
    settle: (receipt: ChargeReceipt) => T,
    refuse?: (error: unknown) => MaybePromise<T>,
  ): MaybePromise<T>;
  /** Releases the place; safe to call twice, required on every exit path. */
  release(): void;
}

/** The cost of a call with this outcome. */
function costOf(price: Price, end: Pick<Finish, "units" | "outcome">): number {
  if (end.outcome === "free") return 0;
  if (end.outcome === "miss") return price.miss;
  return price.unit === "call" ? price.credits : price.credits * end.units;
}

export function unmeteredAdmission(remaining: () => number | null, release: () => void): Admission {
  const finish = <T>(_end: Finish, settle: (receipt: ChargeReceipt) => T = itself) =>
    settle({ cost: 0, remaining: remaining() });
  return { remaining, finish, release };
}

const itself = <T>(receipt: ChargeReceipt): T => receipt as T;

/** One per metered call, so it is a class: its methods are not created for each. */
export class MeteredAdmission implements Admission {
  constructor(
    private readonly caller: KeyCaller,
    private readonly route: Pick<AnyRoute, "id" | "price">,
    private readonly till: { ledger: Ledger; links: Links },
    private readonly place: RequestPlace,
  ) {}

  remaining(): number {
    return remainingOf(this.caller.view.account);
  }

  release(): void {
    this.place.release();
  }

  finish<T>(
    end: Finish,
    settle: (receipt: ChargeReceipt) => T = itself,
    refuse?: (error: unknown) => MaybePromise<T>,
  ): MaybePromise<T> {
    const { price } = this.route;
    const credits = costOf(price, end);
    const resolutions = end.outcome === "hit" && price.resolution ? 1 : 0;
    if (credits === 0 && resolutions === 0) return settle({ cost: 0, remaining: this.remaining() });
    const { caller, route, till } = this;
    const order = {
      requestId: end.requestId,
      accountId: caller.accountId,
      keyId: caller.keyId,
      routeId: route.id,
      credits,
      resolutions,
      at: till.ledger.moment(),
      capOf: caller.key.monthlyCap === null ? null : caller.key.lineage,
      view: caller.view,
    };
    const settleResult = (result: ChargeResult) => {
      if (result.capUsed !== null) {
        caller.key.capUsed = result.capUsed;
        caller.key.capPeriodStart = result.account.periodStart;
      }
      if (result.refused === null) return settle({ cost: credits, remaining: result.remaining });
      throw paymentFault(result.refused, caller, credits, till.links);
    };
    return till.ledger.charge(order, settleResult, refuse);
  }
}
