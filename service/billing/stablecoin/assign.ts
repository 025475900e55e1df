// Money that arrived without naming a payment, assigned to one by the operator. The chain is queried again, and the
// same rules and the same transaction apply: the right coin, at our own account, final, and never credited before.
import { fault } from "../../../contract/errors.ts";
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import { creditedTo, NO_PAYMENT, recordTransfer } from "../../store/money/payment-transfers.ts";
import type { StoredPayment } from "../../store/money/payments.ts";
import { isSignature } from "./base58.ts";
import type { PaymentChain } from "./chain.ts";
import { receivedAmount } from "./judge.ts";
import type { Settling } from "./settling.ts";

export async function assignTransfer(
  parts: { database: Database; chain: PaymentChain; settling: Settling; clock: Clock },
  signature: string,
  payment: StoredPayment,
): Promise<StoredPayment> {
  const { database, chain, settling, clock } = parts;
  if (!isSignature(signature)) throw fault("invalid_parameter", "This is not a transaction signature.");
  if ((payment.test === 1) !== chain.test) {
    throw fault("conflict", "This payment belongs to another chain than the configured one.");
  }
  const transaction = await chain.transaction(signature);
  if (!transaction) throw fault("not_found", "The chain has no such final transaction.");
  const { recipient, mint, decimals } = payment;
  const tokenAccount = await chain.tokenAccount(recipient, mint);
  const amount = receivedAmount(transaction, { recipient, mint, decimals, tokenAccount });
  if (amount <= 0n) throw fault("conflict", "This transaction sent us none of the payment's coin.");
  const owner = await creditedTo(database.read, signature);
  if (owner !== null) throw fault("conflict", `This transaction has been credited to ${owner}.`);
  const { slot, chainAt } = transaction;
  const finding = { signature, slot, chainAt, amount, mint };
  const settled = await settling.settle(payment.paymentId, [{ ...finding, verdict: "credited" }]);
  // Someone else was quicker, or the transaction was refused for this very payment before.
  if (!settled?.changes.some((change) => change.verdict === "credited")) {
    throw fault("conflict", "This transaction was already decided; nothing was changed.");
  }
  await database.write((tx) =>
    recordTransfer(tx, {
      signature,
      slot,
      chainAt,
      mint,
      amountAtomic: amount.toString(),
      paymentId: NO_PAYMENT,
      verdict: "assigned",
      firstSeenAt: clock.now(),
      decidedAt: clock.now(),
    }),
  );
  return settled.payment;
}
