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

export class Holdings {
  private readonly known = new Map<string, Known>();

  /** Accounts whose balance before one of these transactions is not what was read last. */
  unexplained(transactions: SolanaTransaction[], watched: ReadonlySet<string>): Suspect[] {
    const suspects: Suspect[] = [];
    const amounts = new Map<string, bigint>();
    for (const transaction of transactions)
      for (const { address, wallet, before, after } of ownAccounts(transaction, watched)) {
        const known = this.known.get(address);
        const expected = amounts.get(address) ?? known?.amount ?? 0n;
        if (before !== expected) suspects.push({ account: address, wallet, fromSlot: known?.slot ?? null });
        amounts.set(address, after);
      }
    return suspects;
  }

  knows(account: string): boolean {
    return this.known.has(account);
  }

  note(transactions: SolanaTransaction[], watched: ReadonlySet<string>): void {
    for (const transaction of transactions)
      for (const { address, wallet, after } of ownAccounts(transaction, watched))
        this.known.set(address, { wallet, amount: after, slot: transaction.slot });
  }

  /** Compares with what the wallet holds on the chain. */
  compare(wallet: string, held: ReadonlyMap<string, bigint>): Suspect[] {
    const gone = [...this.known].filter(
      ([account, known]) => known.wallet === wallet && known.amount !== 0n && !held.has(account),
    );
    const changed = [...held].filter(([account, amount]) => this.known.get(account)?.amount !== amount);
    return [...gone.map(([account]) => account), ...changed.map(([account]) => account)].map((account) => ({
      account,
      wallet,
      fromSlot: this.known.get(account)?.slot ?? null,
    }));
  }

  /** Everything up to this slot was read of these accounts, and this is what they hold. */
  learn(wallet: string, held: ReadonlyMap<string, bigint>, slot: number): void {
    for (const [account, amount] of held) this.known.set(account, { wallet, amount, slot });
  }

  /** What was read of these wallets was on a fork that lost. */
  forget(wallets: Iterable<string>): void {
    const lost = new Set(wallets);
    for (const [account, { wallet }] of this.known) if (lost.has(wallet)) this.known.delete(account);
  }
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
