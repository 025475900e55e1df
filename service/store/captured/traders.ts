// The directory of traders. A trader is found by userId, by handle, and by a former handle as long as no one else
// has taken it: a current handle always wins over another trader's former one.

import { countOf, insertMany, type Queries } from "../../../database/database.ts";
import { list, sql } from "../../../database/sql.ts";
import { chunksOf } from "../../../kit/chunks.ts";
import type { Trader } from "../../../protocol/shapes/trader.ts";
import { normaliseHandle } from "../../../protocol/values.ts";
import type { Repository, RepositoryHandle } from "../repository.ts";
import { codec } from "./bodies.ts";
import { type Changes, nextVersion } from "./directory.ts";

interface TraderBodyRow {
  user_id: string;
  version: number;
  body: string;
}

const IDS_PER_LOOKUP_MAX = 512;

const BODY = codec<Trader>("trader", ["userId", "handle"]);

async function findTrader(queries: Queries, userId: string): Promise<Trader | null> {
  const row = await queries.one<TraderBodyRow>(sql`SELECT body FROM trader WHERE user_id = ${userId}`);
  return row && BODY.decode(row.body);
}

async function findTraders(queries: Queries, userIds: readonly string[]): Promise<Trader[]> {
  const found: Trader[] = [];
  for (const part of chunksOf(userIds, IDS_PER_LOOKUP_MAX)) {
    const rows = await queries.all<TraderBodyRow>(
      sql`SELECT body FROM trader WHERE user_id IN (${list(part)})`,
    );
    found.push(...rows.map((row) => BODY.decode(row.body)));
  }
  return found;
}

async function traderOfHandle(queries: Queries, handle: string): Promise<Trader | null> {
  const key = normaliseHandle(handle);
  if (key === null) return null;
  const row = await queries.one<TraderBodyRow>(
    sql`SELECT trader.body FROM trader_handle JOIN trader ON trader.user_id = trader_handle.user_id
      WHERE trader_handle.handle_key = ${key}`,
  );
  return row && BODY.decode(row.body);
}

/** For the search index: changes after a version, oldest first. */
async function tradersChangedAfter(
  queries: Queries,
  version: number,
  limit: number,
): Promise<Changes<Trader>> {
  const rows = await queries.all<TraderBodyRow>(
    sql`SELECT user_id, version, body FROM trader WHERE version > ${version} AND version <= COALESCE(
        (SELECT version FROM trader WHERE version > ${version} ORDER BY version LIMIT 1 OFFSET ${limit - 1}),
        (SELECT version FROM directory_version WHERE name = 'trader'))
      ORDER BY version, user_id`,
  );
  return {
    rows: rows.map((row) => BODY.decode(row.body)),
    version: rows.at(-1)?.version ?? version,
    more: rows.length >= limit,
  };
}

function countTraders(queries: Queries): Promise<number> {
  return countOf(queries, sql`FROM trader`);
}

/** Returns how many were new or different. */
async function saveTraders(tx: Queries, traders: readonly Trader[], capturedAt: number): Promise<number> {
  const wanted = new Map(traders.map((trader) => [trader.userId, trader]));
  const known = new Map<string, string>();
  const ids = [...wanted.keys()];
  const version = await nextVersion(tx, "trader");
  for (const part of chunksOf(ids, IDS_PER_LOOKUP_MAX)) {
    const rows = await tx.all<TraderBodyRow>(
      sql`SELECT user_id, body FROM trader WHERE user_id IN (${list(part)})`,
    );
    for (const row of rows) known.set(row.user_id, row.body);
  }
  const changed = [...wanted.values()]
    .map((trader) => ({ trader, body: BODY.encode(trader), key: keyOf(trader.handle) }))
    .filter(({ trader, body }) => known.get(trader.userId) !== body);
  await insertMany(
    tx,
    "trader",
    changed.map(({ trader, body, key }) => ({
      userId: trader.userId,
      handleKey: key,
      version,
      capturedAt,
      body,
    })),
    `ON CONFLICT (user_id) DO UPDATE SET handle_key = excluded.handle_key, version = excluded.version,
      captured_at = excluded.captured_at, body = excluded.body`,
  );
  await saveHandles(tx, changed);
  return changed.length;
}

interface HandleRow {
  handleKey: string;
  userId: string;
  isCurrent: number;
}

async function saveHandles(tx: Queries, changed: { trader: Trader; key: string }[]): Promise<void> {
  const former = new Map<string, HandleRow>();
  const current = new Map<string, HandleRow>();
  for (const { trader, key } of changed) {
    const { userId } = trader;
    current.set(key, { handleKey: key, userId, isCurrent: 1 });
    for (const old of trader.formerHandles)
      former.set(keyOf(old), { handleKey: keyOf(old), userId, isCurrent: 0 });
  }
  // A trader's previous handle becomes a former one, then the new one is taken, even from another trader.
  const ids = changed.map(({ trader }) => trader.userId);
  for (const part of chunksOf(ids, IDS_PER_LOOKUP_MAX)) {
    await tx.run(sql`UPDATE trader_handle SET is_current = 0 WHERE user_id IN (${list(part)})`);
  }
  const take =
    "ON CONFLICT (handle_key) DO UPDATE SET user_id = excluded.user_id, is_current = excluded.is_current";
  await insertMany(tx, "trader_handle", [...current.values()], take);
  await insertMany(tx, "trader_handle", [...former.values()], `${take} WHERE trader_handle.is_current = 0`);
}

function keyOf(handle: string): string {
  return normaliseHandle(handle) ?? handle.toLowerCase();
}

export const traders = {
  reads: {
    byId: findTrader,
    byIds: findTraders,
    byHandle: traderOfHandle,
    changedAfter: tradersChangedAfter,
    count: countTraders,
  },
  writes: { save: saveTraders },
} satisfies Repository;

export type TraderStore = RepositoryHandle<typeof traders>;
