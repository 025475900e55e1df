// Stored positions: one row each, written in the transaction that changes them. They derive from moves and openings alone, so
// they can be recomputed at any time.

import type { BookPoint } from "../../accounting/span.ts";
import { excluded, insertMany, type Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { type PositionState, positionsOf } from "./accounting.ts";
import type { TokenLedger } from "./ledger.ts";
import { ofPairs } from "./moves.ts";

export interface KeptPosition extends PositionState {
  userId: string;
}

interface BookedPositionRow {
  trade_id: string;
  user_id: string;
  chain_id: number;
  token: string;
  opened_at: number;
  last_at: number;
  last_fill_at: number | null;
  closed_at: number | null;
  held_raw: string;
  bought_raw: string;
  sold_raw: string;
  in_raw: string;
  out_raw: string;
  cost_basis_usd: number | null;
  proceeds_usd: number | null;
  in_value_usd: number | null;
  out_value_usd: number | null;
  realized_usd: number | null;
  fees_usd: number | null;
  amount: number;
  largest: number;
  cost: number | null;
  gains: number;
  fees: number;
  invested: number;
  volume: number;
  fills: number;
  unknown_in: number;
  unknown_sells: number;
  exact: number;
}

/** What a position is: never changes. */
const OWN_COLUMNS: readonly string[] = ["trade_id", "user_id", "chain_id", "token"];
const update = (columns: readonly string[]) =>
  `ON CONFLICT (trade_id) DO UPDATE SET ${excluded(columns.filter((column) => !OWN_COLUMNS.includes(column)))}`;

function rowOf(userId: string, position: PositionState): BookedPositionRow {
  const { lot, sums } = position;
  return {
    trade_id: position.tradeId,
    user_id: userId,
    chain_id: position.chainId,
    token: position.token,
    opened_at: position.openedAt,
    last_at: position.lastActivityAt,
    last_fill_at: position.lastFillAt,
    closed_at: position.closedAt,
    held_raw: String(position.heldRaw),
    bought_raw: String(position.boughtRaw),
    sold_raw: String(position.soldRaw),
    in_raw: String(position.inRaw),
    out_raw: String(position.outRaw),
    cost_basis_usd: position.costBasisUsd,
    proceeds_usd: position.proceedsUsd,
    in_value_usd: position.inValueUsd,
    out_value_usd: position.outValueUsd,
    realized_usd: position.realizedUsd,
    fees_usd: position.feesUsd,
    amount: lot.amount,
    largest: lot.largest,
    cost: lot.cost,
    gains: sums.gains,
    fees: sums.fees,
    invested: sums.invested,
    volume: sums.volume,
    fills: sums.fills,
    unknown_in: sums.unknownIn,
    unknown_sells: sums.unknownSells,
    exact: Number(position.isExact),
  };
}

/** Updates the rows of these traders' tokens to match the books; each changed at `sinceMs` at the earliest. */
export async function savePositions(
  tx: Queries,
  ledgers: readonly { ledger: TokenLedger; sinceMs: number }[],
): Promise<void> {
  const rows: BookedPositionRow[] = [];
  const gone = await keptSince(tx, ledgers);
  for (const { ledger, sinceMs } of ledgers)
    for (const position of positionsOf(ledger.booked)) {
      gone.delete(position.tradeId);
      // An open position's last activity may be earlier than that, if what came after it was removed.
      if (position.lastActivityAt >= sinceMs || position.closedAt === null)
        rows.push(rowOf(ledger.userId, position));
    }
  for (const tradeId of gone) await tx.run(sql`DELETE FROM tracker_position WHERE trade_id = ${tradeId}`);
  await insertMany(tx, "tracker_position", rows, update);
}

/** Trader-token pairs looked up per statement. */
const READ_MAX = 128;

/** The ids of the stored positions of these pairs that may have changed. */
async function keptSince(
  tx: Queries,
  ledgers: readonly { ledger: TokenLedger; sinceMs: number }[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [chainId, own] of Map.groupBy(ledgers, ({ ledger }) => ledger.chainId)) {
    const since = new Map(own.map(({ ledger, sinceMs }) => [`${ledger.userId} ${ledger.token}`, sinceMs]));
    for (let start = 0; start < own.length; start += READ_MAX) {
      const pairs = own.slice(start, start + READ_MAX).map(({ ledger }) => ledger);
      const rows = await tx.all<Pick<BookedPositionRow, "trade_id" | "user_id" | "token" | "last_at">>(
        sql`SELECT trade_id, user_id, token, last_at FROM tracker_position
          WHERE chain_id = ${chainId} AND ${ofPairs(pairs)}`,
      );
      for (const row of rows)
        if (row.last_at >= (since.get(`${row.user_id} ${row.token}`) ?? 0)) found.add(row.trade_id);
    }
  }
  return found;
}

export async function positionsOfTrader(queries: Queries, userId: string): Promise<KeptPosition[]> {
  const rows = await queries.all<BookedPositionRow>(
    sql`SELECT * FROM tracker_position WHERE user_id = ${userId} ORDER BY opened_at, trade_id`,
  );
  return rows.map(positionOf);
}

/** The fields needed for ranking, without those that only display a position. */
export interface RankedPosition extends BookPoint {
  tradeId: string;
  chainId: number;
  token: string;
  openedAt: number;
  lastActivityAt: number;
  lastFillAt: number | null;
  closedAt: number | null;
  heldRaw: string;
  realizedUsd: number | null;
}

export function rankedPositions(queries: Queries, userId: string): Promise<RankedPosition[]> {
  return queries.all<RankedPosition>(
    sql`SELECT trade_id AS "tradeId", chain_id AS "chainId", token, opened_at AS "openedAt",
        last_at AS "lastActivityAt", last_fill_at AS "lastFillAt", closed_at AS "closedAt",
        held_raw AS "heldRaw", realized_usd AS "realizedUsd", amount, cost, gains, fees, invested, volume,
        fills, unknown_in AS "unknownIn", unknown_sells AS "unknownSells"
      FROM tracker_position WHERE user_id = ${userId} ORDER BY opened_at, trade_id`,
  );
}

export async function ownerOf(queries: Queries, tradeId: string): Promise<string | null> {
  const row = await queries.one<{ user_id: string }>(
    sql`SELECT user_id FROM tracker_position WHERE trade_id = ${tradeId}`,
  );
  return row?.user_id ?? null;
}

function positionOf(row: BookedPositionRow): KeptPosition {
  return {
    userId: row.user_id,
    tradeId: row.trade_id,
    chainId: row.chain_id,
    token: row.token,
    heldRaw: BigInt(row.held_raw),
    boughtRaw: BigInt(row.bought_raw),
    soldRaw: BigInt(row.sold_raw),
    inRaw: BigInt(row.in_raw),
    outRaw: BigInt(row.out_raw),
    costBasisUsd: row.cost_basis_usd,
    proceedsUsd: row.proceeds_usd,
    inValueUsd: row.in_value_usd,
    outValueUsd: row.out_value_usd,
    realizedUsd: row.realized_usd,
    feesUsd: row.fees_usd,
    lot: { amount: row.amount, largest: row.largest, cost: row.cost },
    sums: {
      gains: row.gains,
      fees: row.fees,
      invested: row.invested,
      volume: row.volume,
      fills: row.fills,
      unknownIn: row.unknown_in,
      unknownSells: row.unknown_sells,
    },
    isExact: row.exact === 1,
    openedAt: row.opened_at,
    lastActivityAt: row.last_at,
    lastFillAt: row.last_fill_at,
    closedAt: row.closed_at,
  };
}
