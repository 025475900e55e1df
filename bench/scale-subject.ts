// A deployment on one machine, as in docs/operating.md: PostgreSQL that waits for its disk, Redis, a platform, a capture node,
// and API nodes with one process and with two. All are separate processes that end with this one, however it ends, and delete
// their folders.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RedisClient, SQL } from "bun";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { openStore, type Store } from "../service/store/store.ts";
import { twoFreePorts } from "../test/nodes/cluster.ts";
import { throwAwayPostgres } from "../test/support/postgres.ts";
import { throwAwayRedis } from "../test/support/redis.ts";
import { freePort, supervise, temporaryFolder } from "../test/support/supervised.ts";
import { startChild } from "./kit/child.ts";
import { makeCrowd, writeKeys } from "./kit/crowd.ts";
import { ROOT, START_ENVIRONMENT, START_PROGRAM } from "./kit/product.ts";
import { WORLD, type WorldReady } from "./scale-world.ts";

export interface RunningServer {
  name: string;
  pid: number;
  version: string;
}

export interface ApiNode {
  url: string;
  /** Of the parent, if there are workers. */
  pid: number;
  /** Its own, deleted with it. */
  folder: string;
}

export interface ScaleDeployment {
  postgres: RunningServer;
  redis: RunningServer;
  /** The number of rate checks in Redis so far, by all nodes. */
  ratesAsked(): Promise<number>;
  /** With this many processes on one port: one or two. */
  startApi(workers: 1 | 2): Promise<ApiNode>;
  /** The one-process default, on SQLite and without Redis, over the same platform. */
  startDefault(): Promise<{ node: ApiNode; keysFile: string }>;
  /** A file with the keys of this many accounts with unlimited calls, and one of the keys. */
  keysFile: string;
  key: string;
  accounts: number;
}

/** Called in reverse order at the end, after success or failure. */
export type Stops = (() => unknown)[];

const ACCOUNTS = 150;
/** A machine under other load captures the world in half a minute. */
const READY_WAIT_MS = 120_000;
const POLL_MS = 50;

export async function startDeployment(stops: Stops): Promise<ScaleDeployment> {
  const postgres = await throwAwayPostgres({ fsync: true });
  stops.push(postgres.stop);
  const redis = await throwAwayRedis();
  stops.push(redis.stop);
  const world = startChild([process.execPath, join(import.meta.dir, "scale-world.ts")], START_ENVIRONMENT);
  stops.push(world.stop);
  const databaseUrl = await postgres.createDatabase();
  const shared = {
    UPSTREAM: (await world.next<WorldReady>()).url,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
  };
  await startNode({ ...shared, ROLE: "capture" }, 1, stops);
  return {
    postgres: await describePostgres(databaseUrl),
    redis: await describeRedis(redis.url),
    ratesAsked: async () =>
      Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(await informationOf(redis.url, "commandstats"))?.[1] ?? 0),
    ...(await makeKeys(databaseUrl, stops)),
    accounts: ACCOUNTS,
    startDefault: () => startDefault(shared.UPSTREAM, stops),
    startApi: (workers) => startNode({ ...shared, ROLE: "api", WORKERS: String(workers) }, workers, stops),
  };
}

async function startNode(settings: Record<string, string>, processes: 1 | 2, stops: Stops): Promise<ApiNode> {
  const folder = temporaryFolder("bench-scale", null);
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const output = join(folder, "output.log");
  const [port, metricsPort] = [await freePort(), await twoFreePorts()];
  const environment = {
    ...START_ENVIRONMENT,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATA_DIR: folder,
    LOG_LEVEL: "error",
    DRAIN_SECONDS: "0",
    ...settings,
  };
  const pairs = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const server = await supervise(["env", ...pairs, process.execPath, join(ROOT, START_PROGRAM)], {
    folder,
    account: null,
    stopSignal: "TERM",
    output,
  });
  stops.push(() => {
    server.signal("SIGTERM");
    return server.exited;
  });
  let ended = false;
  void server.exited.then(() => {
    ended = true;
  });
  // Each process has its own health port; the shared port would only show that one of them is ready.
  for (let process = 0; process < processes; process++) {
    await until(async () => {
      if (ended) throw new Error(`a node ended: ${readFileSync(output, "utf8").slice(0, 500)}`);
      return answersWell(`http://127.0.0.1:${metricsPort + process}/readyz`);
    }, `a node with ROLE=${settings.ROLE} is ready`);
  }
  return { url: `http://127.0.0.1:${port}`, pid: server.pid, folder };
}

async function startDefault(upstream: string, stops: Stops): Promise<{ node: ApiNode; keysFile: string }> {
  const node = await startNode({ UPSTREAM: upstream }, 1, stops);
  const clock = systemClock();
  const location = { file: join(node.folder, "crowdtape.sqlite") };
  const store = await openStore({ location, clock, log: createLog("error", clock.now) });
  try {
    await captured(store);
    const secrets = await makeCrowd(store.database, ACCOUNTS, clock.now());
    return { node, keysFile: writeKeys(join(node.folder, "keys"), secrets) };
  } finally {
    await store.close();
  }
}

function captured(store: Store): Promise<void> {
  return until(async () => {
    const [coverage, traders] = await Promise.all([store.captures.coverage(), store.traders.count()]);
    if (traders < WORLD.traders || coverage.traders < traders) return false;
    const [left, derived, head] = await Promise.all([
      store.log.historyLeft(),
      store.progress.derivedSeq(),
      store.log.head(),
    ]);
    return left.length === 0 && derived >= head.seq;
  }, "every trader and the past were captured");
}

/** Created once the world is captured, so that the load starts on a quiet deployment. */
async function makeKeys(databaseUrl: string, stops: Stops): Promise<{ key: string; keysFile: string }> {
  const folder = temporaryFolder("bench-scale-keys", null);
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const clock = systemClock();
  const log = createLog("error", clock.now);
  const store = await openStore({ location: { url: databaseUrl }, clock, log });
  try {
    await captured(store);
    const secrets = await makeCrowd(store.database, ACCOUNTS, clock.now());
    return { key: secrets[0] ?? "", keysFile: writeKeys(join(folder, "keys"), secrets) };
  } finally {
    await store.close();
  }
}

async function describePostgres(url: string): Promise<RunningServer> {
  const sql = new SQL(url, { max: 1 });
  const [row] = await sql.unsafe(
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid, current_setting('server_version') AS version",
  );
  await sql.close();
  return { name: "PostgreSQL", pid: Number(row.pid), version: String(row.version).split(" ", 1)[0] ?? "" };
}

async function describeRedis(url: string): Promise<RunningServer> {
  const text = await informationOf(url, "server");
  const of = (name: string) => new RegExp(`^${name}:(\\S+)`, "m").exec(text)?.[1] ?? "";
  return { name: "Redis", pid: Number(of("process_id")), version: of("redis_version") };
}

async function informationOf(redisUrl: string, section: string): Promise<string> {
  const client = new RedisClient(redisUrl);
  try {
    return String(await client.send("INFO", [section]));
  } finally {
    client.close();
  }
}

const answersWell = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  for (const giveUpAt = performance.now() + READY_WAIT_MS; performance.now() < giveUpAt; ) {
    if (await condition()) return;
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`this did not become true: ${what}`);
}
