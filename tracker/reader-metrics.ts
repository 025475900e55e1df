// A chain reader's metrics for operators: its lag, how much it read, its errors. Declared once for all chains; each reader has
// its own series.
import type { Metrics } from "../kit/metrics.ts";

export interface ReaderMetrics {
  lag(ms: number | null): void;
  blocks(count: number): void;
  reorg(): void;
  error(): void;
  disagreement(): void;
}

/** Unknowns pending, by chain and kind; a kind with none left goes back to 0. */
export function createUnknownMetrics(
  metrics: Metrics,
  chains: readonly { chainId: number; name: string }[],
): (counts: readonly { chainId: number; kind: string; count: number }[]) => void {
  const unknown = metrics.gauge(
    "crowdtape_tracker_unknown",
    "Lookups that nodes did not answer yet and are retried: token facts, opening balances, blocks without a price of the chain's coin.",
  );
  return (counts) => {
    for (const { chainId, name } of chains)
      for (const kind of ["facts", "opening", "coin-price"]) {
        const found = counts.find((each) => each.chainId === chainId && each.kind === kind);
        unknown.of({ chain: name, kind }).set(found?.count ?? 0);
      }
  };
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
