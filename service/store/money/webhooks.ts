// Webhooks: an endpoint, whose it is, what it asks for, and how far it got. Owners change settings under a new revision of
// its shard; the delivering node changes the state of rows that it holds.
import type { Queries } from "../../../database/database.ts";
import { list, raw, type SqlValue, sql } from "../../../database/sql.ts";
import { nextRevision } from "./webhook-shards.ts";

export interface StoredWebhook {
  id: string;
  shard: number;
  accountId: string;
  keyId: string;
  /** The line of keys whose cap its charges count against. */
  capOf: string | null;
  name: string | null;
  url: string;
  format: "json" | "discord" | "telegram";
  chatId: string | null;
  batch: number;
  /** The filter as its owner wrote it, and as it is matched; JSON. */
  filters: string;
  filter: string;
  secret: string;
  oldSecret: string | null;
  oldSecretUntil: number | null;
  status: "active" | "paused" | "deleted";
  /** Null while paused: the operator stopped it, and only the operator lets it continue. */
  pausedBecause: "owner" | "gone" | "failing" | null;
  waitingFor: "credits" | "plan" | null;
  epoch: string;
  /** Everything that matches up to here was delivered. */
  position: number;
  /** After a failure: where the request that is tried again ends. */
  pendingTo: number | null;
  /** What was lost and not reported yet; JSON. */
  gap: string | null;
  delivered: number;
  /** How many hundreds of events were paid for. */
  paidBlocks: number;
  failures: number;
  failingSince: number | null;
  nextTryAt: number;
  /** Counts what makes a delivery under way an old one's: a replay, a pause. */
  generation: number;
  revision: number;
  createdAt: number;
}

/** What stands for the epoch of a webhook that follows its account's own log of paper follows, and not that of events. */
export const PAPER_EPOCH = "paper";

/** Column and property, in one order for every statement. */
const COLUMNS = [
  ["id", "id"],
  ["shard", "shard"],
  ["account_id", "accountId"],
  ["key_id", "keyId"],
  ["cap_of", "capOf"],
  ["name", "name"],
  ["url", "url"],
  ["format", "format"],
  ["chat_id", "chatId"],
  ["batch", "batch"],
  ["filters", "filters"],
  ["filter", "filter"],
  ["secret", "secret"],
  ["old_secret", "oldSecret"],
  ["old_secret_until", "oldSecretUntil"],
  ["status", "status"],
  ["paused_because", "pausedBecause"],
  ["waiting_for", "waitingFor"],
  ["epoch", "epoch"],
  ["position", "position"],
  ["pending_to", "pendingTo"],
  ["gap", "gap"],
  ["delivered", "delivered"],
  ["paid_blocks", "paidBlocks"],
  ["failures", "failures"],
  ["failing_since", "failingSince"],
  ["next_try_at", "nextTryAt"],
  ["generation", "generation"],
  ["revision", "revision"],
  ["created_at", "createdAt"],
] as const satisfies readonly (readonly [string, keyof StoredWebhook])[];

/** What never changes once it is made. */
const FIXED = new Set<string>(["id", "shard", "accountId", "createdAt"]);
const CHANGING = COLUMNS.filter(([, property]) => !FIXED.has(property));

const NAMES = COLUMNS.map(([column]) => column).join(", ");
const SELECT = raw(
  `SELECT ${COLUMNS.map(([column, property]) => `${column} AS "${property}"`).join(", ")} FROM webhook`,
);
const UPDATE = `UPDATE webhook SET ${CHANGING.map(([column]) => `${column} = ?`).join(", ")} WHERE id = ?`;

const locked = (tx: Queries) => raw(tx.dialect === "postgres" ? "FOR UPDATE" : "");

/** Its revision comes from `nextRevision`, in the same transaction. */
export async function insertWebhook(tx: Queries, webhook: StoredWebhook): Promise<void> {
  await tx.run({
    text: `INSERT INTO webhook (${NAMES}) VALUES (${COLUMNS.map(() => "?").join(", ")})`,
    values: COLUMNS.map(([, property]) => webhook[property] as SqlValue),
  });
}

