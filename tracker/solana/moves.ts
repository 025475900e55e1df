// A wallet's net change of every asset, from balances before and after: token amounts per mint over all its accounts, and its
// SOL with wrapped SOL folded in and the network fee and its own accounts' rent added back.
import type { Effects } from "./instructions.ts";
import { WRAPPED_SOL } from "./programs.ts";
import type { SolanaTransaction, TokenAccount } from "./transaction.ts";

/** A wallet's net change of one asset: negative if it gave. */
export interface OwnerMove {
  token: string;
  amount: bigint;
  /** A single indivisible unit: an NFT, a position in a pool. */
  unique: boolean;
}

/** One owner's net token amounts, without wrapped SOL. */
export function netTokens(transaction: SolanaTransaction, owner: string): OwnerMove[] {
  const amounts = new Map<string, bigint>();
  for (const account of transaction.tokenAccounts) {
    const change = tokenChange(account, owner);
    if (change === 0n || WRAPPED_SOL.has(account.mint)) continue;
    amounts.set(account.mint, (amounts.get(account.mint) ?? 0n) + change);
  }
  return [...amounts]
    .filter(([, amount]) => amount !== 0n)
    .map(([token, amount]) => ({ token, amount, unique: isUnique(transaction, token) }));
}

/** An owner's gain or loss in one account, even when the account itself changed hands. */
export function tokenChange(account: TokenAccount, owner: string): bigint {
  const after = account.ownerAfter === owner ? (account.after ?? 0n) : 0n;
  const before = account.ownerBefore === owner ? (account.before ?? 0n) : 0n;
  return after - before;
}

function isUnique(transaction: SolanaTransaction, mint: string): boolean {
  return transaction.tokenAccounts
    .filter((account) => account.mint === mint)
    .every(({ decimals, before, after }) => decimals === 0 && (before ?? 0n) <= 1n && (after ?? 0n) <= 1n);
}

export function netNative(transaction: SolanaTransaction, wallet: string, effects: Effects): bigint {
  const place = transaction.keys.indexOf(wallet);
  let native = place < 0 ? 0n : lamportChange(transaction, place);
  if (place === 0) native += transaction.feeRaw;
  for (const account of transaction.tokenAccounts) {
    if (account.ownerBefore !== wallet && account.ownerAfter !== wallet) continue;
    native += ownAccountChange(transaction, wallet, account, effects);
  }
  return native;
}

/** The part of a token account's lamports that belongs to the wallet's SOL: wrapped SOL, and rent it paid or got back. */
function ownAccountChange(
  transaction: SolanaTransaction,
  wallet: string,
  account: TokenAccount,
  effects: Effects,
): bigint {
  const change = lamportChange(transaction, account.index);
  const wrapped = WRAPPED_SOL.has(account.mint);
  const stays = account.ownerBefore === wallet && account.ownerAfter === wallet;
  // Lamports, not the token amount: SOL that was sent in but not yet synced is already the wallet's.
  if (wrapped && stays) return change;
  const amount = wrapped ? tokenChange(account, wallet) : 0n;
  const rent = change - (wrapped ? (account.after ?? 0n) - (account.before ?? 0n) : 0n);
  return amount + (isOwnRent(transaction, wallet, account.address, rent, effects) ? rent : 0n);
}

/** Whether the wallet itself paid an account's rent, or got it back. */
function isOwnRent(
  transaction: SolanaTransaction,
  wallet: string,
  account: string,
  rent: bigint,
  effects: Effects,
): boolean {
  const named = rent > 0n ? effects.fundedBy.get(account) : effects.closedTo.get(account);
  // Without an instruction that shows it, a wallet that signed is assumed to have paid for its own accounts.
  return named === undefined ? transaction.keys.indexOf(wallet) < transaction.signers : named === wallet;
}

export function lamportChange(transaction: SolanaTransaction, place: number): bigint {
  return BigInt(transaction.lamportsAfter[place] ?? 0) - BigInt(transaction.lamportsBefore[place] ?? 0);
}
