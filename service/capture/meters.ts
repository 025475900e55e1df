// Capture's figures for operators. Labels come from closed sets: the three feeds, the kinds that are pruned, and the
// field names and words that the upstream decoders refuse by.
import type { Metrics } from "../../kit/metrics.ts";
import type { FeedName } from "../../protocol/shapes/event.ts";
import type { CaptureStatus } from "./status.ts";

export interface CaptureMeters {
  stored(feed: FeedName, appended: number, lag: number): void;
  refused(feed: FeedName, reason: string): void;
  pruned(kind: string, rows: number): void;
}

export function createMeters(metrics: Metrics, status: () => CaptureStatus): CaptureMeters {
  const events = metrics.counter("crowdtape_capture_events_total", "Events appended to the log, by feed.");
  const refusals = metrics.counter(
    "crowdtape_capture_refused_total",
    "Upstream items refused, by feed and reason.",
  );
  const lag = metrics.gauge("crowdtape_capture_lag_items", "Upstream items not yet in the log, by feed.");
  const forgotten = metrics.counter(
    "crowdtape_capture_pruned_rows_total",
    "Rows forgotten by retention, by kind.",
  );
  metrics.probe("crowdtape_capture_writing", "1 while this node holds the writer's lease.", () =>
    status().writing ? 1 : 0,
  );
  metrics.probe(
    "crowdtape_capture_derived_seq",
    "The log position that fills and positions have followed to.",
    () => status().derivedSeq,
  );
  metrics.probe(
    "crowdtape_capture_history_left",
    "Items from before the log began that are still to be read.",
    () => status().historyLeft,
  );
  metrics.probe(
    "crowdtape_capture_questions_waiting",
    "Questions to upstream that wait their turn or for their answers to be saved.",
    () => Object.values(status().waiting).reduce((sum, waiting) => sum + waiting, 0),
  );
  metrics.probe(
    "crowdtape_capture_questions_turned_away",
    "Questions that found the queue full.",
    () => status().turnedAway,
  );
  metrics.probe("crowdtape_capture_upstream_failures", "Feed reads that upstream did not answer well.", () =>
    status().feeds.reduce((sum, feed) => sum + feed.failures, 0),
  );
  return {
    stored(feed, appended, itemsLag) {
      events.of({ feed }).add(appended);
      lag.of({ feed }).set(itemsLag);
    },
    refused: (feed, reason) => refusals.of({ feed, reason }).add(1),
    pruned: (kind, rows) => forgotten.of({ kind }).add(rows),
  };
}
