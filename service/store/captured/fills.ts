// Fills, each once. A feed may report a fill before upstream assigns its id; such a provisional fill is replaced by the
// full one of the same trade and transaction, and candles count the two as one.

import { countOf, type Database, insertReturning, type Queries } from "../../../database/database.ts";
import {
  beyond,
  type Keyset,
  type KeysetOrder,
  type KeysetPage,
  orderAndLimit,
  pageOf,
  within,
} from "../../../database/keyset.ts";
import { forget, makeMonths } from "../../../database/partitions.ts";
import { list, raw, type Sql, sql, tuples, where } from "../../../database/sql.ts";
import { chunksOf } from "../../../kit/chunks.ts";
import type { Fill } from "../../../protocol/shapes/position.ts";
import { UNKNOWN_PRICING } from "../../../protocol/shapes/pricing.ts";
import type { Repository } from "../repository.ts";
import { codec } from "./bodies.ts";
import { countFills } from "./candles.ts";
import { noteChanges } from "./day-changes.ts";
import { FILL } from "./months.ts";
import { recountCandles, type WrongAt } from "./recount.ts";
import { tokenKey } from "./tokens.ts";

export interface FillQuery {
  limit: number;
  cursor?: Keyset | null;
  networkId?: number;
  tokenAddress?: string;
}

export interface TokenFillQuery extends Omit<FillQuery, "tokenAddress"> {
  from: number;
  to: number;
}

interface FillRow {
  swap_id: string;
  at: number;
  body: string;
}

const NEWEST_FIRST: KeysetOrder = { column: "at", idColumn: "swap_id", direction: "DESC" };
const OLDEST_FIRST: KeysetOrder = { column: "at", idColumn: "swap_id", direction: "ASC" };
const PAIRS_PER_LOOKUP_MAX = 256;
const IDS_PER_LOOKUP_MAX = 1_024;
// Two ways to divide the same figures differ only in the last digits, which is no reason to rebuild a candle.
const SAME_PRICE_SHARE = 1e-9;

const BODY = codec<Fill>("fill", ["swapId", "tradeId", "at"], UNKNOWN_PRICING);

async function page(
  queries: Queries,
  conditions: Sql[],
  order: KeysetOrder,
  query: { limit: number; cursor?: Keyset | null },
): Promise<KeysetPage<Fill>> {
  const rows = await queries.all<FillRow>(
    sql`SELECT swap_id, at, body FROM fill ${where([...conditions, ...beyond(order, query.cursor)])}
      ${orderAndLimit(order, query.limit)}`,
  );
  return pageOf(
    rows,
    query.limit,
    (row) => ({ value: row.at, id: row.swap_id }),
    (row) => BODY.decode(row.body),
  );
}

async function findFill(queries: Queries, swapId: string): Promise<Fill | null> {
  const row = await queries.one<FillRow>(sql`SELECT body FROM fill WHERE swap_id = ${swapId}`);
  return row && BODY.decode(row.body);
}

/** Newest first. */
function fillsOfTrader(queries: Queries, userId: string, query: FillQuery): Promise<KeysetPage<Fill>> {
  const conditions = [
    sql`user_id = ${userId}`,
    ...(query.networkId === undefined ? [] : [sql`(network_id + 0) = ${query.networkId}`]),
    ...(query.tokenAddress === undefined ? [] : [sql`(token_key || '') = ${tokenKey(query.tokenAddress)}`]),
  ];
  return page(queries, conditions, NEWEST_FIRST, query);
}

/** Oldest first. */
function fillsOfTrade(
  queries: Queries,
  tradeId: string,
  query: { limit: number; cursor?: Keyset | null },
): Promise<KeysetPage<Fill>> {
  return page(queries, [sql`trade_id = ${tradeId}`], OLDEST_FIRST, query);
}

/** Newest first. */
function fillsOfTransaction(
  queries: Queries,
  txHash: string,
  query: { limit: number },
): Promise<KeysetPage<Fill>> {
  return page(queries, [sql`tx_hash = ${txHash}`], NEWEST_FIRST, query);
}

