// One pass over whole blocks, for more wallets than can be listed: every block of the confirmed chain above the final slot that
// was not scanned yet. A fork shows as missing blocks and new blocks.
import type { Lru } from "../../kit/lru.ts";
import type { PoolTrade } from "../chain.ts";
import { type ScannedBlock, type StrangersTrade, scanBlock } from "./blocks.ts";
import { headerOf } from "./calls.ts";
import { settleFinal } from "./finality.ts";
import { readable, readBlock } from "./hits.ts";
import { CHUNK_BLOCKS_MAX, IDLE_BLOCKS_MAX, QUOTED_EVERY_SLOTS, WINDOW_SLOTS_MAX } from "./limits.ts";
import type { PassContext } from "./listed-pass.ts";
import { poolTrades } from "./pools.ts";
import { rivalsOf } from "./state.ts";
import type { SolanaTransaction } from "./transaction.ts";

export interface BlockPassContext extends PassContext {
  pools: ReadonlySet<string>;
  /** The slot in which each pool was last quoted from strangers' trades. */
  quotedAt: Lru<string, number>;
  confirmed: number;
}

interface Found extends ScannedBlock {
  slot: number;
  raw: unknown;
}

/** Whether everything is read, there is more to read now, or something is not available yet. */
export type BlocksRead = "done" | "more" | "later";

export async function passBlocks(context: BlockPassContext): Promise<BlocksRead> {
  const { calls, journal, final, confirmed } = context;
  const base = journal.state.final;
  const end = Math.min(confirmed, base + WINDOW_SLOTS_MAX);
  const { slots, reach } =
    end > base ? await calls.slots(base + 1, end, "confirmed") : { slots: [], reach: end };
  const known = new Set(journal.state.scanned ?? []);
  const fresh = slots.filter((slot) => !known.has(slot));
  let scannedTo = reach;
  for (let at = 0; at < fresh.length; at += CHUNK_BLOCKS_MAX) {
    const chunk = fresh.slice(at, at + CHUNK_BLOCKS_MAX);
    const done = await scanChunk(context, chunk);
    if (done < chunk.length) {
      scannedTo = (chunk[done] as number) - 1;
      break;
    }
  }
  const lost = await settleFinal({ ...context, final: Math.min(final, scannedTo) }, (state) => ({
    ...state,
    scanned: (state.scanned ?? []).filter((slot) => slot > state.final),
  }));
  if (scannedTo < end) return "later";
  return lost.length > 0 || end < confirmed ? "more" : "done";
}

/** Reads blocks in order and stores the relevant parts. Returns how many were done before one was unavailable. */
async function scanChunk(context: BlockPassContext, slots: number[]): Promise<number> {
  const { calls, journal, watched, pools } = context;
  const found: Found[] = [];
  const raws = await calls.blocks(slots);
  for (const [at, slot] of slots.entries()) {
    const raw = raws[at];
    if (typeof raw === "string") break;
    found.push({ slot, raw, ...scanBlock(raw, slot, watched, pools) });
  }
  const transactions = await calls.transactions(found.flatMap(({ signatures }) => signatures));
  const quotes = await readQuotes(context, found);
  const done: ReturnType<typeof readBlock>[] = [];
  const scanned: number[] = [];
  let place = 0;
  for (const block of found) {
    // A node between two forks may return the other fork's.
    const own = transactions
      .slice(place, place + block.signatures.length)
      .map(readable)
      .map((each) => (each?.slot === block.slot ? each : null));
    place += block.signatures.length;
    const complete = own.every(
      (each, at) => each !== null || context.giveUp(block.signatures[at] ?? "", block.slot),
    );
    if (!complete) break;
    const read = readFound(
      block,
      own.filter((each) => each !== null),
      watched,
    );
    read.read.pools.push(...(quotes.get(block.slot) ?? []));
    // If another pending block has one of its transactions too, that block was on a losing fork and is retracted first.
    if (rivalsOf(journal.state, [read.pending]).length > 0) break;
    scanned.push(block.slot);
    if (read.read.flows.length > 0 || read.read.pools.length > 0) done.push(read);
  }
  const state = {
    ...journal.state,
    scanned: [...(journal.state.scanned ?? []), ...scanned].sort((a, b) => a - b),
  };
  if (scanned.length > 0 && (done.length > 0 || isIdleLong(journal.state.scanned, state.scanned)))
    await journal.apply(
      done.map(({ read }) => read),
      done.map(({ pending }) => pending),
      state,
    );
  else journal.note(state);
  return scanned.length;
}

/** By slot. Trades of strangers only make quotes, so only one every few minutes is fetched per pool, and none is waited for. */
async function readQuotes(
  { calls, quotedAt }: BlockPassContext,
  found: readonly Found[],
): Promise<Map<number, PoolTrade[]>> {
  const due: (StrangersTrade & { slot: number })[] = [];
  for (const { slot, strangers } of found)
    for (const trade of strangers.toReversed()) {
      const isDue = (pool: string) =>
        slot - (quotedAt.get(pool) ?? -QUOTED_EVERY_SLOTS) >= QUOTED_EVERY_SLOTS;
      const pools = trade.pools.filter(isDue);
      if (pools.length > 0) due.push({ ...trade, pools, slot });
      for (const pool of pools) quotedAt.set(pool, slot);
    }
  const raws = await calls.transactions(due.map(({ signature }) => signature));
  const quotes = new Map<number, PoolTrade[]>();
  for (const [at, { slot, index, pools }] of due.entries()) {
    const transaction = readable(raws[at]);
    if (transaction?.slot !== slot) continue;
    const trades = poolTrades(transaction, new Set(), index).filter(({ pool }) => pools.includes(pool));
    quotes.set(slot, [...(quotes.get(slot) ?? []), ...trades]);
  }
  return quotes;
}

function readFound({ slot, raw }: Found, own: SolanaTransaction[], watched: ReadonlySet<string>) {
  const listed = (raw as { transactions: { transaction: { signatures: string[] } }[] }).transactions;
  const header = {
    ...headerOf(raw),
    signatures: listed.map(({ transaction }) => transaction.signatures[0] ?? ""),
  };
  return readBlock(slot, header, own, watched);
}

/** One stored cursor for this many blocks is enough while none of them is relevant. */
function isIdleLong(before: number[] | null, after: number[]): boolean {
  return Math.floor(after.length / IDLE_BLOCKS_MAX) > Math.floor((before?.length ?? 0) / IDLE_BLOCKS_MAX);
}
