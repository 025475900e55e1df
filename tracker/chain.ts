// The nouns that chain readers, books and explanations share. Amounts are raw integers as the chain keeps them; nothing
// here knows a price, a trader or a database. EVM addresses and hashes are lower-case hex, Solana's are base58.

/** The chain's own coin, where a token's address would stand. */
export const NATIVE = "native";

/** Solana has no chain id of its own kind; this is the number the platform's protocol uses for it. */
export const SOLANA_CHAIN_ID = 1399811149;

/** One asset's raw amount, always positive: which side it stands on says the direction. */
export interface Leg {
  token: string;
  amountRaw: bigint;
}

/** What a transaction was for a wallet. Only `swap` is a trade; everything else moves or converts what was already owned. */
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
  // No transaction: the chain says that the wallet holds more or less than what moved comes to.
  | "rebase"
  | "failed"
  | "none";

/**
 * What one transaction did to one wallet: net amounts, without the network fee and (Solana) own rent.
 * On EVM chains a wrapped coin that the wallet itself held stays under its own address (a wallet that sells WETH did not
 * sell ETH); what routers wrap on the way is folded. Solana's wSOL is always folded into `native`.
 */
export interface Flow {
  chainId: number;
  wallet: string;
  hash: string;
  /** The transaction's place in its block. */
  index: number;
  swap: boolean;
  kind: FlowKind;
  sold: Leg[];
  bought: Leg[];
  /** The network fee in native units, if this wallet paid it; else 0. */
  feeRaw: bigint;
  /** The other side of a plain transfer; null when there is no single one. */
  counterparty: string | null;
  /** False when a native amount could not be established exactly (no balances, several transactions in one block). */
  exact: boolean;
}

/** One trade inside a pool, for prices and candles: two raw amounts that changed hands. */
export interface PoolTrade {
  /** The pool's address; for a singleton that keeps many pools, `address:poolId`. */
  pool: string;
  hash: string;
  /** The event's place in its block. */
  index: number;
  /** What the trader paid into the pool, and what the pool paid out. */
  in: Leg;
  out: Leg;
  /** On Solana the program whose one swap is all that moved the pool's vaults; null where anything else moved them too. */
  swappedBy?: string | null;
  /** What the pool held of its tokens after the trade; null when that can't be known. */
  reserves: readonly Leg[] | null;
  /** Why this trade prices nothing: no known factory or program made the pool, or what it says did not really move. */
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

/** Enough to find a block: what is kept is filed by height. */
export type BlockPlace = Pick<BlockRef, "height" | "hash">;

/** What one block meant for the wallets and pools that are watched. */
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
   * Blocks in order. A block may come again when its node first left out some of its transfers, or by a back-fill: what
   * is already kept of it (same block, wallet and transaction; same pool event) stays as it is, the rest is added.
   * A block at or below the last `finalize` is final as it arrives.
   */
  apply(reads: readonly BlockRead[], cursor: Cursor): Promise<void>;
  /** These blocks were on a fork that lost; newest first. Every retraction names something that `apply` brought. */
  retract(chainId: number, blocks: readonly BlockPlace[], cursor: Cursor): Promise<void>;
  /** Nothing up to and including this height can change any more: the app feed may publish it. */
  finalize(chainId: number, height: number, cursor: Cursor): Promise<void>;
}

/** The wallets and pools to watch. */
export interface WatchList {
  wallets(chainId: number): ReadonlySet<string>;
  /** Pools whose trades are wanted even when no watched wallet takes part; their ids as in `PoolTrade.pool`. */
  pools(chainId: number): ReadonlySet<string>;
  onChange(listener: () => void): () => void;
}

export interface ReaderStatus {
  head: number | null;
  cursor: number | null;
  final: number | null;
  /** How far behind the head's own time the cursor is; grows while nothing can be read. */
  lagMs: number | null;
  /** The last failure, for logs: it may name a provider's host. */
  error: string | null;
  /** Why it is late, in words for everybody; null while nothing fails. */
  reason: string | null;
}

export interface BackfillRequest {
  wallets: readonly string[];
  sinceMs: number;
  /** The cursor's name: a back-fill that was interrupted continues where it was. */
  name: string;
  onProgress?(done: { fromHeight: number; height: number; toHeight: number }): void;
}

export interface ChainReader {
  start(): void;
  stop(): Promise<void>;
  /** Something happened, perhaps to these wallets: look now. Harmless when untrue. */
  wake(wallets?: readonly string[]): void;
  status(): ReaderStatus;
  /** Reads the past of wallets up to where the live reading began for them, through the same sink. */
  backfill(request: BackfillRequest): Promise<void>;
}

