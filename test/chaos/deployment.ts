// A round's deployment: the service's processes, the platform, and the databases of its shape, with a fault proxy on every
// wire between them. Any fault of a script can be applied and undone; nothing of it outlives the round.
import { rmSync } from "node:fs";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { seededRandom } from "../../kit/random.ts";
import { type Access, createAccess } from "../../service/access/access.ts";
import { createMemoryRate } from "../../service/access/limits/rate-memory.ts";
import { storeLocation } from "../../service/foundation.ts";
import { openStore, type Store } from "../../service/store/store.ts";
import { eventually } from "../support/eventually.ts";
import { type ThrowAwayPostgres, throwAwayPostgres } from "../support/postgres.ts";
import { type ThrowAwayRedis, throwAwayRedis } from "../support/redis.ts";
import { freePort, temporaryFolder } from "../support/supervised.ts";
import { type FaultProxy, faultProxy } from "./fault-proxy.ts";
import { type ChaosProcess, chaosProcess } from "./processes.ts";
import type { Action, Place, Shape } from "./schedule.ts";

export interface Deployment {
  shape: Shape;
  nodes: ChaosProcess[];
  /** The platform as a server; with one process it exists only after `record`. */
  platform: ChaosProcess | null;
  /** Where clients reach each node, over wires that may be disturbed. */
  clientUrls: string[];
  /** Applies a fault and returns how to undo it. */
  perform(action: Action): Promise<() => Promise<void>>;
  /** Opens the store next to the nodes. */
  books(): Promise<{ store: Store; access: Access; close(): Promise<void> }>;
  /** Resolves when every node is ready again. */
  ready(): Promise<void>;
  /** Stops the nodes as an operator would; returns their exit codes. */
  stopNodes(): Promise<number[]>;
  /** The platform's own record, over HTTP. To be called after the nodes were stopped, if the world is inside one of them. */
  record(): Promise<string>;
  stop(): Promise<void>;
}

/** Busy enough that every moment of a short round has events of each kind. */
const EVENTS_PER_SECOND = "8";
/** Shorter than the default, so that a stalled read ends within a short round. */
export const DEADLINE_MS = 1_500;

export interface DeploymentWish {
  shape: Shape;
  seed: string;
  /** A folder supplied by the caller, for one that can run full. */
  folder?: string;
  nodeSettings?: Record<string, string>;
}

