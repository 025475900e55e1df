// One pass over wallets that are listed one by one: everything new since their anchors is read oldest first, stored, and the
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
  /** Everything up to this slot is the wallet's history, and left to a back-fill. */
  liveSince(wallet: string): number | null;
  /** Whether to give up on a transaction that the node lists but can't return. */
  giveUp(signature: string, slot: number): boolean;
}

export interface ListedPassContext extends PassContext {
  holdings: Holdings;
  /** Whether to compare the wallets' balances with what was read. */
  compareHoldings: boolean;
  streamed: Streamed;
}

/** Returns the wallets that need another look: something was not available, or was on a losing fork. */
export async function passListed(
  context: ListedPassContext,
  wallets: readonly string[],
): Promise<Set<string>> {
  const pass: ListedPass = {
    context,
    listings: new Map(),
    again: new Set(),
    blocked: new Map(),
    listedAccounts: new Set(),
    held: new Map(),
    borrowed: new Set(),
    touched: new Set(),
    unclear: new Set(),
    atLeast: context.final,
  };
  await run(pass, wallets);
  return pass.again;
}

interface Chunk {
  hits: Hits[];
  /** Every slot up to this one is done once the chunk is stored. */
  end: number;
}

/** The state of one pass. */
interface ListedPass {
  readonly context: ListedPassContext;
  readonly listings: Map<string, Listing>;
  readonly again: Set<string>;
  /** A wallet's first slot that could not be stored; nothing of it from there on is stored in this pass. */
  readonly blocked: Map<string, number>;
  readonly listedAccounts: Set<string>;
  /** Wallets' holdings when they were compared; trusted and stored once everything else is read. */
  readonly held: Map<string, ReadonlyMap<string, bigint>>;
  /** Entries found only in a token account's history: they can't be an anchor for the wallet's own. */
  readonly borrowed: Set<string>;
  readonly touched: Set<string>;
  /** Changed, but nothing in its history shows how: the node's index is late, so look again. */
  readonly unclear: Set<string>;
  /** Histories must reach at least this far. */
  atLeast: number;
}

async function run(pass: ListedPass, wallets: readonly string[]): Promise<void> {
  const { calls, compareHoldings, streamed } = pass.context;
  const anchors = new Map(wallets.map((wallet) => [wallet, anchorOf(pass, wallet)]));
  // Compared before listing: a transfer in between then shows up in the listing.
  const suspects = compareHoldings ? await compare(pass, wallets) : [];
  for (const listing of await listSince(calls, anchors, pass.atLeast))
    pass.listings.set(listing.wallet, listing);
  for (const wallet of wallets) if (!pass.listings.has(wallet)) pass.again.add(wallet);
  for (const wallet of streamed.lacking(pass.listings)) pass.again.add(wallet);
  await listAccounts(pass, suspects);

  for (let from = 0; ; ) {
    const chunk = nextChunk(pass, from);
    const earlier = chunk.hits.length > 0 ? await store(pass, chunk.hits) : null;
    if (earlier !== null) {
      from = Math.min(from, earlier);
      continue;
    }
    const lost = await settleFinal(pass.context, (state, height) => advance(pass, state, height, chunk.end));
    pass.context.holdings.forget(walletsOf(lost));
    // A lost block's transactions may be in another block by now: no anchor may pass them unread.
    for (const block of lost) holdBack(pass, walletsOf([block]), block.slot);
    if (chunk.end === Infinity) break;
    from = chunk.end + 1;
  }
  for (const wallet of pass.blocked.keys()) pass.again.add(wallet);
  learn(pass);
}

function anchorOf(pass: ListedPass, wallet: string): Anchor {
  return pass.context.journal.state.anchors[wallet] ?? { slot: pass.context.final, signature: null };
}

async function compare(pass: ListedPass, wallets: readonly string[]): Promise<Suspect[]> {
  const { calls, holdings } = pass.context;
  const all = await calls.held([...wallets]);
  return wallets.flatMap((wallet, at) => {
    const held = all[at];
    if (!held) return [];
    pass.atLeast = Math.max(pass.atLeast, held.slot);
    pass.held.set(wallet, held.amounts);
    if (digestOf(held.amounts) !== anchorOf(pass, wallet).held) return holdings.compare(wallet, held.amounts);
    // Equal amounts don't prove that nothing came and went since the anchor.
    holdings.learn(wallet, held.amounts, anchorOf(pass, wallet).slot);
    return [];
  });
}

/** Adds the histories of token accounts to those of their wallets. Returns the oldest slot that was added. */
async function listAccounts(pass: ListedPass, suspects: Suspect[]): Promise<number | null> {
  const { calls, holdings } = pass.context;
  const fresh = suspects.filter(({ account }) => !pass.listedAccounts.has(account));
  const anchors = new Map(
    fresh.map(({ account, wallet, fromSlot }) => {
      // That slot itself is read again: it may hold more than one transaction of the account.
      const before = (fromSlot ?? anchorOf(pass, wallet).slot) - 1;
      const slot = Math.max(before, pass.context.liveSince(wallet) ?? 0);
      return [account, { slot, signature: null }];
    }),
  );
  const owners = new Map(fresh.map(({ account, wallet }) => [account, wallet]));
  let oldest: number | null = null;
  for (const { wallet: account, entries } of await listSince(calls, anchors, pass.atLeast)) {
    pass.listedAccounts.add(account);
    const wallet = owners.get(account) ?? "";
    const listing = pass.listings.get(wallet) ?? { wallet, entries: [] };
    const known = new Set(listing.entries.map(({ signature }) => signature));
    const added = entries.filter(({ signature }) => !known.has(signature));
    if (entries.length === 0 && holdings.knows(account)) pass.unclear.add(account);
    for (const { signature } of added) pass.borrowed.add(signature);
    listing.entries = [...listing.entries, ...added].sort((a, b) => a.slot - b.slot);
    if (pass.listings.has(wallet)) for (const { slot } of added) oldest = Math.min(slot, oldest ?? slot);
  }
  for (const { account, wallet } of fresh)
    if (!pass.listedAccounts.has(account)) {
      pass.again.add(wallet);
      pass.held.delete(wallet);
      holdings.forget([wallet]);
      pass.listedAccounts.add(account);
    }
  return oldest;
}

