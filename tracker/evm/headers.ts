// Block headers as a node returns them, and a bloom filter check: whether the block may hold token transfers.
import type { BlockRef } from "../chain.ts";
import { BadWire, quantity, type RawTransaction } from "./wire.ts";

export interface Header extends BlockRef {
  logsBloom: string | null;
  miner: string | null;
  /** Consensus-layer withdrawals in this block, by address. */
  withdrawals: ReadonlyMap<string, bigint>;
  /** Empty unless the block was requested with its transactions. */
  transactions: RawTransaction[];
}

const WEI_PER_GWEI = 1_000_000_000n;
const HASH = /^0x[0-9a-f]{64}$/i;

/** Null when the node does not know the block (yet). */
export function readHeader(value: unknown, chainId: number): Header | null {
  if (value === null) return null;
  if (typeof value !== "object") throw new BadWire("the block is not an object");
  const { number, hash, parentHash, timestamp, logsBloom, miner, withdrawals, transactions } =
    value as Record<string, unknown>;
  // A pending block has no hash; it is not a block yet.
  if (hash === null || number === null) return null;
  return {
    chainId,
    height: Number(quantity(number, "block.number")),
    hash: hashOf(hash, "block.hash"),
    parentHash: hashOf(parentHash, "block.parentHash"),
    timeMs: Number(quantity(timestamp, "block.timestamp")) * 1_000,
    logsBloom: typeof logsBloom === "string" ? logsBloom : null,
    miner: typeof miner === "string" ? miner.toLowerCase() : null,
    withdrawals: readWithdrawals(withdrawals),
    transactions: Array.isArray(transactions)
      ? transactions.filter((one): one is RawTransaction => typeof one === "object" && one !== null)
      : [],
  };
}

function hashOf(value: unknown, field: string): string {
  if (typeof value !== "string" || !HASH.test(value)) throw new BadWire(`${field} is not a hash`);
  return value.toLowerCase();
}

function readWithdrawals(value: unknown): ReadonlyMap<string, bigint> {
  const paid = new Map<string, bigint>();
  if (!Array.isArray(value)) return paid;
  for (const { address, amount } of value as { address?: unknown; amount?: unknown }[]) {
    const key = String(address).toLowerCase();
    paid.set(key, (paid.get(key) ?? 0n) + quantity(amount, "withdrawal.amount") * WEI_PER_GWEI);
  }
  return paid;
}

/** The three bloom bits (of 2,048) set by a log with the Transfer topic; a test computes them. */
export const TRANSFER_BLOOM_BITS = [1443, 481, 1060];

/** Whether the block may hold a token transfer. False is certain; true is only likely. */
export function mayHoldTransfers({ logsBloom }: Header): boolean {
  if (logsBloom === null || logsBloom.length !== 2 + 512) return false;
  return TRANSFER_BLOOM_BITS.every((bit) => {
    const nibble = Number.parseInt(logsBloom.charAt(2 + 511 - (bit >> 2)), 16);
    return (nibble & (1 << (bit & 3))) !== 0;
  });
}
