// How often Solana is looked at.

/** Every wallet, though nothing woke the reader. With a socket or a stream this only finds what those lost. */
export const SWEEP_MS = { woken: 300_000, alone: 15_000 };
/** The node itself, though nothing is heard: that it is gone has to show. */
export const PROBE_MS = 60_000;
/** What every wallet holds. */
export const HOLDINGS_MS = 600_000;
/** Blocks, or what could not be had at first: about one slot. */
export const TICK_MS = 400;
/** About how long a slot takes. */
export const SLOT_MS = 400;
/** A pool of the tape is looked at again after about five minutes: each look is a call, and each swap one more. */
export const TAPE_REST_SLOTS = 750;
