// What an operator sees of a chain reader: how far behind it is, what it read, what went wrong. Declared once for all
// chains; a reader has its own series.
import type { Metrics } from "../kit/metrics.ts";

export interface ReaderMetrics {
  lag(ms: number | null): void;
  blocks(count: number): void;
  reorg(): void;
  error(): void;
  disagreement(): void;
}

export function createReaderMetrics(metrics: Metrics): (chain: string) => ReaderMetrics {
  const lag = metrics.gauge(
    "crowdtape_tracker_lag_seconds",
    "How far the reader of a chain is behind its head.",
  );
  const blocks = metrics.counter(
    "crowdtape_tracker_blocks_total",
    "Blocks that held something of a watched wallet or pool.",
  );
  const reorgs = metrics.counter("crowdtape_tracker_reorgs_total", "Forks that lost after they were read.");
  const errors = metrics.counter("crowdtape_tracker_errors_total", "Attempts to read on that failed.");
  const disagreements = metrics.counter(
    "crowdtape_tracker_disagreements_total",
    "Times a provider contradicted the others about a final block.",
  );
  return (chain) => ({
    lag: (ms) => {
      if (ms !== null) lag.of({ chain }).set(ms / 1_000);
    },
    blocks: (count) => blocks.of({ chain }).add(count),
    reorg: () => reorgs.of({ chain }).add(),
    error: () => errors.of({ chain }).add(),
    disagreement: () => disagreements.of({ chain }).add(),
  });
}
