// One pass over wallets that are listed one by one: what is new since their anchors is read oldest first, stored, and the
// anchors follow as it becomes final. The same for a start, a gap, a reconnect and a single new trade.
import { type FinalityParts, settleFinal } from "./finality.ts";
import { type Hits, readHits } from "./hits.ts";
import { digestOf, type Holdings, type Suspect } from "./holdings.ts";
import { CHUNK_TRANSACTIONS_MAX } from "./limits.ts";
import { type Listing, listSince } from "./listing.ts";
import { type Anchor, isPending, type PendingBlock, rivalsOf, type SolanaState, walletsOf } from "./state.ts";
import type { Streamed } from "./streamed.ts";

export interface PassContext extends FinalityParts {
  watched: ReadonlySet<string>;
  /** What a wallet did up to this slot is its past, and a back-fill's business. */
  liveSince(wallet: string): number | null;
  /** Whether to stop asking for a transaction that the node lists but can't give. */
  giveUp(signature: string, slot: number): boolean;
}

export interface ListedPassContext extends PassContext {
  holdings: Holdings;
  /** Whether to compare what the wallets hold with what was read. */
  compareHoldings: boolean;
  streamed: Streamed;
}

/** Answers the wallets that need another look: something of theirs could not be had, or was on a fork that lost. */
export async function passListed(
  context: ListedPassContext,
  wallets: readonly string[],
): Promise<Set<string>> {
  return new ListedPass(context).run(wallets);
}

interface Chunk {
  hits: Hits[];
  /** Every slot up to this one is dealt with once the chunk is stored. */
  end: number;
}

class ListedPass {
  private readonly listings = new Map<string, Listing>();
  private readonly again = new Set<string>();
  /** The first slot of a wallet that could not be stored; nothing of it from there on is stored in this pass. */
  private readonly blocked = new Map<string, number>();
  private readonly listedAccounts = new Set<string>();
  /** What wallets held when they were compared; believed and stored once everything else is read. */
  private readonly held = new Map<string, ReadonlyMap<string, bigint>>();
  /** Entries that only a token account's history has: they are no anchor for the wallet's own. */
  private readonly borrowed = new Set<string>();
  private readonly touched = new Set<string>();
  /** Changed, but nothing in its history says how: the node's index is late, so look again. */
  private readonly unclear = new Set<string>();
  /** Histories must reach at least so far. */
  private atLeast: number;

  constructor(private readonly context: ListedPassContext) {
    this.atLeast = context.final;
  }

  async run(wallets: readonly string[]): Promise<Set<string>> {
    const { calls, compareHoldings, streamed } = this.context;
    const anchors = new Map(wallets.map((wallet) => [wallet, this.anchorOf(wallet)]));
    // Compared before listing: a transfer that comes in between is in the listing then.
    const suspects = compareHoldings ? await this.compare(wallets) : [];
    for (const listing of await listSince(calls, anchors, this.atLeast))
      this.listings.set(listing.wallet, listing);
    for (const wallet of wallets) if (!this.listings.has(wallet)) this.again.add(wallet);
    for (const wallet of streamed.lacking(this.listings)) this.again.add(wallet);
    await this.listAccounts(suspects);

    for (let from = 0; ; ) {
      const chunk = this.nextChunk(from);
      const earlier = chunk.hits.length > 0 ? await this.store(chunk.hits) : null;
      if (earlier !== null) {
        from = Math.min(from, earlier);
        continue;
      }
      const lost = await settleFinal(this.context, (state, height) => this.advance(state, height, chunk.end));
      this.context.holdings.forget(walletsOf(lost));
      // What a lost block held may be in another by now: no anchor passes it unread.
      for (const block of lost) this.block(walletsOf([block]), block.slot);
      if (chunk.end === Infinity) break;
      from = chunk.end + 1;
    }
    for (const wallet of this.blocked.keys()) this.again.add(wallet);
    this.learn();
    return this.again;
  }

  private anchorOf(wallet: string): Anchor {
    return this.context.journal.state.anchors[wallet] ?? { slot: this.context.final, signature: null };
  }