export async function deploy({
  shape,
  seed,
  folder: given,
  nodeSettings = {},
}: DeploymentWish): Promise<Deployment> {
  const folder = given ?? temporaryFolder("chaos", null);
  const platformFolder = shape === "simulator" ? folder : temporaryFolder("chaos-platform", null);
  const folders = new Set([folder, platformFolder]);
  const proxies: Record<Place, FaultProxy[]> = { clients: [], upstream: [], database: [], redis: [] };
  const behind = async (place: Place, port: number) => {
    const proxy = await faultProxy(port, seededRandom(seed, place, proxies[place].length));
    proxies[place].push(proxy);
    return proxy.port;
  };
  const world = {
    SIMULATOR_SEED: `chaos-${seed}`.slice(0, 64),
    SIMULATOR_EVENTS_PER_SECOND: EVENTS_PER_SECOND,
    // A first history that takes seconds to read.
    SIMULATOR_TRADERS: "600",
    SIMULATOR_HISTORY_DAYS: "1",
    SIMULATOR_HISTORY_EVENTS_PER_SECOND: "0.03",
  };
  const platformProcess = async () =>
    chaosProcess({
      program: "platform",
      port: await freePort(),
      folder: platformFolder,
      settings: world,
    });

  let platform: ChaosProcess | null = null;
  let postgres: ThrowAwayPostgres | null = null;
  let redis: ThrowAwayRedis | null = null;
  let databaseUrl: string | null = null;
  const reported: Record<string, string> = {
    ...world,
    UPSTREAM_DEADLINE_MS: String(DEADLINE_MS),
    DRAIN_SECONDS: "1",
    WEBHOOK_TARGETS: "any",
  };
  if (shape !== "simulator") {
    platform = await platformProcess();
    await platform.start();
    const port = await behind("upstream", Number(new URL(platform.url).port));
    reported.UPSTREAM = `http://127.0.0.1:${port}`;
    const { isReady } = platform;
    await eventually(isReady, "the platform answers");
  }
  if (shape === "cluster") {
    [postgres, redis] = await Promise.all([throwAwayPostgres(), throwAwayRedis()]);
    databaseUrl = await postgres.createDatabase();
    reported.DATABASE_URL = databaseUrl.replace(
      `:${postgres.port}/`,
      `:${await behind("database", postgres.port)}/`,
    );
    reported.REDIS_URL = `redis://127.0.0.1:${await behind("redis", redis.port)}`;
  }
  const nodes: ChaosProcess[] = [];
  for (let index = 0; index < (shape === "cluster" ? 2 : 1); index++) {
    const port = await freePort();
    const own = index === 0 ? folder : temporaryFolder("chaos", null);
    folders.add(own);
    nodes.push(
      chaosProcess({
        program: "node",
        port,
        folder: own,
        settings: { ...reported, ...nodeSettings },
        mayRefuseToStart: shape === "cluster",
      }),
    );
    await behind("clients", port);
  }
  const ready = () =>
    eventually(
      async () => (await Promise.all(nodes.map((node) => node.isReady()))).every(Boolean),
      "every node is ready",
    );
  // One after the other: the first one creates the tables.
  for (const node of nodes) {
    await node.start();
    await eventually(node.isReady, "a node is ready");
  }

  const processOf = (what: "node" | "platform", index: number) => {
    const found = what === "node" ? nodes[index] : platform;
    if (!found) throw new Error(`this shape has no ${what} ${index}`);
    return found;
  };
  const clock = systemClock();
  const silent = createLog("silent", clock.now);

  return {
    shape,
    nodes,
    get platform() {
      return platform;
    },
    clientUrls: proxies.clients.map(({ port }) => `http://127.0.0.1:${port}`),
    async perform(action) {
      switch (action.kind) {
        case "wire": {
          for (const proxy of proxies[action.where]) proxy.set(action.fault);
          return async () => {
            for (const proxy of proxies[action.where]) proxy.set(null);
          };
        }
        case "misbehave":
          await misbehave(platform, action.faults);
          return () => misbehave(platform, []);
        case "kill": {
          const victim = action.what === "redis" ? redis : processOf(action.what, action.index);
          await victim?.kill();
          return async () => {
            await victim?.start();
            if (victim && "isReady" in victim && !action.hurried)
              await eventually(victim.isReady, `a killed ${action.what} is ready again`);
          };
        }
        case "freeze": {
          const victim = action.what === "redis" ? redis : processOf(action.what, action.index);
          victim?.freeze();
          return async () => victim?.thaw();
        }
        case "postgres": {
          if (action.how !== "kill") {
            await postgres?.restart(action.how);
            return async () => {};
          }
          await postgres?.kill();
          return () => startedAgain(() => postgres?.start());
        }
        case "wipe redis":
          await redis?.wipe();
          return async () => {};
      }
    },
    async books() {
      const location = storeLocation({ databaseUrl, dataFolder: folder });
      const store = await openStore({ location, clock, log: silent });
      const links = { upgradeUrl: "/pricing", topUp: "/pay/create" };
      const access = createAccess({
        testKeys: () => true,
        database: store.database,
        clock,
        log: silent,
        rate: createMemoryRate(clock),
        links,
      });
      return {
        store,
        access,
        async close() {
          await access.close();
          await store.close();
        },
      };
    },
    ready,
    stopNodes: () => Promise.all(nodes.map((node) => node.stop())),
    async record() {
      if (!platform) {
        platform = await platformProcess();
        await platform.start();
        await eventually(platform.isReady, "the platform answers");
      }
      return platform.url;
    },
    async stop() {
      const processes = [...nodes, ...(platform ? [platform] : [])];
      await Promise.all(processes.map((one) => one.kill()));
      for (const one of processes) one.remove();
      await Promise.all(
        Object.values(proxies)
          .flat()
          .map((proxy) => proxy.close()),
      );
      await Promise.all([postgres?.stop(), redis?.stop()]);
      for (const one of folders) rmSync(one, { recursive: true, force: true });
    },
  };
}

/** The platform may be down when a step's turn comes; then it does not misbehave either. */
async function misbehave(platform: ChaosProcess | null, faults: Record<string, unknown>[]): Promise<void> {
  if (!platform) return;
  const reported = await fetch(`${platform.url}/admin/faults`, {
    method: "POST",
    keepalive: false,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ faults }),
    signal: AbortSignal.timeout(2_000),
  }).catch(() => null);
  if (reported && !reported.ok) throw new Error(await reported.text());
}

const POSTGRES_START_ATTEMPTS = 20;
const POSTGRES_START_EVERY_MS = 250;

/** PostgreSQL refuses to start until the last child of a killed one has noticed and exited. */
async function startedAgain(start: () => Promise<void> | undefined): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === POSTGRES_START_ATTEMPTS) throw error;
      await Bun.sleep(POSTGRES_START_EVERY_MS);
    }
  }
}
