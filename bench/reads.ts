// S1: a metered, durably charged, cached read (a leaderboard of 2 KB) with the keys of 150 accounts in turn, beside nginx
// with the same bytes in a file, a bare route with a key check on Fastify and on Express, and the same read with metering
// off. Fastify is measured twice: as its users write a route, returning an object, and with bytes that were made
// beforehand, as ours are. S1b: the same with 10,000 accounts, and with one.
// Run: bun bench/reads.ts [--quick]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startChild, startServer } from "./kit/child.ts";
import { cpuSecondsOf, onLoadCore, onServerCore } from "./kit/machine.ts";
import { nodePeer, programOf } from "./kit/peers.ts";
import { START_ENVIRONMENT } from "./kit/product.ts";
import { figure, interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Outcome, type SuiteOptions, suite } from "./kit/suite.ts";
import { runWrk } from "./kit/wrk.ts";
import type { ReadsReady } from "./reads-subject.ts";

/** Open connections: a busy server's, which the bars are held against, and a few, where a commit is shared by fewer. */
const [MANY, FEW] = [256, 64] as const;
const WARM_UP_SECONDS = 2;
/** Before the first round: compilers work beside the server on its one core for so long after a start. */
const FIRST_WARM_UP_SECONDS = 8;

interface Subject {
  name: string;
  url: string;
  pid: number;
  /** How many accounts call. */
  accounts?: number;
  stop(): Promise<void>;
}

interface Run {
  perSecond: number;
  cpuMicros: number;
  p50Ms: number;
  p99Ms: number;
}

const OURS = "Crowdtape, metered";
const ALONE = "Crowdtape, metered, one account";
const CROWDED = "Crowdtape, metered, 10,000 accounts";
const ACCOUNTS = 150;
const FREE = "Crowdtape, metering off";
const BARE = "bare Bun, the same bytes";
const NGINX = "nginx, a file";
const FASTIFY = "Fastify, key check, an object";
const FASTIFY_BYTES = "Fastify, key check, ready bytes";
const EXPRESS = "Express, key check, an object";

async function load(
  { name, url, pid, accounts = ACCOUNTS }: Subject,
  { keys, ...options }: { keys: Record<number, string>; connections: number; seconds: number },
): Promise<Run> {
  const cpuBefore = cpuSecondsOf(pid);
  const run = await runWrk(url, { ...options, keysFile: keys[accounts] ?? "", placed: onLoadCore }).catch(
    (problem) => {
      throw new Error(`${name}: ${problem instanceof Error ? problem.message : problem}`);
    },
  );
  return { ...run, cpuMicros: ((cpuSecondsOf(pid) - cpuBefore) * 1e6) / run.requests };
}

const nameAt = (name: string, connections: number) => `${name}, ${connections}`;

async function startNginx(folder: string, file: string, path: string): Promise<Subject> {
  const port = freePort();
  const conf = join(folder, "nginx.conf");
  writeFileSync(
    conf,
    `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; open_file_cache max=10;
      client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
      uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      server {
        listen 127.0.0.1:${port};
        location / { default_type application/json; root ${folder}; try_files /${file} =404; }
      }
    }`,
  );
  const nginx = programOf("nginx", "apt-get install nginx");
  // Started as root it would serve as nobody, who may not read the folder: without a master it stays who it is.
  const server = await startServer(onServerCore([nginx, "-p", folder, "-c", conf]), port);
  return { name: NGINX, url: `http://127.0.0.1:${port}${path}`, ...server };
}

async function startNode(
  name: string,
  kind: [framework: string, answer: string],
  file: string,
  ours: ReadsReady,
): Promise<Subject> {
  const child = startChild(onServerCore(await nodePeer("http", ...kind, file, ours.keys[ACCOUNTS] ?? "")));
  const { port } = await child.next<{ port: number }>();
  return { name, url: `http://127.0.0.1:${port}${ours.path}`, pid: child.pid, stop: child.stop };
}

await suite(async ({ rounds, seconds }: SuiteOptions): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-reads-"));
  const child = startChild(
    onServerCore([process.execPath, join(import.meta.dir, "reads-subject.ts")]),
    START_ENVIRONMENT,
  );
  const ours = await child.next<ReadsReady>();
  const file = "answer.json";
  const [key] = readFileSync(ours.keys[ACCOUNTS] ?? "", "utf8").split("\n");
  const answer = await fetch(ours.freeUrl + ours.path, { headers: { authorization: `Bearer ${key}` } });
  writeFileSync(join(folder, file), await answer.bytes());
  const subjects: Subject[] = [
    { name: OURS, url: ours.url + ours.path, pid: child.pid, stop: child.stop },
    { name: ALONE, url: ours.url + ours.path, pid: child.pid, accounts: 1, stop: async () => {} },
    { name: CROWDED, url: ours.url + ours.path, pid: child.pid, accounts: 10_000, stop: async () => {} },
    { name: FREE, url: ours.freeUrl + ours.path, pid: child.pid, stop: async () => {} },
    { name: BARE, url: ours.bareUrl + ours.path, pid: child.pid, stop: async () => {} },
    await startNginx(folder, file, ours.path),
    await startNode(FASTIFY, ["fastify", "object"], join(folder, file), ours),
    await startNode(FASTIFY_BYTES, ["fastify", "bytes"], join(folder, file), ours),
    await startNode(EXPRESS, ["express", "object"], join(folder, file), ours),
  ];
  for (const subject of subjects)
    await load(subject, { keys: ours.keys, connections: MANY, seconds: FIRST_WARM_UP_SECONDS });
  const { kept, notes } = await interleaved(
    [MANY, FEW].flatMap((connections) =>
      subjects.map((subject) => ({
        name: nameAt(subject.name, connections),
        measure: async () => {
          // As traffic is: what calls has called before. Between its turns a contender goes cold.
          await load(subject, { keys: ours.keys, connections, seconds: WARM_UP_SECONDS });
          return load(subject, { keys: ours.keys, connections, seconds });
        },
      })),
    ),
    rounds,
  );
  for (const { stop } of subjects) await stop();
  rmSync(folder, { recursive: true, force: true });

  const of = (name: string, what: keyof Run, connections: number = MANY) =>
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
  const cause = (name: string) =>
    name === FREE
      ? "a charge is a place in a transaction on the disk and an answer that has to wait for it; the more callers share " +
        "the transaction, the less each pays for it."
      : `the runtime alone, from a handler that only sends the same bytes and headers, needs ${spreadText(of(BARE, "cpuMicros"), 1)} ` +
        `µs of CPU in the same rounds, nginx ${spreadText(of(NGINX, "cpuMicros"), 1)}; a key check, rate window, ` +
        `headers and cache add ${figure(of(FREE, "cpuMicros").median - of(BARE, "cpuMicros").median, 1)} and the ` +
        `durable charge ${figure(of(OURS, "cpuMicros").median - of(FREE, "cpuMicros").median, 1)}.`;
  const finding = (bar: string, name: string, atLeast: number, connections: number = MANY) => ({
    bar,
    cause: cause(name),
    result:
      `${spreadText(against(name, "perSecond", connections))} by throughput, ` +
      `${spreadText(against(name, "cpuMicros", connections))} by CPU`,
    met: against(name, "perSecond", connections).median >= atLeast,
  });
  // Of the crowd to the usual number of accounts, so the other way round.
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
      title: `A cached leaderboard of ${figure(ours.bytes, 0)} bytes, ${connections} connections, keys of ${ACCOUNTS} accounts in turn, one core for the server`,
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
