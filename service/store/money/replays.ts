// Replays requested by accounts. The process working on one holds it under its own name and sends heartbeats; one that
// was cut off, or cancelled meanwhile, can't write anything more. Questions and answers are the caller's JSON, kept for
// 30 days.
import { countOf, insertMany, type Queries } from "../../../database/database.ts";
import { type Sql, sql } from "../../../database/sql.ts";

export type ReplayStatus = "running" | "done" | "failed" | "cancelled";

export interface ReplayName {
  accountId: string;
  replayId: string;
}

export interface HeldReplay extends ReplayName {
  holder: string;
}

export interface StoredReplay {
  status: ReplayStatus;
  beatAt: number;
  createdAt: number;
  /** Per cent. */
  progress: number;
  credits: number;
  orders: number;
  question: string;
  answer: string | null;
  note: string | null;
}

/** Without a heartbeat for this long, a replay is no longer being worked on. */
export const SILENT_AFTER_MS = 30_000;

const named = ({ accountId, replayId }: ReplayName): Sql =>
  sql`account_id = ${accountId} AND replay_id = ${replayId}`;
const held = (replay: HeldReplay): Sql =>
  sql`${named(replay)} AND holder = ${replay.holder} AND status = 'running'`;
const isRunning = (at: number): Sql => sql`status = 'running' AND beat_at > ${at - SILENT_AFTER_MS}`;

export function findReplay(queries: Queries, name: ReplayName): Promise<StoredReplay | null> {
  return queries.one<StoredReplay>(
    sql`SELECT status, beat_at AS "beatAt", created_at AS "createdAt", progress, credits, orders, question, answer, note
      FROM replay WHERE ${named(name)}`,
  );
}

/** Claims a replay that is new, failed, cancelled or abandoned by its process; false when it is done or running. */
export async function holdReplay(
  tx: Queries,
  { accountId, replayId, holder }: HeldReplay,
  question: string,
  at: number,
): Promise<boolean> {
  const taken = await tx.run(
    sql`INSERT INTO replay (account_id, replay_id, status, holder, beat_at, created_at, progress, credits, orders,
        question, answer, note)
      VALUES (${accountId}, ${replayId}, 'running', ${holder}, ${at}, ${at}, 0, 0, 0, ${question}, NULL, NULL)
      ON CONFLICT (account_id, replay_id) DO UPDATE SET status = 'running', holder = excluded.holder,
        beat_at = excluded.beat_at, created_at = excluded.created_at, progress = 0, note = NULL
      WHERE replay.status IN ('failed', 'cancelled')
        OR (replay.status = 'running' AND replay.beat_at <= ${at - SILENT_AFTER_MS})`,
  );
  return taken > 0;
}

/** Reports progress; false when this process no longer holds the replay. */
export async function beatReplay(
  tx: Queries,
  replay: HeldReplay,
  progress: number,
  at: number,
): Promise<boolean> {
  return (
    (await tx.run(sql`UPDATE replay SET beat_at = ${at}, progress = ${progress} WHERE ${held(replay)}`)) > 0
  );
}

export async function finishReplay(
  tx: Queries,
  replay: HeldReplay,
  result: { answer: string; orders: number; credits: number },
  at: number,
): Promise<boolean> {
  const { answer, orders, credits } = result;
  const changed = await tx.run(
    sql`UPDATE replay SET status = 'done', beat_at = ${at}, progress = 100, answer = ${answer}, orders = ${orders},
      credits = ${credits} WHERE ${held(replay)}`,
  );
  return changed > 0;
}

export async function failReplay(tx: Queries, replay: HeldReplay, note: string): Promise<void> {
  await tx.run(sql`UPDATE replay SET status = 'failed', note = ${note} WHERE ${held(replay)}`);
}

export async function cancelReplay(tx: Queries, name: ReplayName): Promise<void> {
  await tx.run(sql`UPDATE replay SET status = 'cancelled' WHERE ${named(name)} AND status = 'running'`);
}

/** How many of an account's replays are running. */
export function countRunning(queries: Queries, accountId: string, at: number): Promise<number> {
  return countOf(queries, sql`FROM replay WHERE account_id = ${accountId} AND ${isRunning(at)}`);
}

/** Replaces the pages of an earlier attempt. */
export async function saveOrderPages(
  tx: Queries,
  { accountId, replayId }: ReplayName,
  first: number,
  bodies: readonly string[],
): Promise<void> {
  const rows = bodies.map((body, index) => ({ accountId, replayId, page: first + index, body }));
  const replace = "ON CONFLICT (account_id, replay_id, page) DO UPDATE SET body = excluded.body";
  await insertMany(tx, "replay_orders", rows, replace);
}

export async function findOrderPage(
  queries: Queries,
  name: ReplayName,
  page: number,
): Promise<string | null> {
  const row = await queries.one<{ body: string }>(
    sql`SELECT body FROM replay_orders WHERE ${named(name)} AND page = ${page}`,
  );
  return row?.body ?? null;
}

/**
 * Deletes an account's replays beyond this many, those that ended first. A running one stays, however long ago it was
 * requested: its answer will be charged.
 */
export async function dropOldest(tx: Queries, accountId: string, keptMax: number, at: number): Promise<void> {
  await drop(
    tx,
    sql`SELECT account_id, replay_id FROM replay WHERE account_id = ${accountId} AND NOT (${isRunning(at)})
      ORDER BY beat_at DESC LIMIT 8 OFFSET ${keptMax}`,
  );
}

export function pruneReplays(tx: Queries, before: number, limit: number): Promise<number> {
  return drop(
    tx,
    sql`SELECT account_id, replay_id FROM replay WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}`,
  );
}

async function drop(tx: Queries, which: Sql): Promise<number> {
  const names = await tx.all<{ account_id: string; replay_id: string }>(which);
  for (const { account_id, replay_id } of names) {
    const name = named({ accountId: account_id, replayId: replay_id });
    await tx.run(sql`DELETE FROM replay_orders WHERE ${name}`);
    await tx.run(sql`DELETE FROM replay WHERE ${name}`);
  }
  return names.length;
}
