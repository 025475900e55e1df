// How often to look at Solana.

/** Every wallet, though nothing woke the reader. With a socket or a stream this only finds what those missed. */
export const SWEEP_MS = { woken: 300_000, alone: 15_000 };
/** The node itself, though there is no news: an outage must be noticed. */
export const PROBE_MS = 60_000;
/** Every wallet's holdings. */
export const HOLDINGS_MS = 600_000;
/** Blocks, or what was not available at first: about one slot. */
export const TICK_MS = 400;
/** The approximate length of a slot. */
export const SLOT_MS = 400;
/** A pool of the tape is checked about every five minutes: each look is a call, and each swap one more. */
export const TAPE_REST_SLOTS = 750;
