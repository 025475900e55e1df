// Transfers in and out of positions, each once; a position's detail lists them next to its fills.

import { insertMany, type Queries } from "../../../database/database.ts";
import {
  beyond,
  type Keyset,
  type KeysetOrder,
  type KeysetPage,
  orderAndLimit,
  pageOf,
} from "../../../database/keyset.ts";
import { sql, where } from "../../../database/sql.ts";
import type { Transfer } from "../../../protocol/shapes/position.ts";
import type { Repository } from "../repository.ts";
import { codec } from "./bodies.ts";

const OLDEST_FIRST: KeysetOrder = { column: "at", idColumn: "transfer_id", direction: "ASC" };
const BODY = codec<Transfer>("transfer", ["transferId", "tradeId", "at"]);

/** Returns how many were new. */
function saveTransfers(tx: Queries, transfers: readonly Transfer[]): Promise<number> {
  const unique = [...new Map(transfers.map((transfer) => [transfer.transferId, transfer])).values()];
  const rows = unique.map((transfer) => {
    const { transferId, tradeId, at } = transfer;
    return { transferId, tradeId, at, body: BODY.encode(transfer) };
  });
  return insertMany(tx, "transfer", rows, "ON CONFLICT (transfer_id) DO NOTHING");
}

/** Oldest first. */
async function transfersOfTrade(
  queries: Queries,
  tradeId: string,
  { limit, cursor }: { limit: number; cursor?: Keyset | null },
): Promise<KeysetPage<Transfer>> {
  const rows = await queries.all<{ transfer_id: string; at: number; body: string }>(
    sql`SELECT transfer_id, at, body FROM transfer
      ${where([sql`trade_id = ${tradeId}`, ...beyond(OLDEST_FIRST, cursor)])}
      ${orderAndLimit(OLDEST_FIRST, limit)}`,
  );
  return pageOf(
    rows,
    limit,
    (row) => ({ value: row.at, id: row.transfer_id }),
    (row) => BODY.decode(row.body),
  );
}

function pruneTransfers(tx: Queries, before: number, limit: number): Promise<number> {
  return tx.run(
    sql`DELETE FROM transfer WHERE transfer_id IN (
      SELECT transfer_id FROM transfer WHERE at < ${before} ORDER BY at LIMIT ${limit})`,
  );
}

export const transfers = {
  reads: { byTrade: transfersOfTrade },
  writes: { save: saveTransfers, prune: pruneTransfers },
} satisfies Repository;
