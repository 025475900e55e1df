// One request against a server that misbehaves in every way: what is retried, what never is, and the cost.
import { afterAll, expect, test } from "bun:test";
import type { ClientOptions } from "./client.ts";
import {
  ApiError,
  BudgetExceeded,
  ConnectionFailed,
  CreditsExhausted,
  createClient,
  NotFound,
  RateLimited,
  receiptOf,
  UpstreamTimeout,
} from "./index.ts";
import { json, type Reply, refusal, type ScriptedServer, serveScript } from "./test-server.ts";

const servers: ScriptedServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

function against(reply: Reply, options: ClientOptions = {}) {
  const server = serveScript({ reply });
  servers.push(server);
  const waits: number[] = [];
  const time = {
    sleep: async (milliseconds: number) => void waits.push(milliseconds),
    random: () => 0.5,
  };
  return { server, waits, client: createClient({ server: server.url, key: "ct_test_k", time, ...options }) };
}

const board = { board: "trending", tokens: [] };
/** How long to wait for a response that never comes: far longer than a real one takes, even on a busy machine. */
const LOST_MS = 1_000;

test("a free, retryable refusal is retried after the time it states", async () => {
  const { client, server, waits } = against((_, count) =>
    count === 1
      ? refusal("rate_limited", 429, { retryable: true }, { "retry-after": "7" })
      : count === 2
        ? refusal("upstream_timeout", 503, { retryable: true })
        : json(board, { "x-credits-cost": "250", "x-credits-remaining": "9750" }),
  );
  const answer = await client.getTrendingTokens();
  expect(receiptOf(answer)).toMatchObject({ cost: 250, remaining: 9750, requestId: "req_1" });
  expect(client.credits).toEqual({ spent: 250, remaining: 9750 });
  expect(server.asked.length).toBe(3);
  expect(waits[0]).toBeGreaterThanOrEqual(7_000);
  expect(waits[0]).toBeLessThanOrEqual(8_400);
  expect(waits[1]).toBeLessThan(1_000);
});

test("a hopeless call is not retried, and throws the class of its code", async () => {
  const { client, server } = against(() =>
    refusal("credits_exhausted", 402, {
      plan: "free",
      remaining: 10,
      required: 250,
      resetsAt: "2026-12-01T00:00:00.000Z",
    }),
  );
  const error = await client.getTrendingTokens().catch((each) => each);
  expect(error).toBeInstanceOf(CreditsExhausted);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ name: "CreditsExhausted", code: "credits_exhausted", required: 250 });
  expect(error.resetsAt).toEqual(new Date("2026-12-01T00:00:00.000Z"));
  expect(server.asked.length).toBe(1);
});

test("retries end, and a wait that is too long is left to the caller", async () => {
  const stuck = against(() => refusal("upstream_timeout", 503, { retryable: true }), { retries: 2 });
  await expect(stuck.client.getTrendingTokens()).rejects.toBeInstanceOf(UpstreamTimeout);
  expect(stuck.server.asked.length).toBe(3);
  const slow = against(() => refusal("rate_limited", 429, { retryable: true, retryAfterSeconds: 600 }));
  const error = await slow.client.getMe().catch((each) => each);
  expect(error).toBeInstanceOf(RateLimited);
  expect(error.retryAfterSeconds).toBe(600);
  expect(slow.waits).toEqual([]);
});

test("a charged miss is counted, and never paid twice", async () => {
  const { client, server } = against(() =>
    refusal("not_found", 404, { retryable: true }, { "x-credits-cost": "250" }),
  );
  await expect(client.getTrader({ handle: "nobody" })).rejects.toBeInstanceOf(NotFound);
  expect(server.asked.length).toBe(1);
  expect(client.credits.spent).toBe(250);
});

test("a metered call without a response may have been charged, so it is not retried unless requested", async () => {
  const lost: Reply = (_, count) => (count === 1 ? null : json(board));
  const careful = against(lost, { timeoutMs: LOST_MS });
  expect(await careful.client.getTrendingTokens().catch((each) => each)).toBeInstanceOf(ConnectionFailed);
  expect(careful.server.asked.length).toBe(1);
  const eager = against(lost, { timeoutMs: LOST_MS, retryUnanswered: true });
  expect(await eager.client.getTrendingTokens()).toEqual(board as never);
  const free = against(lost, { timeoutMs: LOST_MS });
  await free.client.getMe();
  expect(free.server.asked.length).toBe(2);
});

test("a POST carries one idempotency key through all its attempts, and another call has another", async () => {
  const { client, server } = against((_, count) => (count === 1 ? null : json({ id: "key_1" }, {}, 201)), {
    timeoutMs: LOST_MS,
  });
  await client.createKey({ name: "a" });
  await client.createKey({ name: "a" });
  await client.createKey({ name: "a" }, { idempotencyKey: "mine" });
  const keys = server.asked.map(({ headers }) => headers.get("idempotency-key"));
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0] as string);
  expect(keys[2]).not.toBe(keys[0] as string);
  expect(keys[3]).toBe("mine");
});

