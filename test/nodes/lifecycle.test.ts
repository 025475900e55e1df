// How processes start, report their health, and stop: probes, draining, workers behind one port.
import { expect } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { connect, refusal } from "../../service/streams/test-client.ts";
import { openSimulator } from "../../simulator/open.ts";
import { serveSimulator } from "../../simulator/server/serve.ts";
import { eventually } from "../support/eventually.ts";
import { needing } from "../support/needing.ts";
import { sharedPostgres } from "../support/postgres.ts";
import { type TestNode, testNode, twoFreePorts } from "./cluster.ts";

const { afterAll, beforeAll, test } = needing("postgres");

const PATIENCE_MS = 900_000;
const clock = systemClock();
const log = createLog("silent", clock.now);
/** Half of it is for sockets and for requests that a balancer still sends: enough to make a few requests on a busy machine. */
const DRAIN_SECONDS = 12;
/** Longer than that half, shorter than a live read may take. */
const SLOW_MS = 7_000;
const DEADLINE_MS = 60_000;

let upstream: { url: string; slow(path: string, latencyMs: number): Promise<void>; stop(): Promise<void> };
let settings: Record<string, string>;
const nodes: TestNode[] = [];

beforeAll(async () => {
  const world = { seed: "lifecycle", eventsPerSecond: 5, traders: 200, historyDays: 3 };
  const platform = await openSimulator({ ...world, dataFolder: null, clock, log });
  const server = await serveSimulator({ platform, host: "127.0.0.1", port: 0, clock, log });
  upstream = {
    url: server.url,
    async slow(path, latencyMs) {
      const faults = [{ kind: "latency", path, latencyMs }];
      const headers = { "content-type": "application/json" };
      await fetch(`${server.url}/admin/faults`, {
        method: "POST",
        headers,
        body: JSON.stringify({ faults }),
      });
    },
    async stop() {
      await server.stop();
      await platform.close();
    },
  };
  settings = { UPSTREAM: server.url, DATABASE_URL: await (await sharedPostgres()).createDatabase() };
}, PATIENCE_MS);
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.end("SIGKILL")));
  for (const node of nodes) node.remove();
  await upstream.stop();
}, PATIENCE_MS);

async function start(role: string, more: Record<string, string> = {}): Promise<TestNode> {
  const node = await testNode("serve", { ...settings, ROLE: role, ...more });
  nodes.push(node);
  await node.start();
  return node;
}

const statusOf = (url: string) => fetch(url).then((answer) => answer.status);
const readinessOf = async (url: string) =>
  (await (await fetch(`${url}/readyz`)).json()) as {
    ready: boolean;
    reasons: string[];
    checks: Record<string, string>;
  };

test(
  "a capture node serves its health and nothing else",
  async () => {
    const node = await start("capture");
    expect(await (await fetch(`${node.url}/livez`)).json()).toMatchObject({ ok: true });
    // A slow check, on a node that has just started, is no failure.
    let said = await readinessOf(node.url);
    await eventually(async () => {
      said = await readinessOf(node.url);
      return said.ready;
    }, "the node is ready");
    expect(said.checks).toMatchObject({ store: "ok", capture: "ok" });
    for (const path of ["/health", "/v2/leaderboard/24h", "/docs", "/metrics"])
      expect({ path, status: await statusOf(`${node.url}${path}`) }).toEqual({ path, status: 404 });
    await eventually(async () => (await readinessOf(node.metricsUrl)).ready, "it says so there too");
    expect(await node.end("SIGTERM")).toBe(0);
  },
  PATIENCE_MS,
);

test(
  "an API node that is stopped is not ready, notifies its sockets, finishes running work, and exits cleanly",
  async () => {
    const node = await start("api", {
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      UPSTREAM_DEADLINE_MS: String(DEADLINE_MS),
    });
    const reported = await connect(node.url.replace("http:", "ws:"), "/ws/alerts", { notices: "true" });
    await upstream.slow("/api/leaderboards", SLOW_MS);
    const running = fetch(`${node.url}/v2/leaderboard/24h`).then((answer) => answer.status);
    await eventually(async () => (await node.metric("crowdtape_http_in_flight")) > 0, "a request runs");
    node.signal("SIGTERM");
    await eventually(async () => !(await readinessOf(node.url)).ready, "readiness is off");
    expect((await readinessOf(node.url)).reasons).toContain("this process is shutting down");
    // A balancer has not noticed yet: what it still sends is answered, but no socket is taken.
    expect(await statusOf(`${node.url}/livez`)).toBe(200);
    expect(await statusOf(`${node.url}/health`)).toBe(200);
    expect((await refusal(node.url, "/ws/alerts")).status).toBe(503);
    expect((await reported.first("reconnect")).graceMs).toBeGreaterThan(0);
    expect((await reported.closed).code).toBe(1001);
    expect(await running).toBe(200);
    expect(await node.exited()).toBe(0);
    await upstream.slow("/api/leaderboards", 0);
  },
  PATIENCE_MS,
);

test(
  "a second signal ends a drain at once",
  async () => {
    const node = await start("api", { DRAIN_SECONDS: "600" });
    node.signal("SIGTERM");
    await eventually(async () => !(await readinessOf(node.url)).ready, "it drains");
    // A signal that is forwarded twice counts once, so this one may have to be sent again.
    let ended = false;
    void node.exited().then(() => {
      ended = true;
    });
    await eventually(async () => {
      node.signal("SIGTERM");
      return ended;
    }, "it ends");
    expect(await node.exited()).not.toBe(0);
  },
  PATIENCE_MS,
);

/** The process ids that the parent logged, the newest of each worker. */
function workersOf(node: TestNode): Map<number, number> {
  const lines = node
    .output()
    .split("\n")
    .filter((line) => line.includes('"a worker runs"'));
  return new Map(
    lines
      .map((line) => JSON.parse(line) as { worker: number; pid: number })
      .map((one) => [one.worker, one.pid]),
  );
}

const isGone = (node: TestNode) =>
  fetch(`${node.url}/livez`).then(
    () => false,
    () => true,
  );

test(
  "workers share a port, a crashed one is replaced, and all exit with their parent",
  async () => {
    const metricsPort = String(await twoFreePorts());
    const node = await start("api", { WORKERS: "2", METRICS_PORT: metricsPort, DRAIN_SECONDS: "1" });
    const metricsOf = (index: number) => `http://127.0.0.1:${Number(metricsPort) + index}`;
    const bothReady = () =>
      eventually(async () => {
        const ready = [0, 1].map((index) =>
          readinessOf(metricsOf(index)).then(
            (one) => one.ready,
            () => false,
          ),
        );
        return (await Promise.all(ready)).every(Boolean);
      }, "both workers are ready");
    await bothReady();
    const before = workersOf(node);
    expect(before.size).toBe(2);

    const crashed = before.get(1) ?? 0;
    process.kill(crashed, "SIGKILL");
    await eventually(() => workersOf(node).get(1) !== crashed, "the crashed worker is replaced");
    await bothReady();
    expect(workersOf(node).get(0)).toBe(before.get(0) ?? 0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => statusOf(`${node.url}/health`)));
    expect(answers.every((status) => status === 200)).toBe(true);

    expect(await node.end("SIGTERM")).toBe(0);
    expect(await isGone(node)).toBe(true);

    // Without a parent to restart them, workers must not stay behind.
    await node.start();
    await bothReady();
    await node.end("SIGKILL");
    await eventually(() => isGone(node), "the workers left too");
  },
  PATIENCE_MS,
);
