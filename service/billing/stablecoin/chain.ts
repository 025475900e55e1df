// The port to a chain that payments arrive on, and its errors. A chain reports what happened and how sure
// it is; what that means for a payment is decided elsewhere, in the same way for every chain.

interface Asset {
  symbol: string;
  mint: string;
  decimals: number;
}

/** A transaction that names an address. */
export interface Notice {
  signature: string;
  slot: number;
  chainAt: number | null;
  /** Only what is finalized can't be undone. */
  finalized: boolean;
}

/** A token account before and after a transaction. */
export interface TokenBalance {
  account: string;
  mint: string;
  /** Who owned it afterwards, and before if it existed then. */
  owner: string | null;
  ownerBefore: string | null;
  decimals: number;
  before: bigint;
  after: bigint;
}

export interface ChainTransaction {
  signature: string;
  slot: number;
  chainAt: number | null;
  failed: boolean;
  /** Every account the transaction names. */
  accounts: readonly string[];
  balances: readonly TokenBalance[];
}

interface NoticePage {
  /** Strictly newer than this signature. */
  until: string | null;
  /** Strictly older than this one. */
  before: string | null;
  limit: number;
}

export interface PaymentChain {
  readonly network: string;
  readonly test: boolean;
  readonly asset: Asset;
  readonly recipient: string;
  /** Where an owner's coins of a mint are kept. */
  tokenAccount(owner: string, mint: string): Promise<string>;
  /** Transactions that name an address, newest first, final or not yet. */
  notices(address: string, page: NoticePage): Promise<Notice[]>;
  /** A finalized transaction; null when it does not exist, or not yet. */
  transaction(signature: string): Promise<ChainTransaction | null>;
}

export type ChainFault = "network" | "timeout" | "status" | "malformed" | "refused" | "busy";

/** The chain could not be asked, or its answer could not be believed. Never carries the RPC's URL: it may hold a key. */
export class ChainUnavailable extends Error {
  override readonly name = "ChainUnavailable";
  constructor(readonly reason: ChainFault) {
    super(`The chain could not be read (${reason}).`);
  }
}

/** The settings contradict the chain; nothing is credited until an operator has looked. */
export class ChainMismatch extends Error {
  override readonly name = "ChainMismatch";
}
