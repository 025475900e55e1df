// What became of blocks that were stored when they were confirmed: final, lost to another fork, or not decided yet. Only
// the chain's own list of blocks decides, never that some node does not know a transaction.
import type { Header, NoBlock, SolanaCalls } from "./calls.ts";
import type { Journal } from "./journal.ts";
import { type PendingBlock, type State, walletsOf } from "./state.ts";

/** Retracts what the confirmed chain no longer has. Answers the wallets concerned: theirs may land again elsewhere. */
export async function retractLost(
  calls: SolanaCalls,
  journal: Journal,
  confirmed: number,
): Promise<string[]> {
  const { pending } = journal.state;
  const first = pending[0]?.slot;
  if (first === undefined || first > confirmed) return [];
  const slots = await calls.slots(first, confirmed, "confirmed");
  const known = new Set(slots);
  const reach = slots.at(-1) ?? 0;
  // A block above what the node knows may only be ahead of this node.
  const lost = pending.filter(({ slot }) => slot < reach && !known.has(slot));
  if (lost.length > 0) await journal.retract(lost);
  return walletsOf(lost);
}

export interface Settled {
  final: PendingBlock[];
  lost: PendingBlock[];
  undecided: PendingBlock[];
}

/** Compares pending blocks up to the final slot with the blocks that are final now. */
async function settle(calls: SolanaCalls, pending: PendingBlock[], final: number): Promise<Settled> {
  const due = pending.filter(({ slot }) => slot <= final);
  const headers = await calls.headers(
    due.map(({ slot }) => slot),
    "finalized",
    "none",
  );
  const became = (what: (header: Header | NoBlock, block: PendingBlock) => boolean) =>
    due.filter((block, at) => what(headers[at] as Header | NoBlock, block));
  return {
    final: became((header, { hash }) => typeof header !== "string" && header.hash === hash),
    lost: became((header, { hash }) =>
      typeof header === "string" ? header === "skipped" : header.hash !== hash,
    ),
    undecided: became((header) => header === "not yet"),
  };
}

/**
 * Finalizes what can be and retracts what can't any more; `advance` moves the rest of the state along with the height up
 * to which everything is decided. Answers the wallets whose blocks were lost.
 */
export async function settleFinal(
  calls: SolanaCalls,
  journal: Journal,
  final: number,
  advance: (state: State, height: number) => State,
): Promise<string[]> {
  const settled = await settle(calls, journal.state.pending, final);
  if (settled.lost.length > 0) await journal.retract(settled.lost);
  const done = new Set(settled.final.map(({ hash }) => hash));
  const pending = journal.state.pending.filter(({ hash }) => !done.has(hash));
  const height = Math.min(final, (pending[0]?.slot ?? Infinity) - 1);
  const before = journal.state;
  const next = advance({ ...before, pending, final: Math.max(before.final, height) }, height);
  if (done.size > 0 || next.final - before.final >= QUIET_SLOTS_MAX || next.anchors !== before.anchors)
    await journal.finalize(next);
  return walletsOf(settled.lost);
}

/** While nothing happens the final slot is stored this often: about a minute. */
const QUIET_SLOTS_MAX = 150;
