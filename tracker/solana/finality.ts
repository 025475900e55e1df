// The fate of blocks that were stored when confirmed: final, lost to another fork, or undecided. Only the chain itself decides,
// with a block that goes past another: never because some node does not know a transaction or a block.
import type { Log } from "../../kit/log.ts";
import type { Level, NoBlock, SlotHeader, SolanaCalls } from "./calls.ts";
import type { StateJournal } from "./journal.ts";
import { FORGOTTEN_SLOTS, LISTED_SLOTS_MAX } from "./limits.ts";
import { type PendingBlock, type SolanaState, walletsOf } from "./state.ts";

/** Retracts blocks the confirmed chain no longer has. Returns the wallets involved, whose transactions may land again. */
export async function retractLost(
  calls: SolanaCalls,
  journal: StateJournal,
  confirmed: number,
): Promise<string[]> {
  const { pending } = journal.state;
  const first = pending[0]?.slot;
  if (first === undefined || first > confirmed) return [];
  const { slots } = await calls.slots(first, Math.min(confirmed, first + LISTED_SLOTS_MAX), "confirmed");
  const known = new Set(slots);
  const reach = slots.at(-1) ?? 0;
  // A pending block above the node's last known one may just be ahead of this node.
  const absent = pending.filter(({ slot }) => slot < reach && !known.has(slot));
  const lost = await passedOver(calls, absent, "confirmed");
  if (lost.length > 0) await journal.retract(lost);
  return walletsOf(lost);
}

async function passedOver(calls: SolanaCalls, blocks: PendingBlock[], level: Level): Promise<PendingBlock[]> {
  const slots = blocks.map(({ slot }) => slot);
  const isPassed = await calls.passedOver(slots, level);
  return blocks.filter((_block, at) => isPassed[at]);
}

export interface FinalityParts {
  calls: SolanaCalls;
  journal: StateJournal;
  log: Log;
  /** The highest slot this pass may consider final. */
  final: number;
  /** How far the chain itself is final: a pass that catches up works with less. */
  chainFinal: number;
}

/** Compares pending blocks up to the final slot with the final blocks. The rest are undecided. */
async function settle({ calls, journal, log, final, chainFinal }: FinalityParts) {
  const due = journal.state.pending.filter(({ slot }) => slot <= final);
  const headers = await calls.headers(
    due.map(({ slot }) => slot),
    "finalized",
    "none",
  );
  const became = (what: (header: SlotHeader | NoBlock, block: PendingBlock) => boolean) =>
    due.filter((block, at) => what(headers[at] as SlotHeader | NoBlock, block));
  const shown = became((header, { hash }) => typeof header !== "string" && header.hash === hash);
  const replaced = became((header, { hash }) => typeof header !== "string" && header.hash !== hash);
  const absent = became((header) => header === "skipped");
  const lost = [...replaced, ...(await passedOver(calls, absent, "finalized"))];
  const forgotten = became(
    (header, block) =>
      typeof header === "string" && !lost.includes(block) && block.slot <= chainFinal - FORGOTTEN_SLOTS,
  );
  if (forgotten.length > 0)
    log.warn("no node has these solana blocks any more; treating them as final", {
      slots: forgotten.map(({ slot }) => slot),
    });
  return { final: [...shown, ...forgotten], lost };
}

/**
 * Finalizes what it can and retracts what was lost; `advance` moves the rest of the state along with the height up to which
 * everything is decided and nothing was just lost: its replacement has yet to be read. Returns the lost blocks.
 */
export async function settleFinal(
  standing: FinalityParts,
  advance: (state: SolanaState, height: number) => SolanaState,
): Promise<PendingBlock[]> {
  const { journal, final } = standing;
  const settled = await settle(standing);
  if (settled.lost.length > 0) await journal.retract(settled.lost);
  const done = new Set(settled.final.map(({ hash }) => hash));
  const pending = journal.state.pending.filter(({ hash }) => !done.has(hash));
  const open = [...pending, ...settled.lost].map(({ slot }) => slot);
  const height = Math.min(final, Math.min(...open) - 1);
  const before = journal.state;
  const next = advance({ ...before, pending, final: Math.max(before.final, height) }, height);
  if (done.size > 0 || next.final - before.final >= QUIET_SLOTS_MAX || next.anchors !== before.anchors)
    await journal.finalize(next);
  return settled.lost;
}

/** While nothing happens the final slot is stored this often: about once a minute. */
const QUIET_SLOTS_MAX = 150;
