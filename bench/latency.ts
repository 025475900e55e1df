// S3: from the moment an event is passed to the log to the moment a client has its frame, with a thousand sockets and a
// hundred events a second. One ordinary client does the timing; the crowd is read by a low-priority process. Run: bun
// bench/latency.ts [--quick]
import { join } from "node:path";
import { startChild } from "./kit/child.ts";
import { onLoadCore } from "./kit/machine.ts";
import { figure, interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";
import { BARE_BUN, CROWDTAPE, startSubject } from "./stream-load.ts";

const SOCKETS = 1_000;
const EVENTS_A_SECOND = 100;
const WARM_UP_SECONDS = 2;
const SHARES = { "p50 ms": 0.5, "p95 ms": 0.95, "p99 ms": 0.99, "worst ms": 1 } as const;
type Share = keyof typeof SHARES;

await suite(async ({ rounds, seconds }): Promise<Measured> => {
  const servers = [];
  for (const subject of [CROWDTAPE, BARE_BUN]) {
    const running = await startSubject(subject);
    const { port, path } = running.ready;
    const program = join(import.meta.dir, "stream-crowd.ts");
    const crowd = startChild(
      onLoadCore([process.execPath, program, String(port), path, String(SOCKETS - 1)]),
    );
    await crowd.next();
    const sentAt = new Map<string, number>();
    let tookMs: number[] = [];
    const watch = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    await new Promise((resolve) => watch.addEventListener("open", resolve));
    watch.addEventListener("message", ({ data }) => {
      const mark = /mark-\d+-end/.exec(String(data))?.[0];
      const at = mark === undefined ? undefined : sentAt.get(mark);
      if (at !== undefined) tookMs.push(performance.now() - at);
    });
    let made = 0;
    const measure = async (forSeconds: number): Promise<Record<Share, number>> => {
      tookMs = [];
      sentAt.clear();
      const total = EVENTS_A_SECOND * forSeconds;
      const beganAt = performance.now();
      for (let i = 0; i < total; i++) {
        const waitMs = beganAt + (i * 1_000) / EVENTS_A_SECOND - performance.now();
        if (waitMs > 0) await Bun.sleep(waitMs);
        const mark = `mark-${++made}-end`;
        sentAt.set(mark, performance.now());
        void running.ask({ do: "publish", events: 1, mark });
      }
      const giveUpAt = performance.now() + 10_000;
      while (tookMs.length < total) {
        if (performance.now() > giveUpAt) throw new Error(`${total - tookMs.length} frames did not come`);
        await Bun.sleep(10);
      }
      const sorted = tookMs.toSorted((a, b) => a - b);
      const at = (share: number) =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
      return Object.fromEntries(Object.entries(SHARES).map(([name, share]) => [name, at(share)])) as Record<
        Share,
        number
      >;
    };
    await measure(WARM_UP_SECONDS);
    const close = async () => {
      await crowd.stop();
      await running.stop();
    };
    servers.push({ name: subject.name, measure, close });
  }
  const { kept, notes } = await interleaved(
    servers.map(({ name, measure }) => ({ name, measure: () => measure(seconds) })),
    rounds,
  );
  for (const { close } of servers) await close();

  const of = (name: string, what: Share) => spreadOf(kept.map((round) => round[name]?.[what] ?? Number.NaN));
  const p99 = of(CROWDTAPE.name, "p99 ms");
  const names = Object.keys(SHARES) as Share[];
  return {
    findings: [{ bar: "p99 at most 10 ms", result: `${spreadText(p99)} ms`, met: p99.median <= 10 }],
    tables: [
      {
        title: `Event to frame, ${figure(SOCKETS, 0)} sockets, ${EVENTS_A_SECOND} events/s`,
        columns: ["server", ...names],
        rows: servers.map(({ name }) => [
          name === BARE_BUN.name ? `${name} (no log)` : `${name} (through the log, on disk)`,
          ...names.map((what) => spreadText(of(name, what))),
        ]),
      },
    ],
    charts: [
      {
        file: "stream-latency",
        title: `Event to frame, ${figure(SOCKETS, 0)} sockets, ${EVENTS_A_SECOND} events/s`,
        unit: "ms",
        bars: servers.flatMap(({ name }) =>
          (["p50 ms", "p99 ms"] as const).map((what) => {
            const { median: value, low, high } = of(name, what);
            return {
              label: `${name}, ${what.slice(0, 3)}`,
              value,
              low,
              high,
              isOurs: name === CROWDTAPE.name,
            };
          }),
        ),
        mark: { label: "the bar for p99: 10 ms", value: 10 },
      },
    ],
    notes,
  };
});
