// Theses, one row per id, as last captured. Every order they are listed in has its index. It also stores which tokens were
// captured, because a token without theses and a token never looked at are different answers.

import { countOf, excluded, insertMany, type Queries } from "../../../database/database.ts";
import {
  beyond,
  type Keyset,
  type KeysetOrder,
  type KeysetPage,
  orderAndLimit,
  pageOf,
} from "../../../database/keyset.ts";
import { raw, type Sql, sql, where } from "../../../database/sql.ts";
import type { Thesis } from "../../../protocol/shapes/thesis.ts";
import type { Repository } from "../repository.ts";
import { codec } from "./bodies.ts";
import { tokenKey } from "./tokens.ts";

/** `stored` is upstream's order of a token's theses. */
export type ThesisSort = "recent" | "likes" | "stored";

export interface ThesisQuery {
  limit: number;
  cursor?: Keyset | null;
  networkId?: number;
}

export interface TokenCapture {
  capturedAt: number;
  /** All of upstream's pages were read. */
  complete: boolean;
}

interface ThesisRow {
  id: string;
  likes: number;
  sort_value: number;
  body: string;
}

const ORDERS: Record<ThesisSort, KeysetOrder> = {
  recent: { column: "created_at", idColumn: "id", direction: "DESC" },
  likes: { column: "likes", idColumn: "id", direction: "DESC" },
  stored: { column: "token_rank", idColumn: "id", direction: "ASC" },
};
// Theses whose likes are unknown sort after those with 0; theses on no token list sort after those on one.
const UNCOUNTED_LIKES = -1;
const UNRANKED = 2 ** 40;

const UPDATED = excluded(["user_id", "network_id", "token_key", "created_at", "captured_at"]);
// A list without like counts must not wipe out the counts of one that has them.
const UPDATE = `ON CONFLICT (id) DO UPDATE SET ${UPDATED},
  likes = CASE WHEN excluded.likes = ${UNCOUNTED_LIKES} THEN thesis.likes ELSE excluded.likes END,
  token_rank = CASE WHEN excluded.token_rank = ${UNRANKED} THEN thesis.token_rank ELSE excluded.token_rank END,
  body = excluded.body
  WHERE thesis.captured_at <= excluded.captured_at`;

// A place in a token's list is known only from that list, so it applies even if a newer version of the thesis is stored.
const ofNewer = (column: string) =>
  `${column} = CASE WHEN thesis.captured_at <= excluded.captured_at THEN excluded.${column} ELSE thesis.${column} END`;
const UPDATE_AND_RANK = `ON CONFLICT (id) DO UPDATE SET
  ${["user_id", "network_id", "token_key", "created_at", "captured_at", "body"].map(ofNewer).join(", ")},
  likes = CASE WHEN thesis.captured_at <= excluded.captured_at AND excluded.likes <> ${UNCOUNTED_LIKES}
    THEN excluded.likes ELSE thesis.likes END,
  token_rank = excluded.token_rank`;

const BODY = codec<Thesis>("thesis", ["id", "userId", "token"]);

export function thesisOf(row: Pick<ThesisRow, "likes" | "body">): Thesis {
  return { ...BODY.decode(row.body), likes: row.likes === UNCOUNTED_LIKES ? null : row.likes };
}

async function page(
  queries: Queries,
  conditions: Sql[],
  order: KeysetOrder,
  query: ThesisQuery,
): Promise<KeysetPage<Thesis>> {
  const rows = await queries.all<ThesisRow>(
    sql`SELECT id, likes, ${raw(order.column)} AS sort_value, body FROM thesis
      ${where([...conditions, ...beyond(order, query.cursor)])} ${orderAndLimit(order, query.limit)}`,
  );
  return pageOf(rows, query.limit, (row) => ({ value: row.sort_value, id: row.id }), thesisOf);
}

/** Checked on the rows that the leading column's index yields. */
const onNetwork = (networkId: number | undefined) =>
  networkId === undefined ? [] : [sql`(network_id + 0) = ${networkId}`];

async function saveTheses(tx: Queries, theses: readonly Thesis[], capturedAt: number): Promise<void> {
  await insert(tx, theses, capturedAt, () => UNRANKED, UPDATE);
}

/** An event contains less of a thesis than a list does, so it only fills gaps. */
function saveNewTheses(tx: Queries, theses: readonly Thesis[], capturedAt: number): Promise<number> {
  return insert(tx, theses, capturedAt, () => UNRANKED, "ON CONFLICT (id) DO NOTHING");
}

