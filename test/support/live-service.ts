// A whole service in this process, for tests: a small world, its own folder, a free port, a key for each plan. The world is in
// its process, or behind a real wire where a test can make it misbehave. Its clock can be pushed and held.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorBody } from "../../contract/errors.ts";
import { PLAN_NAMES, type PlanName } from "../../contract/plans.ts";
import type { AnswerOf } from "../../contract/route.ts";
import type { RouteId, Routes } from "../../contract/routes.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { readConfig } from "../../service/config.ts";
import { createService, type Service } from "../../service/service.ts";
import { type OpenedSimulator, openSimulator } from "../../simulator/open.ts";
import { serveSimulator } from "../../simulator/server/serve.ts";
import { eventually } from "./eventually.ts";
import { type SteeredClock, steeredClock, WORLD } from "./steered-clock.ts";

export interface WorldSize {
  seed?: string;
  traders?: number;
  historyDays?: number;
  eventsPerSecond?: number;
  /** The rate that the past has grown to; low by default, so that a test waits only seconds for the history. */
  historyEventsPerSecond?: number;
  deadlineMs?: number;
  /** Where the world and the store stay when it stops, for another start; defaults to a folder of its own. */
  folder?: string;
  /** Its store; defaults to SQLite in a folder of its own. */
  databaseUrl?: string;
  redisUrl?: string;
  /** The time at the start; defaults to STARTS_AT. A program that reads the machine's clock needs a world that starts now. */
  startsAt?: number;
  explorer?: "open" | "key" | "off";
  /** Whether it trusts this machine's statement of the caller's IP address. */
  trustsProxy?: boolean;
  /** Where webhooks may go; defaults to public addresses only. */
  webhookTargets?: "public" | "any";
  /** Whether closed days go to `history` in its folder: see history.ts. */
  keepsHistory?: boolean;
  /** Receives each line of its log, which is silent otherwise. */
  onLine?(line: string): void;
  /** Settings of the service itself. */
  settings?: Record<string, string>;
  /** How a served world misbehaves from the start. */
  faults?: Record<string, unknown>[];
  /** A proxy between the service and a served world: it receives the world's URL and returns its own. */
  between?(url: string): string;
}

export interface MadeKey {
  secret: string;
  accountId: string;
}

