// A payment as its owner sees it: what to pay, where, by when, and how far it is.
import type { z } from "zod";
import type { Payment } from "../../../contract/shapes/account.ts";
import type { StoredPayment } from "../../store/money/payments.ts";
import { coinsOf, decimalText } from "./money.ts";
import { type Payable, titleOf } from "./order.ts";

export type PaymentAnswer = z.infer<typeof Payment>;

const LABEL = "Crowdtape";

export function viewOf(payment: StoredPayment, publicUrl: string, now: number): PaymentAnswer {
  const { decimals, expiresAt } = payment;
  const paid = BigInt(payment.paidAtomic);
  // Time passes also while the chain can't be read, and then nothing is written.
  const overdue = payment.status === "awaiting_payment" && now >= expiresAt;
  return {
    paymentId: payment.paymentId,
    status: overdue ? "expired" : (payment.status as PaymentAnswer["status"]),
    plan: payment.plan as PaymentAnswer["plan"],
    credits: payment.credits,
    amount: coinsOf(BigInt(payment.amountAtomic), decimals),
    amountAtomic: payment.amountAtomic,
    asset: { symbol: payment.symbol, mint: payment.mint, decimals },
    network: payment.network,
    recipient: payment.recipient,
    reference: payment.reference,
    memo: payment.memo,
    url: payUrl(payment),
    createdAt: new Date(payment.createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    statusUrl: `${publicUrl}/pay/${payment.paymentId}`,
    pageUrl: `${publicUrl}/pay/${payment.paymentId}/page`,
    receivedAmount: paid > 0n ? coinsOf(paid, decimals) : null,
    signature: payment.signature,
    creditedAt: payment.creditedAt === null ? null : new Date(payment.creditedAt).toISOString(),
    test: payment.test === 1,
  };
}

/** A Solana Pay transfer request, for what is still missing once a part has come. Spaces are written as %20: wallets do not read + as one. */
function payUrl(payment: StoredPayment): string {
  const whole = BigInt(payment.amountAtomic);
  const missing = whole - BigInt(payment.paidAtomic);
  const amount = decimalText(missing > 0n ? missing : whole, payment.decimals);
  const what = titleOf(payment.plan as Payable, payment.credits);
  const fields: [string, string][] = [
    ["amount", amount],
    ["spl-token", payment.mint],
    ["reference", payment.reference],
    ["label", LABEL],
    ["message", payment.test === 1 ? `TEST: ${what}` : what],
    ["memo", payment.memo],
  ];
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `solana:${payment.recipient}?${query}`;
}
