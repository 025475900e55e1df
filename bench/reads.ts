// S1: a metered, durably charged, cached read (a leaderboard of 2 KB) with the keys of 150 accounts in turn, next to nginx
// with the same bytes in a file, a bare route with a key check on Fastify and on Express, and the same read with metering off.
// Fastify is measured twice: as its users write a route, returning an object, and with prebuilt bytes, as ours are. S1b: the
// same with 10,000 accounts, and with one. Run: bun bench/reads.ts [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuSecondsOf, onLoadCore } from "./kit/machine.ts";
import { figure, interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, type SuiteOptions, suite } from "./kit/suite.ts";
import { runWrk } from "./kit/wrk.ts";
import {
  ACCOUNTS,
  BARE,
  CROWDED,
  FASTIFY,
  FREE,
  NGINX,
  OURS,
  type ReadsSubject,
  startSubjects,
} from "./reads-contenders.ts";

/** Open connections: many, as on a busy server, which the bars are checked against, and few, so that fewer share a commit. */
const [MANY, FEW] = [256, 64] as const;
const WARM_UP_SECONDS = 2;
/** Before the first round: JIT compilers share the one core with the server for this long after a start. */
const FIRST_WARM_UP_SECONDS = 8;

interface ReadsRun {
  perSecond: number;
  cpuMicros: number;
  p50Ms: number;
  p99Ms: number;
}

async function load(
  { name, url, pid, keysFile }: ReadsSubject,
  options: { connections: number; seconds: number },
): Promise<ReadsRun> {
  const cpuBefore = cpuSecondsOf(pid);
  const run = await runWrk(url, { ...options, keysFile, placed: onLoadCore }).catch((error) => {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
  });
  return { ...run, cpuMicros: ((cpuSecondsOf(pid) - cpuBefore) * 1e6) / run.requests };
}

/** An idle world uses less of its core than this; more means it is catching up after being halted. */
const CAUGHT_UP_SHARE = 0.2;
const LOOK_MS = 500;
const QUIET_LOOKS = 2;
const LOOKS_MAX = 60;

/**
 * Runs the work with the contender alone on its core. Worlds keep running, and all of ours together would take a fifth of the
 * core from the measured one; so the others are halted, and a resumed one gets time to catch up.
 */
async function alone<T>({ pid }: ReadsSubject, work: () => Promise<T>): Promise<T> {
  process.kill(pid, "SIGCONT");
  try {
    for (let quiet = 0, looks = 0; quiet < QUIET_LOOKS && looks < LOOKS_MAX; looks++) {
      const before = cpuSecondsOf(pid);
      await Bun.sleep(LOOK_MS);
      quiet = cpuSecondsOf(pid) - before < (CAUGHT_UP_SHARE * LOOK_MS) / 1_000 ? quiet + 1 : 0;
    }
    return await work();
  } finally {
    process.kill(pid, "SIGSTOP");
  }
}

const nameAt = (name: string, connections: number) => `${name}, ${connections}`;

