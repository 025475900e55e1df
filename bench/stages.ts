// S1c: the cost of each stage of a request by itself: CPU of the whole process, including the runtime's helper threads, for
// each of five paths that a request can take. The runtime's own part, sockets and HTTP, is not included: see "bare Bun" under
// S1. Run: bun bench/stages.ts [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROUTES } from "../contract/routes.ts";
import { openDatabase } from "../database/open.ts";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import type { MaybePromise } from "../kit/maybe-promise.ts";
import { createMetrics } from "../kit/metrics.ts";
import { createAccess } from "../service/access/access.ts";
import { createMemoryRate } from "../service/access/limits/rate-memory.ts";
import { drainTo, makeKey } from "../service/access/test-support.ts";
import { createServedRoutes } from "../service/api/runner.ts";
import { admit } from "../service/api/stages/admit.ts";
import { answer } from "../service/api/stages/answer.ts";
import { charge } from "../service/api/stages/charge.ts";
import { Exchange } from "../service/api/stages/exchange.ts";
import { fail } from "../service/api/stages/fail.ts";
import { identify } from "../service/api/stages/identify.ts";
import { pace } from "../service/api/stages/pace.ts";
import { read } from "../service/api/stages/read.ts";
import { send } from "../service/api/stages/send.ts";
import { migrateStore } from "../service/store/migrations.ts";
import { makeCrowd } from "./kit/crowd.ts";
import { interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";

const ACCOUNTS = 150;
/** As sent by 256 connections. */
const CONNECTIONS = 256;
const BATCHES_A_SECOND = 8;
const BODY_BYTES = 2_048;
const UNLIMITED_PER_MINUTE = 1_000_000_000;
const STAGES = ["identify", "pace", "read", "admit", "answer", "charge", "send", "fail"] as const;
type StageName = (typeof STAGES)[number];

/** A path that a request can take: the caller and the call, the stages, and the final status. */
interface Way {
  name: string;
  secrets: readonly string[];
  path: (n: number) => string;
  headers?: Record<string, string>;
  stages: readonly StageName[];
  status: number;
}

const ANSWERED: readonly StageName[] = ["identify", "pace", "read", "admit", "answer", "charge"];
const HOT = "/v2/users/hot/balances";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-stages-"));
const clock = systemClock();
const log = createLog("error", clock.now);
const database = await openDatabase({ file: join(folder, "stages.sqlite") });
await migrateStore(database, clock.now());
const access = createAccess({
  testKeys: () => true,
  database,
  clock,
  log,
  rate: createMemoryRate(clock),
  links: { upgradeUrl: "/pricing", topUp: "/pay/create" },
});
const body = { filling: "x".repeat(BODY_BYTES) };
const served = createServedRoutes({ clock, log, metrics: createMetrics(), deadlineMs: 4_000 })(
  ROUTES.getBalances,
  async () => ({ body }),
  access,
);

async function waysOf(): Promise<Way[]> {
  const secrets = await makeCrowd(database, ACCOUNTS, clock.now());
  const slow = await Promise.all(
    secrets.slice(0, 10).map(async () => (await makeKey(access, { requestsPerMinute: 1 })).secret),
  );
  const poor: string[] = [];
  for (let n = 0; n < ACCOUNTS; n++) {
    const key = await makeKey(access, { requestsPerMinute: UNLIMITED_PER_MINUTE });
    await drainTo(database, key.accountId, 0);
    poor.push(key.secret);
  }
  let missed = 0;
  const etag = (await through(exchangeOf(HOT, secrets[0] ?? ""))).headers.get("etag") ?? "";
  for (const secret of slow) await through(exchangeOf(HOT, secret));
  const hot = () => HOT;
  return [
    { name: "hit", secrets, path: hot, stages: ANSWERED, status: 200 },
    {
      name: "miss",
      secrets,
      path: () => `/v2/users/cold_${++missed}/balances`,
      stages: ANSWERED,
      status: 200,
    },
    { name: "304", secrets, path: hot, headers: { "if-none-match": etag }, stages: ANSWERED, status: 304 },
    { name: "429", secrets: slow, path: hot, stages: ["identify", "pace", "fail"], status: 429 },
    {
      name: "402",
      secrets: poor,
      path: hot,
      stages: ["identify", "pace", "read", "admit", "fail"],
      status: 402,
    },
  ];
}

function exchangeOf(path: string, secret: string, headers: Record<string, string> = {}): Exchange {
  const url = `http://127.0.0.1:8080${path}`;
  const request = new Request(url, { headers: { authorization: `Bearer ${secret}`, ...headers } });
  // A server's request has these parsed already; one created here has not.
  request.headers.get("authorization");
  return new Exchange(served, request, () => ({ handle: path.split("/").at(-2) ?? "" }), "127.0.0.1", null);
}

async function through(exchange: Exchange): Promise<Response> {
  for (const stage of [identify, pace, read, admit, answer]) await stage(exchange);
  return charge(exchange);
}

const RUN: Record<Exclude<StageName, "fail" | "send">, (exchange: Exchange) => MaybePromise<unknown>> = {
  identify,
  pace,
  read,
  admit,
  answer,
  charge,
};

/** Runs a stage for many exchanges, and returns the first one's outcome: an answer, or what was thrown. */
async function each(
  exchanges: readonly Exchange[],
  stage: (exchange: Exchange) => MaybePromise<unknown>,
): Promise<unknown> {
  const waiting: Promise<unknown>[] = [];
  let first: unknown;
  for (const exchange of exchanges) {
    try {
      const result = stage(exchange);
      first ??= result;
      if (result instanceof Promise) waiting.push(result.catch((error) => error));
    } catch (error) {
      first ??= error;
    }
  }
  const ends = await Promise.all(waiting);
  return first instanceof Promise ? ends[0] : first;
}

/** Microseconds of CPU per request, by stage. */
async function measure(way: Way, batches: number): Promise<Partial<Record<StageName, number>>> {
  const spent = new Map<StageName, number>();
  const timed = async (name: StageName, work: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    spent.set(name, (spent.get(name) ?? 0) + user + system);
    return result;
  };
  let asked = 0;
  for (let batch = 0; batch < batches; batch++) {
    const exchanges = Array.from({ length: CONNECTIONS }, () =>
      exchangeOf(way.path(asked), way.secrets[asked++ % way.secrets.length] ?? "", way.headers),
    );
    let end: unknown;
    for (const name of way.stages) {
      const error = end;
      end = await timed(name, () =>
        name === "fail"
          ? each(exchanges, (exchange) => fail(exchange, error))
          : each(exchanges, RUN[name as keyof typeof RUN]),
      );
    }
    if (!(end instanceof Response) || end.status !== way.status)
      throw new Error(`${way.name} ended with ${end instanceof Response ? end.status : end}`);
    // The charge also sends: its own cost is the difference.
    if (way.stages.includes("charge")) await timed("send", () => each(exchanges, send));
  }
  const requests = batches * CONNECTIONS;
  const perRequest = new Map([...spent].map(([name, us]) => [name, us / requests]));
  const sending = perRequest.get("send");
  if (sending !== undefined) perRequest.set("charge", Math.max(0, (perRequest.get("charge") ?? 0) - sending));
  return Object.fromEntries(perRequest);
}

await suite(async ({ rounds, seconds }): Promise<Measured> => {
  const ways = await waysOf();
  // Compilation is not part of any stage's cost.
  for (const way of ways) await measure(way, BATCHES_A_SECOND);
  const contenders = ways.map((way) => ({
    name: way.name,
    measure: () => measure(way, BATCHES_A_SECOND * seconds),
  }));
  const { kept, notes } = await interleaved(contenders, rounds);
  await access.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
  const valuesOf = (way: Way, pick: (costs: Partial<Record<StageName, number>>) => number | undefined) =>
    kept.map((round) => pick(round[way.name] ?? {}) ?? Number.NaN);
  const cell = (way: Way, stage: StageName) => {
    const values = valuesOf(way, (costs) => costs[stage]);
    return values.some(Number.isNaN) ? "" : spreadText(spreadOf(values), 1);
  };
  const total = (way: Way) =>
    spreadText(spreadOf(valuesOf(way, (costs) => Object.values(costs).reduce((a, b) => a + b, 0))), 1);
  return {
    findings: [],
    tables: [
      {
        title: `CPU of each stage, µs a request, ${CONNECTIONS} at once by ${ACCOUNTS} accounts in turn, SQLite`,
        columns: ["stage", ...ways.map(({ name }) => name)],
        rows: [
          ...STAGES.map((stage) => [stage, ...ways.map((way) => cell(way, stage))]),
          ["all", ...ways.map(total)],
        ],
      },
    ],
    notes: [
      `the handler gives ${BODY_BYTES} ready bytes at once, so a miss is the price of everything but its data`,
      "the stage that refuses pays for the error it throws; the one that charges, for its share of the commit",
      ...notes,
    ],
  };
});
