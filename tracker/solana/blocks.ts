// Finds watched wallets and pools in whole blocks that carry accounts and balances only. Most transactions in a block are votes
// and strangers' trades, so the check of each is short and allocates nothing.
import { UnusableAnswer } from "./calls.ts";
import { poolMoves } from "./pools.ts";
import { readTransaction } from "./transaction.ts";

export interface ScannedBlock {
  /** Transactions that concern a watched wallet and did not fail. */
  signatures: string[];
  /** Strangers' transactions that may have traded in watched pools, in block order. */
  strangers: StrangersTrade[];
}

/** Balances moved like a trade; only the instructions, which the block doesn't carry, can confirm it. */
export interface StrangersTrade {
  signature: string;
  /** The transaction's index in its block. */
  index: number;
  pools: string[];
}

interface AccountsTransaction {
  meta?: { err?: unknown; preTokenBalances?: Owned[]; postTokenBalances?: Owned[] } | null;
  transaction?: { signatures?: string[]; accountKeys?: { pubkey?: string }[] };
}
interface Owned {
  owner?: string;
}

export function scanBlock(
  raw: unknown,
  slot: number,
  wallets: ReadonlySet<string>,
  pools: ReadonlySet<string>,
): ScannedBlock {
  const { transactions } = raw as { transactions?: AccountsTransaction[] };
  if (!Array.isArray(transactions)) throw new UnusableAnswer("a block without transactions");
  const scanned: ScannedBlock = { signatures: [], strangers: [] };
  for (let index = 0; index < transactions.length; index++) {
    const each = transactions[index] as AccountsTransaction;
    const signature = each.transaction?.signatures?.[0];
    if (!each.meta || !each.transaction?.accountKeys || typeof signature !== "string")
      throw new UnusableAnswer("a block with an incomplete transaction");
    if (each.meta.err) continue;
    if (concerns(each, wallets)) scanned.signatures.push(signature);
    else if (pools.size > 0 && concerns(each, pools)) {
      const traded = tradedPools(each, slot, pools);
      if (traded.length > 0) scanned.strangers.push({ signature, index, pools: traded });
    }
  }
  return scanned;
}

function concerns({ meta, transaction }: AccountsTransaction, watched: ReadonlySet<string>): boolean {
  for (const { pubkey } of transaction?.accountKeys ?? []) if (watched.has(pubkey as string)) return true;
  // A transaction need not name the owner of a token account it touches.
  for (const { owner } of meta?.preTokenBalances ?? []) if (watched.has(owner as string)) return true;
  for (const { owner } of meta?.postTokenBalances ?? []) if (watched.has(owner as string)) return true;
  return false;
}

function tradedPools(
  { meta, transaction }: AccountsTransaction,
  slot: number,
  pools: ReadonlySet<string>,
): string[] {
  const { signatures, accountKeys } = transaction ?? {};
  const read = readTransaction({ slot, meta, transaction: { signatures, message: { accountKeys } } });
  return poolMoves(read).flatMap(({ owner }) => (pools.has(owner) ? [owner] : []));
}