/** Newest first, within [from, to). */
function fillsOfToken(queries: Queries, address: string, query: TokenFillQuery): Promise<KeysetPage<Fill>> {
  const conditions = [
    sql`token_key = ${tokenKey(address)}`,
    ...(query.networkId === undefined ? [] : [sql`network_id = ${query.networkId}`]),
    within(NEWEST_FIRST, query, query.cursor),
  ];
  return page(queries, conditions, NEWEST_FIRST, query);
}

export interface FillWalk {
  from: number;
  to: number;
  order: "asc" | "desc";
  of:
    | { kind: "everybody" }
    | { kind: "trader"; userId: string }
    | { kind: "token"; address: string; networkId: number };
  limit: number;
  cursor?: Keyset | null;
}

/** All fills, one trader's or one token's, within [from, to): each in the order of its own index. */
function fillsBetween(queries: Queries, walk: FillWalk): Promise<KeysetPage<Fill>> {
  const { of } = walk;
  const order = walk.order === "asc" ? OLDEST_FIRST : NEWEST_FIRST;
  const conditions = [
    within(order, walk, walk.cursor),
    ...(of.kind === "trader" ? [sql`user_id = ${of.userId}`] : []),
    ...(of.kind === "token"
      ? [sql`token_key = ${tokenKey(of.address)} AND network_id = ${of.networkId}`]
      : []),
  ];
  return page(queries, conditions, order, walk);
}

async function oldestFillAt(queries: Queries): Promise<number | null> {
  const row = await queries.one<{ at: number }>(sql`SELECT at FROM fill ORDER BY at, swap_id LIMIT 1`);
  return row?.at ?? null;
}

export interface FillSum {
  userId: string;
  networkId: number;
  fills: number;
  usd: number;
}

/** These traders' volume since then, by chain. */
function sumsOfTraders(queries: Queries, userIds: readonly string[], from: number): Promise<FillSum[]> {
  return queries.all<FillSum>(
    sql`SELECT user_id AS "userId", network_id AS "networkId", COUNT(*) AS fills, SUM(usd) AS usd FROM fill
      WHERE user_id IN (${list(userIds)}) AND at >= ${from} GROUP BY user_id, network_id`,
  );
}

function countAllFills(queries: Queries): Promise<number> {
  return countOf(queries, sql`FROM fill`);
}

/** Returns the fills that were not known before, by id or as provisional ones. */
function saveFills(
  tx: Queries,
  fills: readonly Fill[],
  options: { provisional?: boolean } = {},
): Promise<Fill[]> {
  return save(tx, fills, options.provisional ?? false);
}

/** Forgets up to `limit` of the oldest before this time, or a whole month. Returns how many. */
function pruneFills(database: Database, before: number, limit: number): Promise<number> {
  return forget(database, FILL, before, limit);
}

export const fills = {
  reads: {
    byId: findFill,
    byTrader: fillsOfTrader,
    byTrade: fillsOfTrade,
    byTransaction: fillsOfTransaction,
    byToken: fillsOfToken,
    between: fillsBetween,
    oldestAt: oldestFillAt,
    sums: sumsOfTraders,
    count: countAllFills,
  },
  writes: { save: saveFills },
  inSteps: { prune: pruneFills },
} satisfies Repository;

