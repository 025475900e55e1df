// The log. Each event is in it once, by its id; positions are consecutive, given inside the writer's transaction,
// and become visible in order, so "after N" never skips. Only the holder of the writer's lease can append.

import { type Database, insertMany, type Queries } from "../../../database/database.ts";
import { forget, monthsOf } from "../../../database/partitions.ts";
import { list, raw, sql } from "../../../database/sql.ts";
import { chunksOf } from "../../../kit/chunks.ts";
import { freshUuid } from "../../../kit/ids.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import type { FeedEvent, FeedName } from "../../../protocol/shapes/event.ts";
import { isAlert, type LogEvent } from "../../model/event.ts";
import { bind, type Repository, type RepositoryHandle } from "../repository.ts";
import { type Alias, isSymbol, saveAliases } from "./aliases.ts";
import { holdLease, type Lease } from "./lease.ts";
import {
  beginAfterHistory,
  type HistoryBatch,
  historyLeft,
  nextOfHistory,
  saveHistory,
} from "./log-history.ts";
import { aliasMemory, keysOf } from "./log-keys.ts";
import { EVENT, type EventRow, eventOf, type LogPage, type LogQuery, readPage } from "./log-page.ts";
import { retractedAhead, retractionsAfter, settleRetractions } from "./log-retractions.ts";
import { LOG_EVENT } from "./months.ts";
import { type ProgressUpdate, saveProgress } from "./progress.ts";

export interface LogHead {
  epoch: string;
  /** The newest position; 0 while the log is empty. */
  seq: number;
  capturedAt: number;
}

export interface AppendBatch extends Partial<ProgressUpdate> {
  events: readonly FeedEvent[];
  /**
   * Never stored as earlier than the head's, so time and position have the same order. A function is called inside the
   * transaction, after all waiting: delays count from when others can read the event.
   */
  capturedAt: number | (() => number);
  /** Events from before the log began are not news, so the thread does not wait for their flush. */
  isHistory?: boolean;
}

export interface LogReadOptions {
  limit: number;
  feeds?: readonly FeedName[];
  /** Nothing beyond this position. */
  upTo?: number;
}

/** A batch may be stored this long after it was ready, and so in the next month. */
const WAIT_MS_MAX = MINUTE_MS;

/** When capture began: from before that, only what upstream still had is stored. */
async function logBeganAt(queries: Queries): Promise<number> {
  const row = await queries.one<{ beganAt: number }>(
    sql`SELECT began_at AS "beganAt" FROM log_head WHERE id = 1`,
  );
  return row?.beganAt ?? 0;
}

async function logHead(queries: Queries): Promise<LogHead> {
  const row = await queries.one<LogHead>(
    sql`SELECT epoch, seq, captured_at AS "capturedAt" FROM log_head WHERE id = 1`,
  );
  if (!row) throw new Error("The log has no head.");
  return row;
}

export interface OldestEvent {
  /** The oldest position still stored; head + 1 when the log is empty. */
  seq: number;
  capturedAt: number | null;
  /** It is the log's first position, so nothing is missing; history that is still being read does not count as missing. */
  isFirst: boolean;
}

async function oldestEvent(queries: Queries): Promise<OldestEvent> {
  const row = await queries.one<{ seq: number; capturedAt: number; firstSeq: number }>(
    // Not a join: with statistics available, SQLite then walks and sorts the whole log for this one row.
    sql`SELECT seq, captured_at AS "capturedAt", (SELECT first_seq FROM log_head WHERE id = 1) AS "firstSeq"
      FROM log_event ORDER BY seq LIMIT 1`,
  );
  if (row) return { seq: row.seq, capturedAt: row.capturedAt, isFirst: row.seq <= row.firstSeq };
  const head = await queries.one<{ seq: number; firstSeq: number }>(
    sql`SELECT seq, first_seq AS "firstSeq" FROM log_head WHERE id = 1`,
  );
  const { seq, firstSeq } = head ?? { seq: 0, firstSeq: 1 };
  return { seq: seq + 1, capturedAt: null, isFirst: seq + 1 === firstSeq };
}

