// Splits a wallet's native balance change over a block among its transactions in it. A single transaction gets all of it. With
// several, the certain amounts are subtracted first, and what stays open is marked as such.
import type { EvmChain } from "./chains.ts";
import { netOf, readMoves } from "./moves.ts";
import { feeOf, type NativeBalances, nativeByLogs } from "./native.ts";
import { optionalQuantity, quantity, type RawReceipt, type RawTransaction } from "./wire.ts";

export interface WalletBlock {
  chain: EvmChain;
  wallet: string;
  /** The balance change from the previous block to this one, minus consensus-layer withdrawals. */
  gainedRaw: bigint;
  /** All transactions in the block that the wallet sent, got value from, or moved tokens in. */
  transactions: { transaction: RawTransaction; receipt: RawReceipt }[];
}

/** The gas of a transaction that runs no code: its native amount is its value. */
const PLAIN_TRANSFER_GAS = 21_000n;

interface Part {
  hash: string;
  /** The gain if it is certain, network fee included; null while open. */
  certain: bigint | null;
  /** The best guess while open. */
  guess: bigint;
  /** A guess that is almost certainly right: the wallet's tokens did not move, or tokens already balance tokens. */
  isLikely: boolean;
}

/** By transaction hash: a balance before and after that represent the transaction's own effect. */
export function shareNative(block: WalletBlock): Map<string, NativeBalances> {
  const parts = block.transactions.map((one) => partOf(block, one.transaction, one.receipt));
  let rest = block.gainedRaw;
  for (const { certain } of parts) rest -= certain ?? 0n;
  const open = parts.filter(({ certain }) => certain === null);
  const shares = new Map<string, NativeBalances>();
  const put = (part: Part, gained: bigint, approximate: boolean) =>
    shares.set(part.hash, { before: 0n, after: gained, approximate });
  for (const part of parts) if (part.certain !== null) put(part, part.certain, false);

  const [only, ...more] = open;
  if (only && more.length === 0) {
    put(only, rest, false);
    return shares;
  }
  const guessed = open.reduce((sum, { guess }) => sum + guess, 0n);
  const unlikely = open.filter(({ isLikely }) => !isLikely);
  const [last, ...others] = unlikely;
  if (guessed !== rest && last && others.length === 0) {
    // All the others are as good as certain: the remainder belongs to the last one.
    for (const part of open) if (part !== last) put(part, part.guess, false);
    put(last, rest - (guessed - last.guess), false);
    return shares;
  }
  // Guesses that add up to the block's true sum are taken as right.
  for (const part of open) put(part, part.guess, guessed !== rest);
  return shares;
}

function partOf({ chain, wallet }: WalletBlock, transaction: RawTransaction, receipt: RawReceipt): Part {
  const hash = transaction.hash.toLowerCase();
  const isSender = transaction.from.toLowerCase() === wallet;
  const feeRaw = isSender ? feeOf(transaction, receipt) : 0n;
  if (receipt.status !== undefined && optionalQuantity(receipt.status, "status") === 0n)
    return { hash, certain: -feeRaw, guess: -feeRaw, isLikely: true };
  const { fungible } = readMoves(receipt.logs, chain.wrapped, chain.mirrors);
  const net = netOf(fungible, wallet);
  const byLogs = nativeByLogs(transaction, receipt, wallet, fungible, chain.wrapped, net).amountRaw - feeRaw;
  const isPlain = receipt.logs.length === 0 && quantity(receipt.gasUsed, "gasUsed") === PLAIN_TRANSFER_GAS;
  const amounts = [...net.values()];
  const isBalanced = amounts.some((amount) => amount > 0n) && amounts.some((amount) => amount < 0n);
  return {
    hash,
    certain: isPlain ? byLogs : null,
    guess: byLogs,
    isLikely: net.size === 0 || isBalanced,
  };
}