/** Accounts that were compared and in no transaction since still hold the same. */
function learn(pass: ListedPass): void {
  for (const [wallet, held] of pass.held) {
    if (pass.again.has(wallet)) continue;
    const isStill = (account: string) => !pass.touched.has(account) && !pass.unclear.has(account);
    const still = new Map([...held].filter(([account]) => isStill(account)));
    pass.context.holdings.learn(wallet, still, pass.context.final);
  }
}

function nextChunk(pass: ListedPass, from: number): Chunk {
  const bySlot = new Map<number, Set<string>>();
  for (const { wallet, entries } of pass.listings.values())
    for (const { slot, signature, failed } of entries) {
      const wanted = slot >= from && slot < (pass.blocked.get(wallet) ?? Infinity) && !failed;
      if (!wanted || isPending(pass.context.journal.state, wallet, signature, slot)) continue;
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

/** Stores a chunk, unless a balance in it reveals something older that has to come first: then returns its slot. */
async function store(pass: ListedPass, hits: Hits[]): Promise<number | null> {
  const { calls, journal, watched, giveUp, holdings } = pass.context;
  const { final } = journal.state;
  const { reads, pending, missing, transactions } = await readHits(calls, hits, { watched, final, giveUp });
  const unexplained = holdings.unexplained(transactions, watched);
  const older = await listAccounts(
    pass,
    unexplained.filter(({ wallet }) => pass.listings.has(wallet)),
  );
  if (older !== null) return older;
  const kept = storable(pass, hits, pending, new Set(missing.map(({ slot }) => slot)));
  const hashes = new Set(kept.map(({ hash }) => hash));
  const slots = new Set(kept.map(({ slot }) => slot));
  if (kept.length > 0)
    await journal.apply(
      reads.filter(({ block }) => hashes.has(block.hash)),
      kept,
    );
  const stored = transactions.filter(({ slot }) => slots.has(slot));
  holdings.note(stored, watched);
  for (const { keys } of stored) for (const key of keys) pass.touched.add(key);
  return null;
}

/** The blocks that can be stored now. Wallets involved in one that can't are held back from there on. */
function storable(
  pass: ListedPass,
  hits: Hits[],
  pending: PendingBlock[],
  missing: ReadonlySet<number>,
): PendingBlock[] {
  const { state } = pass.context.journal;
  const read = new Map(pending.map((block) => [block.slot, block]));
  return hits.flatMap(({ slot, signatures }) => {
    const block = read.get(slot);
    // All of its transactions were given up.
    if (!block && !missing.has(slot)) return [];
    // If another pending block has one of its transactions too, that block was on a losing fork and is retracted first.
    const isReady = block !== undefined && rivalsOf(state, [block]).length === 0;
    if (isReady && pass.blocked.size === 0) return [block];
    const wallets = [...listersOf(pass, signatures), ...(block ? walletsOf([block]) : [])];
    // Everything after a hole in a wallet's history waits for it: the books depend on the order of trades.
    const isLate = wallets.some((wallet) => slot >= (pass.blocked.get(wallet) ?? Infinity));
    if (isReady && !isLate) return [block];
    holdBack(pass, wallets, slot);
    return [];
  });
}

function listersOf(pass: ListedPass, signatures: readonly string[]): string[] {
  const wanted = new Set(signatures);
  return [...pass.listings.values()]
    .filter(({ entries }) => entries.some(({ signature }) => wanted.has(signature)))
    .map(({ wallet }) => wallet);
}

function holdBack(pass: ListedPass, wallets: readonly string[], slot: number): void {
  for (const wallet of wallets)
    pass.blocked.set(wallet, Math.min(slot, pass.blocked.get(wallet) ?? Infinity));
}

/** Moves each wallet's anchor to its newest transaction that is read and final. */
function advance(pass: ListedPass, state: SolanaState, height: number, reached: number): SolanaState {
  const moved: Record<string, Anchor> = {};
  for (const { wallet, entries } of pass.listings.values()) {
    const current = state.anchors[wallet];
    if (!current) continue;
    const limit = Math.min(height, reached, (pass.blocked.get(wallet) ?? Infinity) - 1);
    const newest = entries.findLast(({ slot, signature }) => slot <= limit && !pass.borrowed.has(signature));
    const compared = reached === Infinity && !pass.again.has(wallet) && !pass.blocked.has(wallet);
    const digest = compared ? digestFor(pass, wallet, entries, limit) : null;
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

/** The digest is only valid for a restart if everything that led to it is final. */
function digestFor(
  pass: ListedPass,
  wallet: string,
  entries: Listing["entries"],
  limit: number,
): string | null {
  const held = pass.held.get(wallet);
  if (!held || [...held.keys()].some((account) => pass.unclear.has(account))) return null;
  return entries.every(({ slot }) => slot <= limit) ? digestOf(held) : null;
}
