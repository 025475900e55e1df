// The caller's own account: plan, usage, keys, stream tickets, payments. All free.
import { z } from "zod";
import { fromBeforeTo, instant } from "../instants.ts";
import { formed, jsonWhole, limit, oneOf, ownName, parameter } from "../parts.ts";
import { PREPAID } from "../plans.ts";
import { defineRoute, FREE, NO_CACHE } from "../route.ts";
import {
  KeysAnswer,
  MeAnswer,
  NewKeyAnswer,
  PAYABLE,
  Payment,
  PaymentsAnswer,
  RevokedKeyAnswer,
  StreamTicketAnswer,
  USAGE_GROUPS,
  UsageAnswer,
} from "../shapes/account.ts";

const own = { access: "key", price: FREE, cache: NO_CACHE } as const;

const ownId = (description: string) =>
  formed(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -", description);

export const getMe = defineRoute({
  ...own,
  id: "getMe",
  path: "/v2/me",
  tag: "Account",
  summary: "Plan, balance and limits",
  description: "This key's permissions, remaining balance and renewal time.",
  answer: MeAnswer,
  example: {},
});

export const getUsage = defineRoute({
  ...own,
  id: "getUsage",
  path: "/v2/usage",
  tag: "Account",
  summary: "What was spent",
  description:
    "Charged calls and credits of the account, by day, operation or key. Without `from`, the last 30 days.",
  check: fromBeforeTo,
  query: z.strictObject({
    from: instant("The beginning, included.").optional(),
    to: instant("The end, exclusive; defaults to now.").optional(),
    groupBy: oneOf(USAGE_GROUPS, "What rows are summed by.").default("day"),
    format: oneOf(["json", "csv"], "The answer's form.").default("json"),
  }),
  answer: UsageAnswer,
  otherMediaTypes: ["text/csv"],
  example: { query: { groupBy: "route" } },
});

export const listKeys = defineRoute({
  ...own,
  id: "listKeys",
  path: "/v2/keys",
  tag: "Account",
  summary: "The account's keys",
  description: "Without their secrets: those were shown once.",
  answer: KeysAnswer,
  example: {},
});

const CAP_MAX = 1_000_000_000;

export const createKey = defineRoute({
  ...own,
  id: "createKey",
  method: "POST",
  path: "/v2/keys",
  tag: "Account",
  summary: "Make a key",
  description:
    "Another key of the same account. The answer contains the key itself, which is shown only once.",
  body: z.strictObject({
    name: ownName().optional(),
    monthlyCap: jsonWhole(
      1,
      CAP_MAX,
      "Credits that this key may spend a month; without it, no cap.",
    ).optional(),
  }),
  errors: ["key_restricted"],
  status: 201,
  answer: NewKeyAnswer,
  example: { body: { name: "production", monthlyCap: 500_000 } },
});

const keyId = z.strictObject({ id: ownId("The key's id.") });
/** A week is enough to roll out a new key to a fleet; with more, the old key is simply a second key. */
const OVERLAP_SECONDS_MAX = 604_800;

export const rotateKey = defineRoute({
  ...own,
  id: "rotateKey",
  method: "POST",
  path: "/v2/keys/{id}/rotate",
  tag: "Account",
  summary: "Replace a key",
  description: "Replaces this key with a new one. The old one keeps working for `overlapSeconds`.",
  params: keyId,
  body: z.strictObject({
    overlapSeconds: jsonWhole(0, OVERLAP_SECONDS_MAX, "How long the old key keeps working.").default(0),
  }),
  status: 201,
  answer: NewKeyAnswer,
  errors: ["key_restricted", "not_found"],
  example: { params: { id: "{keyId}" }, body: { overlapSeconds: 3600 } },
});

export const revokeKey = defineRoute({
  ...own,
  id: "revokeKey",
  method: "DELETE",
  path: "/v2/keys/{id}",
  tag: "Account",
  summary: "Revoke a key",
  description: "It stops working on every node within five seconds, and its sockets close.",
  params: keyId,
  answer: RevokedKeyAnswer,
  errors: ["key_restricted", "not_found", "conflict"],
  example: { params: { id: "{keyId}" } },
});

export const createStreamTicket = defineRoute({
  ...own,
  id: "createStreamTicket",
  method: "POST",
  path: "/v2/stream-tickets",
  tag: "Account",
  summary: "A pass to a socket",
  description:
    "Opens one socket within 60 seconds on the key's behalf, so that the key itself stays out of URLs.",
  status: 201,
  answer: StreamTicketAnswer,
  example: {},
});

const isCents = (amount: number) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6;

export const createPayment = defineRoute({
  ...own,
  id: "createPayment",
  method: "POST",
  path: "/pay/create",
  tag: "Payments",
  summary: "Pay in a stablecoin",
  description:
    `Prepaid credits at ${PREPAID.creditsPerUsd.toLocaleString("en")} a dollar, or one month of a plan that does not renew. ` +
    "Without payment settings it runs on the built-in chain and says `test:true`.",
  body: z
    .strictObject({
      plan: oneOf(PAYABLE, "`credits` for prepaid ones, or a plan for a month of it."),
      amount: parameter(z.number().min(PREPAID.minimumUsd).max(PREPAID.maximumUsd).refine(isCents), {
        must: `must be a number of dollars from ${PREPAID.minimumUsd} to ${PREPAID.maximumUsd}, with at most two decimals`,
        description:
          "Dollars to pay. Needed for credits; for a plan it is the plan's price and may be left out.",
        schema: { type: "number", minimum: PREPAID.minimumUsd, maximum: PREPAID.maximumUsd },
      }).optional(),
    })
    .refine((body) => body.plan !== "credits" || body.amount !== undefined, {
      path: ["amount"],
      message: "amount is missing: say how many dollars of credits to buy.",
    }),
  status: 201,
  errors: ["payments_not_configured"],
  answer: Payment,
  example: { body: { plan: "credits", amount: 50 } },
});

export const listPayments = defineRoute({
  ...own,
  id: "listPayments",
  path: "/v2/payments",
  tag: "Payments",
  summary: "The account's payments",
  description: "Stablecoin payments of this account, newest first, each with its state.",
  query: z.strictObject({ limit: limit(1, 100, 20, "How many payments at most.") }),
  answer: PaymentsAnswer,
  example: { query: { limit: "10" } },
});

export const getPayment = defineRoute({
  ...own,
  id: "getPayment",
  path: "/pay/{paymentId}",
  tag: "Payments",
  summary: "A payment's state",
  description: "Whether it was seen, confirmed and credited; short, over, late and expired payments say so.",
  params: z.strictObject({ paymentId: ownId("The payment's id.") }),
  answer: Payment,
  errors: ["not_found"],
  example: { params: { paymentId: "{paymentId}" } },
});
