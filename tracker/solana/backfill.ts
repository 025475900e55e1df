// The past of wallets, from a date up to where live reading began for them: read oldest first through the same sink, in
// chunks that each store how far they came, so an interrupted back-fill goes on where it was.
import type { Clock } from "../../kit/clock.ts";
import type { BackfillRequest, Sink } from "../chain.ts";
import type { Entry, SolanaCalls } from "./calls.ts";
import { type ReadHits, readHits } from "./hits.ts";
import { Holdings, type Suspect } from "./holdings.ts";
import { CHUNK_TRANSACTIONS_MAX } from "./limits.ts";
import { type Listing, listSince } from "./listing.ts";

export interface BackfillContext {
  request: BackfillRequest;
  calls: SolanaCalls;
  sink: Sink;
  clock: Clock;
  /** The last slot that is history for a wallet; null while live reading has not met it yet. */
  liveSince(wallet: string): number | null;
  giveUp(signature: string): boolean;
}

/** Between two tries for a transaction that the node lists but does not give. */
const RETRY_MS = 1_000;

/** How far each wallet came: its newest transaction that was read. */
type Progress = Record<string, { slot: number; signature: string }>;
type Listed = Entry & { wallet: string; isOwn: boolean };

export async function backfillWallets(context: BackfillContext): Promise<void> {
  const heads = await context.calls.heads();
  // A node that is behind would end a wallet's past before its live reading begins.
  const begun = context.request.wallets.map((wallet) => context.liveSince(wallet) ?? 0);
  const final = Math.max(heads.final, ...begun);
  const stored = await context.sink.cursor(context.request.name);
  const progress: Progress = stored === null ? {} : (JSON.parse(stored) as Progress);
  await new Backfill(context, final, progress).run();
}

class Backfill {
  private readonly holdings = new Holdings();
  private readonly listedAccounts = new Set<string>();
  private readonly known = new Set<string>();

  constructor(
    private readonly context: BackfillContext,
    private readonly final: number,
    private readonly progress: Progress,
  ) {}

  async run(): Promise<void> {
    const { request, sink } = this.context;
    let open = await this.listAll();
    const [fromHeight, toHeight] = [open[0]?.slot ?? this.final, open.at(-1)?.slot ?? this.final];
    while (open.length > 0) {
      const chunk = open.slice(0, chunkEnd(open));
      const { reads, transactions } = await this.read(chunk);
      const older = await this.listAccounts(
        this.holdings.unexplained(transactions, new Set(request.wallets)),
      );
      if (older.length > 0) {
        // A transfer that the wallet's own history does not show comes first.
        open = [...older, ...open].sort((a, b) => a.slot - b.slot);
        continue;
      }
      for (const { wallet, slot, signature, isOwn } of chunk)
        if (isOwn) this.progress[wallet] = { slot, signature };
      await sink.apply(reads, { name: request.name, value: JSON.stringify(this.progress) });
      this.holdings.note(transactions, new Set(request.wallets));
      open = open.slice(chunk.length);
      request.onProgress?.({ fromHeight, height: chunk.at(-1)?.slot ?? toHeight, toHeight });
    }
  }

  /** Histories of the wallets and of the token accounts they hold now, oldest first. */
  private async listAll(): Promise<Listed[]> {
    const { request, calls } = this.context;
    const held = await calls.held([...request.wallets]);
    const suspects = request.wallets.flatMap((wallet, at) =>
      [...(held[at]?.amounts.keys() ?? [])].map((account) => ({ account, wallet, fromSlot: null })),
    );
    const own = await this.list(new Map(request.wallets.map((wallet) => [wallet, wallet])));
    return [...own, ...(await this.listAccounts(suspects))].sort((a, b) => a.slot - b.slot);
  }

  private async listAccounts(suspects: Suspect[]): Promise<Listed[]> {
    const fresh = suspects.filter(({ account }) => !this.listedAccounts.has(account));
    for (const { account } of fresh) this.listedAccounts.add(account);
    return this.list(new Map(fresh.map(({ account, wallet }) => [account, wallet])));
  }

  /** Lists addresses that belong to wallets; what was listed before is left out. */
  private async list(owners: ReadonlyMap<string, string>): Promise<Listed[]> {
    const { request, calls, liveSince } = this.context;
    const anchors = new Map(
      [...owners].map(([address, wallet]) => {
        const done = this.progress[wallet];
        // The slot that a wallet came to may hold more of its accounts: that is read again.
        const before = done ? { slot: done.slot - 1, signature: null } : { slot: 0, signature: null };
        return [address, address === wallet && done ? done : before];
      }),
    );
    const isTooOld = ({ timeMs }: Entry) => timeMs !== null && timeMs < request.sinceMs;
    const listings: Listing[] = await listSince(calls, anchors, this.final, isTooOld);
    if (listings.length < owners.size) throw new Error("a wallet's history could not be listed");
    return listings.flatMap(({ wallet: address, entries }) => {
      const wallet = owners.get(address) ?? address;
      const end = liveSince(wallet) ?? this.final;
      return entries
        .filter(({ slot, signature }) => slot <= end && !this.known.has(`${wallet} ${signature}`))
        .map((entry) => {
          this.known.add(`${wallet} ${entry.signature}`);
          return { ...entry, wallet, isOwn: address === wallet };
        });
    });
  }

  private async read(chunk: Listed[]): Promise<ReadHits> {
    const { calls, clock, request, giveUp } = this.context;
    const bySlot = new Map<number, Set<string>>();
    for (const { slot, signature, failed } of chunk)
      if (!failed) bySlot.set(slot, (bySlot.get(slot) ?? new Set()).add(signature));
    const hits = [...bySlot].map(([slot, signatures]) => ({ slot, signatures: [...signatures] }));
    const watched = new Set(request.wallets);
    for (;;) {
      const result = await readHits(calls, hits, { watched, final: this.final, giveUp });
      if (result.missing.length === 0) return result;
      await clock.sleep(RETRY_MS);
    }
  }
}

/** Where a chunk ends that does not part the transactions of one slot. */
function chunkEnd(entries: Listed[]): number {
  const last = entries[CHUNK_TRANSACTIONS_MAX - 1];
  if (!last) return entries.length;
  const end = entries.findIndex(({ slot }) => slot > last.slot);
  return end < 0 ? entries.length : end;
}
