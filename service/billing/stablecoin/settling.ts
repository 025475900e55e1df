// The one place where transfers become credits. Recording transfers, moving the payment's state and granting what was
// paid for is one transaction under the payment's lock: a repeat, a crash or a second node changes nothing.

import type { Database, Queries } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import type { Counter } from "../../../kit/metrics.ts";
import { creditedTo, hasSeenTransfer, recordTransfer } from "../../store/money/payment-transfers.ts";
import { lockPayment, type StoredPayment, updateSettlement } from "../../store/money/payments.ts";
import type { PaymentGrant, PaymentGrants } from "./grants.ts";
import type { PaymentJudgement, TransferVerdict } from "./judge.ts";
import { creditsOf } from "./money.ts";
import type { Payable } from "./order.ts";
import { type Settlement, settlementOf } from "./settlement.ts";

/** What was found on the chain about one transaction. */
export interface Finding extends PaymentJudgement {
  signature: string;
  slot: number;
  chainAt: number | null;
}

interface SettledPayment {
  payment: StoredPayment;
  /** What happened for the first time in this call. */
  changes: { signature: string; verdict: TransferVerdict }[];
  grants: PaymentGrant[];
}

export interface Settling {
  /** Null when there is no such payment. */
  settle(paymentId: string, findings: readonly Finding[]): Promise<SettledPayment | null>;
}

/** These may still turn out otherwise: the same transaction can be found again, final and readable. */
const UNDECIDED: readonly TransferVerdict[] = ["seen", "forked", "unreadable"];
const PLAN_MONTHS = 1;

export function createSettling(parts: {
  database: Database;
  grants: PaymentGrants;
  clock: Clock;
  log: Log;
  transfers: Counter;
}): Settling {
  const { database, grants, clock, log, transfers } = parts;
  return {
    async settle(paymentId, findings) {
      const settled = await database.write((tx) =>
        settleInside(tx, grants, paymentId, findings, clock.now()),
      );
      if (!settled) return null;
      for (const { signature, verdict } of settled.changes) {
        transfers.of({ verdict }).add();
        log.info("A transfer was judged.", { paymentId, signature, verdict });
      }
      if (settled.grants.length > 0) {
        grants.announce(settled.payment.accountId);
        log.info("A stablecoin payment was credited.", { paymentId, grants: settled.grants });
      }
      return settled;
    },
  };
}

async function settleInside(
  tx: Queries,
  grants: PaymentGrants,
  paymentId: string,
  findings: readonly Finding[],
  now: number,
): Promise<SettledPayment | null> {
  const locked = await lockPayment(tx, paymentId);
  if (!locked) return null;
  const payment = { ...locked };
  const changes: SettledPayment["changes"] = [];
  for (const finding of findings) {
    const verdict = await record(tx, payment, finding, now);
    if (verdict) changes.push({ signature: finding.signature, verdict });
    if (verdict === "credited") addPaid(payment, finding, now);
  }
  const pending = await hasSeenTransfer(tx, paymentId);
  const settlement = settlementOf(
    {
      plan: payment.plan,
      amount: BigInt(payment.amountAtomic),
      paid: BigInt(payment.paidAtomic),
      paidInTime: BigInt(payment.paidInTimeAtomic),
      converted: BigInt(payment.convertedAtomic),
      planGranted: payment.planGranted === 1,
      expiresAt: payment.expiresAt,
      pending,
    },
    now,
  );
  const due = grantsOf(payment, settlement, now);
  for (const grant of due) await grants.apply(tx, grant);
  payment.status = settlement.status;
  payment.convertedAtomic = (BigInt(payment.convertedAtomic) + settlement.convert).toString();
  if (settlement.grantPlan) payment.planGranted = 1;
  if (due.length > 0) payment.creditedAt ??= now;
  await updateSettlement(tx, payment);
  return { payment, changes, grants: due };
}

/** The verdict, if it is news. A transaction that paid one payment never pays a second. */
async function record(
  tx: Queries,
  payment: StoredPayment,
  finding: Finding,
  now: number,
): Promise<TransferVerdict | null> {
  const other = finding.verdict === "credited" ? await creditedTo(tx, finding.signature) : null;
  const verdict = other === null || other === payment.paymentId ? finding.verdict : "claimed";
  const written = await recordTransfer(tx, {
    signature: finding.signature,
    paymentId: payment.paymentId,
    verdict,
    mint: finding.mint,
    amountAtomic: finding.amount.toString(),
    slot: finding.slot,
    chainAt: finding.chainAt,
    firstSeenAt: now,
    decidedAt: UNDECIDED.includes(verdict) ? null : now,
  });
  return written ? verdict : null;
}

function addPaid(payment: StoredPayment, finding: Finding, now: number): void {
  payment.paidAtomic = (BigInt(payment.paidAtomic) + finding.amount).toString();
  payment.signature = finding.signature;
  // The chain's time, not ours: a payment made in time is in time, even if our RPC was away for days.
  if ((finding.chainAt ?? now) <= payment.expiresAt) {
    payment.paidInTimeAtomic = (BigInt(payment.paidInTimeAtomic) + finding.amount).toString();
  }
}

function grantsOf(payment: StoredPayment, settlement: Settlement, at: number): PaymentGrant[] {
  const { paymentId, accountId, decimals } = payment;
  const grants: PaymentGrant[] = [];
  const plan = payment.plan as Payable;
  if (settlement.grantPlan && plan !== "credits") {
    const reference = `stablecoin:${paymentId}:plan`;
    grants.push({ kind: "plan", accountId, plan, months: PLAN_MONTHS, reference, at });
  }
  // The difference of two sums, so that fractions of a credit add up instead of getting lost.
  const before = BigInt(payment.convertedAtomic);
  const after = before + settlement.convert;
  const credits = creditsOf(after, decimals) - creditsOf(before, decimals);
  if (credits > 0) {
    grants.push({ kind: "prepaid", accountId, credits, reference: `stablecoin:${paymentId}:${after}`, at });
  }
  return grants;
}
