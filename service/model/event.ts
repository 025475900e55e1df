// An event: one thing that happened, as one row of the log. What capture appends, streams deliver and the
// alert feed reads is this and nothing else. `seq` orders the log; `eventId` makes each event unique in it.
import type { FeedEvent, FeedName } from "../../protocol/shapes/event.ts";

/**
 * A captured event with its place in the log. Delays count from `capturedAt`. What had happened before the log began is
 * history: it can be read, and is not sent as news.
 */
export type LogEvent = FeedEvent & { seq: number; capturedAt: number; isHistory?: true };

/** The feeds whose events are alerts. What a chain reports first is a trade, which has its own stream. */
const ALERT_FEEDS: ReadonlySet<FeedName> = new Set(["app", "push"]);

export function isAlert(event: { feed: FeedName }): boolean {
  return ALERT_FEEDS.has(event.feed);
}
