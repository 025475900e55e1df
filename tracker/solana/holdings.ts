// Detects token transfers that a wallet's own history does not show: a transfer into an existing account names the account and
// not its owner. A balance that differs from the last known one reveals them; then that account's own history is read. Kept in
// memory; unknown accounts are looked up once.
import { encodeBase58 } from "./base58.ts";
import type { SolanaTransaction } from "./transaction.ts";

interface Known {
  wallet: string;
  amount: bigint;
  /** The account's history up to this slot was read. */
  slot: number;
}

/** An account whose history has to be read, from a slot on; null: from the wallet's anchor on. */
export interface Suspect {
  account: string;
  wallet: string;
  fromSlot: number | null;
}

export type Holdings = ReturnType<typeof createHoldings>;

export function createHoldings() {
  const known = new Map<string, Known>();

  /** Accounts whose balance before one of these transactions differs from the last known one. */
  function unexplained(transactions: SolanaTransaction[], watched: ReadonlySet<string>): Suspect[] {
    const suspects: Suspect[] = [];
    const amounts = new Map<string, bigint>();
    for (const transaction of transactions)
      for (const { address, wallet, before, after } of ownAccounts(transaction, watched)) {
        const last = known.get(address);
        const expected = amounts.get(address) ?? last?.amount ?? 0n;
        if (before !== expected) suspects.push({ account: address, wallet, fromSlot: last?.slot ?? null });
        amounts.set(address, after);
      }
    return suspects;
  }

  function knows(account: string): boolean {
    return known.has(account);
  }

  function note(transactions: SolanaTransaction[], watched: ReadonlySet<string>): void {
    for (const transaction of transactions)
      for (const { address, wallet, after } of ownAccounts(transaction, watched))
        known.set(address, { wallet, amount: after, slot: transaction.slot });
  }

  /** Compares with the wallet's on-chain balances. */
  function compare(wallet: string, held: ReadonlyMap<string, bigint>): Suspect[] {
    const gone = [...known].filter(
      ([account, last]) => last.wallet === wallet && last.amount !== 0n && !held.has(account),
    );
    const changed = [...held].filter(([account, amount]) => known.get(account)?.amount !== amount);
    return [...gone.map(([account]) => account), ...changed.map(([account]) => account)].map((account) => ({
      account,
      wallet,
      fromSlot: known.get(account)?.slot ?? null,
    }));
  }

  /** Everything up to this slot was read for these accounts, and these are their balances. */
  function learn(wallet: string, held: ReadonlyMap<string, bigint>, slot: number): void {
    for (const [account, amount] of held) known.set(account, { wallet, amount, slot });
  }

  /** These wallets' reads were on a losing fork. */
  function forget(wallets: Iterable<string>): void {
    const lost = new Set(wallets);
    for (const [account, { wallet }] of known) if (lost.has(wallet)) known.delete(account);
  }

  return { unexplained, knows, note, compare, learn, forget };
}

/** A short digest of the holdings; stored, so that a restart need not read every account again. */
export function digestOf(held: ReadonlyMap<string, bigint>): string {
  const lines = [...held].map(([account, amount]) => `${account} ${amount}`).sort();
  const digest = new Bun.CryptoHasher("sha256").update(lines.join("\n")).digest();
  return encodeBase58(new Uint8Array(digest.subarray(0, 12)));
}

function ownAccounts({ tokenAccounts }: SolanaTransaction, watched: ReadonlySet<string>) {
  return tokenAccounts.flatMap(({ address, ownerBefore, ownerAfter, before, after }) => {
    const wallet = ownerAfter ?? ownerBefore;
    if (wallet === null || !watched.has(wallet)) return [];
    return [{ address, wallet, before: before ?? 0n, after: after ?? 0n }];
  });
}