/** A token's own list, complete or its first pages, in upstream's order. */
async function saveTokenTheses(
  tx: Queries,
  { address, networkId }: { address: string; networkId: number },
  theses: readonly Thesis[],
  { capturedAt, complete }: TokenCapture,
): Promise<void> {
  const known = await tx.one<{ captured_at: number }>(
    sql`SELECT captured_at FROM thesis_capture
      WHERE token_key = ${tokenKey(address)} AND network_id = ${networkId}`,
  );
  if (known && known.captured_at > capturedAt) return;
  // Theses no longer on the list lose their place.
  await tx.run(
    sql`UPDATE thesis SET token_rank = ${UNRANKED}
      WHERE token_key = ${tokenKey(address)} AND network_id = ${networkId} AND token_rank < ${UNRANKED}`,
  );
  await insert(tx, theses, capturedAt, (index) => index, UPDATE_AND_RANK);
  await tx.run(
    sql`INSERT INTO thesis_capture (token_key, network_id, captured_at, complete)
      VALUES (${tokenKey(address)}, ${networkId}, ${capturedAt}, ${complete ? 1 : 0})
      ON CONFLICT (token_key, network_id) DO UPDATE SET
        captured_at = excluded.captured_at, complete = excluded.complete`,
  );
}

async function tokenThesisCapture(
  queries: Queries,
  address: string,
  networkId?: number,
): Promise<TokenCapture | null> {
  const ofNetwork = networkId === undefined ? [] : [sql`network_id = ${networkId}`];
  const row = await queries.one<{ captured_at: number; complete: number }>(
    sql`SELECT captured_at, complete FROM thesis_capture
      ${where([sql`token_key = ${tokenKey(address)}`, ...ofNetwork])} ORDER BY captured_at DESC LIMIT 1`,
  );
  return row && { capturedAt: row.captured_at, complete: row.complete === 1 };
}

async function findThesis(queries: Queries, id: string): Promise<Thesis | null> {
  const row = await queries.one<ThesisRow>(sql`SELECT likes, body FROM thesis WHERE id = ${id}`);
  return row && thesisOf(row);
}

function recentTheses(queries: Queries, query: ThesisQuery): Promise<KeysetPage<Thesis>> {
  const order =
    query.networkId === undefined
      ? ORDERS.recent
      : { ...ORDERS.recent, lead: { column: "network_id", value: query.networkId } };
  return page(queries, [], order, query);
}

function thesesOfToken(
  queries: Queries,
  address: string,
  query: ThesisQuery & { sort: ThesisSort },
): Promise<KeysetPage<Thesis>> {
  const conditions = [sql`token_key = ${tokenKey(address)}`, ...onNetwork(query.networkId)];
  return page(queries, conditions, ORDERS[query.sort], query);
}

function thesesOfTrader(
  queries: Queries,
  userId: string,
  query: ThesisQuery & { sort: "recent" | "likes" },
): Promise<KeysetPage<Thesis>> {
  const conditions = [sql`user_id = ${userId}`, ...onNetwork(query.networkId)];
  return page(queries, conditions, ORDERS[query.sort], query);
}

function thesesOfTraderAndToken(
  queries: Queries,
  userId: string,
  address: string,
  query: ThesisQuery,
): Promise<KeysetPage<Thesis>> {
  const conditions = [
    sql`user_id = ${userId}`,
    sql`token_key = ${tokenKey(address)}`,
    ...onNetwork(query.networkId),
  ];
  return page(queries, conditions, ORDERS.recent, query);
}

/** How many were written about a token since then. */
function countTokenTheses(
  queries: Queries,
  address: string,
  networkId: number,
  since: number,
): Promise<number> {
  return countOf(
    queries,
    sql`FROM thesis WHERE token_key = ${tokenKey(address)}
      AND network_id = ${networkId} AND created_at >= ${since}`,
  );
}

function countTheses(queries: Queries): Promise<number> {
  return countOf(queries, sql`FROM thesis`);
}

function pruneTheses(tx: Queries, createdBefore: number, limit: number): Promise<number> {
  return tx.run(
    sql`DELETE FROM thesis WHERE id IN (
      SELECT id FROM thesis WHERE created_at < ${createdBefore} ORDER BY created_at, id LIMIT ${limit})`,
  );
}

export const theses = {
  reads: {
    tokenCapture: tokenThesisCapture,
    byId: findThesis,
    recent: recentTheses,
    byToken: thesesOfToken,
    byTrader: thesesOfTrader,
    byTraderAndToken: thesesOfTraderAndToken,
    countForToken: countTokenTheses,
    count: countTheses,
  },
  writes: {
    save: saveTheses,
    saveNew: saveNewTheses,
    saveForToken: saveTokenTheses,
    prune: pruneTheses,
  },
} satisfies Repository;

function insert(
  tx: Queries,
  theses: readonly Thesis[],
  capturedAt: number,
  rankOf: (index: number) => number,
  conflict: string,
): Promise<number> {
  const unique = [...new Map(theses.map((thesis) => [thesis.id, thesis])).values()];
  const rows = unique.map((thesis, index) => rowOf(thesis, rankOf(index), capturedAt));
  return insertMany(tx, "thesis", rows, conflict);
}

const rowOf = (thesis: Thesis, rank: number, capturedAt: number) => ({
  id: thesis.id,
  userId: thesis.userId,
  networkId: thesis.token.networkId,
  tokenKey: tokenKey(thesis.token.address),
  likes: thesis.likes ?? UNCOUNTED_LIKES,
  tokenRank: rank,
  createdAt: thesis.createdAt,
  capturedAt,
  body: BODY.encode(thesis),
});