export interface Asked {
  /** A plan's key, another key, or none. */
  key?: PlanName | { secret: string } | null;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Answered<Body> {
  status: number;
  headers: Headers;
  body: Body;
  cost: number;
}

export interface LiveService {
  url: string;
  folder: string;
  service: Service;
  clock: SteeredClock;
  keys: Record<PlanName, MadeKey>;
  makeKey(wanted?: KeyWish): Promise<MadeKey>;
  /** Any path; the body is whatever JSON was returned. */
  ask(path: string, asked?: Asked): Promise<Answered<unknown>>;
  /** A call that must succeed: its body has the route's type. */
  get<Id extends RouteId>(id: Id, path: string, asked?: Asked): Promise<Answered<AnswerOf<Routes[Id]>>>;
  /** A call that must be refused. */
  refused(path: string, asked?: Asked): Promise<Answered<ErrorBody>>;
  /** Credits left, according to /v2/me. */
  remaining(key?: PlanName | { secret: string }): Promise<number>;
  /** Resolves when the directory has been read and can be searched, and every trader's positions were captured. */
  captured(): Promise<void>;
  /** Resolves when search finds everyone and everything stored now, which it follows a moment later. */
  searchable(): Promise<void>;
  /** Resolves when everything in the log has been derived from. */
  derived(): Promise<void>;
  stop(): Promise<void>;
}

export interface KeyWish {
  plan?: PlanName;
  createdAt?: number;
  /** Null: the plan's own rate. Only such a key may manage keys. */
  requestsPerMinute?: number | null;
}

/** A service that follows a platform over a wire, with control over the platform. */
export interface ServedService extends LiveService {
  platform: OpenedSimulator;
  misbehave(...faults: Record<string, unknown>[]): Promise<void>;
  /** The number of platform requests for paths with this prefix. */
  asked(pathBegins: string): Promise<number>;
  /** Resolves when everything in the platform's feeds is in the log and derived from. */
  caughtUp(): Promise<void>;
}

/** The defaults of `npm start`. */
export const DEFAULT_WORLD: WorldSize = readConfig({}).simulator;

/** For the hooks that start and stop one, on a busy machine. */
export const START_MS_MAX = 900_000;
/** For a call, unless a test is about it: long enough for a busy machine, even for a replay that is answered immediately. */
const DEADLINE_MS = 120_000;
/** For a platform that is a separate server, which a test may stall. */
const SERVED_DEADLINE_MS = 10_000;
/** Far more than a test sends: rate limits have tests of their own. */
const TEST_REQUESTS_PER_MINUTE = 1_000_000;
const DIRECTORY_ROWS_A_PAGE = 500;
const SILENT = createLog("silent", () => 0);

/** A service with its world inside. */
export async function startLiveService(size: WorldSize = {}): Promise<LiveService> {
  return start(size, steeredClock(size.startsAt), "simulator", async () => {});
}

/** A service that follows real chains, given in its settings. */
export async function startChainService(size: WorldSize & { folder: string }): Promise<LiveService> {
  return start(size, steeredClock(size.startsAt), "chain", async () => {});
}

/** A service whose world is another server. */
export async function startServedService(size: WorldSize = {}): Promise<ServedService> {
  const clock = steeredClock(size.startsAt);
  const platform = await openSimulator({ ...worldOf(size), dataFolder: null, clock, log: SILENT });
  const server = await serveSimulator({ platform, host: "127.0.0.1", port: 0, log: SILENT, clock });
  const admin = async (faults?: Record<string, unknown>[]) => {
    const response = await fetch(`${server.url}/admin/faults`, {
      method: faults ? "POST" : "GET",
      headers: { "content-type": "application/json" },
      ...(faults ? { body: JSON.stringify({ faults }) } : {}),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { requests: { paths: Record<string, number> } };
  };
  if (size.faults) await admin(size.faults);
  const live = await start(size, clock, size.between?.(server.url) ?? server.url, async () => {
    await server.stop();
    await platform.close();
  });
  return {
    ...live,
    platform,
    misbehave: async (...faults) => void (await admin(faults)),
    asked: async (pathBegins) => {
      const { paths } = (await admin()).requests;
      return Object.entries(paths).reduce((sum, [path, n]) => sum + (path.startsWith(pathBegins) ? n : 0), 0);
    },
    caughtUp: () =>
      eventually(async () => {
        const { appFeed, pushFeed } = platform.api;
        const newest = Number.MAX_SAFE_INTEGER;
        const [app, push, head, derived] = await Promise.all([
          live.service.store.progress.position("app"),
          live.service.store.progress.position("push"),
          live.service.store.log.head(),
          live.service.store.progress.derivedSeq(),
        ]);
        const read = (app ?? 0) >= appFeed(newest, 1).newest && (push ?? 0) >= pushFeed(newest, 1).newest;
        const isHistoryRead = (await live.service.store.log.historyLeft()).length === 0;
        return read && isHistoryRead && derived >= head.seq;
      }, "the log holds all that the feeds hold"),
  };
}

const worldOf = (size: WorldSize) => ({
  seed: size.seed ?? `http ${WORLD}`,
  eventsPerSecond: size.eventsPerSecond ?? 2,
  traders: size.traders ?? 300,
  historyDays: size.historyDays ?? 8,
  historyEventsPerSecond: size.historyEventsPerSecond ?? 0.015,
});

async function start(
  size: WorldSize,
  clock: SteeredClock,
  upstream: string,
  afterStop: () => Promise<void>,
): Promise<LiveService> {
  const folder = size.folder ?? mkdtempSync(join(tmpdir(), "crowdtape-live-"));
  const config = {
    ...readConfig({
      DATA_DIR: folder,
      PORT: "0",
      LOG_LEVEL: "silent",
      UPSTREAM: upstream,
      // A test that reads this board builds it itself.
      COPY_BOARD_TRADERS: "0",
      // A paper follow's later bookings are charged later, which would disturb other tests' counts.
      PAPER_SETTLE_SECONDS: "600",
      ...(size.keepsHistory ? { HISTORY: join(folder, "history") } : {}),
      ...size.settings,
    }),
    simulator: worldOf(size),
    databaseUrl: size.databaseUrl ?? null,
    redisUrl: size.redisUrl ?? null,
    explorer: size.explorer ?? ("open" as const),
    trustedProxies: size.trustsProxy ? ["127.0.0.1/32"] : [],
    webhookTargets: size.webhookTargets ?? ("public" as const),
    upstreamDeadlineMs: size.deadlineMs ?? (upstream.startsWith("http") ? SERVED_DEADLINE_MS : DEADLINE_MS),
  };
  const metrics = createMetrics();
  const log = size.onLine ? createLog("info", clock.now, size.onLine) : SILENT;
  const service = await createService(config, { clock, log, metrics, random: seededRandom("live") });
  const { url, access, store } = service;

  const makeKey = async (wanted: KeyWish = {}): Promise<MadeKey> => {
    const { plan = "free", createdAt } = wanted;
    const account = await access.grants.openAccount("test@example.com");
    const accountId = account.id;
    if (plan !== "free") await access.grants.payForPlan({ accountId, plan, reference: `test:${accountId}` });
    const { secret } = await access.keys.create({
      accountId,
      name: null,
      requestsPerMinute:
        wanted.requestsPerMinute === undefined ? TEST_REQUESTS_PER_MINUTE : wanted.requestsPerMinute,
      ...(createdAt === undefined ? {} : { createdAt }),
    });
    return { secret, accountId };
  };
  const keys = {} as Record<PlanName, MadeKey>;
  for (const plan of PLAN_NAMES) keys[plan] = await makeKey({ plan });

  const ask = async (path: string, asked: Asked = {}): Promise<Answered<unknown>> => {
    const { key = "scale", method = "GET", body } = asked;
    const secret = key === null ? null : typeof key === "string" ? keys[key].secret : key.secret;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...asked.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text,
      cost: Number(response.headers.get("x-credits-cost")),
    };
  };

  const searchable = () => eventually(() => findsAll(service), "the directory can be searched");

  return {
    url,
    folder,
    service,
    clock,
    keys,
    makeKey,
    ask,
    async get(_id, path, asked) {
      const answered = await ask(path, asked);
      if (answered.status !== 200 && answered.status !== 201)
        throw new Error(`${path} answered ${answered.status}: ${JSON.stringify(answered.body)}`);
      return answered as never;
    },
    async refused(path, asked) {
      const answered = await ask(path, asked);
      if (answered.status < 400)
        throw new Error(`${path} answered ${answered.status}, and was to be refused`);
      return answered as never;
    },
    async remaining(key = "scale") {
      const me = await ask("/v2/me", { key });
      return (me.body as AnswerOf<Routes["getMe"]>).credits.remaining;
    },
    async captured() {
      await eventually(async () => {
        const [coverage, traders] = await Promise.all([store.captures.coverage(), store.traders.count()]);
        const isHistoryRead = (await store.log.historyLeft()).length === 0;
        return isHistoryRead && traders >= worldOf(size).traders && coverage.traders >= traders;
      }, "every trader was captured, and what happened before");
      await searchable();
    },
    searchable,
    derived: () =>
      eventually(async () => {
        const [head, derived] = await Promise.all([store.log.head(), store.progress.derivedSeq()]);
        return derived >= head.seq && (await store.log.historyLeft()).length === 0;
      }, "the log is derived from"),
    async stop() {
      await service.stop();
      await afterStop();
      if (size.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether search finds every trader and token of the directory. */
async function findsAll({ store, search }: Service): Promise<boolean> {
  const traders = await everyChange(store.traders.changedAfter);
  const tokens = await everyChange(store.tokens.changedAfter);
  const found = (q: string) =>
    search.find(q, "all", 10).map((row) => (row.type === "trader" ? row.trader.userId : row.token.address));
  return (
    traders.every(({ handle, userId }) => found(handle).includes(userId)) &&
    tokens.every(({ address }) => found(address).includes(address))
  );
}

async function everyChange<Row>(
  changedAfter: (version: number, limit: number) => Promise<{ rows: Row[]; version: number; more: boolean }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = { version: 0, more: true }; page.more; ) {
    const next = await changedAfter(page.version, DIRECTORY_ROWS_A_PAGE);
    rows.push(...next.rows);
    page = next;
  }
  return rows;
}