  private async compare(wallets: readonly string[]): Promise<Suspect[]> {
    const { calls, holdings } = this.context;
    const all = await calls.held([...wallets]);
    return wallets.flatMap((wallet, at) => {
      const held = all[at];
      if (!held) return [];
      this.atLeast = Math.max(this.atLeast, held.slot);
      this.held.set(wallet, held.amounts);
      if (digestOf(held.amounts) !== this.anchorOf(wallet).held)
        return holdings.compare(wallet, held.amounts);
      // The same amounts again do not say that nothing came and went since the anchor.
      holdings.learn(wallet, held.amounts, this.anchorOf(wallet).slot);
      return [];
    });
  }

  /** Adds the histories of token accounts to those of their wallets. Answers the oldest slot that was added. */
  private async listAccounts(suspects: Suspect[]): Promise<number | null> {
    const { calls, holdings } = this.context;
    const fresh = suspects.filter(({ account }) => !this.listedAccounts.has(account));
    const anchors = new Map(
      fresh.map(({ account, wallet, fromSlot }) => {
        // That slot itself is read again: it may hold more than one transaction of the account.
        const before = (fromSlot ?? this.anchorOf(wallet).slot) - 1;
        const slot = Math.max(before, this.context.liveSince(wallet) ?? 0);
        return [account, { slot, signature: null }];
      }),
    );
    const owners = new Map(fresh.map(({ account, wallet }) => [account, wallet]));
    let oldest: number | null = null;
    for (const { wallet: account, entries } of await listSince(calls, anchors, this.atLeast)) {
      this.listedAccounts.add(account);
      const wallet = owners.get(account) ?? "";
      const listing = this.listings.get(wallet) ?? { wallet, entries: [] };
      const known = new Set(listing.entries.map(({ signature }) => signature));
      const added = entries.filter(({ signature }) => !known.has(signature));
      if (entries.length === 0 && holdings.knows(account)) this.unclear.add(account);
      for (const { signature } of added) this.borrowed.add(signature);
      listing.entries = [...listing.entries, ...added].sort((a, b) => a.slot - b.slot);
      if (this.listings.has(wallet)) for (const { slot } of added) oldest = Math.min(slot, oldest ?? slot);
    }
    for (const { account, wallet } of fresh)
      if (!this.listedAccounts.has(account)) {
        this.again.add(wallet);
        this.held.delete(wallet);
        holdings.forget([wallet]);
        this.listedAccounts.add(account);
      }
    return oldest;
  }

  /** Accounts that were compared and in no transaction since hold what they held. */
  private learn(): void {
    for (const [wallet, held] of this.held) {
      if (this.again.has(wallet)) continue;
      const isStill = (account: string) => !this.touched.has(account) && !this.unclear.has(account);
      const still = new Map([...held].filter(([account]) => isStill(account)));
      this.context.holdings.learn(wallet, still, this.context.final);
    }
  }

  private nextChunk(from: number): Chunk {
    const bySlot = new Map<number, Set<string>>();
    for (const { wallet, entries } of this.listings.values())
      for (const { slot, signature, failed } of entries) {
        const wanted = slot >= from && slot < (this.blocked.get(wallet) ?? Infinity) && !failed;
        if (!wanted || isPending(this.context.journal.state, wallet, signature, slot)) continue;
        bySlot.set(slot, (bySlot.get(slot) ?? new Set()).add(signature));
      }
    const hits: Hits[] = [];
    let count = 0;
    for (const [slot, signatures] of [...bySlot].sort(([a], [b]) => a - b)) {
      if (count > 0 && count + signatures.size > CHUNK_TRANSACTIONS_MAX)
        return { hits, end: hits.at(-1)?.slot ?? 0 };
      hits.push({ slot, signatures: [...signatures] });
      count += signatures.size;
    }
    return { hits, end: Infinity };
  }

