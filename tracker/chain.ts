// The nouns shared by chain readers, books and explanations. Amounts are the chain's raw integers; nothing here knows a price,
// a trader or a database. EVM addresses and hashes are lower-case hex, Solana's are base58.

/** The chain's own coin, in place of a token address. */
export const NATIVE = "native";

/** Solana has no numeric chain id; the platform's protocol uses this number for it. */
export const SOLANA_CHAIN_ID = 1399811149;

/** One asset's raw amount, always positive: the side it is on gives the direction. */
export interface Leg {
  token: string;
  amountRaw: bigint;
}

/** A transaction's purpose for a wallet. Only `swap` is a trade; everything else moves or converts existing holdings. */
export type FlowKind =
  | "swap"
  | "transfer-in"
  | "transfer-out"
  | "wrap"
  | "unwrap"
  | "lp-add"
  | "lp-remove"
  | "stake"
  | "unstake"
  | "lend-deposit"
  | "lend-withdraw"
  | "lend-borrow"
  | "lend-repay"
  | "redeem"
  | "bridge-in"
  | "bridge-out"
  | "nft-buy"
  | "nft-sell"
  | "nft-transfer-in"
  | "nft-transfer-out"
  | "order-placed"
  | "order-cancelled"
  | "convert"
  // Not a transaction: on chain, the wallet holds more or less than the sum of its moves.
  | "rebase"
  | "failed"
  | "none";

/**
 * The effect of one transaction on one wallet: net amounts, without the network fee and (Solana) own rent.
 * On EVM chains a wrapped coin that the wallet itself held keeps its own address (a wallet that sells WETH did not sell ETH);
 * what routers wrap on the way is folded. Solana's wSOL is always folded into `native`.
 */
export interface Flow {
  chainId: number;
  wallet: string;
  hash: string;
  /** The transaction's index in its block. */
  index: number;
  swap: boolean;
  kind: FlowKind;
  sold: Leg[];
  bought: Leg[];
  /** The network fee in native units, if this wallet paid it; otherwise 0. */
  feeRaw: bigint;
  /** The other side of a plain transfer; null when there is no single one. */
  counterparty: string | null;
  /** False when a native amount could not be established exactly (no balances, several transactions in one block). */
  exact: boolean;
}

/** One trade in a pool, for prices and candles: two raw amounts that changed hands. */
export interface PoolTrade {
  /** The pool's address; for a singleton that holds many pools, `address:poolId`. */
  pool: string;
  hash: string;
  /** The event's index in its block. */
  index: number;
  /** What the trader paid into the pool, and what the pool paid out. */
  in: Leg;
  out: Leg;
  /** On Solana, the program whose single swap is all that moved the pool's vaults; null if anything else moved them too. */
  swappedBy?: string | null;
  /** The pool's token reserves after the trade; null when unknown. */
  reserves: readonly Leg[] | null;
  /** Why this trade prices nothing: no known factory or program made the pool, or its reported amounts did not really move. */
  doubt: PoolDoubt | null;
}

export type PoolDoubt = "factory" | "amounts";

export interface BlockRef {
  chainId: number;
  height: number;
  hash: string;
  parentHash: string;
  timeMs: number;
}

/** Enough to find a block: rows are keyed by height. */
export type BlockPlace = Pick<BlockRef, "height" | "hash">;

/** What one block holds for the watched wallets and pools. */
export interface BlockRead {
  block: BlockRef;
  flows: Flow[];
  pools: PoolTrade[];
}

/** A reader's place, as text that only the reader understands. */
export interface Cursor {
  name: string;
  value: string;
}

/**
 * Where a reader writes. Each call is one database transaction that also stores the reader's cursor, so that a kill -9
 * at any point loses nothing and repeats nothing.
 */
export interface Sink {
  cursor(name: string): Promise<string | null>;
  /**
   * Blocks in order. A block may be applied again when its node left out some of its transfers at first, or by a back-fill:
   * rows already stored (same block, wallet and transaction; same pool event) stay as they are, the rest is added. A block at
   * or below the last `finalize` is final on arrival.
   */
  apply(reads: readonly BlockRead[], cursor: Cursor): Promise<void>;
  /** These blocks were on a losing fork; newest first. Every retraction names something that `apply` wrote. */
  retract(chainId: number, blocks: readonly BlockPlace[], cursor: Cursor): Promise<void>;
  /** Nothing up to and including this height can change: the app feed may publish it. */
  finalize(chainId: number, height: number, cursor: Cursor): Promise<void>;
}

/** The wallets and pools to watch. */
export interface WatchList {
  wallets(chainId: number): ReadonlySet<string>;
  /** Pools whose trades are wanted even when no watched wallet is involved; ids as in `PoolTrade.pool`. */
  pools(chainId: number): ReadonlySet<string>;
  onChange(listener: () => void): () => void;
}

export interface ReaderStatus {
  head: number | null;
  cursor: number | null;
  final: number | null;
  /** How far the cursor is behind the head's own time; grows while nothing can be read. */
  lagMs: number | null;
  /** The last failure, for logs: it may name a provider's host. */
  error: string | null;
  /** Why it is late, in words safe to publish; null while nothing fails. */
  reason: string | null;
}

export interface BackfillRequest {
  wallets: readonly string[];
  sinceMs: number;
  /** The cursor's name: an interrupted back-fill resumes from it. */
  name: string;
  onProgress?(done: { fromHeight: number; height: number; toHeight: number }): void;
}

