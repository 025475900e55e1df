// The composition root: every part of the service, opened in the order data flows and closed in reverse.
import { mkdirSync } from "node:fs";
import { createChains } from "../contract/chains.ts";
import { ALL_ROUTES, type RouteId } from "../contract/routes.ts";
import { SERVICE_VERSION } from "../contract/version.ts";
import type { Kit } from "../kit/kit.ts";
import type { Metrics } from "../kit/metrics.ts";
import { openAssets } from "../web/assets/assets.ts";
import { createBillingViews } from "../web/pricing/pages.ts";
import type { Access } from "./access/access.ts";
import { createClientAddress } from "./access/identity/address.ts";
import type { Handler, RunRoute } from "./api/answer.ts";
import { createCopyBoard } from "./api/copy/board.ts";
import { createReplayJobs } from "./api/copy/jobs.ts";
import { createTapeReader } from "./api/copy/tape.ts";
import { createFinder, type FindRoute } from "./api/finder.ts";
import { createHandlers } from "./api/handlers.ts";
import { createModeration } from "./api/moderation.ts";
import { createPaper } from "./api/paper/engine.ts";
import { createLabels } from "./api/present/labels.ts";
import { isBatchable } from "./api/routes/batch.ts";
import { createRunner } from "./api/runner.ts";
import { createSearch, type Search } from "./api/search.ts";
import { startServer } from "./api/server.ts";
import { throwingUnsupported } from "./api/supported.ts";
import { memoryBus } from "./bus/memory.ts";
import { redisBus } from "./bus/redis.ts";
import { createCapture } from "./capture/capture.ts";
import { WRITER_LEASE } from "./capture/lease-keeper.ts";
import { type Config, SIMULATOR } from "./config.ts";
import { storeDirectory } from "./feed/directory.ts";
import { createTail } from "./feed/tail.ts";
import { createKit, openAccess, storeLocation, UPGRADE_PATH } from "./foundation.ts";
import { openPlace } from "./history/place.ts";
import { createHistoryReader } from "./history/reader.ts";
import { busCheck, captureCheck, chainsCheck, storeCheck, upstreamCheck, writesCheck } from "./ops/checks.ts";
import { leave } from "./ops/drain.ts";
import { createHealth } from "./ops/health.ts";
import { metricsPages, probePages, serveProbes } from "./ops/probes.ts";
import { measureProcess } from "./ops/process-metrics.ts";
import { createTracing } from "./ops/tracing.ts";
import { openTrackWallet, openUpstream, readChainsOf, wakePages } from "./platform/open.ts";
import { followVerdicts } from "./platform/tracker-verdicts.ts";
import { openSelling } from "./site/selling.ts";
import { createSite } from "./site/site.ts";
import { createLiveKeeper } from "./store/captured/live-keeper.ts";
import { openStore, type Store } from "./store/store.ts";
import { createStreams } from "./streams/streams.ts";
import { createInvented } from "./upstream/invented.ts";
import type { Upstream } from "./upstream/port.ts";
import { createPush, type PushParts } from "./webhooks/push/push.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

/** A running process of any role. */
export interface ServiceNode {
  url: string;
  /** The URL of its metrics, if METRICS_PORT is set. */
  metricsUrl: string | null;
  store: Store;
  metrics: Metrics;
  /** Drains, then closes every part. */
  stop(): Promise<void>;
}

export interface Service extends ServiceNode {
  access: Access;
  search: Pick<Search, "find">;
}

type Closers = (() => void | Promise<void>)[];

export function createService(config: Config, kit: Kit = createKit(config)): Promise<Service> {
  return closable((closers) => openServing(config, kit, closers));
}

/** A capture-only node: it serves only its health. */
export function createCaptureNode(config: Config, kit: Kit = createKit(config)): Promise<ServiceNode> {
  return closable(async (closers) => {
    const { store, health, metricsUrl, capture } = await openFoundation(config, kit, closers);
    capture?.start();
    const probes = serveProbes(config, probePages(health));
    closers.push(probes.stop);
    health.open();
    closers.push(health.drain);
    return { url: probes.url, metricsUrl, store, metrics: kit.metrics };
  });
}

