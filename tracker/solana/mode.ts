// The two ways to read, and how to switch state between them without a gap: wallets are listed one by one, or every block is
// read.
import type { Anchor, SolanaState } from "./state.ts";

/** Whether wallets are listed; otherwise blocks are read. */
export function isListing(state: SolanaState): boolean {
  return state.scanned === null;
}

/** Coming from blocks, all wallets were read up to the final slot; a new wallet begins where its live reading does. */
export function listingState(
  state: SolanaState,
  wallets: ReadonlySet<string>,
  since: (wallet: string) => number,
): SolanaState {
  const anchors: Record<string, Anchor> = {};
  for (const wallet of wallets) {
    const slot = isListing(state) ? since(wallet) : Math.min(state.final, since(wallet));
    anchors[wallet] = state.anchors[wallet] ?? { slot, signature: null };
  }
  return { ...state, anchors, scanned: null };
}

export function needsListingState(state: SolanaState, wallets: ReadonlySet<string>): boolean {
  if (!isListing(state)) return true;
  const known = Object.keys(state.anchors);
  return known.length !== wallets.size || known.some((wallet) => !wallets.has(wallet));
}

/** Only once every listed wallet was listed to the end: blocks continue from the final slot. */
export function blocksState(state: SolanaState): SolanaState {
  return { ...state, anchors: {}, scanned: [] };
}

/** Blocks above the final slot are read again: they were not searched for the new wallets. */
export function rescanState(state: SolanaState): SolanaState {
  return { ...state, scanned: [] };
}
