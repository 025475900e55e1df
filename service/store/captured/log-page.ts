// Pages of app events and pushes, newest first. Whatever the filter, one index leads and the rest is checked on the
// rows it yields, so a page costs the same however long the log is. The leading index is chosen here, not guessed
// by a planner: columns that must not lead are written so that no index matches them.

import type { Queries } from "../../../database/database.ts";
import { type Dialect, raw, type Sql, type SqlValue, sql, tuples, where } from "../../../database/sql.ts";
import type { CapturedEvent, LogEvent } from "../../model/event.ts";
import { normaliseHandle } from "../../model/handle.ts";
import { namedBy, symbolKeyOf } from "./aliases.ts";
import { codec, unversioned } from "./bodies.ts";
import { tokenKey } from "./tokens.ts";

export interface LogQuery {
  limit: number;
  /** One source only. */
  feed?: "app" | "push";
  kinds?: readonly string[];
  networkId?: number;
  userId?: string;
  handle?: string;
  tokenAddress?: string;
  tokenSymbol?: string;
  notificationType?: string;
  /** What happened or arrived then or later: an event that came late is not missed. */
  since?: number;
  /** Only what was captured by then: a delayed plan's view. */
  capturedBy?: number;
  /** Strictly older than this position. */
  before?: number;
  /** Strictly newer. */
  after?: number;
  /** Which end of the range the page is taken from, and in which order it comes; the newest first unless said. */
  order?: "asc" | "desc";
}

export interface LogPage {
  events: LogEvent[];
  /** There is more of the range beyond the page's last event. */
  hasMore: boolean;
}

export interface EventRow {
  seq: number;
  captured_at: number;
  body: string;
}

export const EVENT = codec<CapturedEvent>({
  noun: "event",
  always: ["eventId", "feed", "kind", "at"],
  steps: [unversioned],
});

export function eventOf(row: EventRow): LogEvent {
  return { ...EVENT.decode(row.body), seq: row.seq, capturedAt: row.captured_at };
}

// Upstream's clock may run ahead of ours by this much and `since` still finds every event.
const CLOCK_SKEW_MS = 10 * 60_000;

export async function readPage(read: Queries, query: LogQuery): Promise<LogPage> {
  const range = await rangeOf(read, query);
  if (!range) return { events: [], hasMore: false };
  const ascending = query.order === "asc";
  const inOrder = (a: EventRow, b: EventRow) => (ascending ? a.seq - b.seq : b.seq - a.seq);
  // Each kind, and each actor or token that a name stands for, has its own run in an index; runs are merged here.
  const runs = await runsOf(read, query);
  const parts = await Promise.all(
    runs.map((filters) => read.all<EventRow>(statementOf(read.dialect, query, filters, range, ascending))),
  );
  const rows = parts.flat().sort(inOrder);
  const page = rows.slice(0, query.limit);
  return { events: page.map(eventOf), hasMore: rows.length > query.limit };
}

interface Range {
  above: number;
  upTo: number | null;
}

/** Times become positions first: captured times grow with position, so each is one step in an index. */
async function rangeOf(read: Queries, query: LogQuery): Promise<Range | null> {
  const range: Range = {
    above: query.after ?? 0,
    upTo: query.before === undefined ? null : query.before - 1,
  };
  if (query.capturedBy !== undefined) {
    const row = await read.one<{ seq: number }>(
      sql`SELECT seq FROM log_event WHERE captured_at <= ${query.capturedBy}
        ORDER BY captured_at DESC, seq DESC LIMIT 1`,
    );
    if (!row) return null;
    range.upTo = Math.min(range.upTo ?? row.seq, row.seq);
  }
  if (query.since !== undefined) {
    const row = await read.one<{ seq: number }>(
      sql`SELECT seq FROM log_event WHERE captured_at >= ${query.since - CLOCK_SKEW_MS}
        ORDER BY captured_at, seq LIMIT 1`,
    );
    if (!row) return null;
    range.above = Math.max(range.above, row.seq - 1);
  }
  return range;
}