async function closable<T>(open: (closers: Closers) => Promise<T>): Promise<T & Pick<ServiceNode, "stop">> {
  const closers: Closers = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { ...(await open(closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The parts of every role's process: upstream, the store, the bus, capture (not started yet) if it is its role, health. */
async function openFoundation(config: Config, kit: Kit, closers: Closers) {
  const { clock, log, metrics, random } = kit;
  mkdirSync(config.dataFolder, { recursive: true });
  closers.push(measureProcess(metrics, clock));
  const tracing = createTracing({ settings: config.tracing, version: SERVICE_VERSION, ...kit });
  closers.push(tracing.close);

  const followed = await openUpstream(config, kit, (close) => closers.push(close));
  const upstream = tracing.upstream(followed.upstream);
  closers.push(() => upstream.close());

  const store = await openStore({
    location: storeLocation(config),
    replicaUrl: config.databaseReplicaUrl,
    clock,
    log,
  });
  closers.push(() => store.close());
  tracing.writes(store.database);
  followVerdicts(config, store, kit, (close) => closers.push(close));

  const bus =
    config.redisUrl === null ? memoryBus(log) : redisBus({ url: config.redisUrl, clock, random, log });
  closers.push(() => bus.close());
  metrics.probe("crowdtape_bus_degraded", "1 while this node does not hear the others through Redis.", () =>
    bus.state() === "up" ? 0 : 1,
  );

  const checks = [
    storeCheck(store),
    writesCheck(store.leases, clock),
    upstreamCheck(() => isKnown(upstream, store)),
    busCheck(bus),
    ...chainsCheck(readChainsOf(followed.tracker)),
  ];
  const capture =
    config.role === "api"
      ? null
      : createCapture({ ...kit, upstream, store, bus, settings: { retentionDays: config.retentionDays } });
  if (capture) closers.push(() => capture.stop());
  if (capture && config.copyBoardTraders > 0) {
    const board = createCopyBoard({
      upstream,
      store,
      clock,
      log,
      tapeBytesMax: config.tapeBytesMax,
      tradersMax: config.copyBoardTraders,
      isWriting: () => capture.status().writing,
    });
    board.start();
    closers.push(() => board.stop());
  }
  if (capture && config.role === "capture") {
    const writing = () => capture.status().writing;
    checks.push(captureCheck({ leases: store.leases, leaseName: WRITER_LEASE, clock, writing }));
  }

  const health = createHealth({ clock, checks });
  const probes =
    config.metrics && serveProbes(config.metrics, { ...probePages(health), ...metricsPages(metrics) });
  if (probes) closers.push(probes.stop);
  return {
    upstream,
    tracker: followed.tracker,
    store,
    bus,
    tracing,
    health,
    capture,
    metricsUrl: probes?.url ?? null,
  };
}

/** Web Push, if its keys are set and visitors are allowed. */
function openPush(
  { vapid, explorer, webhookTargets: targets }: Config,
  kit: Kit,
  closers: Closers,
  parts: { store: Store } & Pick<PushParts, "tail" | "directory" | "chains">,
) {
  if (vapid === null || explorer !== "open") return null;
  const { database, leases, log: logStore } = parts.store;
  const push = createPush({ ...kit, ...parts, database, leases, logStore, targets, vapid });
  push.start();
  closers.push(() => push.stop());
  return push;
}

/** Whether upstream answers, or some of its data was captured earlier. */
async function isKnown(upstream: Upstream, store: Store): Promise<boolean> {
  if ((await store.boards.find("trending")) !== null) return true;
  return (await upstream.ping({ deadlineMs: READINESS_PING_MS })).kind === "found";
}

/** Within a readiness check's timeout. */
const READINESS_PING_MS = 1_000;

async function openServing(config: Config, kit: Kit, closers: Closers) {
  const { clock, log, metrics } = kit;
  // A first start builds the pages in a separate process, in parallel with everything else.
  const assetsOpening = openAssets();
  // Reported below, unless something else fails first.
  assetsOpening.catch(() => undefined);
  const { upstream, tracker, store, bus, tracing, health, metricsUrl, capture } = await openFoundation(
    config,
    kit,
    closers,
  );
  const assets = await assetsOpening;
  const chains = createChains(config.altchain);

  let listensOn = `http://${config.host}:${config.port}`;
  const publicUrl = () => config.publicUrl ?? listensOn;
  const invented = createInvented(upstream, kit);
  invented.start();
  closers.push(() => invented.stop());
  const access = openAccess(config, store, bus, kit, {
    doubtfulFolder: config.dataFolder,
    invented: invented.isInvented,
  });
  access.history.start();
  closers.push(() => access.close());
  const simulated = config.upstream === SIMULATOR;
  const isSimulated = () => simulated || invented.isInvented();
  const views = createBillingViews({ assets, explorer: config.explorer !== "off", publicUrl, isSimulated });
  const selling = openSelling({ ...config, simulated }, kit, {
    database: store.database,
    access,
    publicUrl,
    views,
  });
  selling.start();
  closers.push(() => selling.stop());

  const search = createSearch({ store, clock, log });
  await search.start();
  closers.push(() => search.stop());
  const moderation = createModeration({ store, clock, log });
  await moderation.start();
  closers.push(() => moderation.stop());
  const directory = storeDirectory(store);
  const tail = createTail({ store, bus, chains, clock, log });
  await tail.start();
  closers.push(() => tail.stop());
  const streams = createStreams({
    ...kit,
    tail,
    database: store.database,
    bus,
    directory,
    access,
    chains,
    allowedOrigins: config.allowedOrigins,
    upgradeUrl: UPGRADE_PATH,
  });
  await streams.start();
  closers.push(() => streams.stop());

  const webhooks = createWebhooks({
    ...kit,
    store,
    tail,
    access,
    bus,
    directory,
    chains,
    targets: config.webhookTargets,
    drainMs: config.drainMs,
    upgradeUrl: UPGRADE_PATH,
    tellOwner: selling.tellOwner,
  });
  await webhooks.start();
  closers.push(() => webhooks.stop());

  const push = openPush(config, kit, closers, { store, tail, directory, chains });

  const startedAt = clock.now();
  const keeper = createLiveKeeper({ store, clock, log });
  closers.push(() => keeper.finish());
  const replayJobs = createReplayJobs({ database: store.database, access, clock, log });
  closers.push(() => replayJobs.close());
  const paper = createPaper({
    ...kit,
    booked: (accountId) => bus.announce({ kind: "paper", accountId }),
    store,
    access,
    tail,
    chains,
    settleMs: config.paperSettleMs,
    tape: createTapeReader({
      upstream: throwingUnsupported(upstream),
      store,
      log,
      bytesMax: config.tapeBytesMax,
    }),
  });
  paper.start();
  closers.push(() => paper.stop());
  const { payments, accountData } = selling;
  const history =
    config.history === null
      ? null
      : createHistoryReader(openPlace(config.history), clock, config.historyIsPublic);
  const services = {
    upstream,
    store,
    history,
    keeper,
    access,
    accountData,
    payments,
    search,
    moderation,
    directory,
    webhooks: webhooks.manage,
    chains,
    labels: createLabels(chains, publicUrl),
    clock,
    log,
    startedAt,
    replayJobs,
    paper,
    tapeBytesMax: config.tapeBytesMax,
    isSimulated,
    isWell: health.isWell,
    readChains: readChainsOf(tracker),
  };
  let findRead: FindRoute = () => null;
  const handlers = createHandlers({ ...services, findRead: (path) => findRead(path) }) as Record<
    RouteId,
    Handler<never>
  >;
  const runnerOf = createRunner({ access, clock, log, metrics, deadlineMs: config.upstreamDeadlineMs });
  const routes = ALL_ROUTES.map((route) => ({
    route,
    run: tracing.route(route, runnerOf(route, handlers[route.id as RouteId] as never)),
  }));
  findRead = createFinder(routes.filter(({ route }) => isBatchable(route)));
  const runs = new Map(routes.map(({ route, run }) => [route.id, run]));
  const site = createSite({
    explorer: config.explorer,
    isSimulated,
    upstreamDeadlineMs: config.upstreamDeadlineMs,
    upstream,
    store,
    history,
    access,
    push,
    track: await openTrackWallet(config, clock, (close) => closers.push(close)),
    bots: config.botLinks,
    payments,
    admin: { ...config.admin, ...services, webhooks: webhooks.operate, proxies: config.trustedProxies },
    chains,
    assets,
    publicUrl,
    clock,
    log,
    runOf: (id) => runs.get(id) as RunRoute,
    runnerFor: (route, as) => runnerOf(route, handlers[route.id as RouteId] as never, as),
  });
  const server = startServer({
    host: config.host,
    port: config.port,
    sharePort: config.sharePort,
    routes,
    pages: {
      ...probePages(health),
      ...selling.pages,
      ...site.pages,
      ...(tracker ? wakePages(tracker) : {}),
    },
    notFoundPage: site.notFound,
    sockets: streams,
    access,
    clientAddress: createClientAddress(config.trustedProxies),
    log,
  });
  metrics.probe("crowdtape_http_in_flight", "Requests being answered.", () => server.pendingRequests);
  closers.push(() =>
    leave({
      drainMs: config.drainMs,
      balanced: config.role === "api",
      clock,
      log,
      announce: health.drain,
      moveSockets: streams.drain,
      finish: () => server.stop(),
      cut: () => server.stop(true),
    }),
  );
  listensOn = server.url.href.replace(/\/$/, "");
  health.open();
  // Only now, so that the first requests do not wait for capture.
  capture?.start();
  return { url: listensOn, metricsUrl, access, search, store, metrics };
}
