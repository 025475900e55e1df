// An event: one thing that happened, as one row of the log. Capture appends, streams deliver and the
// alert feed reads exactly this. `seq` orders the log; `eventId` makes each event unique in it.
import type { FeedEvent, FeedName } from "../../protocol/shapes/event.ts";

/**
 * A captured event with its position in the log. Delays count from `capturedAt`. Events from before the log began are
 * history: they can be read, but are not sent live.
 */
export type LogEvent = FeedEvent & { seq: number; capturedAt: number; isHistory?: true };

/** The feeds whose events are alerts. The chain feed reports trades, which have their own stream. */
const ALERT_FEEDS: ReadonlySet<FeedName> = new Set(["app", "push"]);

export function isAlert(event: { feed: FeedName }): boolean {
  return ALERT_FEEDS.has(event.feed);
}