/** A token as its own contract or metadata account describes it; all of it is untrusted text and numbers. */
export interface TokenFacts {
  token: string;
  symbol: string | null;
  name: string | null;
  decimals: number | null;
  supplyRaw: bigint | null;
  /** Some of it could not be read just now: what is null may be known later. */
  isUnread?: boolean;
}

/** Where a token comes from; null is what is not known. */
export interface Launch {
  launchedAt: number | null;
  /** Who sent the transaction that made it. */
  deployer: string | null;
  /** When it left its launch pad. */
  graduatedAt: number | null;
}

export interface LaunchAnswer extends Launch {
  /** Whether there is more to ask: it is still on its launch pad, or something could not be read or is not there yet. */
  again: "never" | "pad" | "later";
}

/** What wallets hold, in the order asked; null where the node would not say. */
export interface HeldSnapshot {
  /** The block at whose end; null where the node did not keep to one. */
  block: BlockRef | null;
  /** Some answers may be of earlier blocks, but none before this height. */
  since: number;
  amounts: readonly (bigint | null)[];
}

export interface HeldPair {
  wallet: string;
  token: string;
}

/** What wallets hold by the chain's own word. */
export interface HeldQueries {
  /** Whether a transfer may be read minutes after its block was: a difference then is no sign yet that something is missing. */
  isReadLate: boolean;
  /** At the end of one block, this one or the last final one; null when the node does not keep to it. */
  read(pairs: readonly HeldPair[], height: number): Promise<HeldSnapshot | null>;
  /** What each provider by itself says of that block; those that would not say, or are on another fork, are left out. */
  opinions(pairs: readonly HeldPair[], block: BlockRef): Promise<HeldSnapshot[]>;
  /** Null when there is no such block, or the node would not say. */
  hashAt(height: number): Promise<string | null>;
}

/** Questions to a chain apart from the stream of blocks. */
export interface ChainQueries {
  tokens(tokens: readonly string[]): Promise<TokenFacts[]>;
  /** What a wallet held at the end of a block (null: now). A token that can not be read is left out. */
  balances(wallet: string, tokens: readonly string[], height: number | null): Promise<Leg[]>;
  /**
   * Whether a known factory made this pool, or a known program owns it and swapped; both as in `PoolTrade`. Null: ask again.
   */
  isKnownPool(pool: string, swappedBy: string | null): Promise<boolean | null>;
  /**
   * At least how much of one of its two tokens a pool without an address of its own held at the end of a block; null when
   * that can't be known. Left out where there are no such pools.
   */
  pooled?(pool: string, token: string, other: string, height: number): Promise<bigint | null>;
  /**
   * Where tokens come from, by what was final at this height, in the order asked. Null, or none: a token had no turn this
   * time, because one round asks only so much.
   */
  launches?(
    asked: readonly { token: string; known: Launch }[],
    height: number,
  ): Promise<(LaunchAnswer | null)[]>;
  /** How much of each token there is, in the order asked; null where it can't be read. */
  supplies?(tokens: readonly string[]): Promise<(bigint | null)[]>;
  held?: HeldQueries;
}

/** A pool right after a swap in a final block. */
export interface SwappedPool extends Pick<PoolTrade, "pool" | "index" | "in" | "out"> {
  height: number;
  timeMs: number;
  /** Raw amounts of what came in and of what went out, whose ratio is the price; virtual ones of concentrated liquidity. */
  inSide: bigint;
  outSide: bigint;
  /** Null where the event doesn't say. */
  feeBps: number | null;
}

/** What was read of a stretch of blocks. */
export interface ReadStates {
  to: number;
  toMs: number;
  /** In the order that it happened. */
  states: SwappedPool[];
  /** Pools of which some swap could not be read, by `tapedName`. */
  unread: ReadonlySet<string>;
}

/** A pool in which a token is traded. */
export interface TapedPool {
  pool: string;
  token: string;
}

/** One authority may keep the vaults of many pools, so a pool's name alone does not say which. */
export const tapedName = ({ pool, token }: TapedPool): string => `${pool} ${token}`;

/** How the states of pools are read from a chain. */
export interface ChainTape {
  /** This many final blocks are waited for before a pool is looked at again. */
  restBlocks: number;
  /** A block about so long before this one, or as early as the node still knows; null when it doesn't know this one. */
  startBefore(height: number, beforeMs: number): Promise<{ height: number; timeMs: number } | null>;
  /** What a pool itself says that it takes; null when it has no such word. */
  feeBps(pool: string): Promise<number | null>;
  /** From one final block on, as many as the provider grants; ascending. */
  read(pools: readonly TapedPool[], fromHeight: number, toHeight: number): Promise<ReadStates>;
  /** Whether a failure says that the node no longer has what was asked for. */
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
