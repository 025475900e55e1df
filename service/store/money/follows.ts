// Paper follows and their events. A node holds a follow for some seconds at a time; its writes carry the version that it
// read, so a stale holder that wakes up writes nothing. Each event has two numbers: its number within the follow, which
// makes it unique, and a position in its account's log, assigned inside the transaction, so that "after N" never skips.
import { countOf, insertMany, type Queries } from "../../../database/database.ts";
import { list, raw, type Sql, sql } from "../../../database/sql.ts";

export interface StoredFollow {
  followId: string;
  accountId: string;
  keyId: string;
  /** The key lineage whose cap its charges count against. */
  capOf: string | null;
  /** The followed trader. */
  userId: string;
  handle: string;
  status: "active" | "stopped";
  waitingFor: "credits" | null;
  note: string | null;
  version: number;
  epoch: string;
  /** The state includes everything the leader did up to here. */
  position: number;
  /** How many were booked: filled, skipped and corrections. */
  orders: number;
  /** How many hundreds of filled orders were paid for. */
  paidBlocks: number;
  createdAt: number;
  stoppedAt: number | null;
  /** JSON of the owner's terms, and of the fold's state. */
  terms: string;
  state: string;
}

/** An event of a follow. */
export interface PaperEvent {
  /** In the account's own log. */
  seq: number;
  followId: string;
  number: number;
  bookedAt: number;
  body: string;
}

const SELECT = raw(
  `SELECT follow_id AS "followId", account_id AS "accountId", key_id AS "keyId", cap_of AS "capOf", user_id AS "userId",
    handle, status, waiting_for AS "waitingFor", note, version, epoch, position, orders, paid_blocks AS "paidBlocks",
    created_at AS "createdAt", stopped_at AS "stoppedAt", terms, state FROM follow`,
);

export async function insertFollow(tx: Queries, follow: StoredFollow): Promise<void> {
  const { followId, accountId, keyId, capOf, userId, handle, epoch, position, createdAt, terms, state } =
    follow;
  await tx.run(
    sql`INSERT INTO follow (follow_id, account_id, key_id, cap_of, user_id, handle, status, waiting_for, note, holder,
        held_until, version, epoch, position, orders, paid_blocks, created_at, stopped_at, terms, state)
      VALUES (${followId}, ${accountId}, ${keyId}, ${capOf}, ${userId}, ${handle}, 'active', NULL, NULL, '',
        0, 0, ${epoch}, ${position}, 0, 0, ${createdAt}, NULL, ${terms}, ${state})`,
  );
}

/** An account's follows, newest first. */
export function followsOf(queries: Queries, accountId: string): Promise<StoredFollow[]> {
  return queries.all<StoredFollow>(
    sql`${SELECT} WHERE account_id = ${accountId} ORDER BY created_at DESC, follow_id`,
  );
}

export function findFollow(
  queries: Queries,
  accountId: string,
  followId: string,
): Promise<StoredFollow | null> {
  return queries.one<StoredFollow>(
    sql`${SELECT} WHERE follow_id = ${followId} AND account_id = ${accountId}`,
  );
}

export function countFollows(
  queries: Queries,
  accountId: string,
  status: StoredFollow["status"],
): Promise<number> {
  return countOf(queries, sql`FROM follow WHERE account_id = ${accountId} AND status = ${status}`);
}

/** Its holder finds out on its next write. */
export async function stopFollow(
  tx: Queries,
  accountId: string,
  followId: string,
  at: number,
): Promise<void> {
  await tx.run(
    sql`UPDATE follow SET status = 'stopped', stopped_at = ${at}, waiting_for = NULL, version = version + 1
      WHERE follow_id = ${followId} AND account_id = ${accountId} AND status = 'active'`,
  );
}

export async function anyFollow(queries: Queries): Promise<boolean> {
  return (await queries.one(sql`SELECT 1 AS one FROM follow WHERE status = 'active' LIMIT 1`)) !== null;
}

export interface FollowClaim {
  holder: string;
  now: number;
  leaseMs: number;
  /** The most follows that one node works on. */
  heldMax: number;
  /** Those it already has in memory. */
  known: readonly string[];
}

/** Renews this node's follows, and claims free ones up to its limit. Returns the ids held, and the rows not yet known. */
export async function claimFollows(
  tx: Queries,
  { holder, now, leaseMs, heldMax, known }: FollowClaim,
): Promise<{ held: string[]; taken: StoredFollow[] }> {
  const until = now + leaseMs;
  const kept = await tx.all<{ id: string }>(
    sql`UPDATE follow SET held_until = ${until} WHERE holder = ${holder} AND status = 'active' RETURNING follow_id AS id`,
  );
  const room = heldMax - kept.length;
  const skip = raw(tx.dialect === "postgres" ? "FOR UPDATE SKIP LOCKED" : "");
  const free =
    room <= 0
      ? []
      : await tx.all<{ id: string }>(
          sql`SELECT follow_id AS id FROM follow WHERE status = 'active' AND held_until <= ${now}
            ORDER BY held_until LIMIT ${Math.min(room, TAKEN_MAX)} ${skip}`,
        );
  const ids = free.map(({ id }) => id);
  if (ids.length > 0)
    await tx.run(
      sql`UPDATE follow SET holder = ${holder}, held_until = ${until}, version = version + 1
        WHERE follow_id IN (${list(ids)})`,
    );
  const held = [...kept.map(({ id }) => id), ...ids];
  const read = held.filter((id) => !known.includes(id) || ids.includes(id)).slice(0, TAKEN_MAX);
  const taken =
    read.length === 0
      ? []
      : await tx.all<StoredFollow>(sql`${SELECT} WHERE follow_id IN (${list(read)}) ORDER BY follow_id`);
  return { held, taken };
}

