// A whole deployment for tests: PostgreSQL, Redis, a platform server, two capture nodes and two API nodes, each a real process
// on its own ports. Any of them can be killed and restarted; none outlives the test process.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PlanName } from "../../contract/plans.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { type Access, createAccess } from "../../service/access/access.ts";
import { createMemoryRate } from "../../service/access/limits/rate-memory.ts";
import { openStore, type Store } from "../../service/store/store.ts";
import { eventually } from "../support/eventually.ts";
import { type ThrowAwayPostgres, throwAwayPostgres } from "../support/postgres.ts";
import { type ThrowAwayRedis, throwAwayRedis } from "../support/redis.ts";
import { freePort, type Supervised, supervise, temporaryFolder } from "../support/supervised.ts";

export interface TestNode {
  /** Final once it has started. */
  readonly url: string;
  readonly metricsUrl: string;
  /** Its log so far. */
  output(): string;
  isReady(): Promise<boolean>;
  metric(name: string): Promise<number>;
  start(): Promise<void>;
  signal(name: "SIGTERM" | "SIGKILL"): void;
  /** Sends a signal and waits for the exit; returns the exit code. */
  end(name: "SIGTERM" | "SIGKILL"): Promise<number>;
  exited(): Promise<number>;
  remove(): void;
}

const root = join(import.meta.dir, "..", "..");
const PROGRAM = {
  serve: [join(root, "service/main.ts")],
  platform: [join(root, "service/cli.ts"), "simulator", "serve"],
};

/** The first of two consecutive ports. */
export async function twoFreePorts(): Promise<number> {
  for (let first = await freePort(); ; ) {
    const second = await freePort();
    if (second === first + 1) return first;
    first = second;
  }
}

type Settings = Record<string, string>;

/** How many ports a node may try before something else must be wrong. */
const PORT_ATTEMPTS = 5;
/** Its output is part of its log. */
const PRINT_TO_LOG = ["sh", "-c", 'exec "$@" >&2', "sh"];