test("a batch without a response is retried under its key until the first one's answer is there", async () => {
  const answer = { responses: [{ id: null, status: 200, headers: { "x-credits-cost": "250" }, body: {} }] };
  const { client, server, waits } = against(
    (_, count) => {
      if (count === 1) return null;
      return count === 2 ? refusal("conflict", 409, { retryAfterSeconds: 1 }) : json(answer);
    },
    { timeoutMs: LOST_MS },
  );
  expect(await client.batch({ requests: [{ path: "/v2/leaderboard/7d" }] })).toEqual(answer as never);
  expect(new Set(server.asked.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  expect([server.asked.length, waits.length]).toEqual([3, 2]);
  expect(client.credits.spent).toBe(250);
  const contradicted = against(() => refusal("conflict", 409));
  await expect(contradicted.client.batch({ requests: [{ path: "/v2/me" }] })).rejects.toBeInstanceOf(
    ApiError,
  );
  expect(contradicted.server.asked.length).toBe(1);
});

test("a batch reserves the maximum cost of its requests", async () => {
  const { client, server } = against(() => json({ responses: [] }), { maxCredits: 3_500 });
  const within = [
    "/v2/users/nightowl",
    "/v2/users/nightowl/trades?deep=3",
    "/v2/me",
    "/v2/leaderboard/7d?limit=3",
  ];
  const send = (...paths: string[]) => client.batch({ requests: paths.map((path) => ({ path })) });
  await send(...within);
  await expect(send(...within, "/v2/alerts")).rejects.toBeInstanceOf(BudgetExceeded);
  await expect(send("/somewhere/else")).rejects.toBeInstanceOf(BudgetExceeded);
  expect(server.asked.length).toBe(1);
});

test("a response from a gateway in between is not taken for one from the service", async () => {
  const { client, server } = against((_, count) =>
    count < 3 ? new Response("<html>busy</html>", { status: 503 }) : new Response("<html>", { status: 502 }),
  );
  const error = await client.getTrendingTokens().catch((each) => each);
  expect(error).toBeInstanceOf(ConnectionFailed);
  expect(error.status).toBe(502);
  expect(server.asked.length).toBe(3);
});

test("a cached ETag is sent, and an unchanged answer comes from the cache and costs nothing", async () => {
  const { client, server } = against(({ headers }) =>
    headers.get("if-none-match") === '"v1"'
      ? new Response(null, { status: 304, headers: { "x-credits-cost": "0" } })
      : json(board, { etag: '"v1"', "x-credits-cost": "250" }),
  );
  const first = await client.getTrendingTokens({ limit: 5 });
  const second = await client.getTrendingTokens({ limit: 5 });
  await client.getTrendingTokens({ limit: 6 });
  expect(second).toEqual(first);
  expect(second).not.toBe(first);
  expect(receiptOf(second)).toMatchObject({ notModified: true, cost: 0 });
  expect(server.asked.map(({ headers }) => headers.get("if-none-match"))).toEqual([null, '"v1"', null]);
  expect(client.credits.spent).toBe(500);
});

test("a budget is not exceeded, not even by concurrent calls, fan-outs or walks", async () => {
  const reply: Reply = () => json({ ...board, trades: [{}], nextCursor: "n" }, { "x-credits-cost": "250" });
  const { client, server } = against(reply, { maxCredits: 1_000 });
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4, 5, 6].map((limit) => client.getTrendingTokens({ limit })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(4);
  expect(server.asked.length).toBe(4);
  await expect(client.getMe()).resolves.toBeDefined();
  await expect(client.getTrendingTokens()).rejects.toBeInstanceOf(BudgetExceeded);

  const other = against(reply).client;
  await expect(other.listTrades({ handle: "a", deep: 5 }, { maxCredits: 1_000 })).rejects.toBeInstanceOf(
    BudgetExceeded,
  );
  await other.listTrades({ handle: "a", deep: 4 }, { maxCredits: 1_000 });
  const cursors = against(({ path }) =>
    json({ trades: [{}], nextCursor: `${path.length}` }, { "x-credits-cost": "250" }),
  );
  let rows = 0;
  const walk = async () => {
    for await (const _ of cursors.client.rows.listTrades({ handle: "a" }, { maxCredits: 500 })) rows++;
  };
  expect(await walk().catch((each) => each)).toBeInstanceOf(BudgetExceeded);
  expect(rows).toBe(2);
});

test("a signal aborts a call and its waits, and a key never shows in an error", async () => {
  const { client } = against(() => null);
  const reason = new Error("enough");
  await expect(client.getMe({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  const pending = client.getMe({}, { signal: controller.signal });
  controller.abort(reason);
  await expect(pending).rejects.toBe(reason);
  const secret = "ct_live_öäü";
  const message = String(
    (() => {
      try {
        return createClient({ key: secret });
      } catch (error) {
        return error;
      }
    })(),
  );
  expect(message).toContain("wrong form");
  expect(message).not.toContain(secret);
});

test("a walk that gets the same cursor twice ends with an error", async () => {
  const { client } = against(() => json({ theses: [], nextCursor: "again" }));
  const walk = Array.fromAsync(client.pages.listTheses());
  await expect(walk).rejects.toThrow("same cursor");
});
