// Wallets' history, from a date up to where live reading began for them: read oldest first through the same sink, in chunks
// that each store their progress, so an interrupted back-fill resumes.
import type { Clock } from "../../kit/clock.ts";
import type { BackfillRequest, Sink } from "../chain.ts";
import type { SignatureEntry, SolanaCalls } from "./calls.ts";
import { type ReadHits, readHits } from "./hits.ts";
import { createHoldings, type Suspect } from "./holdings.ts";
import { CHUNK_TRANSACTIONS_MAX } from "./limits.ts";
import { type Listing, listSince } from "./listing.ts";

export interface SolanaBackfillContext {
  request: BackfillRequest;
  calls: SolanaCalls;
  sink: Sink;
  clock: Clock;
  /** Everything up to this slot is a wallet's history; null while live reading has not reached the wallet yet. */
  liveSince(wallet: string): number | null;
  giveUp(signature: string, slot: number): boolean;
}

/** Between two tries for a transaction that the node lists but does not return. */
const RETRY_MS = 1_000;

/** Progress per wallet: its newest transaction that was read. */
type SolanaProgress = Record<string, { slot: number; signature: string }>;
type Listed = SignatureEntry & { wallet: string; isOwn: boolean };

export async function backfillWallets(context: SolanaBackfillContext): Promise<void> {
  const heads = await context.calls.heads();
  // A node that is behind would end a wallet's history before its live reading begins.
  const begun = context.request.wallets.map((wallet) => context.liveSince(wallet) ?? 0);
  const final = Math.max(heads.final, ...begun);
  const stored = await context.sink.cursor(context.request.name);
  const progress: SolanaProgress = stored === null ? {} : (JSON.parse(stored) as SolanaProgress);
  const { request, calls, sink, clock, liveSince, giveUp } = context;
  const watched = new Set(request.wallets);
  const holdings = createHoldings();
  const listedAccounts = new Set<string>();
  const known = new Set<string>();

  /** Lists addresses that belong to wallets; already-listed entries are left out. */
  const list = async (owners: ReadonlyMap<string, string>): Promise<Listed[]> => {
    const anchors = new Map(
      [...owners].map(([address, wallet]) => {
        const done = progress[wallet];
        // The wallet's last slot may hold more of its accounts: it is read again.
        const before = done ? { slot: done.slot - 1, signature: null } : { slot: 0, signature: null };
        return [address, address === wallet && done ? done : before];
      }),
    );
    const isTooOld = ({ timeMs }: SignatureEntry) => timeMs !== null && timeMs < request.sinceMs;
    const listings: Listing[] = await listSince(calls, anchors, final, isTooOld);
    if (listings.length < owners.size) throw new Error("a wallet's history could not be listed");
    return listings.flatMap(({ wallet: address, entries }) => {
      const wallet = owners.get(address) ?? address;
      const end = liveSince(wallet) ?? final;
      return entries
        .filter(({ slot, signature }) => slot <= end && !known.has(`${wallet} ${signature}`))
        .map((entry) => {
          known.add(`${wallet} ${entry.signature}`);
          return { ...entry, wallet, isOwn: address === wallet };
        });
    });
  };

  const listAccounts = (suspects: Suspect[]): Promise<Listed[]> => {
    const fresh = suspects.filter(({ account }) => !listedAccounts.has(account));
    for (const { account } of fresh) listedAccounts.add(account);
    return list(new Map(fresh.map(({ account, wallet }) => [account, wallet])));
  };

  /** Histories of the wallets and of their current token accounts, oldest first. */
  const listAll = async (): Promise<Listed[]> => {
    const held = await calls.held([...request.wallets]);
    const suspects = request.wallets.flatMap((wallet, at) =>
      [...(held[at]?.amounts.keys() ?? [])].map((account) => ({ account, wallet, fromSlot: null })),
    );
    const own = await list(new Map(request.wallets.map((wallet) => [wallet, wallet])));
    return [...own, ...(await listAccounts(suspects))].sort((a, b) => a.slot - b.slot);
  };

  const read = async (chunk: Listed[]): Promise<ReadHits> => {
    const bySlot = new Map<number, Set<string>>();
    for (const { slot, signature, failed } of chunk)
      if (!failed) bySlot.set(slot, (bySlot.get(slot) ?? new Set()).add(signature));
    const hits = [...bySlot].map(([slot, signatures]) => ({ slot, signatures: [...signatures] }));
    const once = () => readHits(calls, hits, { watched, final, giveUp });
    let result = await once();
    while (result.missing.length > 0) {
      await clock.sleep(RETRY_MS);
      result = await once();
    }
    return result;
  };

  let open = await listAll();
  const [fromHeight, toHeight] = [open[0]?.slot ?? final, open.at(-1)?.slot ?? final];
  while (open.length > 0) {
    const chunk = open.slice(0, chunkEnd(open));
    const { reads, transactions } = await read(chunk);
    const older = await listAccounts(holdings.unexplained(transactions, watched));
    if (older.length > 0) {
      // A transfer missing from the wallet's own history comes first.
      open = [...older, ...open].sort((a, b) => a.slot - b.slot);
      continue;
    }
    for (const { wallet, slot, signature, isOwn } of chunk) if (isOwn) progress[wallet] = { slot, signature };
    await sink.apply(reads, { name: request.name, value: JSON.stringify(progress) });
    holdings.note(transactions, watched);
    open = open.slice(chunk.length);
    request.onProgress?.({ fromHeight, height: chunk.at(-1)?.slot ?? toHeight, toHeight });
  }
}

/** The end of a chunk that does not split one slot's transactions. */
function chunkEnd(entries: Listed[]): number {
  const last = entries[CHUNK_TRANSACTIONS_MAX - 1];
  if (!last) return entries.length;
  const end = entries.findIndex(({ slot }) => slot > last.slot);
  return end < 0 ? entries.length : end;
}
