// Pages of alerts. For any filter, one index leads and the rest is checked on the rows it yields, a bounded number of
// rows at a time with a turn of the event loop in between, so a page costs the same however long the log is. A page that
// ends at the bound says how far it got. The leading index is chosen here, not by the planner.

import type { Queries } from "../../../database/database.ts";
import {
  type Dialect,
  list,
  raw,
  type Sql,
  type SqlValue,
  sql,
  tuples,
  where,
} from "../../../database/sql.ts";
import { nextTurn } from "../../../kit/turn.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import type { FeedEvent } from "../../../protocol/shapes/event.ts";
import { normaliseHandle } from "../../../protocol/values.ts";
import type { LogEvent } from "../../model/event.ts";
import { actorsOf, symbolKeyOf } from "./aliases.ts";
import { codec } from "./bodies.ts";
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
  /** Events that happened or arrived at or after this time, so a late event is not missed. */
  since?: number;
  /** Only events captured by then: a delayed plan's view. */
  capturedBy?: number;
  /** Strictly older than this position. */
  before?: number;
  /** Strictly newer. */
  after?: number;
  /** The end of the range that the page starts from, and its order; newest first by default. */
  order?: "asc" | "desc";
}

export interface LogPage {
  events: LogEvent[];
  /** The range continues beyond the page's last event, or beyond the rows examined. */
  hasMore: boolean;
  /** The last position examined, when the bound on rows ended the page before it was full. */
  reached: number | null;
}

export interface EventRow {
  seq: number;
  captured_at: number;
  history: number;
  body: string;
}

export const EVENT = codec<FeedEvent>("event", ["eventId", "feed", "kind", "at"]);

export function eventOf(row: EventRow): LogEvent {
  const event = { ...EVENT.decode(row.body), seq: row.seq, capturedAt: row.captured_at };
  return row.history === 1 ? { ...event, isHistory: true } : event;
}

// `since` still finds every event while upstream's clock is at most this far ahead of ours.
const CLOCK_SKEW_MS = 10 * MINUTE_MS;

/** Index rows that one statement examines: a few milliseconds of the thread. */
const LOOKED_ROWS_MAX = 500;
/** Statements per page: after that the page ends there, and a cursor continues. */
const LOOKS_MAX = 5;

export async function readPage(read: Queries, query: LogQuery): Promise<LogPage> {
  let range = await rangeOf(read, query);
  const runs = range ? await runsOf(read, query) : [];
  const ascending = query.order === "asc";
  const found: EventRow[] = [];
  let edge: number | null = null;
  for (let looks = 0; range && runs.length > 0 && looks < LOOKS_MAX; looks++) {
    if (looks > 0) await nextTurn();
    // Each kind, and each actor that a handle stands for, is its own run in an index; runs are merged here.
    const rowsMax = looks === 0 ? Math.min(4 * (query.limit + 1), LOOKED_ROWS_MAX) : LOOKED_ROWS_MAX;
    const looked = await lookAlong(read, query, runs, range, rowsMax);
    // When one run was cut, another may have rows beyond; the result is complete only up to the nearest cut.
    const cuts = looked.flatMap(({ cut }) => (cut === null ? [] : [cut]));
    edge = cuts.length === 0 ? null : ascending ? Math.min(...cuts) : Math.max(...cuts);
    const end = edge;
    const isWhole = ({ seq }: EventRow) => end === null || (ascending ? seq <= end : seq >= end);
    found.push(
      ...looked
        .flatMap(({ rows }) => rows)
        .filter(isWhole)
        .sort((a, b) => (ascending ? a.seq - b.seq : b.seq - a.seq)),
    );
    if (found.length > query.limit || edge === null) break;
    range = ascending ? { ...range, above: edge } : { ...range, upTo: edge - 1 };
  }
  const isFull = found.length > query.limit;
  return {
    events: found.slice(0, query.limit).map(eventOf),
    hasMore: isFull || edge !== null,
    reached: isFull ? null : edge,
  };
}

interface Looked {
  rows: EventRow[];
  /** The run was examined up to and including this position, and there may be more; null when it ended. */
  cut: number | null;
}

/** The next rows of each run: one more than a page holds, or as many as a bounded look finds. */
async function lookAlong(
  read: Queries,
  query: LogQuery,
  runs: ColumnFilter[][],
  range: SeqRange,
  lookedMax: number,
): Promise<Looked[]> {
  const rowsMax = Math.max(50, Math.floor(lookedMax / runs.length));
  const look = (filters: ColumnFilter[]) =>
    lookAt(read, statementOf(read.dialect, query, filters, range), query, rowsMax);
  // PostgreSQL runs them in parallel; SQLite runs on this thread, which is shared.
  if (read.dialect === "postgres") return Promise.all(runs.map(look));
  const looked: Looked[] = [];
  for (const filters of runs) {
    if (looked.length > 0) await nextTurn();
    looked.push(await look(filters));
  }
  return looked;
}

async function lookAt(
  read: Queries,
  { run, checks }: RunStatement,
  { limit, order }: LogQuery,
  rowsMax: number,
): Promise<Looked> {
  const wanted = limit + 1;
  if (checks.length === 0) {
    const rows = await read.all<EventRow>(sql`SELECT ${ROW} FROM log_event ${run} LIMIT ${wanted}`);
    return { rows, cut: rows.length < wanted ? null : (rows.at(-1)?.seq ?? null) };
  }
  // Limits the run's rows before the checks, so that a rare match can't make it long.
  const seqs = await read.all<{ seq: number }>(
    sql`SELECT seq FROM (SELECT ${CHECKED} FROM log_event ${run} LIMIT ${rowsMax}) AS looked ${where(checks)}`,
  );
  seqs.sort((a, b) => (order === "asc" ? a.seq - b.seq : b.seq - a.seq));
  const rows = await rowsAt(read, seqs.slice(0, wanted));
  if (rows.length === wanted) return { rows, cut: rows.at(-1)?.seq ?? null };
  const last = await read.one<{ seq: number }>(
    sql`SELECT seq FROM log_event ${run} LIMIT 1 OFFSET ${rowsMax - 1}`,
  );
  return { rows, cut: last?.seq ?? null };
}

