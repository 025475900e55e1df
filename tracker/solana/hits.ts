// Turns a list of relevant transactions into their effects: fetches transactions and their blocks, and nets them. A block is
// returned whole or not at all: if part of it is not available yet, it is left out.
import { type BlockRead, type Flow, SOLANA_CHAIN_ID } from "../chain.ts";
import type { SlotHeader, SolanaCalls } from "./calls.ts";
import { netWallet } from "./netting.ts";
import { poolTrades } from "./pools.ts";
import type { PendingBlock } from "./state.ts";
import { readTransaction, type SolanaTransaction, UnreadableTransaction } from "./transaction.ts";

/** What to read from one slot. */
export interface Hits {
  slot: number;
  signatures: string[];
}

export interface ReadHits {
  reads: BlockRead[];
  pending: PendingBlock[];
  /** The transactions behind them, in chain order. */
  transactions: SolanaTransaction[];
  /** Transactions that the node listed but could not return yet, with their slot. */
  missing: { slot: number; signature: string }[];
}

export interface ReadOptions {
  watched: ReadonlySet<string>;
  /** Everything stored up to this slot counts as final, so nothing less than final may be added to it. */
  final: number;
  /** Whether to give up on a transaction that the node lists but can't return. */
  giveUp(signature: string, slot: number): boolean;
}

export async function readHits(
  calls: SolanaCalls,
  hits: Hits[],
  { watched, final, giveUp }: ReadOptions,
): Promise<ReadHits> {
  const old = hits.filter(({ slot }) => slot <= final).map(({ slot }) => slot);
  const recent = hits.filter(({ slot }) => slot > final).map(({ slot }) => slot);
  const headers = new Map([
    ...zip(old, await calls.headers(old, "finalized", "signatures")),
    ...zip(recent, await calls.headers(recent, "confirmed", "signatures")),
  ]);
  const signatures = hits.flatMap((hit) => hit.signatures);
  const raw = await calls.transactions(signatures);
  const found = new Map(signatures.map((signature, at) => [signature, readable(raw[at])]));
  const result: ReadHits = { reads: [], pending: [], transactions: [], missing: [] };
  for (const hit of hits) {
    const header = headers.get(hit.slot) ?? "not yet";
    const has = (signature: string) =>
      // A node between two forks may return a transaction from one and the block from the other.
      typeof header !== "string" &&
      found.get(signature)?.slot === hit.slot &&
      header.signatures.includes(signature);
    const missing = hit.signatures.filter((signature) => !has(signature) && !giveUp(signature, hit.slot));
    result.missing.push(...missing.map((signature) => ({ slot: hit.slot, signature })));
    if (missing.length > 0 || typeof header === "string") continue;
    const transactions = hit.signatures
      .filter(has)
      .map((signature) => found.get(signature) as SolanaTransaction);
    const { read, pending } = readBlock(hit.slot, header, transactions, watched);
    result.reads.push(read);
    result.pending.push(pending);
    const place = ({ signature }: SolanaTransaction) => header.signatures.indexOf(signature);
    result.transactions.push(...transactions.sort((a, b) => place(a) - place(b)));
  }
  return result;
}

export function readBlock(
  slot: number,
  header: SlotHeader,
  transactions: SolanaTransaction[],
  watched: ReadonlySet<string>,
): { read: BlockRead; pending: PendingBlock } {
  const { hash, parentHash } = header;
  const timeMs = header.timeMs ?? transactions.find((each) => each.timeMs !== null)?.timeMs ?? 0;
  const block = { chainId: SOLANA_CHAIN_ID, height: slot, hash, parentHash, timeMs };
  const read: BlockRead = { block, flows: [], pools: [] };
  const pending: PendingBlock = { slot, hash, read: {} };
  for (const transaction of transactions.filter(({ failed }) => !failed)) {
    const index = header.signatures.indexOf(transaction.signature);
    const wallets = walletsIn(transaction, watched);
    const flows = wallets.map((wallet) => netWallet(transaction, wallet, index));
    read.flows.push(...flows.filter(isWorthTelling));
    read.pools.push(...poolTrades(transaction, watched, index));
    pending.read[transaction.signature] = wallets;
  }
  read.flows.sort((a, b) => a.index - b.index);
  return { read, pending };
}

/** Watched wallets that a transaction mentions or whose token accounts it touches. */
export function walletsIn(transaction: SolanaTransaction, watched: ReadonlySet<string>): string[] {
  const owners = transaction.tokenAccounts.flatMap(({ ownerBefore, ownerAfter }) => [
    ownerBefore,
    ownerAfter,
  ]);
  const named = new Set([...transaction.keys, ...owners]);
  return [...named].filter((each): each is string => each !== null && watched.has(each));
}

/** A fee paid for a vote, a cancelled order or a message moves nothing else. */
function isWorthTelling({ sold, bought, kind }: Flow): boolean {
  return sold.length > 0 || bought.length > 0 || kind.startsWith("nft-");
}

function zip<A, B>(keys: A[], values: B[]): [A, B][] {
  return keys.map((key, at) => [key, values[at] as B]);
}

/** Null if missing or malformed. */
export function readable(raw: unknown): SolanaTransaction | null {
  if (raw === null || raw === undefined) return null;
  try {
    return readTransaction(raw);
  } catch (error) {
    if (error instanceof UnreadableTransaction) return null;
    throw error;
  }
}
