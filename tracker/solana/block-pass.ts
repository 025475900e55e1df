// One pass over whole blocks, for more wallets than can be listed: every block of the confirmed chain above the final
// slot that was not scanned yet. A fork shows as blocks that are missing and blocks that are new.
import type { PoolTrade } from "../chain.ts";
import { scanBlock } from "./blocks.ts";
import { headerOf, UnusableAnswer } from "./calls.ts";
import { settleFinal } from "./finality.ts";
import { readBlock } from "./hits.ts";
import { CHUNK_BLOCKS_MAX, IDLE_BLOCKS_MAX, WINDOW_SLOTS_MAX } from "./limits.ts";
import type { PassContext } from "./listed-pass.ts";
import { rivalsOf } from "./state.ts";
import { readTransaction } from "./transaction.ts";

export interface BlockPassContext extends PassContext {
  pools: ReadonlySet<string>;
  confirmed: number;
}

interface Found {
  slot: number;
  raw: unknown;
  signatures: string[];
  pools: PoolTrade[];
}

/** Answers whether there is more to do at once. */
export async function passBlocks(context: BlockPassContext): Promise<boolean> {
  const { calls, journal, final, confirmed } = context;
  const base = journal.state.final;
  const end = Math.min(confirmed, base + WINDOW_SLOTS_MAX);
  const slots = end > base ? await calls.slots(base + 1, end, "confirmed") : [];
  const known = new Set(journal.state.scanned ?? []);
  const fresh = slots.filter((slot) => !known.has(slot));
  let scannedTo = end;
  for (let at = 0; at < fresh.length; at += CHUNK_BLOCKS_MAX) {
    const chunk = fresh.slice(at, at + CHUNK_BLOCKS_MAX);
    const done = await scanChunk(context, chunk);
    if (done < chunk.length) {
      scannedTo = (chunk[done] as number) - 1;
      break;
    }
  }
  const lost = await settleFinal(calls, journal, Math.min(final, scannedTo), (state) => ({
    ...state,
    scanned: (state.scanned ?? []).filter((slot) => slot > state.final),
  }));
  return lost.length > 0 || scannedTo < confirmed;
}

/** Reads blocks in order and stores what concerns us. Answers how many were done before one could not be had. */
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
  const done: ReturnType<typeof readBlock>[] = [];
  const scanned: number[] = [];
  let place = 0;
  for (const block of found) {
    const own = transactions.slice(place, place + block.signatures.length);
    place += block.signatures.length;
    const complete = own.every(
      (raw, at) => isOf(raw, block.slot) || context.giveUp(block.signatures[at] ?? ""),
    );
    if (!complete) break;
    const read = readFound(
      block,
      own.filter((raw) => isOf(raw, block.slot)),
      watched,
    );
    // A transaction that another pending block has as well: that block's fork lost, and is retracted first.
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

function readFound({ slot, raw, pools }: Found, own: unknown[], watched: ReadonlySet<string>) {
  const listed = (raw as { transactions: { transaction: { signatures: string[] } }[] }).transactions;
  const header = {
    ...headerOf(raw),
    signatures: listed.map(({ transaction }) => transaction.signatures[0] ?? ""),
  };
  const result = readBlock(slot, header, own.map(readTransaction), watched);
  result.read.pools.push(...pools);
  return result;
}

/** Whether this is a transaction of that block: a node between two forks may give the other fork's. */
function isOf(raw: unknown, slot: number): boolean {
  if (raw === null || raw === undefined) return false;
  if (typeof raw !== "object") throw new UnusableAnswer("a transaction that is not an object");
  return (raw as { slot?: unknown }).slot === slot;
}

/** A stored cursor every so many blocks is enough while none of them concerns us. */
function isIdleLong(before: number[] | null, after: number[]): boolean {
  return Math.floor(after.length / IDLE_BLOCKS_MAX) > Math.floor((before?.length ?? 0) / IDLE_BLOCKS_MAX);
}