/** Oldest first. */
async function eventsAfter(
  queries: Queries,
  seq: number,
  { limit, feeds, upTo }: LogReadOptions,
): Promise<LogEvent[]> {
  const ofFeeds = feeds ? sql`AND feed IN (${list(feeds)})` : raw("");
  const bounded = upTo === undefined ? raw("") : sql`AND seq <= ${upTo}`;
  const rows = await queries.all<EventRow>(
    sql`SELECT seq, captured_at, history, body FROM log_event WHERE seq > ${seq} ${bounded} ${ofFeeds}
      ORDER BY seq LIMIT ${limit}`,
  );
  return rows.map(eventOf);
}

/** The last position captured at or before this time; 0 without one. */
async function positionAt(queries: Queries, capturedAt: number): Promise<number> {
  const row = await queries.one<{ seq: number }>(
    sql`SELECT seq FROM log_event WHERE captured_at <= ${capturedAt}
      ORDER BY captured_at DESC, seq DESC LIMIT 1`,
  );
  return row?.seq ?? 0;
}

async function findEvent(queries: Queries, eventId: string): Promise<LogEvent | null> {
  const row = await queries.one<EventRow>(
    sql`SELECT seq, captured_at, history, body FROM log_event WHERE event_id = ${eventId}`,
  );
  return row && eventOf(row);
}

/** Forgets up to `limit` of the oldest events captured before this time, or a whole month. Returns how many. */
function pruneLog(database: Database, capturedBefore: number, limit: number): Promise<number> {
  return forget(database, LOG_EVENT, capturedBefore, limit);
}

/** An empty log has a head, made once. */
async function ensureLogHead(tx: Queries, now: number): Promise<void> {
  await tx.run(
    sql`INSERT INTO log_head (id, epoch, seq, captured_at, began_at) VALUES (1, ${freshUuid()}, 0, 0, ${now})
      ON CONFLICT (id) DO NOTHING`,
  );
}

/** Stores the batch's new events, with the feeds' positions, and returns them in log order. */
async function appendEvents(
  tx: Queries,
  lease: Pick<Lease, "name" | "term">,
  batch: AppendBatch,
  aliases: Alias[],
): Promise<LogEvent[]> {
  await holdLease(tx, lease);
  const lock = raw(tx.dialect === "postgres" ? "FOR UPDATE" : "");
  const head = await tx.one<{ seq: number; captured_at: number; began_at: number }>(
    sql`SELECT seq, captured_at, began_at FROM log_head WHERE id = 1 ${lock}`,
  );
  if (!head) throw new Error("The log has no head.");
  const fresh = await newOnes(tx, batch.events);
  const gone = await retractedAhead(tx, fresh);
  const capturedAt = Math.max(head.captured_at, momentOf(batch));
  const appended = fresh.map((event, index): LogEvent => {
    const placed = { ...event, seq: head.seq + index + 1, capturedAt };
    const isPast = event.at < head.began_at || gone.has(event.eventId);
    return isPast ? { ...placed, isHistory: true } : placed;
  });
  const last = appended[appended.length - 1]?.seq ?? head.seq;
  if (appended.length > 0) {
    await insertMany(
      tx,
      "log_event",
      fresh.map((event, index) => rowOf(event, appended[index] as LogEvent)),
    );
    await settleRetractions(tx, fresh, gone);
    await saveAliases(tx, aliases);
    await tx.run(sql`UPDATE log_head SET seq = ${last}, captured_at = ${capturedAt} WHERE id = 1`);
  }
  const { positions = [], gaps = [], refusals = [] } = batch;
  await saveProgress(tx, { positions, gaps, refusals }, capturedAt, last);
  return appended;
}

const momentOf = ({ capturedAt }: AppendBatch) =>
  typeof capturedAt === "number" ? capturedAt : capturedAt();

