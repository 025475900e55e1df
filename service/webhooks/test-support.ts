// Webhooks for tests: a log on either engine, nodes that share it, and real endpoints on loopback that behave as a test
// says and keep what they were sent.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import type { PLANS } from "../../contract/plans.ts";
import type { DatabaseLocation } from "../../database/open.ts";
import type { Dialect } from "../../database/sql.ts";
import { type Clock, systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import type { AppItem, ChainRetractItem, FeedEvent } from "../../protocol/shapes/event.ts";
import { appEvent, chainRetract } from "../../test/support/nouns.ts";
import { sharedPostgres } from "../../test/support/postgres.ts";
import { type Access, createAccess, type KeyCaller } from "../access/access.ts";
import { createMemoryRate } from "../access/limits/rate-memory.ts";
import { memoryBus } from "../bus/memory.ts";
import { storeDirectory } from "../feed/directory.ts";
import { EVERYTHING } from "../feed/filter.ts";
import type { WrittenFilter } from "../feed/filter-input.ts";
import { createTail } from "../feed/tail.ts";
import type { LogEvent } from "../model/event.ts";
import { bookPaper, findFollow, insertFollow } from "../store/money/follows.ts";
import { testFollow } from "../store/money/test-follow.ts";
import { openStore, type Store } from "../store/store.ts";
import { createWebhooks, type WebhooksParts } from "./webhooks.ts";

export const DIALECTS: readonly Dialect[] = ["sqlite", "postgres"];

/** After the beginning of every log that a test opens, so that what is made here is news. */
const NEWS_AT = Date.UTC(2060, 0, 15);

export const buy = (change: Partial<AppItem> = {}) => appEvent({ at: NEWS_AT, ...change });

/** A re-org undoes it. */
export const undo = ({ eventId }: { eventId: string }): ChainRetractItem =>
  chainRetract({ at: NEWS_AT, retractedEventId: eventId });

/** A clock that can be pushed ahead. */
export function pushedClock(): Clock & { push(milliseconds: number): void } {
  const real = systemClock();
  let aheadMs = 0;
  return {
    now: () => real.now() + aheadMs,
    sleep: real.sleep,
    push: (milliseconds) => {
      aheadMs += milliseconds;
    },
  };
}

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface TestEndpoint {
  url(path: string): string;
  received: Received[];
  /** The ids of all alerts that were taken with a 2xx at a path, in order, repeats included; `undone <id>` for a retraction. */
  ids(path: string): string[];
  stop(): Promise<void>;
}

/** `behave` decides by the path and by how many requests came to it before; 204 unless it says otherwise. */
export function startEndpoint(
  behave: (
    path: string,
    before: number,
    request: Received,
  ) => Response | undefined | Promise<Response> = () => undefined,
): TestEndpoint {
  const received: Received[] = [];
  const taken: Received[] = [];
  const counts = new Map<string, number>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    // A connection that it closes while the next request is on its way would make that one come twice.
    idleTimeout: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const before = counts.get(path) ?? 0;
      counts.set(path, before + 1);
      const headers = Object.fromEntries(request.headers) as Record<string, string>;
      const one = { path, headers, body: await request.text() };
      received.push(one);
      const response = (await behave(path, before, one)) ?? new Response(null, { status: 204 });
      if (response.ok) taken.push(one);
      return response;
    },
  });
  return {
    url: (path) => `http://127.0.0.1:${server.port}${path}`,
    received,
    ids: (path) => taken.filter((one) => one.path === path).flatMap(({ body }) => idsIn(body)),
    stop: () => server.stop(true),
  };
}

type Named = { eventId: string | null; id: string };

export function idsIn(body: string): string[] {
  const { data } = JSON.parse(body) as { data: { alerts: Named[]; retractions?: Named[] } };
  const undone = (data.retractions ?? []).map(({ eventId }) => `undone ${eventId}`);
  return [...data.alerts.map(({ eventId, id }) => eventId ?? id), ...undone];
}

/** Without repeats, in the order of their first time. */
export const once = (ids: readonly string[]) => [...new Set(ids)];

export interface WebhookNode extends ReturnType<typeof createWebhooks> {
  store: Store;
  access: Access;
  stop(): Promise<void>;
}