/** Of the account, and not deleted. */
export function findWebhook(queries: Queries, accountId: string, id: string): Promise<StoredWebhook | null> {
  return queries.one<StoredWebhook>(
    sql`${SELECT} WHERE id = ${id} AND account_id = ${accountId} AND status <> 'deleted'`,
  );
}

/** Of any account, and not deleted: for the operator. */
export function findAnyWebhook(queries: Queries, id: string): Promise<StoredWebhook | null> {
  return queries.one<StoredWebhook>(sql`${SELECT} WHERE id = ${id} AND status <> 'deleted'`);
}

/** Of all accounts in the order of their ids, from after one on. */
export function webhooksFrom(queries: Queries, after: string, limit: number): Promise<StoredWebhook[]> {
  return queries.all<StoredWebhook>(
    sql`${SELECT} WHERE id > ${after} AND status <> 'deleted' ORDER BY id LIMIT ${limit}`,
  );
}

/** Oldest first: those that a smaller plan still includes come first. */
export function webhooksOfAccount(queries: Queries, accountId: string): Promise<StoredWebhook[]> {
  return queries.all<StoredWebhook>(
    sql`${SELECT} WHERE account_id = ${accountId} AND status <> 'deleted' ORDER BY created_at, id`,
  );
}

/** An owner's change, under a new revision; null when there is no such webhook of the account. */
export async function changeWebhook(
  tx: Queries,
  found: Pick<StoredWebhook, "accountId" | "id" | "shard">,
  change: (webhook: StoredWebhook) => Partial<StoredWebhook>,
): Promise<StoredWebhook | null> {
  // The shard first, as everywhere: locks are taken in one order.
  const revision = await nextRevision(tx, found.shard);
  const held = await tx.one<StoredWebhook>(
    sql`${SELECT} WHERE id = ${found.id} AND account_id = ${found.accountId} AND status <> 'deleted' ${locked(tx)}`,
  );
  if (!held) return null;
  const changed = { ...held, ...change(held), revision };
  await updateWebhook(tx, changed);
  return changed;
}

/** Rows of these ids, held until `tx` ends; in one order everywhere. */
export function lockWebhooks(tx: Queries, ids: readonly string[]): Promise<StoredWebhook[]> {
  return tx.all<StoredWebhook>(sql`${SELECT} WHERE id IN (${list(ids)}) ORDER BY id ${locked(tx)}`);
}

/** Writes a row that this transaction holds. */
export async function updateWebhook(tx: Queries, webhook: StoredWebhook): Promise<void> {
  const values = [...CHANGING.map(([, property]) => webhook[property] as SqlValue), webhook.id];
  await tx.run({ text: UPDATE, values });
}

/** Quiet endpoints whose rows this transaction holds: nothing up to here was for them. */
export async function advanceWebhooks(tx: Queries, ids: readonly string[], position: number): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(
    sql`UPDATE webhook SET position = ${position} WHERE id IN (${list(ids)}) AND position < ${position}`,
  );
}

/** What changed in a shard since a revision, in that order; from 0 on, everything in it. */
export function webhooksOfShard(
  queries: Queries,
  shard: number,
  after: number,
  limit: number,
): Promise<StoredWebhook[]> {
  return queries.all<StoredWebhook>(
    sql`${SELECT} WHERE shard = ${shard} AND revision > ${after} ORDER BY revision LIMIT ${limit}`,
  );
}

export async function anyWebhook(queries: Queries): Promise<boolean> {
  return (await queries.one(raw("SELECT 1 AS one FROM webhook LIMIT 1"))) !== null;
}

/** Rows that were deleted before a time, which is in `next_try_at`: by then every node has heard of it. Says how many. */
export function forgetDeleted(tx: Queries, before: number, limit: number): Promise<number> {
  return tx.run(
    sql`DELETE FROM webhook WHERE id IN
        (SELECT id FROM webhook WHERE status = 'deleted' AND next_try_at < ${before} LIMIT ${limit})`,
  );
}
