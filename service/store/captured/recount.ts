// Rebuilds candles after a counted fill turned out to have another time or price. Minutes are built from the stored
// fills, hours from minutes, days from hours, so the result is the same as counting the right fills from the start.

import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { CANDLE_LENGTHS } from "./candles.ts";

/** A time at which a token's candles are wrong. */
export interface WrongAt {
  tokenKey: string;
  networkId: number;
  at: number;
}

interface CandlePart {
  open: number;
  high: number;
  low: number;
  close: number;
  buy_usd: number;
  sell_usd: number;
  trades: number;
  first_at: number;
  last_at: number;
}

/** Part of the transaction that corrected the fills. */
export async function recountCandles(tx: Queries, wrong: readonly WrongAt[]): Promise<void> {
  const { "1m": minuteMs, "1h": hourMs, "1d": dayMs } = CANDLE_LENGTHS;
  for (const bucket of buckets(wrong, minuteMs)) {
    await replace(tx, bucket, minuteMs, await fillParts(tx, bucket, minuteMs));
  }
  for (const bucket of buckets(wrong, hourMs)) {
    await replace(tx, bucket, hourMs, await candleParts(tx, bucket, hourMs, minuteMs));
  }
  for (const bucket of buckets(wrong, dayMs)) {
    await replace(tx, bucket, dayMs, await candleParts(tx, bucket, dayMs, hourMs));
  }
}

/** Each once, `at` being its opening time, sorted by key so that two writers can't deadlock. */
function buckets(wrong: readonly WrongAt[], lengthMs: number): WrongAt[] {
  const found = new Map<string, WrongAt>();
  for (const { tokenKey, networkId, at } of wrong) {
    const opensAt = Math.floor(at / lengthMs) * lengthMs;
    found.set(`${tokenKey} ${networkId} ${opensAt}`, { tokenKey, networkId, at: opensAt });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bucket]) => bucket);
}

async function fillParts(
  tx: Queries,
  { tokenKey, networkId, at }: WrongAt,
  lengthMs: number,
): Promise<CandlePart[]> {
  const rows = await tx.all<{ side: "buy" | "sell"; at: number; usd: number; price_usd: number }>(
    sql`SELECT side, at, usd, price_usd FROM fill
      WHERE token_key = ${tokenKey} AND network_id = ${networkId} AND at >= ${at} AND at < ${at + lengthMs}
      ORDER BY at, swap_id`,
  );
  return rows.map((row) => ({
    open: row.price_usd,
    high: row.price_usd,
    low: row.price_usd,
    close: row.price_usd,
    buy_usd: row.side === "buy" ? row.usd : 0,
    sell_usd: row.side === "sell" ? row.usd : 0,
    trades: 1,
    first_at: row.at,
    last_at: row.at,
  }));
}

function candleParts(
  tx: Queries,
  { tokenKey, networkId, at }: WrongAt,
  lengthMs: number,
  partMs: number,
): Promise<CandlePart[]> {
  return tx.all<CandlePart>(
    sql`SELECT open, high, low, close, buy_usd, sell_usd, trades, first_at, last_at FROM candle
      WHERE token_key = ${tokenKey} AND network_id = ${networkId} AND length_ms = ${partMs}
        AND opens_at >= ${at} AND opens_at < ${at + lengthMs}
      ORDER BY opens_at`,
  );
}

/** `parts` are in time order. */
async function replace(tx: Queries, bucket: WrongAt, lengthMs: number, parts: CandlePart[]): Promise<void> {
  const { tokenKey, networkId, at } = bucket;
  await tx.run(
    sql`DELETE FROM candle WHERE token_key = ${tokenKey} AND network_id = ${networkId}
      AND length_ms = ${lengthMs} AND opens_at = ${at}`,
  );
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return;
  const sum = (of: (part: CandlePart) => number) => parts.reduce((total, part) => total + of(part), 0);
  await tx.run(
    sql`INSERT INTO candle (token_key, network_id, length_ms, opens_at, open, high, low, close,
        buy_usd, sell_usd, trades, first_at, last_at)
      VALUES (${tokenKey}, ${networkId}, ${lengthMs}, ${at}, ${first.open},
        ${Math.max(...parts.map((part) => part.high))}, ${Math.min(...parts.map((part) => part.low))},
        ${last.close}, ${sum((part) => part.buy_usd)}, ${sum((part) => part.sell_usd)},
        ${sum((part) => part.trades)}, ${first.first_at}, ${last.last_at})`,
  );
}