export interface WebhookTape {
  store: Store;
  access: Access;
  clock: ReturnType<typeof pushedClock>;
  /** What was mailed about: the webhooks' ids. */
  mails: string[];
  append(events: readonly FeedEvent[]): Promise<LogEvent[]>;
  /** A paper follow of the account's books this many orders. */
  book(accountId: string, orders: number): Promise<void>;
  node(more?: Partial<WebhooksParts>): Promise<WebhookNode>;
  caller(plan?: keyof typeof PLANS, more?: { monthlyCap?: number }): Promise<KeyCaller>;
  credits(accountId: string): Promise<number>;
  close(): Promise<void>;
}

export async function openTape(dialect: Dialect): Promise<WebhookTape> {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-webhooks-"));
  const location: DatabaseLocation =
    dialect === "sqlite"
      ? { file: join(folder, "log.sqlite") }
      : { url: await (await sharedPostgres()).createDatabase() };
  const clock = pushedClock();
  const log = createLog("silent", clock.now);
  const bus = memoryBus(log);
  const mails: string[] = [];
  const open = async () => {
    const store = await openStore({ location, clock, log });
    const access = createAccess({
      testKeys: () => true,
      database: store.database,
      clock,
      log,
      rate: createMemoryRate(clock),
      links: { upgradeUrl: "/pricing", topUp: "/pay/create" },
      carrier: bus,
    });
    return { store, access };
  };
  const { store, access } = await open();
  const lease = await store.leases.acquire("writer", "test", 1e12);
  const closers: (() => Promise<void>)[] = [];
  let booked = 0;
  return {
    store,
    access,
    clock,
    mails,
    async append(events) {
      if (!lease) throw new Error("another writes");
      const appended = await store.log.append(lease, { events, capturedAt: clock.now() });
      const head = await store.log.head();
      bus.announce({ kind: "moved", epoch: head.epoch, seq: head.seq });
      return appended;
    },
    async book(accountId, orders) {
      const followId = `flw_${accountId}`;
      const known = await findFollow(store.database.read, accountId, followId);
      await store.database.write(async (tx) => {
        if (!known) await insertFollow(tx, testFollow({ followId: followId, accountId: accountId }));
        const events = Array.from({ length: orders }, (_, index) => ({
          followId,
          number: booked++,
          bookedAt: clock.now(),
          body: JSON.stringify({ usd: index }),
        }));
        await bookPaper(tx, accountId, events);
      });
      bus.announce({ kind: "paper", accountId });
    },
    async node(more = {}) {
      const own = await open();
      const tail = createTail({ store: own.store, bus, chains: DEFAULT_CHAINS, clock, log });
      await tail.start();
      const webhooks = createWebhooks({
        ...own,
        tail,
        bus,
        clock,
        log,
        metrics: createMetrics(),
        random: seededRandom("node"),
        directory: storeDirectory(own.store),
        chains: DEFAULT_CHAINS,
        targets: "any",
        upgradeUrl: "/pricing",
        drainMs: 200,
        tellOwner: async (_tx, { id }) => void mails.push(id),
        ...more,
      });
      await webhooks.start();
      let isOpen = true;
      const close = async (end: () => Promise<void>) => {
        if (!isOpen) return;
        isOpen = false;
        await end();
        await tail.stop();
        await own.access.close();
        await own.store.close();
      };
      const stop = () => close(webhooks.stop);
      closers.push(stop);
      return { ...webhooks, ...own, stop };
    },
    async caller(plan = "scale", more = {}) {
      const { id: accountId } = await access.grants.openAccount("owner@example.com");
      if (plan !== "free")
        await access.grants.payForPlan({ accountId, plan, reference: `plan:${accountId}` });
      const { secret } = await access.keys.create({ accountId, name: "test", ...more });
      return access.identifyKey(secret);
    },
    async credits(accountId) {
      const account = await access.grants.account(accountId);
      return (account?.monthlyRemaining ?? 0) + (account?.prepaidRemaining ?? 0);
    },
    async close() {
      for (const close of closers) await close();
      await access.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ANYTHING: WrittenFilter = { ...EVERYTHING, userIds: [] };

export const wanted = (
  url: string,
  more: {
    batch?: number;
    filter?: Partial<WrittenFilter>;
    format?: "json" | "discord" | "telegram";
    paper?: boolean;
  } = {},
) => ({
  url,
  name: null,
  format: more.format ?? ("json" as const),
  chatId: null,
  batch: more.batch ?? 1,
  paper: more.paper ?? false,
  filter: { ...ANYTHING, ...more.filter },
});
