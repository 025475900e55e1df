// The caller's account: plan and credits, usage, keys, stream tickets, payments; and the two open info calls.
import { z } from "zod";
import { PLAN_NAMES } from "../plans.ts";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

const PAYMENT_STATUSES = [
  "awaiting_payment",
  "confirming",
  "credited",
  "underpaid",
  "overpaid",
  "expired",
  "late",
] as const;
export const PAYABLE = ["credits", "starter", "growth", "scale"] as const;
export const USAGE_GROUPS = ["day", "route", "key"] as const;

export const TIERS = ["keyless", ...PLAN_NAMES] as const;

export const InfoAnswer = shape("InfoAnswer", "This service and the caller's access.", {
  name: leaf.text("What this is.", "crowdtape"),
  version: leaf.text("The service's version.", "2.0.0"),
  tier: leaf.oneOf("The caller's plan; keyless without a key.", TIERS),
  rateLimit: z.strictObject({
    requestsPerMinute: leaf.count("Requests a minute.", 20),
    socketsAtOnce: leaf.count("Sockets open at once.", 2),
    countedPer: leaf.oneOf("What they are counted per.", ["address", "key"]),
  }),
  simulated: leaf.flag("Whether the platform is an invented one: then no trader, token or trade is real."),
  dataset: z.strictObject({
    traders: leaf.count("Traders in the directory.", 2000),
    tokens: leaf.count("Tokens in the directory.", 400),
    events: leaf.count("Events in the log.", 48211),
  }),
  endpoints: z.record(z.string(), z.string()).meta({
    description: "Every operation and its path.",
    examples: [{ getTrader: "GET /v2/users/{handle}" }],
  }),
  streams: z
    .record(z.string(), z.string())
    .meta({ description: "The sockets.", examples: [{ alerts: "/ws/alerts" }] }),
  docs: leaf.text("The reference page.", "/docs"),
  openapi: leaf.text("The OpenAPI document.", "/openapi.json"),
});

export const HealthAnswer = shape("HealthAnswer", "The health of the service.", {
  ok: leaf.flag("Whether the service can answer; false while it can't charge, such as on a full disk.", true),
  traders: leaf.count("Traders in the directory.", 2000),
  uptime: leaf.number("Seconds since the start.", 86400),
  chains: z
    .array(
      z.strictObject({
        chain: leaf.text("The chain's name.", "base"),
        behindSeconds: leaf
          .number("How far behind the chain's head reading is; null before its first block.", 2)
          .nullable(),
        reason: leaf.text("Why reading is blocked; null while it is not.", "no provider answers").nullable(),
      }),
    )
    .describe("Where this service reads chains itself: its progress on each.")
    .optional(),
});

const resetsAt = leaf
  .time("When the month's figures start over; null when the plan does not renew.")
  .nullable();

export const MeAnswer = shape("MeAnswer", "The key's plan, balance and limits.", {
  plan: leaf.plan("The key's plan."),
  planExpiresAt: leaf.time("When the plan ends; null when it does not.").nullable(),
  renews: leaf.flag(
    "Whether there is a next month: the free plan's, one already paid for, or one that a card will be charged for.",
  ),
  key: z.strictObject({
    id: leaf.text("This key's id.", "key_4f0a9c"),
    name: leaf.text("What its owner calls it.", "production").nullable(),
    hint: leaf.text("How it starts and ends; never the key.", "ct_live_…9fQ2aZ"),
  }),
  credits: z.strictObject({
    monthly: leaf.count("Credits a month.", 37500000),
    usedThisMonth: leaf.count("Spent of those.", 1250),
    prepaid: leaf.count("Prepaid ones left; used after the monthly ones.", 0),
    remaining: leaf.count("All that is left.", 37498750),
    resetsAt,
  }),
  resolutions: z.strictObject({
    monthly: leaf.count("Wallet resolutions a month.", 15000),
    usedThisMonth: leaf.count("Spent of those.", 1),
    remaining: leaf.count("What is left.", 14999),
    resetsAt,
  }),
  rate: z.strictObject({
    requestsPerMinute: leaf.count("Requests a minute.", 600),
    inFlightAtMost: leaf.count("Requests at the same moment.", 50),
    socketsAtOnce: leaf.count("Sockets open at once.", 25),
  }),
  streams: z.strictObject({
    appFeed: z.strictObject({
      path: leaf.text("Where it is.", "/ws/alerts"),
      included: leaf.flag("Whether the plan includes it.", true),
      delaySeconds: leaf.count("The current delay for this key.", 0),
    }),
    onChain: z.strictObject({
      path: leaf.text("Where it is.", "/ws/trades"),
      included: leaf.flag("Whether the plan includes it.", true),
    }),
  }),
});

