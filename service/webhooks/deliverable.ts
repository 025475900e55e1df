// A deliverable: an event of the log, the retraction of one, or an order of one of the account's own paper follows.
import type { LogEvent } from "../model/event.ts";
import type { PaperLogRow } from "../store/money/follows.ts";
import { PAPER_EPOCH, type StoredWebhook } from "../store/money/webhooks.ts";

/** An order of one of its account's paper follows, as something to deliver. */
export interface BookedPaper {
  seq: number;
  capturedAt: number;
  booked: PaperLogRow;
}

/** An alert that no longer holds, at the place of its retraction. */
export interface TakenBack {
  seq: number;
  capturedAt: number;
  retract: Extract<LogEvent, { kind: "retract" }>;
  undone: Extract<LogEvent, { feed: "app" }>;
}

export type Deliverable = LogEvent | TakenBack | BookedPaper;

export const isTakenBack = (event: object): event is TakenBack => "undone" in event;

/** Retractions are free, and no events that count. */
export const countOf = (events: readonly Deliverable[]): number =>
  events.filter((event) => !isTakenBack(event)).length;

/** Whether it follows its account's own log of paper follows. */
export const isPaper = ({ epoch }: Pick<StoredWebhook, "epoch">): boolean => epoch === PAPER_EPOCH;

/** A request holds alerts or retractions: the first of these, as long as they are of one kind. */
export function ofOneKind(events: readonly Deliverable[]): Deliverable[] {
  const [first] = events;
  if (!first) return [];
  const end = events.findIndex((event) => isTakenBack(event) !== isTakenBack(first));
  return end < 0 ? [...events] : events.slice(0, end);
}
