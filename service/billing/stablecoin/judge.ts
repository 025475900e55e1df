// What a finalized transaction means for a payment. Only a successful one that names the payment's reference and adds
// the payment's coin to the recipient's own token account pays; anything else gets a verdict that says why not.
import { ChainMismatch, type ChainTransaction, type TokenBalance } from "./chain.ts";

/**
 * seen: on the chain but not final. forked: was seen, then gone. unreadable: final, but the RPC does not give it.
 * credited: paid. failed: the transaction had no effect. wrong_coin, wrong_recipient: money moved, but not this coin
 * or not to us. no_transfer: nothing moved. no_reference: the transaction does not name the payment. claimed: it paid
 * another payment. unmatched: it arrived and names none. assigned: it did, and an operator said whose it is.
 */
export type TransferVerdict =
  | "seen"
  | "forked"
  | "unreadable"
  | "credited"
  | "failed"
  | "wrong_coin"
  | "wrong_recipient"
  | "no_transfer"
  | "no_reference"
  | "claimed"
  | "unmatched"
  | "assigned";

export interface PaymentJudgement {
  verdict: TransferVerdict;
  /** What moved, in the coin's smallest unit, and which coin that was. */
  amount: bigint;
  mint: string | null;
}

export interface Expected {
  reference: string;
  recipient: string;
  mint: string;
  decimals: number;
  /** The recipient's associated token account for the mint. */
  tokenAccount: string;
}

export function judge(transaction: ChainTransaction, expected: Expected): PaymentJudgement {
  const none: PaymentJudgement = { verdict: "no_transfer", amount: 0n, mint: null };
  if (transaction.failed) return { ...none, verdict: "failed" };
  if (!transaction.accounts.includes(expected.reference)) return { ...none, verdict: "no_reference" };
  const received = receivedAmount(transaction, expected);
  if (received > 0n) return { verdict: "credited", amount: received, mint: expected.mint };
  const gains = transaction.balances.filter((balance) => balance.after > balance.before);
  const toUs = gains.find(
    (balance) => balance.owner === expected.recipient && balance.mint !== expected.mint,
  );
  if (toUs) return { verdict: "wrong_coin", amount: gain(toUs), mint: toUs.mint };
  const ofCoin = gains.find((balance) => balance.mint === expected.mint);
  if (ofCoin) return { verdict: "wrong_recipient", amount: gain(ofCoin), mint: ofCoin.mint };
  const [other] = gains;
  return other ? { verdict: "wrong_coin", amount: gain(other), mint: other.mint } : none;
}

/** What the recipient's token account gained; 0 or less when it gained nothing. */
export function receivedAmount(transaction: ChainTransaction, expected: Omit<Expected, "reference">): bigint {
  const balance = transaction.balances.find(
    ({ account, mint }) => account === expected.tokenAccount && mint === expected.mint,
  );
  // An account that changed hands within the transaction brings its old balance along; that is no payment.
  const ours =
    balance?.owner === expected.recipient &&
    (balance.ownerBefore === null || balance.ownerBefore === expected.recipient);
  if (!balance || !ours || transaction.failed) return 0n;
  if (balance.decimals !== expected.decimals) {
    throw new ChainMismatch(
      `The coin ${expected.mint} has ${balance.decimals} decimals, not ${expected.decimals} as set.`,
    );
  }
  return gain(balance);
}

function gain(balance: TokenBalance): bigint {
  return balance.after - balance.before;
}
