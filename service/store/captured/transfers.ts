// Transfers in and out of positions, each once; a position's detail lists them beside its fills.

import { type Database, insertMany } from "../../../database/database.ts";
import {
  beyond,
  type Keyset,
  type KeysetOrder,
  type KeysetPage,
  orderAndLimit,
  pageOf,
} from "../../../database/keyset.ts";
import { sql, where } from "../../../database/sql.ts";
import type { Transfer } from "../../model/position.ts";

export interface TransferStore {
  /** Returns how many were not known. */
  save(transfers: readonly Transfer[]): Promise<number>;
  /** Oldest first. */
  byTrade(tradeId: string, query: { limit: number; cursor?: Keyset | null }): Promise<KeysetPage<Transfer>>;
  prune(before: number, limit: number): Promise<number>;
}

const OLDEST_FIRST: KeysetOrder = { column: "at", idColumn: "transfer_id", direction: "ASC" };

export function transferStore(db: Database): TransferStore {
  return {
    save(transfers) {
      const unique = [...new Map(transfers.map((transfer) => [transfer.transferId, transfer])).values()];
      const rows = unique.map((one) => [one.transferId, one.tradeId, one.at, JSON.stringify(one)]);
      return db.write((tx) =>
        insertMany(
          tx,
          "transfer",
          ["transfer_id", "trade_id", "at", "body"],
          rows,
          "ON CONFLICT (transfer_id) DO NOTHING",
        ),
      );
    },
    async byTrade(tradeId, { limit, cursor }) {
      const rows = await db.read.all<{ transfer_id: string; at: number; body: string }>(
        sql`SELECT transfer_id, at, body FROM transfer
          ${where([sql`trade_id = ${tradeId}`, ...beyond(OLDEST_FIRST, cursor)])}
          ${orderAndLimit(OLDEST_FIRST, limit)}`,
      );
      return pageOf(rows, limit, (row) => ({ value: row.at, id: row.transfer_id }));
    },
    prune: (before, limit) =>
      db.write((tx) =>
        tx.run(
          sql`DELETE FROM transfer WHERE transfer_id IN (
            SELECT transfer_id FROM transfer WHERE at < ${before} ORDER BY at LIMIT ${limit})`,
        ),
      ),
  };
}
