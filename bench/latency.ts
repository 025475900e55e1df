// S3: from the moment an event is handed to the log to the moment a client has its frame, with a thousand sockets
// and a hundred events a second. The clients of the crowd are cheap; one ordinary client holds the watch.
// Run: bun bench/latency.ts
import { CROWDTAPE, openCrowd, printTable, rounded, startSubject } from "./stream-load.ts";

const SOCKETS = 1_000;
const EVENTS_A_SECOND = 100;
const SECONDS = 20;

const running = await startSubject(CROWDTAPE);
const { port, path } = running.ready;
const crowd = await openCrowd(port, SOCKETS - 1, () => path);
const sentAt = new Map<string, number>();
const tookMs: number[] = [];
const watch = new WebSocket(`ws://127.0.0.1:${port}${path}`);
await new Promise((resolve) => watch.addEventListener("open", resolve));
watch.addEventListener("message", ({ data }) => {
  const mark = /mark-\d+-end/.exec(String(data))?.[0];
  const at = mark === undefined ? undefined : sentAt.get(mark);
  if (at !== undefined) tookMs.push(performance.now() - at);
});
const total = EVENTS_A_SECOND * SECONDS;
const startedAt = performance.now();
for (let i = 0; i < total; i++) {
  const dueAt = startedAt + (i * 1000) / EVENTS_A_SECOND;
  const waitMs = dueAt - performance.now();
  if (waitMs > 0) await Bun.sleep(waitMs);
  const mark = `mark-${i}-end`;
  sentAt.set(mark, performance.now());
  void running.ask({ do: "publish", events: 1, mark });
}
while (tookMs.length < total) await Bun.sleep(10);
// The first second warms up.
const measured = tookMs.slice(EVENTS_A_SECOND).sort((a, b) => a - b);
const at = (share: number) => rounded(measured[Math.floor(measured.length * share)] ?? 0);
printTable(`Event to frame, ${SOCKETS} sockets, ${EVENTS_A_SECOND} events/s (the bar: p99 at most 10 ms)`, [
  {
    events: measured.length,
    "p50 ms": at(0.5),
    "p95 ms": at(0.95),
    "p99 ms": at(0.99),
    "worst ms": at(0.9999),
  },
]);
crowd.close();
await running.stop();
process.exit(0);
