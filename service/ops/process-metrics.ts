// Metrics of the process itself, under the names that Prometheus dashboards expect, if there are any.
import { readdirSync } from "node:fs";
import type { Clock } from "../../kit/clock.ts";
import { LATENCY_BOUNDS_SECONDS, type Metrics } from "../../kit/metrics.ts";

/** Often enough to catch a stall of a tenth of a second, rarely enough to cost nothing. */
const SAMPLE_EVERY_MS = 250;

/** Returns a function that stops measuring. */
export function measureProcess(metrics: Metrics, clock: Clock): () => void {
  const startedAt = clock.now();
  metrics.probe(
    "process_start_time_seconds",
    "When the process began, in epoch seconds.",
    () => startedAt / 1_000,
  );
  metrics.probe(
    "crowdtape_uptime_seconds",
    "How long the process has run.",
    () => (clock.now() - startedAt) / 1_000,
  );
  metrics.probe("process_resident_memory_bytes", "Memory that the process holds.", () =>
    process.memoryUsage.rss(),
  );
  metrics.probe(
    "crowdtape_heap_bytes",
    "Memory of it that JavaScript values take.",
    () => process.memoryUsage().heapUsed,
  );
  metrics.probe(
    "process_open_fds",
    "Open files and connections; NaN where the system does not tell.",
    openFiles,
  );

  const cpu = metrics.counter("process_cpu_seconds_total", "Processor time used.");
  const lag = metrics.histogram(
    "crowdtape_event_loop_lag_seconds",
    "How late a timer fires: what a request waits before anything happens to it.",
    LATENCY_BOUNDS_SECONDS,
  );
  let used = 0;
  let expectedAt = performance.now() + SAMPLE_EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lag.observe(Math.max(0, now - expectedAt) / 1_000);
    expectedAt = now + SAMPLE_EVERY_MS;
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    cpu.add(seconds - used);
    used = seconds;
  }, SAMPLE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function openFiles(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return Number.NaN;
  }
}
