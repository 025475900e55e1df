// Captured positions, one row per tradeId, always as last captured: an older capture never replaces a newer one.

import { excluded, insertMany, type Queries } from "../../../database/database.ts";
import {
  beyond,
  type Keyset,
  type KeysetOrder,
  type KeysetPage,
  orderAndLimit,
  pageOf,
} from "../../../database/keyset.ts";
import { list, sql, where } from "../../../database/sql.ts";
import { chunksOf } from "../../../kit/chunks.ts";
import type { Position } from "../../../protocol/shapes/position.ts";
import { UNKNOWN_PRICING } from "../../../protocol/shapes/pricing.ts";
import { heldAmount, netOf, valueOfHeld } from "../../model/position.ts";
import type { Repository, RepositoryHandle } from "../repository.ts";
import { codec } from "./bodies.ts";
import { tokenKey } from "./tokens.ts";

export const POSITION_SORTS = ["recent", "pnl", "value"] as const;
export type PositionSort = (typeof POSITION_SORTS)[number];

export interface PositionQuery {
  limit: number;
  sort: PositionSort;
  cursor?: Keyset | null;
  status?: Position["status"];
  networkId?: number;
  tokenAddress?: string;
}

export interface Holder {
  userId: string;
  handle: string;
  amount: number;
  /** The open ones in the token, as last captured; the most recently active one comes last. */
  positions: Position[];
}

interface PositionRow {
  trade_id: string;
  sort_value: number;
  body: string;
}

const SORT_COLUMN: Record<PositionSort, string> = {
  recent: "last_activity_at",
  pnl: "pnl_usd",
  value: "value_usd",
};

const update = (columns: readonly string[]) =>
  `ON CONFLICT (trade_id) DO UPDATE SET ${excluded(columns.filter((column) => column !== "trade_id"))}
    WHERE position.captured_at <= excluded.captured_at`;

const IDS_PER_LOOKUP_MAX = 512;
/** Unknown figures are not ranked: they sort after every loss. */
const UNKNOWN_LAST = -1e300;

const BODY = codec<Position>("position", ["tradeId", "userId", "token"], UNKNOWN_PRICING);

/** Captured at one time, or at a time per tradeId. Returns how many were at least as new as the stored ones. */
export function savePositions(
  tx: Queries,
  positions: readonly Position[],
  capturedAt: number | ReadonlyMap<string, number>,
): Promise<number> {
  const unique = new Map(positions.map((position) => [position.tradeId, position]));
  // Sorted by id, so that two writers lock rows in the same order and can't deadlock.
  const ordered = [...unique.values()].sort((a, b) => (a.tradeId < b.tradeId ? -1 : 1));
  const timeOf = ({ tradeId }: Position) =>
    typeof capturedAt === "number" ? capturedAt : (capturedAt.get(tradeId) ?? 0);
  const rows = ordered.map((position) => rowOf(position, timeOf(position)));
  return insertMany(tx, "position", rows, update);
}

async function findPosition(queries: Queries, tradeId: string): Promise<Position | null> {
  const row = await queries.one<PositionRow>(sql`SELECT body FROM position WHERE trade_id = ${tradeId}`);
  return row && BODY.decode(row.body);
}

/** The known ones, in no particular order. */
async function findPositions(queries: Queries, tradeIds: readonly string[]): Promise<Position[]> {
  const found: Position[] = [];
  for (const part of chunksOf(tradeIds, IDS_PER_LOOKUP_MAX)) {
    const rows = await queries.all<PositionRow>(
      sql`SELECT body FROM position WHERE trade_id IN (${list(part)})`,
    );
    found.push(...rows.map((row) => BODY.decode(row.body)));
  }
  return found;
}

async function positionsOfTrader(
  queries: Queries,
  userId: string,
  query: PositionQuery,
): Promise<KeysetPage<Position>> {
  const order: KeysetOrder = { column: SORT_COLUMN[query.sort], idColumn: "trade_id", direction: "DESC" };
  const conditions = [
    sql`user_id = ${userId}`,
    ...(query.status ? [sql`status = ${query.status}`] : []),
    ...(query.networkId === undefined ? [] : [sql`(network_id + 0) = ${query.networkId}`]),
    ...(query.tokenAddress === undefined ? [] : [sql`(token_key || '') = ${tokenKey(query.tokenAddress)}`]),
    ...beyond(order, query.cursor),
  ];
  const sortValue = { text: order.column, values: [] };
  const rows = await queries.all<PositionRow>(
    sql`SELECT trade_id, ${sortValue} AS sort_value, body FROM position ${where(conditions)}
      ${orderAndLimit(order, query.limit)}`,
  );
  return pageOf(
    rows,
    query.limit,
    (row) => ({ value: row.sort_value, id: row.trade_id }),
    (row) => BODY.decode(row.body),
  );
}