async function save(tx: Queries, fills: readonly Fill[], provisional: boolean): Promise<Fill[]> {
  // Provisional and full fills are matched across rows, and ids across months, which no constraint can do; so saves
  // are serialized instead.
  if (tx.dialect === "postgres") await tx.all(sql`SELECT pg_advisory_xact_lock(${FILL.turns})`);
  const known = await storedPairs(tx, fills, provisional);
  const gone = provisional ? [] : [...known.values()];
  const storedIds = await knownIds(tx, fills);
  const wanted = fills.filter(
    (fill) => !storedIds.has(fill.swapId) && !(provisional && known.has(pairOf(fill))),
  );
  await makeMonths(
    tx,
    FILL,
    wanted.map((fill) => fill.at),
  );
  const inserted = await insertReturning<{ swap_id: string }>(
    tx,
    "fill",
    [...new Map(wanted.map((fill) => [fill.swapId, fill])).values()].map((fill) => rowOf(fill, provisional)),
    "ON CONFLICT DO NOTHING RETURNING swap_id",
  );
  const came = new Set(inserted.map((row) => row.swap_id));
  const ids = new Set(came);
  const fresh: Fill[] = [];
  const wrong: WrongAt[] = [];
  for (const fill of wanted) {
    if (!ids.delete(fill.swapId)) continue;
    // A provisional fill that was just replaced stands for one full fill of its pair.
    const before = known.get(pairOf(fill));
    if (before) {
      known.delete(pairOf(fill));
      const isSamePrice = Math.abs(before.price_usd - fill.priceUsd) <= fill.priceUsd * SAME_PRICE_SHARE;
      if (before.at === fill.at && isSamePrice) continue;
      const place = { tokenKey: before.token_key, networkId: before.network_id };
      wrong.push({ ...place, at: before.at }, { ...place, at: fill.at });
      continue;
    }
    fresh.push(fill);
  }
  await countFills(tx, fresh);
  if (wrong.length > 0) await recountCandles(tx, wrong);
  await noteChanges(
    tx,
    [...gone, ...wanted.filter(({ swapId }) => came.has(swapId))].map(({ at }) => at),
  );
  return fresh;
}

interface StoredPair {
  trade_id: string;
  tx_hash: string;
  network_id: number;
  token_key: string;
  at: number;
  price_usd: number;
}

/** Stored pairs: of any fill when the new ones are provisional, else only of provisional ones, which are removed. */
async function storedPairs(
  tx: Queries,
  fills: readonly Fill[],
  provisional: boolean,
): Promise<Map<string, StoredPair>> {
  const pairs = [...new Map(fills.map((fill) => [pairOf(fill), fill])).values()];
  const found = new Map<string, StoredPair>();
  const columns = raw("trade_id, tx_hash, network_id, token_key, at, price_usd");
  for (const part of chunksOf(pairs, PAIRS_PER_LOOKUP_MAX)) {
    const values = tuples(part.map((fill) => [fill.tradeId, fill.txHash]));
    const match = sql`(trade_id, tx_hash) IN (VALUES ${values})`;
    const rows = await tx.all<StoredPair>(
      provisional
        ? sql`SELECT ${columns} FROM fill WHERE ${match}`
        : sql`DELETE FROM fill WHERE ${match} AND provisional = 1 RETURNING ${columns}`,
    );
    for (const row of rows) found.set(pairOf({ tradeId: row.trade_id, txHash: row.tx_hash }), row);
  }
  return found;
}

async function knownIds(tx: Queries, fills: readonly Fill[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (const part of chunksOf(fills, IDS_PER_LOOKUP_MAX)) {
    const ids = list(part.map((fill) => fill.swapId));
    const rows = await tx.all<{ swap_id: string }>(sql`SELECT swap_id FROM fill WHERE swap_id IN (${ids})`);
    for (const row of rows) known.add(row.swap_id);
  }
  return known;
}

function pairOf(fill: Pick<Fill, "tradeId" | "txHash">): string {
  return `${fill.tradeId} ${fill.txHash}`;
}

function rowOf(fill: Fill, provisional: boolean) {
  const { swapId, tradeId, txHash, userId, networkId, side, at, priceUsd } = fill;
  const { address, usd } = side === "buy" ? fill.tokenOut : fill.tokenIn;
  return {
    swapId,
    tradeId,
    txHash,
    userId,
    networkId,
    tokenKey: tokenKey(address),
    side,
    at,
    usd,
    priceUsd,
    provisional: provisional ? 1 : 0,
    body: BODY.encode(fill),
  };
}
