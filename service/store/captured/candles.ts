// Candles, built from fills when they are first stored, each fill counted once. Fills may arrive late and in any order:
// open and close come from the earliest and the latest fill by the fill's own time. All lengths derive from three.

import { insertMany, type Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { DAY_MS, HOUR_MS } from "../../../kit/units.ts";
import type { Fill } from "../../../protocol/shapes/position.ts";
import type { Repository } from "../repository.ts";
import { tokenKey } from "./tokens.ts";

/** 5 and 15 minutes are aggregated from minutes, 4 hours from hours. */
export const CANDLE_LENGTHS = { "1m": 60_000, "1h": HOUR_MS, "1d": DAY_MS } as const;
export type CandleLength = keyof typeof CANDLE_LENGTHS;

export interface StoredCandle {
  opensAt: number;
  open: number;
  high: number;
  low: number;
  close: number;
  buyUsd: number;
  sellUsd: number;
  trades: number;
}

export interface CandleQuery {
  networkId: number;
  length: CandleLength;
  /** Both are bounds on `opensAt`: from inclusive, to exclusive. */
  from: number;
  to: number;
  limit: number;
}

/** Oldest first. Times without a fill have no candle. */
function candlesIn(
  queries: Queries,
  address: string,
  { networkId, length, from, to, limit }: CandleQuery,
): Promise<StoredCandle[]> {
  return queries.all<StoredCandle>(
    sql`SELECT opens_at AS "opensAt", open, high, low, close, buy_usd AS "buyUsd", sell_usd AS "sellUsd", trades
      FROM candle
      WHERE token_key = ${tokenKey(address)} AND network_id = ${networkId}
        AND length_ms = ${CANDLE_LENGTHS[length]} AND opens_at >= ${from} AND opens_at < ${to}
      ORDER BY opens_at LIMIT ${limit}`,
  );
}

/** The first and last candle of a token, or null without candles. */
async function candleSpan(
  queries: Queries,
  address: string,
  networkId: number,
): Promise<{ firstAt: number; lastAt: number } | null> {
  const row = await queries.one<{ firstAt: number | null; lastAt: number | null }>(
    sql`SELECT MIN(first_at) AS "firstAt", MAX(last_at) AS "lastAt" FROM candle
      WHERE token_key = ${tokenKey(address)} AND network_id = ${networkId}
        AND length_ms = ${CANDLE_LENGTHS["1d"]}`,
  );
  return row && row.firstAt !== null && row.lastAt !== null
    ? { firstAt: row.firstAt, lastAt: row.lastAt }
    : null;
}

function pruneCandles(
  tx: Queries,
  length: CandleLength,
  opensBefore: number,
  limit: number,
): Promise<number> {
  return tx.run(
    sql`DELETE FROM candle WHERE (token_key, network_id, length_ms, opens_at) IN (
      SELECT token_key, network_id, length_ms, opens_at FROM candle
      WHERE length_ms = ${CANDLE_LENGTHS[length]} AND opens_at < ${opensBefore}
      ORDER BY opens_at LIMIT ${limit})`,
  );
}

export const candles = {
  reads: { range: candlesIn, span: candleSpan },
  writes: { prune: pruneCandles },
} satisfies Repository;

const MERGE = `ON CONFLICT (token_key, network_id, length_ms, opens_at) DO UPDATE SET
  open = CASE WHEN excluded.first_at < candle.first_at THEN excluded.open ELSE candle.open END,
  close = CASE WHEN excluded.last_at >= candle.last_at THEN excluded.close ELSE candle.close END,
  high = CASE WHEN excluded.high > candle.high THEN excluded.high ELSE candle.high END,
  low = CASE WHEN excluded.low < candle.low THEN excluded.low ELSE candle.low END,
  buy_usd = candle.buy_usd + excluded.buy_usd,
  sell_usd = candle.sell_usd + excluded.sell_usd,
  trades = candle.trades + excluded.trades,
  first_at = CASE WHEN excluded.first_at < candle.first_at THEN excluded.first_at ELSE candle.first_at END,
  last_at = CASE WHEN excluded.last_at > candle.last_at THEN excluded.last_at ELSE candle.last_at END`;

interface OpenCandle extends StoredCandle {
  tokenKey: string;
  networkId: number;
  lengthMs: number;
  firstAt: number;
  lastAt: number;
}

/** Part of the transaction that stores these fills for the first time. */
export async function countFills(tx: Queries, fills: readonly Fill[]): Promise<void> {
  const candles = new Map<string, OpenCandle>();
  for (const fill of [...fills].sort((a, b) => a.at - b.at)) {
    for (const lengthMs of Object.values(CANDLE_LENGTHS)) addFill(candles, fill, lengthMs);
  }
  const rows = [...candles.entries()]
    // Sorted by key, so that two writers lock rows in the same order and can't deadlock.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, candle]) => candle);
  await insertMany(tx, "candle", rows, MERGE);
}

function addFill(candles: Map<string, OpenCandle>, fill: Fill, lengthMs: number): void {
  const traded = fill.side === "buy" ? fill.tokenOut : fill.tokenIn;
  const opensAt = Math.floor(fill.at / lengthMs) * lengthMs;
  const key = { tokenKey: tokenKey(traded.address), networkId: fill.networkId, lengthMs };
  const name = `${key.tokenKey} ${key.networkId} ${lengthMs} ${opensAt}`;
  const price = fill.priceUsd;
  const candle = candles.get(name) ?? {
    ...key,
    opensAt,
    open: price,
    high: price,
    low: price,
    close: price,
    buyUsd: 0,
    sellUsd: 0,
    trades: 0,
    firstAt: fill.at,
    lastAt: fill.at,
  };
  candle.high = Math.max(candle.high, price);
  candle.low = Math.min(candle.low, price);
  candle.close = price;
  candle.lastAt = fill.at;
  candle.trades += 1;
  if (fill.side === "buy") candle.buyUsd += traded.usd;
  else candle.sellUsd += traded.usd;
  candles.set(name, candle);
}
