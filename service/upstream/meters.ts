// The remote adapter's metrics: how calls end, how long they take, what was retried or dropped. Labels
// are the names of calls and of outcomes, both closed sets.
import type { BreakerState } from "../../kit/breaker.ts";
import { LATENCY_BOUNDS_SECONDS, type Metrics } from "../../kit/metrics.ts";
import type { CallName } from "./ask.ts";
import type { Outcome } from "./port.ts";

interface Meters {
  answered(call: CallName, outcome: Outcome<unknown>, tookMs: number): void;
  retried(call: CallName): void;
  dropped(call: CallName): void;
  breaker(call: CallName, state: BreakerState): void;
}

const STATE_VALUE: Record<BreakerState, number> = { closed: 0, halfOpen: 1, open: 2 };

export function createMeters(metrics: Metrics | undefined): Meters {
  const calls = metrics?.counter("crowdtape_upstream_calls_total", "Upstream calls by how they ended.");
  const retries = metrics?.counter(
    "crowdtape_upstream_retries_total",
    "Upstream calls that were tried again.",
  );
  const dropped = metrics?.counter(
    "crowdtape_upstream_dropped_rows_total",
    "Rows left out for being malformed.",
  );
  const breakers = metrics?.gauge("crowdtape_upstream_breaker", "0 closed, 1 trying, 2 open.");
  const seconds = metrics?.histogram(
    "crowdtape_upstream_seconds",
    "Time an upstream call took, waiting and retry included.",
    LATENCY_BOUNDS_SECONDS,
  );
  return {
    answered: (call, outcome, tookMs) => {
      const ending = outcome.kind === "failed" ? outcome.reason : outcome.kind;
      calls?.of({ call, outcome: ending }).add();
      seconds?.of({ call }).observe(tookMs / 1_000);
    },
    retried: (call) => retries?.of({ call }).add(),
    dropped: (call) => dropped?.of({ call }).add(),
    breaker: (call, state) => breakers?.of({ call }).set(STATE_VALUE[state]),
  };
}
