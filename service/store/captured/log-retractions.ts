// Retractions in the log. A retracted alert stays in the log but no longer appears on any page of alerts. The same holds
// for an alert whose retraction came first (history is read newest first), and that alert is never sent.
import { insertMany, type Queries } from "../../../database/database.ts";
import { list, raw, sql } from "../../../database/sql.ts";
import { chunksOf } from "../../../kit/chunks.ts";
import type { FeedEvent } from "../../../protocol/shapes/event.ts";
import { isAlert, type LogEvent } from "../../model/event.ts";
import { type EventRow, eventOf } from "./log-page.ts";

/** A retraction in the log, and the event it retracts; null if that is no longer kept, or not there yet. */
export interface LoggedRetraction {
  retract: Extract<LogEvent, { kind: "retract" }>;
  undone: LogEvent | null;
}

/** Well within every dialect's parameter limit. */
const IDS_PER_LOOKUP_MAX = 1_024;
/** Retractions that wait for their event: more than months of re-orgs. The oldest are dropped first. */
const AHEAD_MAX = 10_000;

const idsOf = (events: readonly FeedEvent[]): string[] =>
  events.flatMap((event) => (event.kind === "retract" ? [event.retractedEventId] : []));

/** Which of these alerts were retracted before they arrived. */
export async function retractedAhead(tx: Queries, events: readonly FeedEvent[]): Promise<Set<string>> {
  const gone = new Set<string>();
  const ids = events.filter(isAlert).map(({ eventId }) => eventId);
  for (const part of chunksOf(ids, IDS_PER_LOOKUP_MAX)) {
    const rows = await tx.all<{ event_id: string }>(
      sql`SELECT event_id FROM log_retracted_ahead WHERE event_id IN (${list(part)})`,
    );
    for (const { event_id } of rows) gone.add(event_id);
  }
  return gone;
}

/** After these events are in the log: hides the events they retract, and remembers those not there yet. */
export async function settleRetractions(
  tx: Queries,
  events: readonly FeedEvent[],
  gone: ReadonlySet<string>,
): Promise<void> {
  for (const part of chunksOf([...gone, ...idsOf(events)], IDS_PER_LOOKUP_MAX)) {
    await tx.run(sql`UPDATE log_event SET alert = 0 WHERE event_id IN (${list(part)}) AND alert = 1`);
    const rows = await tx.all<{ event_id: string }>(
      sql`SELECT event_id FROM log_event WHERE event_id IN (${list(part)})`,
    );
    const known = new Set(rows.map(({ event_id }) => event_id));
    await noteAhead(
      tx,
      part.filter((id) => !known.has(id)),
    );
  }
}

async function noteAhead(tx: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const row = await tx.one<{ noted: number | null }>(
    sql`SELECT MAX(noted) AS noted FROM log_retracted_ahead`,
  );
  const last = row?.noted ?? 0;
  await insertMany(
    tx,
    "log_retracted_ahead",
    ids.map((eventId, index) => ({ eventId, noted: last + index + 1 })),
    "ON CONFLICT DO NOTHING",
  );
  await tx.run(sql`DELETE FROM log_retracted_ahead WHERE noted <= ${last + ids.length - AHEAD_MAX}`);
}

/** Retractions after a position, of trades and of alerts, oldest first. */
export async function retractionsAfter(
  queries: Queries,
  after: number,
  limit: number,
): Promise<LoggedRetraction[]> {
  // As in log-page.ts: spelled and ordered so that its own index leads on either engine.
  const [run, order] =
    queries.dialect === "postgres"
      ? [sql`(kind, seq) > ('retract', ${after}) AND (kind, seq) <= ('retract', ${LAST})`, raw("kind, seq")]
      : [sql`seq > ${after}`, raw("seq")];
  const rows = await queries.all<EventRow>(
    sql`SELECT seq, captured_at, history, body FROM log_event
      WHERE kind = 'retract' AND ${run} ORDER BY ${order} LIMIT ${limit}`,
  );
  const found = rows.map(eventOf).filter((event) => event.kind === "retract");
  if (found.length === 0) return [];
  const undone = await queries.all<EventRow>(
    sql`SELECT seq, captured_at, history, body FROM log_event
      WHERE event_id IN (${list(found.map(({ retractedEventId }) => retractedEventId))})`,
  );
  const byId = new Map(undone.map(eventOf).map((event) => [event.eventId, event]));
  return found.map((retract) => ({ retract, undone: byId.get(retract.retractedEventId) ?? null }));
}

const LAST = Number.MAX_SAFE_INTEGER;
