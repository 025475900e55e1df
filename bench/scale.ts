// S10: the cost of a metered, durably charged, cached read on PostgreSQL and Redis, with the keys of 150 accounts in turn: the
// CPU of servers, PostgreSQL and Redis together, next to the one-process default on SQLite, and the number of Redis calls.
// Also shown, without a bar, is how throughput grows from one API process to two on one port (WORKERS=2), next to a bare
// Fastify route: load and stores share the cores with the servers. Run: bun bench/scale.ts [--quick]
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { startChild } from "./kit/child.ts";
import { treeSecondsOf } from "./kit/machine.ts";
import { nodePeer } from "./kit/peers.ts";
import { figure, interleaved, type Rounds, type Spread, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, type SuiteOptions, suite } from "./kit/suite.ts";
import { runWrk } from "./kit/wrk.ts";
import { type ScaleDeployment, type Stops, startDeployment } from "./scale-subject.ts";

const CONNECTIONS = 256;
const WARM_UP_SECONDS = 3;
/** As in S1: the smallest leaderboard of at least this size. */
const WANTED_BYTES = 2_048;
const CORES = availableParallelism();

const [OURS, FASTIFY] = ["Crowdtape, metered", "Fastify, key check, an object"] as const;
const DEFAULT = "Crowdtape, metered, the default on SQLite";
const PROCESSES = [1, 2] as const;

interface ScaleSubject {
  kind: string;
  processes: number;
  url: string;
  pid: number;
  keysFile: string;
}

/** In milliseconds per 1,000 requests. */
const CPU_PARTS = ["servers", "postgres", "redis", "wrk", "rest", "all"] as const;
type Figure = "perSecond" | "p50Ms" | "p99Ms" | "coresBusy" | "ratesAsked" | (typeof CPU_PARTS)[number];
type ScaleRun = Record<Figure, number>;

const nameOf = (kind: string, processes: number) =>
  `${kind}, ${processes === 1 ? "one process" : "two processes"}`;

async function load(subject: ScaleSubject, deployment: ScaleDeployment, seconds: number): Promise<ScaleRun> {
  const { postgres, redis } = deployment;
  const { keysFile } = subject;
  const roots = [subject, postgres, redis, process].map(({ pid }) => pid);
  const askedBefore = await deployment.ratesAsked();
  const before = roots.map(treeSecondsOf);
  const beganAt = performance.now();
  const wrk = await runWrk(subject.url, { keysFile, connections: CONNECTIONS, seconds }).catch((error) => {
    throw new Error(`${nameOf(subject.kind, subject.processes)}: ${error.message}`);
  });
  const wallSeconds = (performance.now() - beganAt) / 1_000;
  const spent = roots.map((pid, index) => treeSecondsOf(pid) - (before[index] ?? Number.NaN));
  const [servers, inPostgres, inRedis, all] = spent as [number, number, number, number];
  const share = (cpuSeconds: number) => (cpuSeconds * 1e6) / wrk.requests;
  return {
    perSecond: wrk.perSecond,
    p50Ms: wrk.p50Ms,
    p99Ms: wrk.p99Ms,
    servers: share(servers),
    postgres: share(inPostgres),
    redis: share(inRedis),
    wrk: share(wrk.cpuSeconds),
    all: share(all),
    // Ticks are coarse: a part that did nothing may come out below zero.
    rest: share(Math.max(0, all - servers - inPostgres - inRedis - wrk.cpuSeconds)),
    coresBusy: all / wallSeconds,
    // At its end wrk abandons some requests without counting them.
    ratesAsked: Math.min(1, ((await deployment.ratesAsked()) - askedBefore) / wrk.requests),
  };
}

async function startSubjects(deployment: ScaleDeployment, stops: Stops) {
  const one = await deployment.startApi(1);
  const two = await deployment.startApi(2);
  let path = "";
  let text = "";
  for (let limit = 1; text.length < WANTED_BYTES; limit++) {
    path = `/v2/leaderboard/7d?limit=${limit}`;
    const response = await fetch(one.url + path, { headers: { authorization: `Bearer ${deployment.key}` } });
    text = await response.text();
    if (!response.ok) throw new Error(text);
  }
  const file = join(one.folder, "answer.json");
  writeFileSync(file, text);
  const { keysFile } = deployment;
  const subjects: ScaleSubject[] = [one, two].map(({ url, pid }, index) => ({
    kind: OURS,
    processes: index + 1,
    url: url + path,
    pid,
    keysFile,
  }));
  const alone = await deployment.startDefault();
  subjects.push({
    kind: DEFAULT,
    processes: 1,
    url: alone.node.url + path,
    pid: alone.node.pid,
    keysFile: alone.keysFile,
  });
  for (const processes of PROCESSES) {
    const given = ["fastify", "object", file, keysFile];
    const child = startChild(
      processes === 1
        ? await nodePeer("http", ...given)
        : await nodePeer("cluster", String(processes), ...given),
    );
    stops.push(child.stop);
    // Every process prints the port that they share when it is ready.
    let port = 0;
    for (let said = 0; said < processes; said++) ({ port } = await child.next<{ port: number }>());
    const url = `http://127.0.0.1:${port}${path}`;
    subjects.push({ kind: FASTIFY, processes, url, pid: child.pid, keysFile });
  }
  return { subjects, bytes: Buffer.byteLength(text) };
}

async function measure({ rounds, seconds }: SuiteOptions, stops: Stops): Promise<Measured> {
  const deployment = await startDeployment(stops);
  const { subjects, bytes } = await startSubjects(deployment, stops);
  for (const subject of subjects) await load(subject, deployment, WARM_UP_SECONDS);
  const measured = await interleaved(
    subjects.map((subject) => ({
      name: nameOf(subject.kind, subject.processes),
      measure: () => load(subject, deployment, seconds),
    })),
    rounds,
  );
  return outcomeOf(measured, bytes, deployment);
}

