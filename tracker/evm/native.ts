// The wallet's native leg: its gain or loss of the chain's own coin in one transaction, without the network fee. Refunds and
// router fees are in no log, so the balance difference decides; without one, the logs give an estimate.
import { operationsOf } from "./authority.ts";
import { boughtOfNativePool, bundledFor, paidOutWith, refundedOf } from "./native-hints.ts";
import type { TokenMove } from "./token-move.ts";
import {
  addressIn,
  optionalQuantity,
  quantity,
  type RawReceipt,
  type RawTransaction,
  wordAt,
  ZERO_ADDRESS,
} from "./wire.ts";

/** A wallet's native balance just before and just after the transaction. */
export interface NativeBalances {
  before: bigint;
  after: bigint;
  /** Both are a guess: several transactions of the wallet shared a block. */
  approximate?: boolean;
}

export interface NativeLeg {
  amountRaw: bigint;
  exact: boolean;
}

/** The sender's total network fee. */
export function feeOf(transaction: RawTransaction, receipt: RawReceipt): bigint {
  const price = receipt.effectiveGasPrice ?? transaction.gasPrice;
  const gas = quantity(receipt.gasUsed, "gasUsed") * optionalQuantity(price, "effectiveGasPrice");
  const blobs =
    optionalQuantity(receipt.blobGasUsed, "blobGasUsed") *
    optionalQuantity(receipt.blobGasPrice, "blobGasPrice");
  return gas + blobs + optionalQuantity(receipt.l1Fee, "l1Fee");
}

export function nativeByBalances(balances: NativeBalances, feeRaw: bigint): NativeLeg {
  return { amountRaw: balances.after - balances.before + feeRaw, exact: balances.approximate !== true };
}

/**
 * Without balances: the transaction's own value, and coin unwrapped for a wallet that gave tokens and got none. Exact only
 * where nothing else could have moved the coin: a plain transfer, which runs no code and leaves no log.
 */
export function nativeByLogs(
  transaction: RawTransaction,
  receipt: RawReceipt,
  wallet: string,
  moves: readonly TokenMove[],
  wrapped: string | null,
  net: ReadonlyMap<string, bigint>,
): NativeLeg {
  const value = quantity(transaction.value, "value");
  const isSender = transaction.from.toLowerCase() === wallet;
  let amountRaw = 0n;
  if (isSender) amountRaw -= value;
  if (transaction.to?.toLowerCase() === wallet) amountRaw += value;
  const amounts = [...net.values()];
  const onlyGave = amounts.length > 0 && amounts.every((amount) => amount < 0n);
  const onlyGot = amounts.length > 0 && amounts.every((amount) => amount > 0n);
  const hints =
    wrapped === null
      ? null
      : { receipt, wallet, target: transaction.to?.toLowerCase() ?? "", moves, wrapped, net };
  if (amountRaw === 0n && hints) {
    if (onlyGave)
      amountRaw =
        filledFor(receipt, wallet, net) ??
        (unwrappedFor(receipt, wallet, moves, hints.wrapped) || boughtOfNativePool(hints));
    // A smart account whose transaction is run by a bundler: native payments are its own.
    else if (onlyGot && operationsOf(receipt.logs, wallet).length > 0)
      amountRaw = -onlyWrapping(moves, hints.wrapped);
    else if (isSender) amountRaw = amounts.length === 0 ? bundledFor(hints) : paidOutWith(hints);
  } else if (hints && isSender) amountRaw += refundedOf(hints, value);
  return { amountRaw, exact: receipt.logs.length === 0 && net.size === 0 };
}

/** The address contracts use for the native coin in place of a token. */
const NATIVE_PLACEHOLDER = BigInt(`0x${"e".repeat(40)}`);

/** An order's fill, as settlement contracts report it: this wallet, this much of its token, for this much native coin. */
function filledFor(receipt: RawReceipt, wallet: string, net: ReadonlyMap<string, bigint>): bigint | null {
  for (const log of receipt.logs) {
    if (!log.topics.slice(1).some((topic) => addressIn(topic) === wallet)) continue;
    const words: bigint[] = [];
    for (let word = wordAt(log.data, 0); word !== undefined; word = wordAt(log.data, words.length))
      words.push(word);
    if (!words.includes(NATIVE_PLACEHOLDER)) continue;
    for (const [token, amount] of net) {
      const at = words.indexOf(-amount);
      if (words.includes(BigInt(token)) && at >= 0) return words[at + 1] ?? null;
    }
  }
  return null;
}

/** Of all unwrapped coin, the part confirmed by an event naming the wallet; else all of it, if there was a single unwrap. */
function unwrappedFor(
  receipt: RawReceipt,
  wallet: string,
  moves: readonly TokenMove[],
  wrapped: string,
): bigint {
  const unwrapped = moves
    .filter((move) => move.token === wrapped && move.to === ZERO_ADDRESS)
    .map((move) => move.amountRaw);
  if (unwrapped.length === 0) return 0n;
  for (const log of receipt.logs) {
    if (!log.topics.slice(1).some((topic) => addressIn(topic) === wallet)) continue;
    for (let index = 0; ; index += 1) {
      const word = wordAt(log.data, index);
      if (word === undefined) break;
      if (unwrapped.includes(word)) return word;
    }
  }
  return unwrapped.length === 1 ? (unwrapped[0] ?? 0n) : 0n;
}

/** The wrapped amount, if there was a single wrap. */
function onlyWrapping(moves: readonly TokenMove[], wrapped: string): bigint {
  const [only, ...more] = moves.filter((move) => move.token === wrapped && move.from === ZERO_ADDRESS);
  return only && more.length === 0 ? only.amountRaw : 0n;
}
