// Notices token transfers that a wallet's own history does not show: a transfer into an account that already exists names
// the account and not its owner. A balance that differs from what was read last gives them away; then that account's own
// history is read. Kept in memory; what it does not know yet it looks up once.
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

  /** Accounts whose balance before one of these transactions is not what was read last. */
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

  /** Compares with what the wallet holds on the chain. */
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

  /** Everything up to this slot was read of these accounts, and this is what they hold. */
  function learn(wallet: string, held: ReadonlyMap<string, bigint>, slot: number): void {
    for (const [account, amount] of held) known.set(account, { wallet, amount, slot });
  }

  /** What was read of these wallets was on a fork that lost. */
  function forget(wallets: Iterable<string>): void {
    const lost = new Set(wallets);
    for (const [account, { wallet }] of known) if (lost.has(wallet)) known.delete(account);
  }

  return { unexplained, knows, note, compare, learn, forget };
}

/** A short text that is the same for the same holdings; stored, so that a restart need not read every account again. */
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