function statementOf(
  dialect: Dialect,
  query: LogQuery,
  filters: Filter[],
  range: Range,
  ascending: boolean,
): Sql {
  const leading = leadOf(filters);
  const lead = filters.filter((filter) => leading.has(filter.column));
  const run = dialect === "postgres" ? runByRange(lead, range) : runByValue(lead, range);
  const conditions = [
    // Spelled as in the indexes, which only then apply.
    raw("alert = 1"),
    ...(query.notificationType === undefined ? [] : [raw("notification_type IS NOT NULL")]),
    ...(query.feed === undefined ? [] : [sql`feed = ${query.feed}`]),
    ...filters
      .filter((filter) => !leading.has(filter.column))
      .map((filter) => sql`${raw(filter.unindexed)} = ${filter.value}`),
    ...run.conditions,
    ...(query.since === undefined ? [] : [sql`(at >= ${query.since} OR captured_at >= ${query.since})`]),
  ];
  const order = run.order.map((column) => `${column} ${ascending ? "ASC" : "DESC"}`).join(", ");
  return sql`SELECT seq, captured_at, body FROM log_event ${where(conditions)}
    ORDER BY ${raw(order)} LIMIT ${query.limit + 1}`;
}

interface Run {
  conditions: Sql[];
  order: string[];
}

/** SQLite takes the index whose columns are equal, and ends its run by position. */
function runByValue(lead: Filter[], { above, upTo }: Range): Run {
  const conditions = [
    ...lead.map((filter) => sql`${raw(filter.column)} = ${filter.value}`),
    sql`seq > ${above}`,
    ...(upTo === null ? [] : [sql`seq <= ${upTo}`]),
  ];
  return { conditions, order: ["seq"] };
}

/**
 * On PostgreSQL what leads is a range from and to the same value, and its columns are part of the order: only its own
 * index can give that. Told that it is equal, the planner may walk the whole log by position for a value that is rare.
 */
function runByRange(lead: Filter[], { above, upTo }: Range): Run {
  const order = [...lead.map((filter) => filter.column), "seq"];
  const columns = raw(`(${order.join(", ")})`);
  const place = (seq: number) => tuples([[...lead.map((filter) => filter.value), seq]]);
  const last = upTo ?? Number.MAX_SAFE_INTEGER;
  return { conditions: [sql`${columns} > ${place(above)}`, sql`${columns} <= ${place(last)}`], order };
}

interface Filter {
  column: string;
  /** The same value, in a form that no index holds. */
  unindexed: string;
  value: SqlValue;
}

const text = (column: string, value: string): Filter => ({ column, unindexed: `(${column} || '')`, value });

/** The filters of each run; in each, from the rarest kind of match to the commonest, and the first one leads. */
async function runsOf(read: Queries, query: LogQuery): Promise<Filter[][]> {
  const { userId, handle, tokenAddress, tokenSymbol, notificationType, networkId } = query;
  const handleKey = handle === undefined ? null : (normaliseHandle(handle) ?? handle);
  const symbolKey = tokenSymbol === undefined ? null : symbolKeyOf(tokenSymbol);
  const common: Filter[] = [];
  if (userId !== undefined) common.push(text("actor", userId));
  if (tokenAddress !== undefined) common.push(text("token_key", tokenKey(tokenAddress)));
  if (notificationType !== undefined) common.push(text("notification_type", notificationType));
  // A name leads only where nothing rarer does.
  const leads: Filter[][] = [];
  if (common.length === 0 && handleKey !== null) {
    leads.push(...(await namedBy(read, "handle", handleKey)).map((actor) => [text("actor", actor)]));
  } else if (common.length === 0 && symbolKey !== null) {
    leads.push(...(await namedBy(read, "symbol", symbolKey)).map((token) => [text("token_key", token)]));
  } else {
    leads.push([]);
  }
  if (handleKey !== null) common.push(text("handle_key", handleKey));
  if (symbolKey !== null) common.push(text("symbol_key", symbolKey));
  const kinds = query.kinds ? [...new Set(query.kinds)].map((kind) => [text("kind", kind)]) : [[]];
  const network: Filter[] =
    networkId === undefined
      ? []
      : [{ column: "network_id", unindexed: "(network_id + 0)", value: networkId }];
  return leads.flatMap((lead) => kinds.map((kind) => [...lead, ...common, ...kind, ...network]));
}

function leadOf(filters: Filter[]): Set<string> {
  const first = filters[0]?.column;
  if (first === undefined) return new Set();
  return new Set(first === "kind" ? ["kind", "network_id"] : [first]);
}
