// F5: a stepped wall clock moves nothing. A whole service runs in this process on its own clock while the wall clock is
// stepped a day ahead and a day back: delays, windows, caches and expiries stay where they were.

import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "../../kit/units.ts";
import { readConfig } from "../../service/config.ts";
import { createService, type Service } from "../../service/service.ts";
import { connect } from "../../service/streams/test-client.ts";
import { eventually } from "../support/eventually.ts";

const PATIENCE_MS = 900_000;
const FREE_DELAY_MS = 15_000;
/** Allows for delays on a busy machine between two lines of a test. */
const A_WHILE_MS = 30_000;

const realNow = Date.now;
/** Steps the wall clock by this much; it continues from there. */
const step = (milliseconds: number) => {
  Date.now = () => realNow() + milliseconds;
};
afterEach(() => {
  Date.now = realNow;
});

const folder = mkdtempSync(join(tmpdir(), "crowdtape-clock-"));
let service: Service;
let secret: string;
let delayedSecret: string;

beforeAll(async () => {
  const config = readConfig({
    DATA_DIR: folder,
    PORT: "0",
    LOG_LEVEL: "silent",
    SIMULATOR_EVENTS_PER_SECOND: "20",
  });
  service = await createService({
    ...config,
    simulator: { ...config.simulator, traders: 100, historyDays: 1, historyEventsPerSecond: 0.02 },
  });
  await eventually(async () => {
    const [newest] = (await service.store.log.page({ feed: "app", limit: 1 })).events;
    return newest !== undefined && realNow() - newest.at < A_WHILE_MS;
  }, "what happened before the start is captured");
  const { grants, keys } = service.access;
  const { id: accountId } = await grants.openAccount("clock@example.com");
  ({ secret } = await keys.create({ accountId, name: null, requestsPerMinute: 10 }));
  const createdAt = realNow() - 8 * DAY_MS;
  ({ secret: delayedSecret } = await keys.create({ accountId, name: null, createdAt }));
}, PATIENCE_MS);
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}, PATIENCE_MS);

const ask = (path: string, key = secret, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });

test.each([DAY_MS, -DAY_MS])(
  "a step of %d ms opens no new rate window and closes none",
  async (milliseconds) => {
    const { grants, keys } = service.access;
    const { id: accountId } = await grants.openAccount("rate@example.com");
    const made = await keys.create({ accountId, name: null, requestsPerMinute: 3 });
    const statusOf = async () => (await ask("/v2/me", made.secret)).status;
    expect([await statusOf(), await statusOf()]).toEqual([200, 200]);
    step(milliseconds);
    expect([await statusOf(), await statusOf()]).toEqual([200, 429]);
  },
  PATIENCE_MS,
);

test.each([DAY_MS, -DAY_MS])(
  "after a step of %d ms events are captured and sent with the correct time",
  async (milliseconds) => {
    const { log } = service.store;
    step(milliseconds);
    const { seq } = await log.head();
    await eventually(async () => (await log.head()).seq > seq + 5, "capture continues");
    for (const { capturedAt, at } of await log.readAfter(seq, { limit: 100 })) {
      expect(Math.abs(capturedAt - realNow())).toBeLessThan(A_WHILE_MS);
      expect(at).toBeLessThan(realNow() + A_WHILE_MS);
    }
  },
  PATIENCE_MS,
);

test(
  "a step ahead sends nothing early to a delayed feed, and a step back does not hold it up",
  async () => {
    const client = await connect(
      service.url.replace("http", "ws"),
      "/ws/alerts",
      { key: delayedSecret },
      { now: realNow },
    );
    expect(await client.first("welcome")).toMatchObject({ delaySeconds: FREE_DELAY_MS / 1_000 });
    for (const milliseconds of [DAY_MS, -DAY_MS]) {
      step(milliseconds);
      const before = client.seqs().length;
      await client.until(() => client.seqs().length > before + 5, "events of the delayed feed");
    }
    const events = await service.store.log.readAfter(0, { limit: 100_000 });
    const capturedAt = new Map(events.map((event) => [event.seq, event.capturedAt]));
    const early = [...client.times].filter(([seq, at]) => at < (capturedAt.get(seq) ?? 0) + FREE_DELAY_MS);
    expect(early).toEqual([]);
    await client.close();
  },
  PATIENCE_MS,
);

test(
  "a step neither shortens nor extends an expiry: of a ticket, a cached answer, a key's overlap",
  async () => {
    const { secret: own, key } = await service.access.keys.create({
      accountId: (await service.access.grants.openAccount("expiry@example.com")).id,
      name: null,
    });
    const ticketOf = async () => {
      const made = await ask("/v2/stream-tickets", own, { method: "POST" });
      return ((await made.json()) as { ticket: string }).ticket;
    };
    const board = await ask("/v2/leaderboard/tokens/trending?limit=3", own);
    const etag = String(board.headers.get("etag"));
    const [aheadTicket, backTicket] = [await ticketOf(), await ticketOf()];
    const rotated = await ask(`/v2/keys/${key.id}/rotate`, own, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ overlapSeconds: 3_600 }),
    });
    expect(rotated.status).toBe(201);
    for (const [milliseconds, ticket] of [
      [DAY_MS, aheadTicket],
      [-DAY_MS, backTicket],
    ] as const) {
      step(milliseconds);
      const client = await connect(service.url.replace("http", "ws"), "/ws/alerts", { ticket });
      await client.close();
      // The old key still works for its hour, and the earlier answer is still cached.
      const again = await ask("/v2/leaderboard/tokens/trending?limit=3", own, {
        headers: { "if-none-match": etag },
      });
      expect([again.status, again.headers.get("etag")]).toEqual([304, etag]);
    }
  },
  PATIENCE_MS,
);
