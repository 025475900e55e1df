// Finds watched wallets' transfers among all token transfers of a range of blocks. Wallets are compared as topics, so that a
// stranger's log costs two lookups and no parsing.
import { TOPICS } from "./topics.ts";
import { type RawLog, topicOf } from "./wire.ts";

/** Watched wallets in topic form. */
export interface WalletTopics {
  size: number;
  /** Topic → address. */
  addresses: ReadonlyMap<string, string>;
}

export function walletTopics(wallets: Iterable<string>): WalletTopics {
  const addresses = new Map<string, string>();
  for (const wallet of wallets) addresses.set(topicOf(wallet), wallet.toLowerCase());
  return { size: addresses.size, addresses };
}

/** One block's transactions that moved something of a watched wallet. */
export interface BlockHits {
  height: number;
  hash: string;
  /** Transaction hash → the watched wallets involved. */
  transactions: Map<string, Set<string>>;
}

/** By height. Logs marked as removed, and those of other events, are skipped. */
export function hitsOf(
  logs: readonly RawLog[],
  { addresses }: WalletTopics,
  wrapped: string | null,
): Map<number, BlockHits> {
  const found = new Map<number, BlockHits>();
  for (const log of logs) {
    const { topics } = log;
    const [topic] = topics;
    let wallet: string | undefined;
    let other: string | undefined;
    if (topic === TOPICS.transfer) {
      wallet = addresses.get(topics[1] as string);
      other = addresses.get(topics[2] as string);
    } else if (topic === TOPICS.deposit || topic === TOPICS.withdrawal) {
      if (log.address.toLowerCase() === wrapped) wallet = addresses.get(topics[1] as string);
    }
    if ((wallet === undefined && other === undefined) || log.removed === true) continue;
    add(found, log, wallet);
    add(found, log, other);
  }
  return found;
}

function add(found: Map<number, BlockHits>, log: RawLog, wallet: string | undefined): void {
  if (wallet === undefined) return;
  const height = Number(log.blockNumber);
  let block = found.get(height);
  if (!block) {
    block = { height, hash: String(log.blockHash).toLowerCase(), transactions: new Map() };
    found.set(height, block);
  }
  const hash = String(log.transactionHash).toLowerCase();
  const wallets = block.transactions.get(hash);
  if (wallets) wallets.add(wallet);
  else block.transactions.set(hash, new Set([wallet]));
}

/** A digest of a block's watched wallets and transactions, to notice that a node left some out at first. */
export function contentOf(hits: BlockHits, poolLogs: number): string {
  const lines = [...hits.transactions].map(([hash, wallets]) => `${hash}:${[...wallets].sort().join()}`);
  return Bun.hash(`${lines.sort().join("\n")}|${poolLogs}`).toString(36);
}
