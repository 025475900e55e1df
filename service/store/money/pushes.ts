// Browsers subscribed to Web Push. Pages change rows under a new revision; the delivering node advances their positions,
// under its lease. An ended subscription keeps its row, without its keys, until that node has seen the change.
import type { Queries } from "../../../database/database.ts";
import { list, raw, sql } from "../../../database/sql.ts";

export interface StoredPush {
  /** Derived from its endpoint: a browser has one. */
  id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** The server's public key that it was created for; its push service accepts nothing signed with another one. */
  serverKey: string;
  /** Who it is counted for, in a form that reveals no address. */
  subject: string;
  /** JSON of what it follows. */
  wish: string;
  epoch: string;
  /** Everything that matches up to here was delivered. */
  position: number;
  /** The log position when it subscribed: events up to here are older; 0 if unknown. */
  askedAfter: number;
  /** Until when its push service asked us to wait. */
  waitUntil: number;
  renewedAt: number;
  endedAt: number | null;
  revision: number;
}

const SELECT = raw(
  `SELECT id, endpoint, p256dh, auth, server_key AS "serverKey", subject, wish, epoch, position, asked_after AS "askedAfter", wait_until AS "waitUntil",
    renewed_at AS "renewedAt",
    ended_at AS "endedAt", revision FROM push_subscription`,
);

/** Locked until `tx` ends, so that revisions become visible in order. */
export async function nextPushRevision(tx: Queries): Promise<number> {
  const row = await tx.one<{ revision: number }>(
    sql`UPDATE push_revision SET revision = revision + 1 WHERE name = 'push' RETURNING revision`,
  );
  return row?.revision ?? 0;
}

export async function anyPush(queries: Queries): Promise<boolean> {
  return (await queries.one(sql`SELECT 1 AS one FROM push_subscription LIMIT 1`)) !== null;
}

/** How many are stored in total, and for one subject, excluding this one. */
export async function countPushes(
  queries: Queries,
  { id, subject }: Pick<StoredPush, "id" | "subject">,
): Promise<{ all: number; own: number }> {
  const row = await queries.one<{ all: number; own: number }>(
    sql`SELECT COUNT(*) AS "all", COUNT(CASE WHEN subject = ${subject} THEN 1 END) AS own
      FROM push_subscription WHERE ended_at IS NULL AND id <> ${id}`,
  );
  return row ?? { all: 0, own: 0 };
}

/** A known browser keeps its position, and where it began. */
export async function keepPush(
  tx: Queries,
  push: Omit<StoredPush, "endedAt" | "waitUntil" | "askedAfter">,
): Promise<void> {
  const { id, endpoint, p256dh, auth, serverKey, subject, wish, epoch, position, renewedAt, revision } = push;
  await tx.run(
    sql`INSERT INTO push_subscription (id, endpoint, p256dh, auth, server_key, subject, wish, epoch, position, asked_after, wait_until,
        renewed_at, ended_at, revision)
      VALUES (${id}, ${endpoint}, ${p256dh}, ${auth}, ${serverKey}, ${subject}, ${wish}, ${epoch}, ${position}, ${position}, 0,
        ${renewedAt}, NULL, ${revision})
      ON CONFLICT (id) DO UPDATE SET
        position = CASE WHEN push_subscription.ended_at IS NULL AND push_subscription.epoch = excluded.epoch
          THEN push_subscription.position ELSE excluded.position END,
        asked_after = CASE WHEN push_subscription.ended_at IS NULL AND push_subscription.epoch = excluded.epoch
          THEN push_subscription.asked_after ELSE excluded.asked_after END,
        p256dh = excluded.p256dh, auth = excluded.auth, server_key = excluded.server_key, subject = excluded.subject,
        endpoint = excluded.endpoint, wish = excluded.wish, epoch = excluded.epoch, renewed_at = excluded.renewed_at,
        ended_at = NULL, revision = excluded.revision`,
  );
}

export async function endPush(tx: Queries, id: string, at: number): Promise<void> {
  const revision = await nextPushRevision(tx);
  await tx.run(
    sql`UPDATE push_subscription SET ended_at = ${at}, endpoint = '', p256dh = '', auth = '', wish = '{}', subject = '',
        revision = ${revision}
      WHERE id = ${id} AND ended_at IS NULL`,
  );
}

/** Changes after a revision, in order. */
export function pushesAfter(queries: Queries, revision: number, limit: number): Promise<StoredPush[]> {
  return queries.all<StoredPush>(
    sql`${SELECT} WHERE revision > ${revision} ORDER BY revision LIMIT ${limit}`,
  );
}

/** Within the same log positions only move forward; from another log they move to the given place in this one. */
export async function advancePushes(
  tx: Queries,
  { epoch, position, waitUntil }: Pick<StoredPush, "epoch" | "position" | "waitUntil">,
  ids: readonly string[],
): Promise<void> {
  await tx.run(
    sql`UPDATE push_subscription SET position = ${position}, epoch = ${epoch}, wait_until = ${waitUntil},
        asked_after = CASE WHEN epoch = ${epoch} THEN asked_after ELSE ${position} END
      WHERE id IN (${list(ids)}) AND (epoch <> ${epoch} OR position <= ${position}) AND ended_at IS NULL`,
  );
}

/** Ends subscriptions that were not renewed; returns how many are left to end. */
export async function endUnrenewed(tx: Queries, before: number, at: number, limit: number): Promise<number> {
  const rows = await tx.all<{ id: string }>(
    sql`SELECT id FROM push_subscription WHERE ended_at IS NULL AND renewed_at < ${before} LIMIT ${limit}`,
  );
  for (const { id } of rows) await endPush(tx, id, at);
  return rows.length;
}

export function forgetEndedPushes(tx: Queries, before: number): Promise<number> {
  return tx.run(sql`DELETE FROM push_subscription WHERE ended_at < ${before}`);
}
