// Maps Stripe prices to plans. An operator may name prices; for a plan without one a price is found by a name that
// includes the amount, or created, so that Stripe charges what the plans say, and two keys are all it takes.
import type StripeSdk from "stripe";
import { PLANS } from "../../../contract/plans.ts";
import { createLru } from "../../../kit/lru.ts";
import type { PaidPlan } from "./provider.ts";

export type GivenPrices = Readonly<Record<PaidPlan, string | null>>;

export interface Prices {
  priceOf(plan: PaidPlan): Promise<string>;
  /** Null for a price that is not one of ours. */
  planOf(priceId: string): Promise<PaidPlan | null>;
}

const PAID_PLANS = ["starter", "growth", "scale"] as const satisfies readonly PaidPlan[];
/** Prices that subscriptions still have are few; one that is forgotten is asked for again. */
const PRICES_KNOWN = 200;

const centsOf = (plan: PaidPlan) => Math.round(PLANS[plan].priceUsd * 100);
const lookupKey = (plan: PaidPlan) => `crowdtape_${plan}_${centsOf(plan)}`;

export function createPrices(sdk: () => Promise<StripeSdk>, given: GivenPrices): Prices {
  const planByPrice = createLru<string, PaidPlan | "other">(PRICES_KNOWN);
  const priceByPlan = new Map<PaidPlan, string>();
  const learn = (plan: PaidPlan, priceId: string) => {
    priceByPlan.set(plan, priceId);
    planByPrice.set(priceId, plan);
    return priceId;
  };
  for (const plan of PAID_PLANS) {
    const priceId = given[plan];
    if (priceId !== null) learn(plan, priceId);
  }

  const find = async (plan: PaidPlan): Promise<string | null> => {
    const stripe = await sdk();
    const found = await stripe.prices.list({ lookup_keys: [lookupKey(plan)], active: true, limit: 1 });
    return found.data[0]?.id ?? null;
  };
  const make = async (plan: PaidPlan): Promise<string> => {
    const stripe = await sdk();
    const made = await stripe.prices.create({
      lookup_key: lookupKey(plan),
      currency: "usd",
      unit_amount: centsOf(plan),
      recurring: { interval: "month" },
      tax_behavior: "inclusive",
      product_data: { name: `Crowdtape ${PLANS[plan].title}` },
    });
    return made.id;
  };

  return {
    async priceOf(plan) {
      const known = priceByPlan.get(plan);
      if (known !== undefined) return known;
      const found = await find(plan);
      if (found !== null) return learn(plan, found);
      // Another node may have made it in the meantime; Stripe refuses a second one of the same name.
      const made = await make(plan).catch(async (error) => {
        const theirs = await find(plan);
        if (theirs === null) throw error;
        return theirs;
      });
      return learn(plan, made);
    },
    async planOf(priceId) {
      const known = planByPrice.get(priceId);
      if (known !== undefined) return known === "other" ? null : known;
      const stripe = await sdk();
      const price = await stripe.prices.retrieve(priceId);
      // The amount may have changed since, so only the plan's name in the lookup key counts.
      const plan = PAID_PLANS.find((name) => price.lookup_key?.startsWith(`crowdtape_${name}_`)) ?? null;
      planByPrice.set(priceId, plan ?? "other");
      return plan;
    },
  };
}