/** Stores the batch's new events below everything else in the log, and where history continues. */
async function appendHistory(
  tx: Queries,
  lease: Pick<Lease, "name" | "term">,
  batch: HistoryBatch,
  aliases: Alias[],
): Promise<LogEvent[]> {
  const { lastSeq, capturedBy } = await nextOfHistory(tx, lease);
  const fresh = await newOnes(tx, batch.events);
  const gone = await retractedAhead(tx, fresh);
  const newest = fresh.reduce((latest, { at }) => Math.max(latest, at), 0);
  const capturedAt = fresh.length > 0 ? Math.min(capturedBy, newest) : capturedBy;
  const firstSeq = lastSeq - fresh.length + 1;
  const placed = fresh.map(
    (event, index): LogEvent => ({ ...event, seq: firstSeq + index, capturedAt, isHistory: true }),
  );
  await insertMany(
    tx,
    "log_event",
    fresh.map((event, index) => rowOf(event, placed[index] as LogEvent)),
  );
  await settleRetractions(tx, fresh, gone);
  await saveAliases(tx, aliases);
  await saveHistory(tx, batch, firstSeq, capturedAt);
  return placed;
}

// Well within every dialect's parameter limit.
const IDS_PER_LOOKUP_MAX = 1_024;

async function newOnes(tx: Queries, events: readonly FeedEvent[]): Promise<FeedEvent[]> {
  const unique = new Map<string, FeedEvent>();
  for (const event of events) if (!unique.has(event.eventId)) unique.set(event.eventId, event);
  const ids = [...unique.keys()];
  for (const part of chunksOf(ids, IDS_PER_LOOKUP_MAX)) {
    const known = await tx.all<{ event_id: string }>(
      sql`SELECT event_id FROM log_event WHERE event_id IN (${list(part)})`,
    );
    for (const { event_id } of known) unique.delete(event_id);
  }
  return [...unique.values()];
}

function rowOf(event: FeedEvent, { seq, capturedAt, isHistory }: LogEvent) {
  const { eventId, feed, kind, at } = event;
  const keys = keysOf(event);
  return {
    seq,
    eventId,
    feed,
    kind,
    at,
    capturedAt,
    actor: keys.actor,
    handleKey: keys.handle,
    tokenKey: keys.token,
    symbolKey: keys.symbol,
    networkId: keys.networkId,
    notificationType: event.feed === "push" ? event.notificationType : null,
    alert: isAlert(event) ? 1 : 0,
    history: isHistory ? 1 : 0,
    body: EVENT.encode(event),
  };
}

const log = {
  reads: {
    head: logHead,
    beganAt: logBeganAt,
    oldest: oldestEvent,
    readAfter: eventsAfter,
    positionAt,
    find: findEvent,
    retractionsAfter,
    isSymbol,
    historyLeft,
  },
  writes: { begin: beginAfterHistory },
  inSteps: { prune: pruneLog },
} satisfies Repository;

export interface LogStore extends RepositoryHandle<typeof log> {
  append(lease: Pick<Lease, "name" | "term">, batch: AppendBatch): Promise<LogEvent[]>;
  /** History, newest first. It is not announced, and no caller waits for its flush to disk. */
  appendHistory(lease: Pick<Lease, "name" | "term">, batch: HistoryBatch): Promise<LogEvent[]>;
  page(query: LogQuery): Promise<LogPage>;
}

/**
 * A node's handle to the log. It remembers which months and names it has already stored, so that an append repeats
 * neither. `readUpTo` says where the log up to a position may be read, if not here.
 */
export async function openLog(
  database: Database,
  now: number,
  readUpTo: (seq: number, primary: Queries) => Queries = (_, primary) => primary,
): Promise<LogStore> {
  await database.write((tx) => ensureLogHead(tx, now));
  const aliases = aliasMemory();
  const months = monthsOf(database, LOG_EVENT);
  return {
    ...bind(database, log),
    async append(lease, batch) {
      const names = aliases.of(batch.events);
      const soonest = momentOf(batch);
      await months.ensure([soonest, soonest + WAIT_MS_MAX]);
      const appended = await database.write((tx) => appendEvents(tx, lease, batch, names), {
        flushAside: batch.isHistory === true,
      });
      aliases.stored(names);
      return appended;
    },
    async appendHistory(lease, batch) {
      const names = aliases.of(batch.events);
      const above = (await oldestEvent(database.read)).capturedAt;
      await months.ensure([...batch.events.map(({ at }) => at), ...(above === null ? [] : [above])]);
      const placed = await database.write((tx) => appendHistory(tx, lease, batch, names), {
        flushAside: true,
      });
      aliases.stored(names);
      return placed;
    },
    page: (query) =>
      readPage(query.before === undefined ? database.read : readUpTo(query.before - 1, database.read), query),
  };
}
