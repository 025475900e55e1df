// A token's candles, from all swaps where the tape covers them, and elsewhere from the trades that priced the token. Both
// follow the same rule: a pool with too little money, or far less than the token's deepest, does not count.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { nextTurn } from "../../kit/turn.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { CandlesQuery } from "../../protocol/platform.ts";
import type { WireCandlesPage } from "../../protocol/shapes/token.ts";
import type { KnownToken } from "../books/tokens.ts";
import { decimalText, wireToken } from "../feeds/items.ts";
import { DEPTH_SHARE_MIN } from "../prices/believed.ts";
import { coveredBy, poolsOfToken, type TimeSpan } from "../tape/kept-pools.ts";
import { type PoolTick, ticksAfter } from "../tape/ticks.ts";
import type { AnswerParts } from "./parts.ts";

const INTERVAL_MS = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "1h": HOUR_MS,
  "4h": 14_400_000,
  "1d": DAY_MS,
} as const;

/** Trades per read, a few milliseconds; and per page, which then ends before the current candle. */
const TRADES_A_READ = 2_000;
const TRADES_MAX = 50_000;

interface CandleTrade {
  timeMs: number;
  priceUsd: number;
  usd: number;
  bought: number;
}

type WireCandle = WireCandlesPage["rows"][number];

export async function candlesOf(
  { database: { read }, depthMinUsd }: Pick<AnswerParts, "database" | "depthMinUsd">,
  known: KnownToken,
  query: CandlesQuery,
): Promise<WireCandlesPage> {
  const lengthMs = INTERVAL_MS[query.interval];
  const span = { from: Math.ceil(query.from / lengthMs) * lengthMs, to: query.to };
  // Coverage is read first: anything read after that only adds to the ticks.
  const covered = coveredBy(await poolsOfToken(read, known.chainId, known.token), span);
  const fold = foldTrades(lengthMs, query.limit);
  for (const part of partsOf(covered, span)) {
    const reading = part.isTape ? ticksIn(read, known, part, depthMinUsd) : pricesIn(read, known, part);
    for await (const trades of reading) if (!trades.every(fold.add)) break;
    if (fold.nextFrom() !== null) break;
  }
  return {
    token: wireToken(known),
    rows: fold.candles(),
    coveredFrom: await coveredFrom(read, known),
    nextFrom: fold.nextFrom(),
  };
}

/** A span, split where the tape's coverage starts and ends. */
function partsOf(covered: readonly TimeSpan[], { from, to }: TimeSpan): (TimeSpan & { isTape: boolean })[] {
  const parts: (TimeSpan & { isTape: boolean })[] = [];
  let at = from;
  for (const stretch of covered) {
    parts.push({ from: at, to: stretch.from, isTape: false }, { ...stretch, isTape: true });
    at = stretch.to;
  }
  return [...parts, { from: at, to, isTape: false }].filter((part) => part.from < part.to);
}

/** Trades in time order; `add` returns false when there is no more room. */
function foldTrades(lengthMs: number, limit: number) {
  const candles: WireCandle[] = [];
  let sums = { buy: 0, sell: 0 };
  let trades = 0;
  let nextFrom: number | null = null;
  return {
    candles: () => candles,
    nextFrom: () => nextFrom,
    add({ timeMs, priceUsd, usd, bought }: CandleTrade): boolean {
      if (nextFrom !== null) return false;
      const t = Math.floor(timeMs / lengthMs) * lengthMs;
      const isNew = candles.at(-1)?.t !== t;
      if (isNew && (candles.length === limit || trades >= TRADES_MAX)) {
        nextFrom = t;
        return false;
      }
      if (isNew) {
        sums = { buy: 0, sell: 0 };
        candles.push(emptyCandle(t, priceUsd));
      }
      trades += 1;
      sums[bought === 1 ? "buy" : "sell"] += usd;
      const candle = candles.at(-1) as WireCandle;
      candle.h = Math.max(candle.h, priceUsd);
      candle.l = Math.min(candle.l, priceUsd);
      candle.c = priceUsd;
      candle.trades += 1;
      candle.buyUsd = decimalText(sums.buy);
      candle.sellUsd = decimalText(sums.sell);
      candle.volumeUsd = decimalText(sums.buy + sums.sell);
      return true;
    },
  };
}

const emptyCandle = (t: number, price: number): WireCandle => ({
  t,
  o: price,
  h: price,
  l: price,
  c: price,
  trades: 0,
  volumeUsd: "0",
  buyUsd: "0",
  sellUsd: "0",
});

async function* ticksIn(
  queries: Queries,
  known: KnownToken,
  { from, to }: TimeSpan,
  depthMinUsd: number,
): AsyncGenerator<CandleTrade[]> {
  const isDeep = deepPools(depthMinUsd);
  // Pool depths before the first tick count too, so that a candle is the same on every page that may include it.
  for (let after = { timeMs: (hourOf(from) - 1) * HOUR_MS, place: -1 }; ; ) {
    const ticks = await ticksAfter(queries, known, after, to, TRADES_A_READ);
    yield ticks.filter((tick) => isDeep(tick) && tick.timeMs >= from);
    const last = ticks.at(-1);
    if (!last || ticks.length < TRADES_A_READ) return;
    after = last;
    await nextTurn();
  }
}

const hourOf = (timeMs: number) => Math.floor(timeMs / HOUR_MS);

/** Whether a tick's pool prices the token: judged by its pools' last known depths, in this hour or the one before. */
function deepPools(depthMinUsd: number): (tick: PoolTick) => boolean {
  let [before, current] = [new Map<string, number>(), new Map<string, number>()];
  let hour = Number.NEGATIVE_INFINITY;
  return ({ pool, depthUsd, timeMs }) => {
    const now = hourOf(timeMs);
    if (now !== hour) [before, current, hour] = [now === hour + 1 ? current : new Map(), new Map(), now];
    current.set(pool, depthUsd);
    let deepest = depthUsd;
    for (const [name, depth] of before) if (!current.has(name)) deepest = Math.max(deepest, depth);
    for (const depth of current.values()) deepest = Math.max(deepest, depth);
    return depthUsd >= Math.max(depthMinUsd, DEPTH_SHARE_MIN * deepest);
  };
}

interface PriceRow extends CandleTrade {
  height: number;
  place: number;
}

async function* pricesIn(
  queries: Queries,
  { chainId, token }: KnownToken,
  { from, to }: TimeSpan,
): AsyncGenerator<CandleTrade[]> {
  for (let after = { timeMs: from, height: -1, place: -1 }; ; ) {
    const rows = await queries.all<PriceRow>(
      sql`SELECT time_ms AS "timeMs", height, place, price_usd AS "priceUsd", value_usd AS usd, bought FROM tracker_price
        WHERE chain_id = ${chainId} AND token = ${token} AND doubt IS NULL AND price_usd IS NOT NULL
          AND (time_ms, height, place) > (${after.timeMs}, ${after.height}, ${after.place}) AND time_ms < ${to}
        ORDER BY time_ms, height, place LIMIT ${TRADES_A_READ}`,
    );
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < TRADES_A_READ) return;
    after = last;
    await nextTurn();
  }
}

async function coveredFrom(queries: Queries, { chainId, token }: KnownToken): Promise<number> {
  const row = await queries.one<{ first: number | null }>(
    sql`SELECT MIN(time_ms) AS first FROM tracker_price
      WHERE chain_id = ${chainId} AND token = ${token} AND doubt IS NULL AND price_usd IS NOT NULL`,
  );
  return row?.first ?? 0;
}
