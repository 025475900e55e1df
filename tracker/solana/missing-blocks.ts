// Whether the node still has the blocks after our place. A node with little history returns nothing for what it has pruned,
// just as it does where nothing happened: only its first block tells the two apart.
import type { SolanaCalls } from "./calls.ts";

export interface MissingBlocks {
  from: number;
  to: number;
}

/** The slots after our place that the node no longer has; null when it has them all, or would not answer. */
export async function missingAfter(calls: SolanaCalls, place: number): Promise<MissingBlocks | null> {
  const first = await calls.firstBlock();
  if (first === null || first <= place + 1) return null;
  const [header] = await calls.headers([first], "confirmed", "none");
  // Its parent is the last block before it, and all the node knows about that one.
  if (typeof header !== "object" || header.parentSlot <= place) return null;
  return { from: place + 1, to: header.parentSlot };
}