  /** Stores a chunk, unless a balance in it tells of something older that has to come first: then answers its slot. */
  private async store(hits: Hits[]): Promise<number | null> {
    const { calls, journal, watched, giveUp, holdings } = this.context;
    const { final } = journal.state;
    const { reads, pending, missing, transactions } = await readHits(calls, hits, { watched, final, giveUp });
    const unexplained = holdings.unexplained(transactions, watched);
    const older = await this.listAccounts(unexplained.filter(({ wallet }) => this.listings.has(wallet)));
    if (older !== null) return older;
    const kept = this.storable(hits, pending, new Set(missing.map(({ slot }) => slot)));
    const hashes = new Set(kept.map(({ hash }) => hash));
    const slots = new Set(kept.map(({ slot }) => slot));
    if (kept.length > 0)
      await journal.apply(
        reads.filter(({ block }) => hashes.has(block.hash)),
        kept,
      );
    const stored = transactions.filter(({ slot }) => slots.has(slot));
    holdings.note(stored, watched);
    for (const { keys } of stored) for (const key of keys) this.touched.add(key);
    return null;
  }

  /** The blocks that can be stored now. Wallets with a part in one that can't wait from there on. */
  private storable(hits: Hits[], pending: PendingBlock[], missing: ReadonlySet<number>): PendingBlock[] {
    const { state } = this.context.journal;
    const read = new Map(pending.map((block) => [block.slot, block]));
    return hits.flatMap(({ slot, signatures }) => {
      const block = read.get(slot);
      // All of it was given up.
      if (!block && !missing.has(slot)) return [];
      // A transaction that another pending block has as well: that block's fork lost, and is retracted first.
      const isReady = block !== undefined && rivalsOf(state, [block]).length === 0;
      if (isReady && this.blocked.size === 0) return [block];
      const wallets = [...this.listersOf(signatures), ...(block ? walletsOf([block]) : [])];
      // What comes after a hole in a wallet's history waits for it: the order of trades makes the books.
      const isLate = wallets.some((wallet) => slot >= (this.blocked.get(wallet) ?? Infinity));
      if (isReady && !isLate) return [block];
      this.block(wallets, slot);
      return [];
    });
  }

  private listersOf(signatures: readonly string[]): string[] {
    const wanted = new Set(signatures);
    return [...this.listings.values()]
      .filter(({ entries }) => entries.some(({ signature }) => wanted.has(signature)))
      .map(({ wallet }) => wallet);
  }

  private block(wallets: readonly string[], slot: number): void {
    for (const wallet of wallets)
      this.blocked.set(wallet, Math.min(slot, this.blocked.get(wallet) ?? Infinity));
  }

  /** Moves each wallet's anchor to its newest transaction that is read and final. */
  private advance(state: SolanaState, height: number, reached: number): SolanaState {
    const moved: Record<string, Anchor> = {};
    for (const { wallet, entries } of this.listings.values()) {
      const current = state.anchors[wallet];
      if (!current) continue;
      const limit = Math.min(height, reached, (this.blocked.get(wallet) ?? Infinity) - 1);
      const newest = entries.findLast(
        ({ slot, signature }) => slot <= limit && !this.borrowed.has(signature),
      );
      const compared = reached === Infinity && !this.again.has(wallet) && !this.blocked.has(wallet);
      const digest = compared ? this.digestFor(wallet, entries, limit) : null;
      const isNew = newest && newest.signature !== current.signature && newest.slot >= current.slot;
      const next = {
        ...current,
        ...(isNew && { slot: newest.slot, signature: newest.signature }),
        ...(digest !== null && { held: digest }),
      };
      if (isNew || next.held !== current.held) moved[wallet] = next;
    }
    return Object.keys(moved).length === 0 ? state : { ...state, anchors: { ...state.anchors, ...moved } };
  }

  /** The digest is only good for a restart if everything that led to it is final. */
  private digestFor(wallet: string, entries: Listing["entries"], limit: number): string | null {
    const held = this.held.get(wallet);
    if (!held || [...held.keys()].some((account) => this.unclear.has(account))) return null;
    return entries.every(({ slot }) => slot <= limit) ? digestOf(held) : null;
  }
}
