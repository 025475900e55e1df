// The directory of traders. A trader is found by userId, by handle, and by a former handle as long as nobody else
// has taken it: the handle a person bears now always wins over one that another bore before.

import { type Database, insertMany, type Queries } from "../../../database/database.ts";
import { list, type SqlValue, sql } from "../../../database/sql.ts";
import { normaliseHandle } from "../../model/handle.ts";
import type { Trader } from "../../model/trader.ts";
import { type Changes, nextVersion } from "./directory.ts";

export interface TraderStore {
  /** Returns how many were new or different. */
  save(traders: readonly Trader[], capturedAt: number): Promise<number>;
  byId(userId: string): Promise<Trader | null>;
  byIds(userIds: readonly string[]): Promise<Trader[]>;
  byHandle(handle: string): Promise<Trader | null>;
  /** For the search index: what changed after a version, oldest change first. */
  changedAfter(version: number, limit: number): Promise<Changes<Trader>>;
  count(): Promise<number>;
}

interface TraderRow {
  user_id: string;
  version: number;
  body: string;
}

const IDS_A_LOOKUP = 512;

export function traderStore(db: Database): TraderStore {
  return {
    save: (traders, capturedAt) => db.write((tx) => save(tx, traders, capturedAt)),
    async byId(userId) {
      const row = await db.read.one<TraderRow>(sql`SELECT body FROM trader WHERE user_id = ${userId}`);
      return row && traderOf(row);
    },
    async byIds(userIds) {
      const found: Trader[] = [];
      for (let start = 0; start < userIds.length; start += IDS_A_LOOKUP) {
        const part = list(userIds.slice(start, start + IDS_A_LOOKUP));
        const rows = await db.read.all<TraderRow>(sql`SELECT body FROM trader WHERE user_id IN (${part})`);
        found.push(...rows.map(traderOf));
      }
      return found;
    },
    async byHandle(handle) {
      const key = normaliseHandle(handle);
      if (key === null) return null;
      const row = await db.read.one<TraderRow>(
        sql`SELECT trader.body FROM trader_handle JOIN trader ON trader.user_id = trader_handle.user_id
          WHERE trader_handle.handle_key = ${key}`,
      );
      return row && traderOf(row);
    },
    async changedAfter(version, limit) {
      const rows = await db.read.all<TraderRow>(
        sql`SELECT user_id, version, body FROM trader WHERE version > ${version} AND version <= COALESCE(
            (SELECT version FROM trader WHERE version > ${version} ORDER BY version LIMIT 1 OFFSET ${limit - 1}),
            (SELECT version FROM directory_version WHERE name = 'trader'))
          ORDER BY version, user_id`,
      );
      return {
        rows: rows.map(traderOf),
        version: rows.at(-1)?.version ?? version,
        more: rows.length >= limit,
      };
    },
    async count() {
      const row = await db.read.one<{ n: number }>(sql`SELECT COUNT(*) AS n FROM trader`);
      return row?.n ?? 0;
    },
  };
}

async function save(tx: Queries, traders: readonly Trader[], capturedAt: number): Promise<number> {
  const wanted = new Map(traders.map((trader) => [trader.userId, trader]));
  const known = new Map<string, string>();
  const ids = [...wanted.keys()];
  const version = await nextVersion(tx, "trader");
  for (let start = 0; start < ids.length; start += IDS_A_LOOKUP) {
    const part = list(ids.slice(start, start + IDS_A_LOOKUP));
    const rows = await tx.all<TraderRow>(sql`SELECT user_id, body FROM trader WHERE user_id IN (${part})`);
    for (const row of rows) known.set(row.user_id, row.body);
  }
  const changed = [...wanted.values()]
    .map((trader) => ({ trader, body: JSON.stringify(trader), key: keyOf(trader.handle) }))
    .filter(({ trader, body }) => known.get(trader.userId) !== body);
  await insertMany(
    tx,
    "trader",
    ["user_id", "handle_key", "version", "captured_at", "body"],
    changed.map(({ trader, body, key }) => [trader.userId, key, version, capturedAt, body]),
    `ON CONFLICT (user_id) DO UPDATE SET handle_key = excluded.handle_key, version = excluded.version,
      captured_at = excluded.captured_at, body = excluded.body`,
  );
  await saveHandles(tx, changed);
  return changed.length;
}

async function saveHandles(tx: Queries, changed: { trader: Trader; key: string }[]): Promise<void> {
  const former = new Map<string, SqlValue[]>();
  const current = new Map<string, SqlValue[]>();
  for (const { trader, key } of changed) {
    current.set(key, [key, trader.userId, 1]);
    for (const old of trader.formerHandles) former.set(keyOf(old), [keyOf(old), trader.userId, 0]);
  }
  // What a trader bore until now becomes a former handle, then the new one is taken, from whoever had it.
  const ids = changed.map(({ trader }) => trader.userId);
  for (let start = 0; start < ids.length; start += IDS_A_LOOKUP) {
    const part = list(ids.slice(start, start + IDS_A_LOOKUP));
    await tx.run(sql`UPDATE trader_handle SET is_current = 0 WHERE user_id IN (${part})`);
  }
  const columns = ["handle_key", "user_id", "is_current"];
  const take =
    "ON CONFLICT (handle_key) DO UPDATE SET user_id = excluded.user_id, is_current = excluded.is_current";
  await insertMany(tx, "trader_handle", columns, [...current.values()], take);
  await insertMany(
    tx,
    "trader_handle",
    columns,
    [...former.values()],
    `${take} WHERE trader_handle.is_current = 0`,
  );
}

function keyOf(handle: string): string {
  return normaliseHandle(handle) ?? handle.toLowerCase();
}

function traderOf(row: Pick<TraderRow, "body">): Trader {
  return JSON.parse(row.body);
}