/** These traders' positions that are open or were active since then; in no particular order. */
async function positionsActiveSince(
  queries: Queries,
  userIds: readonly string[],
  from: number,
): Promise<Position[]> {
  const rows = await queries.all<PositionRow>(
    sql`SELECT body FROM position WHERE user_id IN (${list(userIds)})
      AND (status = 'open' OR last_activity_at >= ${from})`,
  );
  return rows.map((row) => BODY.decode(row.body));
}

async function countPositions(queries: Queries, userId: string): Promise<{ open: number; closed: number }> {
  const rows = await queries.all<{ status: Position["status"]; n: number }>(
    sql`SELECT status, COUNT(*) AS n FROM position WHERE user_id = ${userId} GROUP BY status`,
  );
  const of = (status: Position["status"]) => rows.find((row) => row.status === status)?.n ?? 0;
  return { open: of("open"), closed: of("closed") };
}

/** So that capture can check what happened to positions that are no longer open. */
async function openTradeIds(queries: Queries, userId: string): Promise<string[]> {
  const rows = await queries.all<{ trade_id: string }>(
    sql`SELECT trade_id FROM position WHERE user_id = ${userId} AND status = 'open'`,
  );
  return rows.map((row) => row.trade_id).sort();
}

/** Each trader's holding over all open positions in the token, largest first. */
async function holdersOf(
  queries: Queries,
  address: string,
  { networkId, limit }: { networkId?: number; limit: number },
): Promise<Holder[]> {
  const conditions = openIn(address, networkId);
  const sums = await queries.all<{ user_id: string; amount: number }>(
    sql`SELECT user_id, SUM(held_amount) AS amount FROM position ${where(conditions)}
      GROUP BY user_id HAVING SUM(held_amount) > 0 ORDER BY amount DESC, user_id LIMIT ${limit}`,
  );
  if (sums.length === 0) return [];
  const ofUsers = sql`user_id IN (${list(sums.map((sum) => sum.user_id))})`;
  const rows = await queries.all<PositionRow>(
    sql`SELECT body FROM position ${where([...conditions, ofUsers])} ORDER BY last_activity_at`,
  );
  const open = Map.groupBy(
    rows.map((row) => BODY.decode(row.body)),
    ({ userId }) => userId,
  );
  return sums.flatMap(({ user_id, amount }) => {
    const positions = open.get(user_id) ?? [];
    const latest = positions.at(-1);
    return latest ? [{ userId: user_id, handle: latest.handle, amount, positions }] : [];
  });
}

/** Each trader's holding over all open positions in the token. */
async function heldIn(queries: Queries, address: string, networkId: number): Promise<Map<string, number>> {
  const rows = await queries.all<{ user_id: string; amount: number }>(
    sql`SELECT user_id, SUM(held_amount) AS amount FROM position ${where(openIn(address, networkId))}
      GROUP BY user_id HAVING SUM(held_amount) > 0`,
  );
  return new Map(rows.map(({ user_id, amount }) => [user_id, amount]));
}

async function countHolders(queries: Queries, address: string, networkId?: number): Promise<number> {
  const row = await queries.one<{ n: number }>(
    sql`SELECT COUNT(DISTINCT user_id) AS n FROM position
      ${where([...openIn(address, networkId), sql`held_amount > 0`])}`,
  );
  return row?.n ?? 0;
}

/** Forgets up to `limit` closed positions whose last activity is older. Open ones stay. */
function prunePositions(tx: Queries, lastActivityBefore: number, limit: number): Promise<number> {
  return tx.run(
    sql`DELETE FROM position WHERE trade_id IN (
      SELECT trade_id FROM position WHERE status = 'closed' AND last_activity_at < ${lastActivityBefore}
      ORDER BY last_activity_at LIMIT ${limit})`,
  );
}

export const positions = {
  reads: {
    byId: findPosition,
    byIds: findPositions,
    byTrader: positionsOfTrader,
    activeSince: positionsActiveSince,
    counts: countPositions,
    openTradeIds,
    holders: holdersOf,
    held: heldIn,
    holderCount: countHolders,
  },
  writes: { save: savePositions, prune: prunePositions },
} satisfies Repository;

export type StoredPositions = RepositoryHandle<typeof positions>;

function openIn(address: string, networkId: number | undefined) {
  return [
    sql`token_key = ${tokenKey(address)}`,
    sql`status = 'open'`,
    ...(networkId === undefined ? [] : [sql`network_id = ${networkId}`]),
  ];
}

const rowOf = (position: Position, capturedAt: number) => ({
  tradeId: position.tradeId,
  userId: position.userId,
  networkId: position.token.networkId,
  tokenKey: tokenKey(position.token.address),
  status: position.status,
  heldAmount: heldAmount(position),
  valueUsd: valueOfHeld(position) ?? 0,
  pnlUsd: netOf(position) ?? UNKNOWN_LAST,
  lastActivityAt: position.lastActivityAt,
  capturedAt,
  body: BODY.encode(position),
});
