// Whether the node still has what comes after our place. One that keeps little history gives nothing for what it threw away,
// just as it gives nothing where nothing happened: only its first block tells the two apart.
import type { SolanaCalls } from "./calls.ts";

export interface MissingBlocks {
  from: number;
  to: number;
}

/** The slots after our place that the node can't give any more; null when it has them all, or would not say. */
export async function missingAfter(calls: SolanaCalls, place: number): Promise<MissingBlocks | null> {
  const first = await calls.firstBlock();
  if (first === null || first <= place + 1) return null;
  const [header] = await calls.headers([first], "confirmed", "none");
  // Its parent is the last block before it, of which the node knows no more than that.
  if (typeof header !== "object" || header.parentSlot <= place) return null;
  return { from: place + 1, to: header.parentSlot };
}
