// The contents of a UTC day, for its files: rows in the order of the files, in pages, and markers of whether the day has
// changed since. Read by a separate process; no request waits for these.
import type { Queries } from "../../../database/database.ts";
import { raw, sql } from "../../../database/sql.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import type { AppItem } from "../../../protocol/shapes/event.ts";
import type { Thesis } from "../../../protocol/shapes/thesis.ts";
import { hourOf, type Stretch, type TapeTick } from "../../model/tape.ts";
import type { Repository } from "../repository.ts";
import { EVENT } from "./log-page.ts";
import { unpackTicks } from "./tape-codec.ts";
import { thesisOf } from "./theses.ts";

/** Where a page ended: the sort value and the tie-breaker. */
export interface DayPlace {
  value: number;
  id: string;
}

const START: DayPlace = { value: -1, id: "" };
// Each page's range begins at its place: given two lower bounds SQLite uses the first, and walks over all rows in between.

/** Ids by time, from the index alone: a fill or a thesis never changes under its id. */
async function fillIds(queries: Queries, { from, to }: Stretch, after: DayPlace | null, limit: number) {
  const { value, id } = after ?? START;
  return queries.all<DayPlace>(
    sql`SELECT at AS value, swap_id AS id FROM fill
      WHERE at >= ${Math.max(from, value)} AND at < ${to} AND (at, swap_id) > (${value}, ${id})
      ORDER BY at, swap_id LIMIT ${limit}`,
  );
}

interface FillOwner extends DayPlace {
  tradeId: string;
  userId: string;
}

/** The fills' owners, without the bodies: those are most of the cost of reading a day. */
async function fillOwners(queries: Queries, { from, to }: Stretch, after: DayPlace | null, limit: number) {
  const { value, id } = after ?? START;
  return queries.all<FillOwner>(
    sql`SELECT at AS value, swap_id AS id, trade_id AS "tradeId", user_id AS "userId" FROM fill
      WHERE at >= ${Math.max(from, value)} AND at < ${to} AND (at, swap_id) > (${value}, ${id})
      ORDER BY at, swap_id LIMIT ${limit}`,
  );
}

async function thesisIds(queries: Queries, { from, to }: Stretch, after: DayPlace | null, limit: number) {
  const { value, id } = after ?? START;
  return queries.all<DayPlace>(
    sql`SELECT created_at AS value, id FROM thesis
      WHERE created_at >= ${Math.max(from, value)} AND created_at < ${to} AND (created_at, id) > (${value}, ${id})
      ORDER BY created_at, id LIMIT ${limit}`,
  );
}

/** By UTC day number, only days with theses: few enough to count, and a thesis never changes its day. */
function thesisCounts(queries: Queries, { from, to }: Stretch): Promise<{ day: number; theses: number }[]> {
  return queries.all<{ day: number; theses: number }>(
    sql`SELECT created_at / ${raw(String(DAY_MS))} AS day, COUNT(*) AS theses FROM thesis
      WHERE created_at >= ${from} AND created_at < ${to} GROUP BY created_at / ${raw(String(DAY_MS))}`,
  );
}

/** How many hours of the day's tape are stored, and when the last of them was read. */
async function tapeMark(queries: Queries, { from, to }: Stretch): Promise<string> {
  const row = await queries.one<{ n: number; last: number | null }>(
    sql`SELECT COUNT(*) AS n, MAX(read_at) AS last FROM tape_hour
      WHERE hour >= ${hourOf(from)} AND hour < ${hourOf(to)}`,
  );
  return `${row?.n ?? 0} ${row?.last ?? 0}`;
}

async function thesesBetween(
  queries: Queries,
  { from, to }: Stretch,
  after: DayPlace | null,
  limit: number,
): Promise<Thesis[]> {
  const { value, id } = after ?? START;
  const rows = await queries.all<{ id: string; likes: number; body: string }>(
    sql`SELECT id, likes, body FROM thesis
      WHERE created_at >= ${Math.max(from, value)} AND created_at < ${to} AND (created_at, id) > (${value}, ${id})
      ORDER BY created_at, id LIMIT ${limit}`,
  );
  return rows.map(thesisOf);
}

export interface MinuteCandle {
  tokenKey: string;
  networkId: number;
  opensAt: number;
  open: number;
  high: number;
  low: number;
  close: number;
  buyUsd: number;
  sellUsd: number;
  trades: number;
}

/** The candles of some minutes, by time, then token. */
function minuteCandles(queries: Queries, { from, to }: Stretch): Promise<MinuteCandle[]> {
  return queries.all<MinuteCandle>(
    sql`SELECT token_key AS "tokenKey", network_id AS "networkId", opens_at AS "opensAt", open, high, low, close,
        buy_usd AS "buyUsd", sell_usd AS "sellUsd", trades FROM candle
      WHERE length_ms = ${MINUTE_MS} AND opens_at >= ${from} AND opens_at < ${to}
      ORDER BY opens_at, token_key, network_id`,
  );
}

export interface TokenTicks {
  tokenKey: string;
  networkId: number;
  ticks: TapeTick[];
}

/** The tape of one hour, by token. */
async function ticksOfHour(queries: Queries, at: number): Promise<TokenTicks[]> {
  const hour = hourOf(at);
  const rows = await queries.all<{ token_key: string; network_id: number; ticks: string }>(
    sql`SELECT token_key, network_id, ticks FROM tape_hour WHERE hour = ${hour} ORDER BY token_key, network_id`,
  );
  return rows.map(({ token_key, network_id, ticks }) => ({
    tokenKey: token_key,
    networkId: network_id,
    ticks: unpackTicks(hour, ticks),
  }));
}

/** How far the app's time of a fill may be from its block's. */
const SHOWN_MS_MAX = HOUR_MS;

export interface PlacedEvent {
  seq: number;
  capturedAt: number;
  event: AppItem;
}

/**
 * The log's buys, sells and theses of a day, from events captured since the day began: everything, if the day was captured
 * live; for a day before the log began, whatever came with the history.
 */
async function eventsOfDay(
  queries: Queries,
  { from, to }: Stretch,
  { after, capturedBefore, limit }: EventWalk,
): Promise<PlacedEvent[]> {
  const { value, id } = after ?? { value: from, id: "-1" };
  const rows = await queries.all<{ seq: number; captured_at: number; body: string }>(
    sql`SELECT seq, captured_at, body FROM log_event
      WHERE (captured_at, seq) > (${value}, ${Number(id)}) AND captured_at < ${capturedBefore}
        AND at >= ${from - SHOWN_MS_MAX} AND at < ${to + SHOWN_MS_MAX} AND ${raw("kind IN ('buy', 'sell', 'thesis')")}
      ORDER BY captured_at, seq LIMIT ${limit}`,
  );
  return rows.map((row) => ({
    seq: row.seq,
    capturedAt: row.captured_at,
    event: EVENT.decode(row.body) as AppItem,
  }));
}

export interface EventWalk {
  after: DayPlace | null;
  capturedBefore: number;
  limit: number;
}

export const days = {
  reads: {
    fillIds,
    fillOwners,
    thesisIds,
    thesisCounts,
    tapeMark,
    theses: thesesBetween,
    candles: minuteCandles,
    ticks: ticksOfHour,
    events: eventsOfDay,
  },
  writes: {},
} satisfies Repository;
