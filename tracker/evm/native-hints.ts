// Infers native coin moves, which have no log of their own, from other logs: refunds of wrapped coin, pool shares paid out in
// the coin, native pools, and bundlers' costs. Estimates, used where no node has the balances any more, and never marked exact.
import { eventTopic } from "./signatures.ts";
import type { TokenMove } from "./token-move.ts";
import { TOPICS } from "./topics.ts";
import { addressIn, type RawLog, type RawReceipt, signedWordAt, wordAt, ZERO_ADDRESS } from "./wire.ts";

export interface NativeHints {
  receipt: RawReceipt;
  wallet: string;
  /** The contract that was called. */
  target: string;
  moves: readonly TokenMove[];
  wrapped: string;
  net: ReadonlyMap<string, bigint>;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const wrappedBy = ({ moves, wrapped, target }: NativeHints): bigint[] =>
  moves
    .filter((move) => move.token === wrapped && move.from === ZERO_ADDRESS && move.to === target)
    .map(({ amountRaw }) => amountRaw);

const unwrappedBy = ({ moves, wrapped, target }: NativeHints): bigint[] =>
  moves
    .filter((move) => move.token === wrapped && move.to === ZERO_ADDRESS && move.from === target)
    .map(({ amountRaw }) => amountRaw);

const INCREASE_LIQUIDITY = eventTopic("IncreaseLiquidity(uint256,uint128,uint256,uint256)");

/** The refund from the value sent along: wrapped but unused, or never wrapped by a liquidity manager. */
export function refundedOf(hints: NativeHints, value: bigint): bigint {
  const used = sum(wrappedBy(hints));
  if (used === 0n) return 0n;
  const amounts = [...hints.net.values()];
  if (amounts.length > 0 && amounts.every((amount) => amount > 0n)) {
    const back = sum(unwrappedBy(hints));
    return back < value ? back : 0n;
  }
  const addsLiquidity = hints.receipt.logs.some(
    ({ address, topics }) => topics[0] === INCREASE_LIQUIDITY && address.toLowerCase() === hints.target,
  );
  return addsLiquidity && used < value ? value - used : 0n;
}

/** For a burned share: the payout in a token and, unwrapped once by the called contract, in the coin. */
export function paidOutWith(hints: NativeHints): bigint {
  const { moves, net } = hints;
  const gave = [...net].filter(([, amount]) => amount < 0n);
  const isBurned = gave.every(([token, amount]) =>
    moves.some((move) => move.token === token && move.to === ZERO_ADDRESS && move.amountRaw === -amount),
  );
  const [only, ...more] = unwrappedBy(hints);
  return gave.length > 0 && isBurned && only !== undefined && more.length === 0 ? only : 0n;
}

/**
 * For a singleton's pool against the native coin, which has the smaller address and so is always first: the coin that the pool
 * gave, if it took exactly what the wallet gave and no token of that amount left the singleton.
 */
export function boughtOfNativePool({ receipt, moves, net }: NativeHints): bigint {
  const given = new Set([...net.values()].filter((amount) => amount < 0n));
  const found = receipt.logs.filter(isSwapV4).flatMap((log) => {
    const [first, second] = [signedWordAt(log.data, 0), signedWordAt(log.data, 1)];
    if (first === undefined || second === undefined || first <= 0n || !given.has(second)) return [];
    const manager = log.address.toLowerCase();
    const isToken = moves.some(({ from, amountRaw }) => from === manager && amountRaw === first);
    return isToken ? [] : [first];
  });
  return found.length === 1 ? (found[0] ?? 0n) : 0n;
}

/** A bundler's reimbursement for others' operations. */
export function bundledFor({ receipt, wallet, target }: NativeHints): bigint {
  const operations = receipt.logs.filter(
    ({ address, topics }) => topics[0] === TOPICS.userOperation && address.toLowerCase() === target,
  );
  if (operations.some(({ topics }) => addressIn(String(topics[2])) === wallet)) return 0n;
  return sum(operations.map(({ data }) => wordAt(data, 2) ?? 0n));
}

const isSwapV4 = ({ topics }: RawLog): boolean =>
  topics[0] === TOPICS.swapV4 || topics[0] === TOPICS.swapV4WithFees;
