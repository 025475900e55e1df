// Every transfer that was seen for a payment, or arrived without one, with its verdict; and how far each address on the
// chain has been read. A row whose verdict is final never changes again.
import type { Queries } from "../../../database/database.ts";
import { list, raw, sql } from "../../../database/sql.ts";

/** Arrived, but does not reference any payment of ours. */
export const NO_PAYMENT = "";

export interface StoredTransfer {
  signature: string;
  paymentId: string;
  verdict: string;
  /** The transferred coin; null when it is not known yet, or nothing was transferred. */
  mint: string | null;
  amountAtomic: string;
  slot: number;
  /** When the chain says it happened. */
  chainAt: number | null;
  firstSeenAt: number;
  /** When the verdict became final; null while it may still change. */
  decidedAt: number | null;
}

const SELECT = `SELECT signature, payment_id AS "paymentId", verdict, mint, amount_atomic AS "amountAtomic", slot,
  chain_at AS "chainAt", first_seen_at AS "firstSeenAt", decided_at AS "decidedAt" FROM payment_transfer`;

/** Inserts or updates a transfer; false when it was already decided, in which case it stays unchanged. */
export async function recordTransfer(tx: Queries, transfer: StoredTransfer): Promise<boolean> {
  const changed = await tx.run(
    sql`INSERT INTO payment_transfer
          (signature, payment_id, verdict, mint, amount_atomic, slot, chain_at, first_seen_at, decided_at)
        VALUES (${transfer.signature}, ${transfer.paymentId}, ${transfer.verdict}, ${transfer.mint},
          ${transfer.amountAtomic}, ${transfer.slot}, ${transfer.chainAt}, ${transfer.firstSeenAt},
          ${transfer.decidedAt})
        ON CONFLICT (signature, payment_id) DO UPDATE SET verdict = excluded.verdict, mint = excluded.mint,
          amount_atomic = excluded.amount_atomic, slot = excluded.slot, chain_at = excluded.chain_at,
          decided_at = excluded.decided_at
        WHERE payment_transfer.decided_at IS NULL`,
  );
  return changed === 1;
}

export async function creditedTo(queries: Queries, signature: string): Promise<string | null> {
  const row = await queries.one<{ paymentId: string }>(
    sql`SELECT payment_id AS "paymentId" FROM payment_transfer
        WHERE signature = ${signature} AND verdict = 'credited'`,
  );
  return row?.paymentId ?? null;
}

export function transfersOfPayment(
  queries: Queries,
  paymentId: string,
  limit: number,
): Promise<StoredTransfer[]> {
  return queries.all<StoredTransfer>({
    text: `${SELECT} WHERE payment_id = ? ORDER BY first_seen_at DESC, signature LIMIT ?`,
    values: [paymentId, limit],
  });
}

/** Transfers with one verdict, newest first, for the operator. */
export function transfersOfVerdict(
  queries: Queries,
  verdict: string,
  limit: number,
): Promise<StoredTransfer[]> {
  return queries.all<StoredTransfer>({
    text: `${SELECT} WHERE verdict = ? ORDER BY first_seen_at DESC, signature LIMIT ?`,
    values: [verdict, limit],
  });
}

export function undecidedTransfers(
  queries: Queries,
  paymentId: string,
  limit: number,
): Promise<StoredTransfer[]> {
  return queries.all<StoredTransfer>({
    text: `${SELECT} WHERE payment_id = ? AND decided_at IS NULL ORDER BY first_seen_at, signature LIMIT ?`,
    values: [paymentId, limit],
  });
}

export async function hasSeenTransfer(queries: Queries, paymentId: string): Promise<boolean> {
  const row = await queries.one(
    sql`SELECT signature FROM payment_transfer
        WHERE payment_id = ${paymentId} AND verdict = 'seen' LIMIT 1`,
  );
  return row !== null;
}

/** Which of these are already decided: for one payment, or for any. */
export async function decidedSignatures(
  queries: Queries,
  paymentId: string | null,
  signatures: readonly string[],
): Promise<Set<string>> {
  if (signatures.length === 0) return new Set();
  const ofPayment = paymentId === null ? raw("") : sql`AND payment_id = ${paymentId}`;
  const rows = await queries.all<{ signature: string }>(
    sql`SELECT DISTINCT signature FROM payment_transfer
        WHERE signature IN (${list(signatures)}) AND decided_at IS NOT NULL ${ofPayment}`,
  );
  return new Set(rows.map((row) => row.signature));
}

/** How far an address has been read. Transactions come newest first, so a long read is a walk with a way back. */
export interface ScanPlace {
  address: string;
  /** Anything before this is irrelevant. */
  since: number;
  /** Everything up to this signature has been decided. */
  cursor: string | null;
  /** A walk in progress continues before `walkBefore`, ends at `walkUntil`, and will move the cursor to `walkNewest`. */
  walkUntil: string | null;
  walkBefore: string | null;
  walkNewest: string | null;
  /** When the address was last read ignoring the cursor. */
  sweptAt: number;
}

export function findScan(queries: Queries, address: string): Promise<ScanPlace | null> {
  return queries.one<ScanPlace>(
    sql`SELECT address, since, cursor, walk_until AS "walkUntil", walk_before AS "walkBefore",
          walk_newest AS "walkNewest", swept_at AS "sweptAt"
        FROM payment_scan WHERE address = ${address}`,
  );
}

export async function saveScan(tx: Queries, place: ScanPlace): Promise<void> {
  await tx.run(
    sql`INSERT INTO payment_scan (address, since, cursor, walk_until, walk_before, walk_newest, swept_at)
        VALUES (${place.address}, ${place.since}, ${place.cursor}, ${place.walkUntil}, ${place.walkBefore},
          ${place.walkNewest}, ${place.sweptAt})
        ON CONFLICT (address) DO UPDATE SET cursor = excluded.cursor, walk_until = excluded.walk_until,
          walk_before = excluded.walk_before, walk_newest = excluded.walk_newest, swept_at = excluded.swept_at`,
  );
}