const ROW = raw("seq, captured_at, history, body");
/** The columns that a filter may check. */
const CHECKED = raw(
  "seq, feed, kind, at, captured_at, actor, handle_key, token_key, symbol_key, network_id, notification_type",
);

async function rowsAt(read: Queries, seqs: readonly { seq: number }[]): Promise<EventRow[]> {
  if (seqs.length === 0) return [];
  const rows = await read.all<EventRow>(
    sql`SELECT ${ROW} FROM log_event WHERE seq IN (${list(seqs.map(({ seq }) => seq))})`,
  );
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return seqs.flatMap(({ seq }) => bySeq.get(seq) ?? []);
}

interface SeqRange {
  above: number;
  upTo: number | null;
}

/** Times become positions first: capture times grow with position, so each is one index lookup. */
async function rangeOf(read: Queries, query: LogQuery): Promise<SeqRange | null> {
  const range: SeqRange = {
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

interface RunStatement {
  /** Condition and order of the rows that the index yields. */
  run: Sql;
  /** The remaining checks on each row. */
  checks: Sql[];
}

function statementOf(
  dialect: Dialect,
  query: LogQuery,
  filters: ColumnFilter[],
  range: SeqRange,
): RunStatement {
  const leading = leadOf(filters);
  const lead = filters.filter((filter) => leading.has(filter.column));
  const run = dialect === "postgres" ? runByRange(lead, range) : runByValue(lead, range);
  const conditions = [
    // Spelled as in the partial indexes, which apply only then.
    raw("alert = 1"),
    ...(leading.has("notification_type") ? [raw("notification_type IS NOT NULL")] : []),
    ...run.conditions,
  ];
  const order = run.order.map((column) => `${column} ${query.order === "asc" ? "ASC" : "DESC"}`).join(", ");
  return {
    run: sql`${where(conditions)} ORDER BY ${raw(order)}`,
    checks: [
      ...filters
        .filter((filter) => !leading.has(filter.column))
        .map((filter) => sql`${raw(filter.column)} = ${filter.value}`),
      ...(query.feed === undefined ? [] : [sql`feed = ${query.feed}`]),
      ...(query.since === undefined ? [] : [sql`(at >= ${query.since} OR captured_at >= ${query.since})`]),
    ],
  };
}

interface IndexRun {
  conditions: Sql[];
  order: string[];
}

/** SQLite picks the index whose columns are compared by equality, and bounds its run by position. */
function runByValue(lead: ColumnFilter[], { above, upTo }: SeqRange): IndexRun {
  const conditions = [
    ...lead.map((filter) => sql`${raw(filter.column)} = ${filter.value}`),
    sql`seq > ${above}`,
    ...(upTo === null ? [] : [sql`seq <= ${upTo}`]),
  ];
  return { conditions, order: ["seq"] };
}

/**
 * On PostgreSQL the leading columns form a range from and to the same value and are part of the order: only their own
 * index can provide that. Given an equality, the planner may walk the whole log by position for a rare value.
 */
function runByRange(lead: ColumnFilter[], { above, upTo }: SeqRange): IndexRun {
  const order = [...lead.map((filter) => filter.column), "seq"];
  const columns = raw(`(${order.join(", ")})`);
  const place = (seq: number) => tuples([[...lead.map((filter) => filter.value), seq]]);
  const last = upTo ?? Number.MAX_SAFE_INTEGER;
  return { conditions: [sql`${columns} > ${place(above)}`, sql`${columns} <= ${place(last)}`], order };
}

interface ColumnFilter {
  column: string;
  value: SqlValue;
}

const text = (column: string, value: string): ColumnFilter => ({ column, value });

/** The filters of each run, from the rarest kind of match to the commonest; the first one leads. */
async function runsOf(read: Queries, query: LogQuery): Promise<ColumnFilter[][]> {
  const { userId, handle, tokenAddress, tokenSymbol, notificationType, networkId } = query;
  const handleKey = handle === undefined ? null : (normaliseHandle(handle) ?? handle);
  const symbolKey = tokenSymbol === undefined ? null : symbolKeyOf(tokenSymbol);
  const common: ColumnFilter[] = [];
  if (userId !== undefined) common.push(text("actor", userId));
  if (tokenAddress !== undefined) common.push(text("token_key", tokenKey(tokenAddress)));
  if (notificationType !== undefined) common.push(text("notification_type", notificationType));
  // A handle leads only if nothing rarer does.
  const actors = common.length === 0 && handleKey !== null ? await actorsOf(read, handleKey) : null;
  const leads: ColumnFilter[][] = actors?.map((actor) => [text("actor", actor)]) ?? [[]];
  if (handleKey !== null) common.push(text("handle_key", handleKey));
  if (symbolKey !== null) common.push(text("symbol_key", symbolKey));
  const kinds = query.kinds ? [...new Set(query.kinds)].map((kind) => [text("kind", kind)]) : [[]];
  const network: ColumnFilter[] = networkId === undefined ? [] : [{ column: "network_id", value: networkId }];
  return leads.flatMap((lead) => kinds.map((kind) => [...lead, ...common, ...kind, ...network]));
}

function leadOf(filters: ColumnFilter[]): Set<string> {
  const first = filters[0]?.column;
  if (first === undefined) return new Set();
  return new Set(first === "kind" ? ["kind", "network_id"] : [first]);
}
