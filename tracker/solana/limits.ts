// Limits for reading Solana, with their units and reasons.

/** The page size of `getSignaturesForAddress`, set by the protocol. */
export const SIGNATURES_PAGE_MAX = 1_000;

/** Above this many wallets, one subscription and one listing each cost more than reading every block. */
export const LISTED_WALLETS_MAX = 300;

/** Pages of one wallet's history per pass: a million transactions. A wallet with more since the last pass is an error. */
export const PAGES_MAX = 1_000;

/** Transactions read and stored at once: progress is saved often, and one store transaction stays short. */
export const CHUNK_TRANSACTIONS_MAX = 100;

/** Blocks fetched at once when all blocks are read: some megabytes each, so this bounds memory. */
export const CHUNK_BLOCKS_MAX = 8;

/** When all blocks are read, a pool's trades among strangers are fetched at most once in this many slots: some five minutes. */
export const QUOTED_EVERY_SLOTS = 750;

/** Pools whose last quote is remembered; an evicted one is fetched a little sooner. */
export const QUOTED_POOLS_MAX = 20_000;

/** How far ahead of the final slot one pass looks when catching up, in slots. */
export const WINDOW_SLOTS_MAX = 2_000;

/** The minimum number of attempts for a transaction that the node lists but can't return, before it is skipped and reported. */
export const ATTEMPTS_MIN = 20;

/**
 * How far below the final slot such a transaction must be, about half an hour: nodes behind one address differ by minutes, and
 * many attempts are no reason to lose a trade.
 */
export const GIVE_UP_SLOTS = 4_500;

/** Blocks without a watched wallet between two stored cursors; after a crash this many are read twice. */
export const IDLE_BLOCKS_MAX = 50;

/** Transactions whose attempts are counted at once; beyond that, counting starts over. A healthy node has none. */
export const ATTEMPTS_KEPT_MAX = 10_000;

/** The range limit of one `getBlocks` call, set by the protocol. */
export const LISTED_SLOTS_MAX = 500_000;

/**
 * A confirmed block this far below the final slot, about two days, is final even if no node can show it any more: two thirds of
 * the stake voted for it, and nothing that old was ever undone.
 */
export const FORGOTTEN_SLOTS = 432_000;

/** With a stream, wallets need not be listed for news, so this many are followed before every block is read instead. */
export const STREAM_WALLETS_MAX = 10_000;

/** Streamed transactions kept until they are final, with their effects: some ten kilobytes each. */
export const STREAMED_MAX = 2_000;

/** How far a stream may be ahead of the node that histories are read from, about a minute; beyond that, don't wait for it. */
export const STREAM_AHEAD_SLOTS_MAX = 150;