/** It keeps its ports after the first start; until then, one that turns out to be taken is replaced. */
export async function testNode(
  program: keyof typeof PROGRAM,
  settings: Settings,
  choosePort: () => Promise<number> = freePort,
): Promise<TestNode> {
  const folder = temporaryFolder("node", null);
  const output = join(folder, "output.log");
  const choose = async (): Promise<Settings> => ({
    PORT: String(await choosePort()),
    METRICS_PORT: String(await choosePort()),
    DATA_DIR: folder,
    LOG_LEVEL: "info",
    COPY_BOARD_TRADERS: "0",
    ...settings,
  });
  let environment = await choose();
  let wasReady = false;
  let running: Supervised | null = null;
  const process_ = () => {
    if (!running) throw new Error("this node does not run");
    return running;
  };
  const said = () => (existsSync(output) ? readFileSync(output, "utf8") : "");
  const urlOf = (port: "PORT" | "METRICS_PORT") => `http://127.0.0.1:${environment[port]}`;
  const isReady = () =>
    fetch(`${urlOf("PORT")}${program === "platform" ? "/api/status" : "/readyz"}`).then(
      (answer) => answer.ok,
      () => false,
    );
  /** Whether it became ready before it exited. */
  const run = async (): Promise<boolean> => {
    const pairs = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const command = [...PRINT_TO_LOG, "env", ...pairs, process.execPath, ...PROGRAM[program]];
    running = await supervise(command, { folder, account: null, stopSignal: "TERM", output });
    let ended = false;
    void running.exited.then(() => {
      ended = true;
    });
    // Another owner of the port may be ready too: only the node itself prints its URL here.
    const isOwn = () => said().includes(`:${environment.PORT}`);
    await eventually(async () => ended || (isOwn() && (await isReady())), `a ${program} node is ready`);
    return !ended;
  };
  return {
    get url() {
      return urlOf("PORT");
    },
    get metricsUrl() {
      return urlOf("METRICS_PORT");
    },
    output: said,
    isReady,
    async metric(name) {
      const text = await (await fetch(`${urlOf("METRICS_PORT")}/metrics`)).text();
      const line = text.split("\n").find((one) => one.startsWith(`${name} `));
      return line === undefined ? Number.NaN : Number(line.slice(name.length + 1));
    },
    async start() {
      for (let attempt = 1; !(await run()); attempt++) {
        const isTaken = said().includes("already in use");
        if (wasReady || !isTaken || attempt === PORT_ATTEMPTS)
          throw new Error(`a ${program} node ended: ${said().slice(-OUTPUT_CHARS_SHOWN)}`);
        environment = await choose();
      }
      wasReady = true;
    },
    signal: (name) => process_().signal(name),
    async end(name) {
      process_().signal(name);
      return process_().exited;
    },
    exited: () => process_().exited,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
/** The end of a log contains the reason. */
const OUTPUT_CHARS_SHOWN = 2_000;

export interface Cluster {
  platform: TestNode;
  postgres: ThrowAwayPostgres;
  redis: ThrowAwayRedis;
  capture: [TestNode, TestNode];
  api: [TestNode, TestNode];
  /** The settings of every node except the platform. */
  shared: Settings;
  /** The test's own view of the store that the nodes share. */
  store: Store;
  access: Access;
  makeKey(wish?: { plan?: PlanName; requestsPerMinute?: number; credits?: number }): Promise<ClusterKey>;
  /** The operator's commands, on this deployment. */
  crowdtape(...argv: string[]): Promise<{ code: number; out: string; err: string }>;
  stop(): Promise<void>;
}

/** The first history is not news; the events that tests wait for start after it has been read. */
async function newsComes(store: Store): Promise<void> {
  for (let tries = 0; tries < NEWS_TRIES; tries++) {
    const [newest] = (await store.log.page({ feed: "app", limit: 1 })).events;
    if (newest !== undefined && newest.isHistory !== true) return;
    await Bun.sleep(NEWS_LOOK_MS);
  }
  throw new Error("The cluster did not finish reading its first history.");
}

/** For the hook that starts one, on a busy machine. */
export const CLUSTER_START_MS = 900_000;
const NEWS_LOOK_MS = 250;
const NEWS_TRIES = 800;

export interface ClusterKey {
  secret: string;
  id: string;
  accountId: string;
}

/** Busy enough that every second brings events of each kind. */
const SMALL_WORLD = {
  SIMULATOR_TRADERS: "150",
  SIMULATOR_HISTORY_DAYS: "1",
  SIMULATOR_HISTORY_EVENTS_PER_SECOND: "0.02",
};
/** Far more than a test sends: rate limits have a test of their own. */
const PLENTY_A_MINUTE = 1_000_000;

export async function startCluster(
  eventsPerSecond = 20,
  more: Record<string, string> = {},
): Promise<Cluster> {
  const world = { ...SMALL_WORLD, SIMULATOR_EVENTS_PER_SECOND: String(eventsPerSecond) };
  const [postgres, redis, platform] = await Promise.all([
    throwAwayPostgres(),
    throwAwayRedis(),
    testNode("platform", world),
  ]);
  await platform.start();
  const databaseUrl = await postgres.createDatabase();
  const shared = {
    UPSTREAM: platform.url,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    DRAIN_SECONDS: "2",
    WEBHOOK_TARGETS: "any",
    PAPER_SETTLE_SECONDS: "1",
    ...more,
  };
  const node = (role: string) => testNode("serve", { ...shared, ROLE: role });
  const capture: [TestNode, TestNode] = [await node("capture"), await node("capture")];
  const api: [TestNode, TestNode] = [await node("api"), await node("api")];
  await Promise.all([...capture, ...api].map((one) => one.start()));

  const clock = systemClock();
  const log = createLog("silent", clock.now);
  const store = await openStore({ location: { url: databaseUrl }, clock, log });
  await newsComes(store);
  const links = { upgradeUrl: "/pricing", topUp: "/pay/create" };
  const access = createAccess({
    database: store.database,
    clock,
    log,
    rate: createMemoryRate(clock),
    links,
    testKeys: () => true,
  });
  return {
    platform,
    postgres,
    redis,
    capture,
    api,
    shared,
    store,
    access,
    async makeKey({ plan = "scale", requestsPerMinute = PLENTY_A_MINUTE, credits } = {}) {
      const account = await access.grants.openAccount("nodes@example.com");
      const accountId = account.id;
      if (credits !== undefined)
        await access.grants.addPrepaid({ accountId, credits, reference: `test:${accountId}` });
      if (plan !== "free")
        await access.grants.payForPlan({ accountId, plan, reference: `plan:${accountId}` });
      const { secret, key } = await access.keys.create({ accountId, name: null, requestsPerMinute });
      return { secret, id: key.id, accountId };
    },
    async crowdtape(...argv) {
      const child = Bun.spawn([process.execPath, join(root, "service/cli.ts"), ...argv], {
        env: { ...Bun.env, ...shared },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      return { code: await child.exited, out, err };
    },
    async stop() {
      await access.close();
      await store.close();
      const nodes = [...api, ...capture, platform];
      await Promise.all(nodes.map((one) => one.end("SIGKILL")));
      for (const one of nodes) one.remove();
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

export function get(node: TestNode, path: string, key: { secret: string }): Promise<Response> {
  return fetch(`${node.url}${path}`, { headers: { authorization: `Bearer ${key.secret}` } });
}

const FEEDS = ["app", "push", "chain"] as const;
type Places = Record<(typeof FEEDS)[number], number>;

/** The capture position of each feed. */
export async function placesOf({ progress }: Store): Promise<Places> {
  const places: Places = { app: 0, push: 0, chain: 0 };
  for (const feed of FEEDS) places[feed] = (await progress.position(feed)) ?? 0;
  return places;
}

/** Compares the log with the platform's own record of its feeds after these positions. */
export async function compareWithRecord({ platform, store }: Cluster, since: Places) {
  const now = await placesOf(store);
  const logged = new Map<string, number>();
  let holes = 0;
  for (let after = 0; ; ) {
    const events = await store.log.readAfter(after, { limit: 5_000 });
    for (const { eventId, seq } of events) {
      // Below its first event, positions are reserved for history.
      if (after > 0 && seq !== after + 1) holes += 1;
      after = seq;
      logged.set(eventId, (logged.get(eventId) ?? 0) + 1);
    }
    if (events.length === 0) break;
  }
  const recorded: string[] = [];
  for (const feed of FEEDS) {
    for (let after = since[feed]; after < now[feed]; ) {
      const answer = await fetch(`${platform.url}/api/feeds/${feed}?after=${after}&limit=1000`);
      const { items } = (await answer.json()) as { items: { position: number; item: { eventId: string } }[] };
      recorded.push(...items.filter((one) => one.position <= now[feed]).map((one) => one.item.eventId));
      after = items.at(-1)?.position ?? now[feed];
    }
  }
  return {
    recorded: recorded.length,
    missing: recorded.filter((eventId) => !logged.has(eventId)),
    twice: [...logged].filter(([, times]) => times > 1).map(([eventId]) => eventId),
    holes,
  };
}