export const UsageAnswer = shape("UsageAnswer", "What the account spent.", {
  from: leaf.time("The beginning, included."),
  to: leaf.time("The end, not included."),
  groupBy: leaf.oneOf("What rows are summed by.", USAGE_GROUPS),
  count: leaf.count("How many rows follow.", 1),
  totalCalls: leaf.count("Charged calls in all.", 5),
  totalCredits: leaf.count("Credits in all.", 1250),
  rows: z.array(
    z.strictObject({
      group: leaf.text("The day (UTC), the operation, or the key's id.", "2026-03-14"),
      calls: leaf.count("Charged calls.", 5),
      credits: leaf.count("Credits they cost.", 1250),
    }),
  ),
});

const keyFields = {
  id: leaf.text("The key's id.", "key_4f0a9c"),
  name: leaf.text("What its owner calls it.", "production").nullable(),
  plan: leaf.plan("The account's plan."),
  hint: leaf.text("How the key starts and ends.", "ct_live_…9fQ2aZ"),
  monthlyCap: leaf.count("Credits this key may spend a month; null without a cap.", 500000).nullable(),
  usedThisMonth: leaf.count("Credits it spent this month.", 1250),
  createdAt: leaf.time("When it was made."),
  lastUsedAt: leaf.time("When it was last used.").nullable(),
  expiresAt: leaf.nullInSample(leaf.time("When a rotated key stops working; null when it does not.")),
  revokedAt: leaf.nullInSample(leaf.time("When it was revoked; null while it works.")),
};

const ApiKey = shape("ApiKey", "A key, without its secret.", keyFields);

export const KeysAnswer = shape("KeysAnswer", "The account's keys.", {
  count: leaf.count("How many keys follow.", 1),
  keys: z.array(ApiKey),
});

export const NewKeyAnswer = shape("NewKeyAnswer", "A key with its secret, shown once.", {
  key: leaf.text("The key itself. It is shown only once.", `ct_live_${"0123456789".repeat(4)}`),
  ...keyFields,
  replaces: leaf.nullInSample(leaf.text("The id of the key it replaces; null on a new one.", "key_77b1de")),
});

export const RevokedKeyAnswer = shape("RevokedKeyAnswer", "A revoked key.", {
  id: leaf.text("The key's id.", "key_4f0a9c"),
  revokedAt: leaf.time("When it stopped working."),
});

export const StreamTicketAnswer = shape(
  "StreamTicketAnswer",
  "A single-use pass to a socket, so that keys stay out of URLs.",
  {
    ticket: leaf.text("Pass it as ?ticket= on a socket, once.", "tkt_m0C2xq7Jm1s9bQ4v"),
    expiresAt: leaf.time("When it expires."),
    expiresInSeconds: leaf.count("Seconds until then.", 60),
  },
);

export const Payment = shape("Payment", "A stablecoin payment and its state.", {
  paymentId: leaf.text("The payment's id.", "pay_8Zk2mQ"),
  status: leaf.oneOf("How far it is.", PAYMENT_STATUSES),
  plan: leaf.oneOf("What is bought.", PAYABLE),
  credits: leaf.count("Credits it gives.", 2000000),
  amount: leaf.number("What to pay, in the coin.", 50),
  amountAtomic: leaf.text("The same in the coin's smallest unit.", "50000000"),
  asset: z.strictObject({
    symbol: leaf.text("The coin.", "USDC"),
    mint: leaf.address("Its address."),
    decimals: leaf.count("Its decimals.", 6),
  }),
  network: leaf.text("The chain to pay on.", "solana"),
  recipient: leaf.address("The address to pay to."),
  reference: leaf.address("The key that marks this payment in its transaction."),
  memo: leaf.text("The text that marks it.", "pay_8Zk2mQ"),
  url: leaf.text(
    "The same as a Solana Pay link.",
    "solana:So11111111111111111111111111111111111111112?amount=50",
  ),
  createdAt: leaf.time("When it was requested."),
  expiresAt: leaf.time("Until when to pay."),
  statusUrl: leaf.text("Where to poll its state.", "/pay/pay_8Zk2mQ"),
  pageUrl: leaf.text("A page with the QR code, for people.", "/pay/pay_8Zk2mQ/page"),
  receivedAmount: leaf.nullInSample(leaf.number("The amount received; null before any.", 50)),
  signature: leaf.nullInSample(leaf.txHash("The paying transaction; null before there is one.")),
  creditedAt: leaf.nullInSample(leaf.time("When the credits were granted; null before.")),
  test: leaf.flag("true on the built-in chain: no real money is involved."),
});

export const PaymentsAnswer = shape("PaymentsAnswer", "The account's stablecoin payments.", {
  count: leaf.count("How many payments follow.", 1),
  payments: z.array(Payment).describe("Newest first."),
  truncated: leaf.truncated("Whether there are older ones."),
});
