// The composition root: every part of the service, opened in the order data flows and closed in reverse.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { asyncApiDocument } from "../contract/asyncapi.ts";
import { type Chains, createChains } from "../contract/chains.ts";
import { openApiDocument } from "../contract/openapi.ts";
import { ALL_ROUTES, type RouteId } from "../contract/routes.ts";
import { SERVICE_VERSION } from "../contract/version.ts";
import { openPlatform } from "../platform/open.ts";
import { renderDocs } from "../web/docs/page.ts";
import { type Access, createAccess } from "./access/access.ts";
import { createClientAddress } from "./access/address.ts";
import { createMemoryRate } from "./access/rate-memory.ts";
import { createRedisRate } from "./access/rate-redis.ts";
import type { Handler } from "./api/answer.ts";
import { createHandlers } from "./api/handlers.ts";
import { fixedHtml, fixedJson, type Page } from "./api/pages.ts";
import { paymentPages } from "./api/payment-pages.ts";
import { createRunner } from "./api/runner.ts";
import { createSearch } from "./api/search.ts";
import { startServer } from "./api/server.ts";
import { createStablecoinPayments, type StablecoinPayments } from "./billing/stablecoin/payments.ts";
import { memoryBus } from "./bus/memory.ts";
import type { Bus } from "./bus/port.ts";
import { redisBus } from "./bus/redis.ts";
import { createCapture } from "./capture/capture.ts";
import type { Config } from "./config.ts";
import { type Clock, systemClock } from "./kit/clock.ts";
import { freshUuid } from "./kit/ids.ts";
import { createLog, type Log } from "./kit/log.ts";
import { createMetrics, type Metrics } from "./kit/metrics.ts";
import { type Random, seededRandom } from "./kit/random.ts";
import { openStore, type Store } from "./store/store.ts";
import { createStreams } from "./streams/streams.ts";
import { embeddedUpstream } from "./upstream/embedded.ts";
import type { Upstream } from "./upstream/port.ts";
import { remoteUpstream } from "./upstream/remote.ts";

export interface Service {
  url: string;
  access: Access;
  store: Store;
  metrics: Metrics;
  stop(): Promise<void>;
}

export interface Kit {
  clock: Clock;
  log: Log;
  metrics: Metrics;
  random: Random;
}

/** How long sockets have to move on, and requests to finish, when the service stops. */
const DRAIN_MS = 2_000;

export function createKit(config: Pick<Config, "logLevel">): Kit {
  const clock = systemClock();
  return {
    clock,
    log: createLog(config.logLevel, clock.now),
    metrics: createMetrics(),
    random: seededRandom(freshUuid()),
  };
}

export async function createService(config: Config, kit: Kit = createKit(config)): Promise<Service> {
  const closers: (() => void | Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { ...(await open(config, kit, closers)), stop };
  } catch (problem) {
    await stop();
    throw problem;
  }
}

async function open(config: Config, kit: Kit, closers: (() => void | Promise<void>)[]) {
  const { clock, log, metrics, random } = kit;
  const chains = createChains(config.altchain);
  mkdirSync(config.dataFolder, { recursive: true });

  const upstream = await openUpstream(config, kit, closers);
  closers.push(() => upstream.close());

  const store = await openStore({ location: storeLocation(config), clock, log });
  closers.push(() => store.close());

  const bus =
    config.redisUrl === null ? memoryBus(log) : redisBus({ url: config.redisUrl, clock, random, log });
  closers.push(() => bus.close());

  if (config.role !== "api") {
    const settings = { retentionDays: config.retentionDays };
    const capture = createCapture({ upstream, store, bus, clock, log, metrics, random, settings });
    capture.start();
    closers.push(() => capture.stop());
  }

  const publicUrl = () => config.publicUrl ?? `http://${config.host}:${config.port}`;
  const access = openAccess(config, store, bus, kit);
  access.history.start();
  closers.push(() => access.close());
  const payments = openPayments(config, store, access, publicUrl(), kit);
  payments.watcher.start();
  closers.push(() => payments.watcher.stop());

  const search = createSearch({ store, clock, log });
  await search.start();
  closers.push(() => search.stop());
  const streams = createStreams({
    store,
    bus,
    access,
    clock,
    log,
    metrics,
    chains,
    allowedOrigins: config.allowedOrigins,
    upgradeUrl: UPGRADE_PATH,
  });
  await streams.start();
  closers.push(() => streams.stop());

  const startedAt = clock.now();
  const services = { upstream, store, access, payments, search, chains, clock, log, startedAt };
  const handlers = createHandlers(services) as Record<RouteId, Handler<never>>;
  const runnerOf = createRunner({ access, clock, log, metrics, deadlineMs: config.upstreamDeadlineMs });
  const server = startServer({
    host: config.host,
    port: config.port,
    sharePort: false,
    routes: ALL_ROUTES.map((route) => ({
      route,
      run: runnerOf(route, handlers[route.id as RouteId] as never),
    })),
    pages: { ...documents(publicUrl, chains), ...paymentPages({ access, payments }) },
    sockets: streams,
    clientAddress: createClientAddress(config.trustedProxies),
    log,
  });
  closers.push(() => server.stop(true));
  closers.push(() => streams.drain(DRAIN_MS));
  return { url: server.url.href.replace(/\/$/, ""), access, store, metrics };
}

const UPGRADE_PATH = "/pricing";

async function openUpstream(
  config: Config,
  kit: Kit,
  closers: (() => void | Promise<void>)[],
): Promise<Upstream> {
  const { clock, log, metrics, random } = kit;
  if (config.upstream !== "embedded")
    return remoteUpstream({ baseUrl: config.upstream, clock, log, random, metrics });
  const dataFolder = join(config.dataFolder, "platform");
  const platform = await openPlatform({ ...config.platform, dataFolder, clock, log });
  closers.push(() => platform.close());
  return embeddedUpstream(platform, { log });
}

export function storeLocation(config: Pick<Config, "databaseUrl" | "dataFolder">) {
  return config.databaseUrl === null
    ? { file: join(config.dataFolder, "crowdtape.sqlite") }
    : { url: config.databaseUrl };
}

/** Hints of changed keys and accounts travel on the bus, like every other hint. */
export function openAccess(config: Pick<Config, "redisUrl">, store: Store, bus: Bus, kit: Kit): Access {
  const { clock, log, metrics } = kit;
  return createAccess({
    db: store.database,
    clock,
    log,
    metrics,
    rate:
      config.redisUrl === null
        ? createMemoryRate(clock)
        : createRedisRate({ url: config.redisUrl, clock, log }),
    links: { upgradeUrl: UPGRADE_PATH, topUp: "/pay/create" },
    carrier: bus,
  });
}

function openPayments(
  config: Config,
  store: Store,
  access: Access,
  publicUrl: string,
  kit: Kit,
): StablecoinPayments {
  return createStablecoinPayments({
    ...kit,
    database: store.database,
    grants: access.grants,
    settings: { solana: config.solana, expiresMinutes: config.paymentExpiresMinutes, publicUrl },
  });
}

function documents(publicUrl: () => string, chains: Chains): Record<string, Page> {
  return {
    "/docs": fixedHtml(() => renderDocs({ baseUrl: publicUrl(), chains })),
    "/openapi.json": fixedJson(() =>
      openApiDocument({ baseUrl: publicUrl(), version: SERVICE_VERSION, chains }),
    ),
    "/asyncapi.json": fixedJson(() =>
      asyncApiDocument({ wsBaseUrl: publicUrl().replace(/^http/, "ws"), version: SERVICE_VERSION }),
    ),
  };
}
