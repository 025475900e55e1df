// What may be bought with a stablecoin, for how much. A plan costs exactly its price for one month that does not
// renew; credits cost any whole number of cents between the contract's bounds.
import { fault } from "../../../contract/errors.ts";
import { PLANS, PREPAID } from "../../../contract/plans.ts";
import { PAYABLE } from "../../../contract/shapes/account.ts";
import { centsOf } from "./money.ts";

export type Payable = (typeof PAYABLE)[number];

export interface Order {
  plan: Payable;
  /** US dollars. A plan has its own price, so it may be left out. */
  amount?: number | undefined;
}

export interface PaymentQuote {
  plan: Payable;
  cents: number;
  credits: number;
}

/** What the payer's wallet shows. */
export function titleOf(plan: Payable, credits: number): string {
  return plan === "credits"
    ? `${credits.toLocaleString("en-US")} prepaid credits`
    : `One month of ${PLANS[plan].title}`;
}

export function quote(order: Order): PaymentQuote {
  if (!PAYABLE.includes(order.plan)) {
    throw fault("invalid_body", "The plan must be one of credits, starter, growth or scale.", {
      param: "plan",
      allowed: [...PAYABLE],
    });
  }
  return order.plan === "credits" ? quoteCredits(order.amount) : quotePlan(order.plan, order.amount);
}

function quoteCredits(amount: number | undefined): PaymentQuote {
  const { minimumUsd, maximumUsd, creditsPerUsd } = PREPAID;
  const range = `from ${minimumUsd} to ${maximumUsd.toLocaleString("en-US")} US dollars`;
  if (amount === undefined) throw badAmount(`Say for how much to buy credits: an amount ${range}.`);
  if (!Number.isFinite(amount) || amount < minimumUsd || amount > maximumUsd) {
    throw badAmount(`Credits can be bought for ${range}.`);
  }
  const cents = centsOf(amount);
  if (cents === null) throw badAmount("An amount has at most two decimals.");
  const credits = Math.floor((cents * creditsPerUsd) / 100);
  return { plan: "credits", cents, credits };
}

function quotePlan(name: Exclude<Payable, "credits">, amount: number | undefined): PaymentQuote {
  const { title, priceUsd, creditsPerMonth } = PLANS[name];
  if (amount !== undefined && amount !== priceUsd) {
    throw badAmount(
      `One month of ${title} costs exactly ${priceUsd} US dollars: send that amount, or none at all.`,
    );
  }
  return { plan: name, cents: Math.round(priceUsd * 100), credits: creditsPerMonth };
}

function badAmount(sentence: string) {
  return fault("invalid_body", sentence, { param: "amount" });
}