await suite(async ({ rounds, seconds }: SuiteOptions): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-reads-"));
  const { subjects, bytes } = await startSubjects(folder);
  for (const { pid } of subjects) process.kill(pid, "SIGSTOP");
  for (const subject of subjects)
    await alone(subject, () => load(subject, { connections: MANY, seconds: FIRST_WARM_UP_SECONDS }));
  const { kept, notes } = await interleaved(
    [MANY, FEW].flatMap((connections) =>
      subjects.map((subject) => ({
        name: nameAt(subject.name, connections),
        measure: () =>
          alone(subject, async () => {
            // As in real traffic, where each call follows many others. Between its turns a contender goes cold.
            await load(subject, { connections, seconds: WARM_UP_SECONDS });
            return load(subject, { connections, seconds });
          }),
      })),
    ),
    rounds,
  );
  for (const { pid } of subjects) process.kill(pid, "SIGCONT");
  for (const { stop } of subjects) await stop();
  rmSync(folder, { recursive: true, force: true });

  const of = (name: string, what: keyof ReadsRun, connections: number = MANY) =>
    spreadOf(kept.map((round) => round[nameAt(name, connections)]?.[what] ?? Number.NaN));
  const against = (name: string, what: "perSecond" | "cpuMicros" = "perSecond", connections: number = MANY) =>
    spreadOf(
      kept.map((round) => {
        const [a, b] = [OURS, name].map((one) => round[nameAt(one, connections)]?.[what] ?? Number.NaN) as [
          number,
          number,
        ];
        return what === "cpuMicros" ? b / a : a / b;
      }),
    );
  const cause = (name: string, connections: number) => {
    if (name === FREE)
      return (
        "a charge is a place in a transaction on the disk and an answer that has to wait for it; the more callers share " +
        "the transaction, the less each pays for it."
      );
    const cpuOf = (one: string) => of(one, "cpuMicros", connections);
    return (
      `the runtime alone, from a handler that only sends the same bytes and headers, needs ${spreadText(cpuOf(BARE), 1)} ` +
      `µs of CPU in the same rounds, nginx ${spreadText(cpuOf(NGINX), 1)}; all else, from the key check to the durable ` +
      `charge, adds ${figure(cpuOf(OURS).median - cpuOf(BARE).median, 1)}.`
    );
  };
  const finding = (bar: string, name: string, atLeast: number, connections: number = MANY) => ({
    bar,
    cause: cause(name, connections),
    result:
      `${spreadText(against(name, "perSecond", connections))} by throughput, ` +
      `${spreadText(against(name, "cpuMicros", connections))} by CPU`,
    met: against(name, "perSecond", connections).median >= atLeast,
  });
  // The ratio of the crowd to the usual number of accounts, so the other way round.
  const crowd = spreadOf(
    kept.map(
      (round) =>
        (round[nameAt(CROWDED, MANY)]?.perSecond ?? Number.NaN) /
        (round[nameAt(OURS, MANY)]?.perSecond ?? Number.NaN),
    ),
  );
  return {
    findings: [
      finding(`at least 0.50 of nginx at ${MANY} connections`, NGINX, 0.5),
      finding(`at least 0.40 of nginx at ${FEW} connections`, NGINX, 0.4, FEW),
      finding("at least 1.6 × a bare Fastify route", FASTIFY, 1.6),
      finding("at least 0.85 of the same with metering off", FREE, 0.85),
      {
        bar: "with 10,000 accounts at least 0.85 of what it is with 150",
        result: spreadText(crowd),
        met: crowd.median >= 0.85,
        cause:
          "each balance and each hour's usage is written home every five seconds, and what ten thousand callers " +
          "keep in memory is more for the collector to walk.",
      },
    ],
    tables: [MANY, FEW].map((connections) => ({
      title: `A cached leaderboard of ${figure(bytes, 0)} bytes, ${connections} connections, keys of ${ACCOUNTS} accounts in turn, one core for the server`,
      columns: ["server", "requests/s", "µs CPU a request", "p50 ms", "p99 ms", "ours is"],
      rows: subjects.map(({ name }) => [
        name,
        spreadText(of(name, "perSecond", connections), 0),
        spreadText(of(name, "cpuMicros", connections), 1),
        spreadText(of(name, "p50Ms", connections)),
        spreadText(of(name, "p99Ms", connections)),
        name === OURS ? "" : `${figure(against(name, "perSecond", connections).median)} ×`,
      ]),
    })),
    charts: [
      {
        file: "reads-throughput",
        title: "Cached reads a second, one core",
        unit: "requests/s",
        digits: 0,
        bars: subjects.map(({ name }) => {
          const { median: value, low, high } = of(name, "perSecond");
          return { label: name, value, low, high, isOurs: name === OURS };
        }),
      },
      {
        file: "reads-latency",
        title: `Latency of a cached read at full load, ${MANY} connections`,
        unit: "ms",
        bars: subjects.flatMap(({ name }) =>
          (["p50Ms", "p99Ms"] as const).map((what) => {
            const { median: value, low, high } = of(name, what);
            const isOurs = name === OURS;
            return {
              label: `${name}, ${what.slice(0, 3)}`,
              value,
              low,
              high,
              isOurs,
            };
          }),
        ),
      },
    ],
    notes,
  };
});