/** Rows claimed per round: each may be some hundred kilobytes. */
const TAKEN_MAX = 50;

/** For a node that stops, or gives these up. */
export async function leaveFollows(
  tx: Queries,
  holder: string,
  ids: readonly string[] | null = null,
): Promise<void> {
  if (ids?.length === 0) return;
  const which = ids === null ? raw("") : sql`AND follow_id IN (${list(ids)})`;
  await tx.run(sql`UPDATE follow SET holder = '', held_until = 0 WHERE holder = ${holder} ${which}`);
}

/** Writes the changes unless another node has written meanwhile; false if so. */
export async function advanceFollow(
  tx: Queries,
  holder: string,
  follow: Pick<
    StoredFollow,
    "followId" | "version" | "position" | "orders" | "paidBlocks" | "state" | "waitingFor" | "note"
  >,
): Promise<boolean> {
  const { followId, version, position, orders, paidBlocks, state, waitingFor, note } = follow;
  const changed = await tx.run(
    sql`UPDATE follow SET version = version + 1, position = ${position}, orders = ${orders}, paid_blocks = ${paidBlocks},
        state = ${state}, waiting_for = ${waitingFor}, note = ${note}
      WHERE ${ofHolder(followId, version, holder)}`,
  );
  return changed > 0;
}

const ofHolder = (followId: string, version: number, holder: string): Sql =>
  sql`follow_id = ${followId} AND version = ${version} AND holder = ${holder} AND status = 'active'`;

/** Ends a follow that can't continue, with the reason. */
export async function endFollow(
  tx: Queries,
  holder: string,
  { followId, version }: Pick<StoredFollow, "followId" | "version">,
  note: string,
  at: number,
): Promise<void> {
  await tx.run(
    sql`UPDATE follow SET status = 'stopped', stopped_at = ${at}, note = ${note}, version = version + 1
      WHERE ${ofHolder(followId, version, holder)}`,
  );
}

/** Appends to the account's log; returns its newest position. The log is locked until `tx` ends. */
export async function bookPaper(
  tx: Queries,
  accountId: string,
  events: readonly Omit<PaperEvent, "seq">[],
): Promise<number> {
  const row = await tx.one<{ seq: number }>(
    sql`INSERT INTO paper_head (account_id, seq) VALUES (${accountId}, ${events.length})
      ON CONFLICT (account_id) DO UPDATE SET seq = paper_head.seq + excluded.seq RETURNING seq`,
  );
  const last = row?.seq ?? 0;
  const rows = events.map(({ followId, number, bookedAt, body }, index) => ({
    accountId,
    seq: last - events.length + 1 + index,
    followId,
    number,
    bookedAt,
    body,
  }));
  await insertMany(tx, "paper_event", rows);
  return last;
}

const EVENT = raw(
  `SELECT seq, follow_id AS "followId", number, booked_at AS "bookedAt", body FROM paper_event`,
);

/** One follow's events, starting at a number. */
export function paperOfFollow(
  queries: Queries,
  followId: string,
  from: number,
  limit: number,
): Promise<PaperEvent[]> {
  return queries.all<PaperEvent>(
    sql`${EVENT} WHERE follow_id = ${followId} AND number >= ${from} ORDER BY number LIMIT ${limit}`,
  );
}

/** An event in an account's log, with the followed trader. */
export interface PaperLogRow extends PaperEvent {
  userId: string;
  handle: string;
}

/** The account's log after a position. */
export function paperAfter(
  queries: Queries,
  accountId: string,
  after: number,
  limit: number,
): Promise<PaperLogRow[]> {
  return queries.all<PaperLogRow>(
    sql`SELECT e.seq, e.follow_id AS "followId", e.number, e.booked_at AS "bookedAt", e.body, f.user_id AS "userId", f.handle
      FROM paper_event e JOIN follow f ON f.follow_id = e.follow_id
      WHERE e.account_id = ${accountId} AND e.seq > ${after} ORDER BY e.seq LIMIT ${limit}`,
  );
}

/** Its newest position; 0 before the first. */
export async function paperHead(queries: Queries, accountId: string): Promise<number> {
  const row = await queries.one<{ seq: number }>(
    sql`SELECT seq FROM paper_head WHERE account_id = ${accountId}`,
  );
  return row?.seq ?? 0;
}

/** The same for several accounts; accounts without events are left out. */
export async function paperHeads(
  queries: Queries,
  accountIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queries.all<{ accountId: string; seq: number }>(
    sql`SELECT account_id AS "accountId", seq FROM paper_head WHERE account_id IN (${list(accountIds)})`,
  );
  return new Map(rows.map(({ accountId, seq }) => [accountId, seq]));
}

/** Event rows that one step deletes: a few milliseconds. */
const FORGOTTEN_MAX = 200;

/** Deletes part of a follow that was stopped before this time, its row last. Returns 0 when nothing is left to delete. */
export async function pruneFollows(tx: Queries, before: number): Promise<number> {
  const stopped = await tx.one<{ id: string }>(
    sql`SELECT follow_id AS id FROM follow WHERE status = 'stopped' AND stopped_at < ${before} ORDER BY stopped_at LIMIT 1`,
  );
  if (!stopped) return 0;
  const { id } = stopped;
  const some = sql`SELECT number FROM paper_event WHERE follow_id = ${id} ORDER BY number LIMIT ${FORGOTTEN_MAX}`;
  const forgotten = await tx.run(
    sql`DELETE FROM paper_event WHERE follow_id = ${id} AND number IN (${some})`,
  );
  return forgotten > 0 ? forgotten : tx.run(sql`DELETE FROM follow WHERE follow_id = ${id}`);
}
