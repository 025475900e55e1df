// Retracted alerts. One that reached an endpoint is followed by its retraction, at the retraction's own position in the
// log; one that did not is dropped, and so is its retraction. An unknown outcome (a request failed, or a node died in the
// middle of one) counts as reached: a receiver can ignore a retraction of an alert it never got, but can't act on one it isn't sent.
import { factsOf } from "../feed/facts.ts";
import { matches } from "../feed/filter.ts";
import type { LogEvent } from "../model/event.ts";
import type { LogStore } from "../store/captured/log.ts";
import type { LoggedRetraction } from "../store/captured/log-retractions.ts";
import type { TakenBack } from "./deliverable.ts";
import type { Endpoint } from "./endpoint.ts";

/** Retractions in one read, with the alerts they retract: a few milliseconds. More end the page there. */
const RETRACTIONS_MAX = 200;
/** Retractions that a node remembers for queued alerts: more than a deep re-org produces. */
const RECENT_MAX = 10_000;

/** What to send an endpoint for a retraction, if it had the alert; null when the alert never matched it. */
export function takenBackFor(
  { filter, webhook }: Pick<Endpoint, "filter" | "webhook">,
  { retract, undone }: LoggedRetraction,
): TakenBack | null {
  if (undone?.feed !== "app" || undone.isHistory || retract.isHistory) return null;
  if (undone.capturedAt < webhook.createdAt || !matches(filter, factsOf(undone))) return null;
  return { seq: retract.seq, capturedAt: retract.capturedAt, retract, undone };
}

/** Removes an undone alert from the queue. Returns whether the endpoint may have it already. */
export function takeOut(endpoint: Endpoint, undone: Pick<LogEvent, "eventId" | "seq">): boolean {
  const { ready } = endpoint;
  const at = ready.findIndex((event) => "eventId" in event && event.eventId === undone.eventId);
  if (at >= 0) endpoint.ready = ready.toSpliced(at, 1);
  if (at >= 0 && undone.seq > triedTo(endpoint)) return false;
  return !endpoint.leftOut.delete(undone.eventId);
}

/** Requests up to here were made, or are under way. */
const triedTo = ({ pending, webhook }: Endpoint) => Math.max(pending?.toSeq ?? 0, webhook.pendingTo ?? 0);

/** Which alerts this node has recently seen taken back: a page that was read before may still hold them. */
export interface RecentlyUndone {
  add(eventId: string): void;
  /** Removes them from the queue of an endpoint that is behind; it reaches their retractions later. */
  leaveOut(endpoint: Endpoint): void;
}

export function recentlyUndone(): RecentlyUndone {
  const ids = new Set<string>();
  return {
    add(eventId) {
      ids.add(eventId);
      for (const oldest of ids) {
        if (ids.size <= RECENT_MAX) return;
        ids.delete(oldest);
      }
    },
    leaveOut(endpoint) {
      if (ids.size === 0) return;
      for (const event of endpoint.ready) {
        if (!("eventId" in event) || !ids.has(event.eventId)) continue;
        if (!takeOut(endpoint, event)) endpoint.leftOut.add(event.eventId);
      }
    },
  };
}

export interface TakenBackAfter {
  own: TakenBack[];
  /** Every retraction up to here is among them. */
  readTo: number;
}

/** Retractions after a position of alerts that match the endpoint's filter. */
export async function takenBackAfter(
  log: Pick<LogStore, "retractionsAfter">,
  endpoint: Endpoint,
  after: number,
): Promise<TakenBackAfter> {
  const found = await log.retractionsAfter(after, RETRACTIONS_MAX);
  const isAll = found.length < RETRACTIONS_MAX;
  return {
    own: found.flatMap((each) => takenBackFor(endpoint, each) ?? []),
    readTo: isAll ? Number.POSITIVE_INFINITY : (found.at(-1)?.retract.seq ?? after),
  };
}

/** The part of the log from after `from` up to and with `to`, as it is sent: alerts that hold, and retractions of those it had. */
export function joinTakenBack(
  endpoint: Endpoint,
  { from, to }: { from: number; to: number },
  alerts: readonly LogEvent[],
  own: readonly TakenBack[],
): (LogEvent | TakenBack)[] {
  const gone = new Set(own.map(({ undone }) => undone.eventId));
  const standing = alerts.filter(({ seq, eventId }) => seq <= to && !gone.has(eventId));
  const passed = own.map(({ undone }) => undone).filter(({ seq }) => seq > from && seq <= to);
  const doubtTo = Math.max(
    triedTo(endpoint),
    endpoint.isFresh ? firstRequest(endpoint, standing, passed) : 0,
  );
  for (const { seq, eventId } of passed) if (seq > doubtTo) endpoint.leftOut.add(eventId);
  endpoint.isFresh = false;
  const sent = own.filter(({ seq, undone }) => seq <= to && !endpoint.leftOut.delete(undone.eventId));
  return [...standing, ...sent].sort((a, b) => a.seq - b.seq);
}

/** Where a request ended at the latest that another node may have made before this one took over. */
function firstRequest(
  { webhook }: Endpoint,
  standing: readonly LogEvent[],
  passed: readonly LogEvent[],
): number {
  const seqs = [...standing, ...passed].map(({ seq }) => seq).sort((a, b) => a - b);
  return seqs[Math.min(webhook.batch, seqs.length) - 1] ?? 0;
}
