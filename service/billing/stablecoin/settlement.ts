// What paid money buys and which state a payment is in: pure rules over whole numbers, in which nothing paid is lost.
// Prepaid credits are given for each transfer as it becomes final. A plan is given once its price is reached in full;
// whatever a plan does not use (an excess, or a part that stayed short when time ran out) becomes prepaid credits.

type PaymentStatus =
  | "awaiting_payment"
  | "confirming"
  | "credited"
  | "underpaid"
  | "overpaid"
  | "expired"
  | "late";

export interface PaymentStanding {
  plan: string;
  amount: bigint;
  paid: bigint;
  /** The part of it that was on the chain before the payment expired. */
  paidInTime: bigint;
  /** The part of it that has become prepaid credits. */
  converted: bigint;
  planGranted: boolean;
  expiresAt: number;
  /** A transfer is on the chain, but not final. */
  pending: boolean;
}

/**
 * How long after its end a payment waits before a part that stayed short is turned into credits: a transfer sent in
 * time takes about 15 seconds to become final, and an RPC node may lag a minute behind.
 */
export const LAST_TRANSFERS_MS = 120_000;

export interface Settlement {
  status: PaymentStatus;
  /** Give one month of the plan now. */
  grantPlan: boolean;
  /** Turn this much more of the money into prepaid credits now. */
  convert: bigint;
}

export function settlementOf(standing: PaymentStanding, now: number): Settlement {
  const status = statusOf(standing, now);
  const unused = standing.paid - standing.converted;
  if (standing.plan === "credits") return { status, grantPlan: false, convert: unused };
  if (standing.planGranted) return { status, grantPlan: false, convert: unused - standing.amount };
  if (unused >= standing.amount) return { status, grantPlan: true, convert: unused - standing.amount };
  // A transfer that is about to become final may complete the price, so time is not up while one is pending.
  const over = now >= standing.expiresAt + LAST_TRANSFERS_MS && !standing.pending;
  return { status, grantPlan: false, convert: over ? unused : 0n };
}

function statusOf(
  { amount, paid, paidInTime, expiresAt, pending }: PaymentStanding,
  now: number,
): PaymentStatus {
  if (paidInTime >= amount) return paid > amount ? "overpaid" : "credited";
  if (paid > paidInTime) return "late";
  if (pending) return "confirming";
  if (paid > 0n) return "underpaid";
  return now < expiresAt ? "awaiting_payment" : "expired";
}