export interface ChainReader {
  start(): void;
  stop(): Promise<void>;
  /** Something may have happened, perhaps to these wallets: look now. Harmless if not. */
  wake(wallets?: readonly string[]): void;
  status(): ReaderStatus;
  /** Reads wallets' history up to where live reading began for them, through the same sink. */
  backfill(request: BackfillRequest): Promise<void>;
}

/** A token as described by its own contract or metadata account; all of it is untrusted text and numbers. */
export interface TokenFacts {
  token: string;
  symbol: string | null;
  name: string | null;
  decimals: number | null;
  supplyRaw: bigint | null;
  /** Some of it could not be read just now: null fields may be filled in later. */
  isUnread?: boolean;
}

/** A token's origin; unknown fields are null. */
export interface Launch {
  launchedAt: number | null;
  /** The sender of the transaction that created it. */
  deployer: string | null;
  /** When it left its launch pad. */
  graduatedAt: number | null;
}

export interface LaunchAnswer extends Launch {
  /** Whether to ask again: it is still on its launch pad, or something could not be read or does not exist yet. */
  again: "never" | "pad" | "later";
}

/** Wallet balances, in the order asked; null where the node would not answer. */
export interface HeldSnapshot {
  /** Balances are as of the end of this block; null when the node did not stick to one block. */
  block: BlockRef | null;
  /** Some answers may be from earlier blocks, but none from before this height. */
  since: number;
  amounts: readonly (bigint | null)[];
}

export interface HeldPair {
  wallet: string;
  token: string;
}

/** Wallet balances as reported by the chain itself. */
export interface HeldQueries {
  /** Whether a transfer may be read minutes after its block: then a difference does not yet mean that something is missing. */
  isReadLate: boolean;
  /** At the end of one block, this one or the last final one; null when the node does not stick to it. */
  read(pairs: readonly HeldPair[], height: number): Promise<HeldSnapshot | null>;
  /** Each provider's own answer for that block; providers that won't answer, or are on another fork, are left out. */
  opinions(pairs: readonly HeldPair[], block: BlockRef): Promise<HeldSnapshot[]>;
  /** Null when there is no such block, or the node won't answer. */
  hashAt(height: number): Promise<string | null>;
}

/** Queries to a chain outside the stream of blocks. */
export interface ChainQueries {
  tokens(tokens: readonly string[]): Promise<TokenFacts[]>;
  /** A wallet's balance at the end of a block (null: now). A token that can't be read is left out. */
  balances(wallet: string, tokens: readonly string[], height: number | null): Promise<Leg[]>;
  /**
   * Whether a known factory created this pool, or a known program owns it and swapped; both as in `PoolTrade`. Null: ask again.
   */
  isKnownPool(pool: string, swappedBy: string | null): Promise<boolean | null>;
  /**
   * A lower bound on how much of one of its two tokens a pool without its own address held at the end of a block; null when
   * unknown. Absent on chains without such pools.
   */
  pooled?(pool: string, token: string, other: string, height: number): Promise<bigint | null>;
  /**
   * Tokens' origins, as of this final height, in the order asked. Null, or missing: the token was not queried this time,
   * because one round is limited.
   */
  launches?(
    asked: readonly { token: string; known: Launch }[],
    height: number,
  ): Promise<(LaunchAnswer | null)[]>;
  /** Each token's total supply, in the order asked; null where it can't be read. */
  supplies?(tokens: readonly string[]): Promise<(bigint | null)[]>;
  held?: HeldQueries;
}

/** A pool right after a swap in a final block. */
export interface SwappedPool extends Pick<PoolTrade, "pool" | "index" | "in" | "out"> {
  height: number;
  timeMs: number;
  /** Raw amounts of the tokens paid in and out, whose ratio is the price; virtual ones for concentrated liquidity. */
  inSide: bigint;
  outSide: bigint;
  /** Null where the event doesn't say. */
  feeBps: number | null;
}

/** The pool states read from a range of blocks. */
export interface ReadStates {
  to: number;
  toMs: number;
  /** In chain order. */
  states: SwappedPool[];
  /** Pools with at least one swap that could not be read, by `tapedName`. */
  unread: ReadonlySet<string>;
}

/** A pool that trades a token. */
export interface TapedPool {
  pool: string;
  token: string;
}

/** One authority may own the vaults of many pools, so a pool's name alone is ambiguous. */
export const tapedName = ({ pool, token }: TapedPool): string => `${pool} ${token}`;

/** Reads the states of pools from a chain. */
export interface ChainTape {
  /** Final blocks to wait for before looking at a pool again. */
  restBlocks: number;
  /** A block roughly this long before the given one, or the earliest the node still has; null if it doesn't know that one. */
  startBefore(height: number, beforeMs: number): Promise<{ height: number; timeMs: number } | null>;
  /** The fee that a pool itself reports; null when it reports none. */
  feeBps(pool: string): Promise<number | null>;
  /** From one final block on, as many as the provider allows; ascending. */
  read(pools: readonly TapedPool[], fromHeight: number, toHeight: number): Promise<ReadStates>;
  /** Whether an error means that the node no longer has the data. */
  isForgotten(error: unknown): boolean;
}

/** What `crowdtape tracker explain` prints for one wallet of one transaction. */
export interface Explanation {
  chainId: number;
  wallet: string;
  hash: string;
  swap: boolean;
  kind: FlowKind;
  sold: { token: string; amountRaw: string }[];
  bought: { token: string; amountRaw: string }[];
}
