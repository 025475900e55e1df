// A whole node of streams for tests: real SQLite, real access, real sockets. Run as a program it is a node in a
// process of its own, to be killed.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { errorBody, Fault } from "../../contract/errors.ts";
import { type Clock, systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics, type Metrics } from "../../kit/metrics.ts";
import { HOUR_MS } from "../../kit/units.ts";
import type { FeedEvent } from "../../protocol/shapes/event.ts";
import { type Access, createAccess } from "../access/access.ts";
import { createMemoryRate } from "../access/limits/rate-memory.ts";
import { memoryBus } from "../bus/memory.ts";
import type { Bus } from "../bus/port.ts";
import { storeDirectory } from "../feed/directory.ts";
import { createTail } from "../feed/tail.ts";
import type { LogEvent } from "../model/event.ts";
import type { Lease } from "../store/captured/lease.ts";
import { openStore, type Store } from "../store/store.ts";
import type { Session } from "./session.ts";
import { createStreams, type Streams } from "./streams.ts";

export interface TestNode {
  /** ws://host:port */
  url: string;
  port: number;
  file: string;
  store: Store;
  access: Access;
  bus: Bus;
  clock: Clock;
  metrics: Metrics;
  streams: Streams;
  server: Bun.Server<Session>;
  /** What the node logged. */
  lines: string[];
  append(events: readonly FeedEvent[], announce?: boolean): Promise<LogEvent[]>;
  close(): Promise<void>;
}

export interface NodeOptions {
  /** Another node's database, to share it. */
  file?: string;
  clock?: Clock;
  port?: number;
  allowedOrigins?: readonly string[];
  /** Sockets that one address may have, where a test needs many. */
  manySockets?: boolean;
}

/** For the nodes of one test: a folder that goes when the last of them closes. */
export function temporaryFile(): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-streams-"));
  return {
    file: join(folder, "log.sqlite"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function startNode(options: NodeOptions = {}): Promise<TestNode> {
  const own = options.file === undefined ? temporaryFile() : null;
  const file = options.file ?? own?.file ?? "";
  const clock = options.clock ?? systemClock();
  const lines: string[] = [];
  const log = createLog("debug", clock.now, (line) => lines.push(line));
  const store = await openStore({ location: { file }, clock, log });
  const metrics = createMetrics();
  const rate = createMemoryRate(clock);
  const bus = memoryBus(log);
  const access = createAccess({
    testKeys: () => true,
    database: store.database,
    clock,
    log,
    rate: options.manySockets ? { ...rate, openSocket: () => true, take: () => UNLIMITED } : rate,
    links: { upgradeUrl: "/pricing", topUp: "/pay/create" },
    carrier: bus,
  });
  const tail = createTail({ store, bus, chains: DEFAULT_CHAINS, clock, log });
  await tail.start();
  const streams = createStreams({
    tail,
    database: store.database,
    bus,
    access,
    clock,
    log,
    metrics,
    chains: DEFAULT_CHAINS,
    directory: storeDirectory(store),
    allowedOrigins: options.allowedOrigins ?? ["*"],
    upgradeUrl: "/pricing",
  });
  await streams.start();
  const server = serve(streams, options.port ?? 0);
  let lease: Promise<Lease | null> | null = null;
  return {
    url: `ws://127.0.0.1:${server.port}`,
    port: Number(server.port),
    file,
    store,
    access,
    bus,
    clock,
    metrics,
    streams,
    server,
    lines,
    async append(events, announce = true) {
      lease ??= store.leases.acquire("writer", "test", HOUR_MS);
      const held = await lease;
      if (!held) throw new Error("another node of the test writes");
      const appended = await store.log.append(held, { events, capturedAt: clock.now() });
      const head = await store.log.head();
      if (announce) bus.announce({ kind: "moved", epoch: head.epoch, seq: head.seq });
      return appended;
    },
    async close() {
      await streams.stop();
      await tail.stop();
      await server.stop(true);
      await access.close();
      await store.close();
      own?.remove();
    },
  };
}

const UNLIMITED = { allowed: true, limit: 1e6, remaining: 1e6, resetMs: 0 };

/** What the HTTP server does for the streams: their paths, and faults in the error shape. */
function serve(streams: Streams, port: number): Bun.Server<Session> {
  return Bun.serve<Session>({
    hostname: "127.0.0.1",
    port,
    websocket: streams.handler,
    async fetch(request, server) {
      try {
        const upgrade = streams.upgrades[new URL(request.url).pathname];
        if (!upgrade) return new Response("no such path", { status: 404 });
        return await upgrade(request, server, server.requestIP(request)?.address ?? "unknown");
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        return Response.json(errorBody(error, "req_test"), { status: error.status });
      }
    },
  });
}

/** A key of a plan, on an account of its own. */
export async function keyOf(
  node: TestNode,
  plan: "free" | "starter" | "growth" | "scale",
  createdAt = node.clock.now(),
): Promise<{ secret: string; keyId: string; accountId: string }> {
  const account = await node.access.grants.openAccount("owner@example.com", createdAt);
  const accountId = account.id;
  if (plan !== "free") {
    await node.access.grants.payForPlan({ accountId, plan, reference: `plan:${accountId}` });
  }
  const made = await node.access.keys.create({ accountId, name: "test", createdAt });
  return { secret: made.secret, keyId: made.key.id, accountId };
}

if (import.meta.main) {
  const [file = "", port = "0"] = process.argv.slice(2);
  const node = await startNode({ file, port: Number(port), manySockets: true });
  console.log(node.port);
}