function outcomeOf(
  { kept, notes }: Rounds<ScaleRun>,
  bytes: number,
  { postgres, redis, accounts }: ScaleDeployment,
): Measured {
  const values = (name: string, what: keyof ScaleRun) =>
    kept.map((round) => round[name]?.[what] ?? Number.NaN);
  const of = (name: string, what: keyof ScaleRun): Spread => spreadOf(values(name, what));
  const growth = (kind: string): Spread => {
    const [one, two] = PROCESSES.map((processes) => values(nameOf(kind, processes), "perSecond"));
    return spreadOf((two ?? []).map((value, index) => value / (one?.[index] ?? Number.NaN)));
  };
  const rows = [
    ...[OURS, FASTIFY].flatMap((kind) => PROCESSES.map((processes) => ({ kind, processes }))),
    { kind: DEFAULT, processes: 1 },
  ].map((row) => ({ ...row, name: nameOf(row.kind, row.processes) }));
  const costOf = (name: string) =>
    (["servers", "postgres", "redis"] as const)
      .map((part) => values(name, part))
      .reduce((sums, part) => sums.map((sum, index) => sum + (part[index] ?? Number.NaN)));
  const alone = values(nameOf(DEFAULT, 1), "servers");
  const dearer = PROCESSES.map((processes) =>
    spreadOf(costOf(nameOf(OURS, processes)).map((cost, index) => cost / (alone[index] ?? Number.NaN))),
  );
  const perQuestion = spreadOf(
    PROCESSES.flatMap((processes) => values(nameOf(OURS, processes), "ratesAsked").map((share) => 1 / share)),
  );
  const asked = spreadOf(
    PROCESSES.flatMap((processes) =>
      values(nameOf(OURS, processes), "ratesAsked").map((share) => share * 100),
    ),
  );
  return {
    findings: [
      ...PROCESSES.map((processes, index) => ({
        bar: `${nameOf("on PostgreSQL and Redis", processes)}: at most 2 × the CPU of the default`,
        result: `${spreadText(dearer[index] as Spread)} ×`,
        met: (dearer[index]?.median ?? Number.NaN) <= 2,
        cause: "the second table says which part it is.",
      })),
      {
        bar: "Redis is asked at most once for 20 requests",
        result: `once for ${spreadText(perQuestion, 0)}`,
        met: perQuestion.median >= 20,
        cause: "a key that calls a few times a second takes small slices.",
      },
    ],
    tables: [
      {
        title: `A cached leaderboard of ${figure(bytes, 0)} bytes, ${CONNECTIONS} connections, ${CORES} cores for everything, nothing pinned`,
        columns: ["server", "requests/s", "two : one", "p50 ms", "p99 ms", "cores busy"],
        rows: rows.map(({ kind, processes, name }) => [
          name,
          spreadText(of(name, "perSecond"), 0),
          processes === 1 ? "" : `${spreadText(growth(kind))} ×`,
          spreadText(of(name, "p50Ms")),
          spreadText(of(name, "p99Ms")),
          spreadText(of(name, "coresBusy")),
        ]),
      },
      {
        title: "CPU of each part, milliseconds for 1,000 requests",
        columns: ["server", "its processes", "PostgreSQL", "Redis", "wrk", "the rest", "all"],
        rows: rows.map(({ name }) => [name, ...CPU_PARTS.map((part) => spreadText(of(name, part), 1))]),
      },
    ],
    charts: [
      {
        file: "scale-throughput",
        title: `Cached reads a second, one process and two, ${CORES} cores for everything`,
        unit: "requests/s",
        digits: 0,
        bars: rows.map(({ kind, processes, name }) => {
          const { median: value, low, high } = of(name, "perSecond");
          const label = nameOf(kind.split(",", 1)[0] ?? kind, processes);
          return { label, value, low, high, isOurs: kind === OURS };
        }),
      },
    ],
    notes: [
      `information, checked against no bar: two processes serve ${spreadText(growth(OURS))} × what one does; ` +
        `Fastify's, under Node's cluster module, ${spreadText(growth(FASTIFY))} ×`,
      `unlike in the other benchmarks nothing is pinned: the servers, PostgreSQL, Redis and wrk share ${CORES} cores, so a second process gets ` +
        `only what the others leave, and 2 × is out of reach where one process already keeps more than half of the ` +
        `cores busy; how far more cores would carry it is for the second table to say`,
      `of the second table, "its processes" is what grows with WORKERS and "wrk" is away on a client's machine; ` +
        `PostgreSQL and Redis serve all processes, and Redis has one thread`,
      `"the rest" is the capture node, the platform, the servers that are not asked, and this benchmark; what PostgreSQL ` +
        `and Redis show compared to Fastify, which uses neither, is their work for these and for requests before`,
      `the requests are of ${accounts} accounts in turn, whose balances the processes lock when they charge; ${postgres.name} ` +
        `${postgres.version} with fsync, ${redis.name} ${redis.version} without persistence, both from this machine`,
      `${spreadText(asked, 1)} % of our requests asked Redis for the key's rate; the others were counted against slices`,
      ...notes,
    ],
  };
}

await suite(async (options) => {
  const stops: Stops = [];
  try {
    return await measure(options, stops);
  } finally {
    // A failure to stop one must not affect the others, or the outcome; it ends with this process.
    for (const stop of stops.reverse()) await Promise.try(stop).catch((error) => console.error(error));
  }
});
