// A batch is its requests, no more and no less: each is priced, limited, cached and answered as on its own, one that fails
// does not affect the others, and nothing in a repeated batch is charged twice.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { ErrorBody } from "../../contract/errors.ts";
import { BATCH_REQUESTS_MAX } from "../../contract/routes/batch.ts";
import { ROUTES } from "../../contract/routes.ts";
import { eventually } from "../support/eventually.ts";
import {
  type MadeKey,
  type ServedService,
  START_MS_MAX,
  startServedService,
} from "../support/live-service.ts";
import { expectErrorBody } from "./conform.ts";
import { freshlyKept, quiet } from "./quiet.ts";

let live: ServedService;
let handles: string[];
let tokens: string[];

beforeAll(async () => {
  live = await startServedService({ traders: 120, historyDays: 6, eventsPerSecond: 0.1, deadlineMs: 3_000 });
  await live.captured();
  const board = await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=60");
  handles = board.body.traders.map(({ handle }) => handle);
  const trending = await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=30");
  tokens = trending.body.tokens.map(({ token }) => token.address);
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);
afterEach(() => live.clock.release());

interface Given {
  id?: string;
  path: string;
  headers?: Record<string, string>;
}

const batch = async (requests: Given[], key: MadeKey, headers: Record<string, string> = {}) => {
  const answered = await live.get("batch", "/v2/batch", { key, method: "POST", body: { requests }, headers });
  expect(ROUTES.batch.answer.safeParse(answered.body).error?.issues ?? []).toEqual([]);
  return { ...answered, responses: answered.body.responses };
};
const left = (headers: Headers) => Number(/r=(\d+)/.exec(String(headers.get("ratelimit")))?.[1]);

test("each request is answered as on its own, in order, for exactly its price", async () => {
  freshlyKept(live);
  const key = await live.makeKey({ plan: "scale" });
  await quiet(live);
  const before = await live.remaining(key);
  const trader = encodeURIComponent(String(handles[0]));
  const asked: [path: string, status: number, cost: number][] = [
    ["/v2/leaderboard/7d?limit=5", 200, 250],
    ["/v2/me", 200, 0],
    [`/v2/users/${trader}`, 200, 2_500],
    [`/v2/users/${trader}/trades?deep=2`, 200, 500],
    ["/v2/users/nobody_of_that_name/balances", 404, 250],
    ["/v2/users/nobody_of_that_name/followers", 404, 0],
    ["/v2/leaderboard/1y", 400, 0],
    ["/v2/alerts?limit=3&surprise=1", 400, 0],
    ["/theses?limit=2", 200, 1_250],
    [`/token/${tokens[0]}/holders?limit=3`, 200, 250],
    ["/v2/usage?format=csv&groupBy=route", 200, 0],
  ];
  const { responses, cost, headers } = await batch(
    asked.map(([path], index) => (index % 2 === 0 ? { id: `call ${index}`, path } : { path })),
    key,
  );
  expect(responses.map(({ id }) => id)).toEqual(asked.map((_, n) => (n % 2 === 0 ? `call ${n}` : null)));
  const costOf = (each: (typeof responses)[number]) => Number(each.headers["x-credits-cost"]);
  expect(responses.map((each, n) => [asked[n]?.[0], each.status, costOf(each)])).toEqual(asked);
  const sum = asked.reduce((total, [, , price]) => total + price, 0);
  expect(cost).toBe(sum);
  expect(await live.remaining(key)).toBe(before - sum);
  expect(Number(headers.get("x-credits-remaining"))).toBe(before - sum);

  for (const [index, [path, status]] of asked.entries()) {
    const { headers: own, body } = responses[index] as (typeof responses)[number];
    if (status >= 400) expectErrorBody(status, new Headers(own as Record<string, string>), body);
    const alone = await live.ask(path, { key });
    for (const name of ["content-type", "ratelimit-policy"] as const)
      expect([path, own[name]]).toEqual([path, String(alone.headers.get(name))]);
    if (alone.headers.get("etag")) expect(own.etag).toBe(String(alone.headers.get("etag")));
    if (alone.headers.get("etag")) expect(body).toEqual(alone.body as typeof body);
  }
  // Usage is reported up to now, and charges of this very moment are not in it yet.
  live.clock.release();
  const routes = await live.get("getUsage", "/v2/usage?groupBy=route", { key });
  const rows = Object.fromEntries(routes.body.rows.map(({ group, credits }) => [group, credits]));
  expect(rows.batch).toBeUndefined();
  expect(rows.getTrader).toBe(5_000);
});

test("an ETag makes its request a free 304; a star, a stale or another's ETag does not", async () => {
  freshlyKept(live);
  await quiet(live);
  const key = await live.makeKey({ plan: "scale" });
  const [first] = (await batch([{ path: "/v2/leaderboard/7d?limit=7" }], key)).responses;
  const [other] = (await batch([{ path: "/v2/leaderboard/30d?limit=7" }], key)).responses;
  const etag = String(first?.headers.etag);
  const conditions = [etag, `W/${etag}`, "*", '"stale"', String(other?.headers.etag)];
  const again = await batch(
    conditions.map((value) => ({
      path: "/v2/leaderboard/7d?limit=7",
      headers: { "if-none-match": value },
    })),
    key,
  );
  expect(again.responses.map(({ status }) => status)).toEqual([304, 304, 200, 200, 200]);
  expect(again.responses.slice(0, 2).map(({ body }) => body)).toEqual([null, null]);
  expect(again.cost).toBe(3 * 250);
});

test("a batch that can't be read is a free 400 that says which request is wrong, and runs none", async () => {
  const key = await live.makeKey({ plan: "scale" });
  const before = await live.remaining(key);
  const good = { path: "/v2/leaderboard/7d?limit=2" };
  const wrong: [requests: unknown, words: string][] = [
    [Array.from({ length: BATCH_REQUESTS_MAX + 1 }, () => good), "this one has 26"],
    [[], "1 to 25"],
    [undefined, "1 to 25"],
    ["/v2/me", "1 to 25"],
    [[good, { path: "/v2/batch" }], "requests[1].path"],
    [[good, good, { path: "/mcp" }], "requests[2].path"],
    [[good, { path: "/ws/alerts" }], "requests[1].path"],
    [[good, { path: "/v2/keys/key_1/rotate" }], "requests[1].path"],
    [[good, { path: "/health" }], "requests[1].path"],
    [[good, { path: "/nowhere" }], "requests[1].path"],
    [[good, { path: "https://example.com/v2/me" }], "requests[1].path"],
    [[good, { path: "//example.com/v2/me" }], "requests[1].path"],
    [[good, { path: "/v2/users/../me" }], "requests[1].path"],
    [[good, { path: "/v2/users/%2E%2e/trades" }], "requests[1].path"],
    [[good, { path: "/v2/me#x" }], "requests[1].path"],
    [[good, { path: "/v2/me\r\nx: y" }], "requests[1].path"],
    [[good, { path: 5 }], "requests[1].path"],
    [[good, {}], "requests[1].path"],
    [[good, null], "requests[1]"],
    [[good, { ...good, method: "POST" }], "requests[1]"],
    [[good, { ...good, headers: { authorization: "Bearer x" } }], "requests[1].headers"],
    [[{ ...good, id: "a" }, good, { ...good, id: "a" }], "requests[2].id"],
    [[{ ...good, id: "" }], "requests[0].id"],
  ];
  for (const [requests, words] of wrong) {
    const { status, body, cost } = await live.ask("/v2/batch", { key, method: "POST", body: { requests } });
    const { error, message } = body as ErrorBody;
    expect([requests, status, error, cost]).toEqual([requests, 400, "invalid_body", 0]);
    expect(message).toContain(words);
  }
  expect(await live.remaining(key)).toBe(before);
});

test("a batch counts as many requests as it contains, and only those beyond the rate are refused", async () => {
  const key = await live.makeKey({ plan: "free", requestsPerMinute: null });
  const boards = (count: number) =>
    Array.from({ length: count }, () => ({ path: "/v2/leaderboard/7d?limit=2" }));
  // No new minute starts meanwhile.
  live.clock.hold();
  const start = left((await live.ask("/v2/me", { key })).headers);
  const full = await batch(boards(25), key);
  expect(left(full.headers)).toBe(start - 25);
  await batch(boards(25), key);
  const last = await batch(boards(25), key);
  const statuses = last.responses.map(({ status }) => status);
  const room = start - 50;
  expect(statuses.filter((status) => status === 200)).toHaveLength(room);
  expect(statuses.slice(room)).toEqual(Array.from({ length: 25 - room }, () => 429));
  for (const refused of last.responses.slice(room))
    expect([refused.headers["x-credits-cost"], Number(refused.headers["retry-after"]) > 0]).toEqual([
      "0",
      true,
    ]);
  expect(last.cost).toBe(room * 250);
  expect(
    (await live.refused("/v2/batch", { key, method: "POST", body: { requests: boards(1) } })).status,
  ).toBe(429);
  live.clock.release();
});

test("the last credits buy what they can; the rest is refused, and never more is charged", async () => {
  const { accountId } = await live.makeKey({ plan: "free" });
  const wish = { accountId, name: "capped", monthlyCap: 1_100, requestsPerMinute: 1_000 };
  const key = { accountId, secret: (await live.service.access.keys.create(wish)).secret };
  const before = await live.remaining(key);
  const { responses, cost } = await batch(
    Array.from({ length: 10 }, (_, n) => ({ path: `/v2/leaderboard/7d?limit=${n + 1}` })),
    key,
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(4);
  expect(responses.filter(({ status }) => status === 402)).toHaveLength(6);
  expect([cost, await live.remaining(key)]).toEqual([1_000, before - 1_000]);
  expect((await live.service.access.imbalances()).filter((each) => each.accountId === accountId)).toEqual([]);
});

test("answers that no longer fit are refused individually for free, and can be requested separately", async () => {
  const key = await live.makeKey({ plan: "scale" });
  const path = "/v2/alerts?limit=100";
  const { responses, cost } = await batch(
    Array.from({ length: 25 }, () => ({ path })),
    key,
  );
  const refused = responses.filter(({ status }) => status === 413);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(25);
  for (const each of refused) {
    expect((each.body as { error: string }).error).toBe("answer_too_large");
    expect(each.headers["x-credits-cost"]).toBe("0");
  }
  expect(cost).toBe((25 - refused.length) * 125);
  expect((await live.ask(path, { key })).status).toBe(200);
});

test("a batch repeated with its Idempotency-Key gets the first answer and is charged once", async () => {
  const key = await live.makeKey({ plan: "scale" });
  const requests = handles.slice(0, 10).map((handle) => ({
    path: `/v2/users/${encodeURIComponent(handle)}/balances`,
  }));
  const before = await live.remaining(key);
  const headers = { "idempotency-key": "batch-once" };
  const first = await batch(requests, key, headers);
  const again = await batch(requests, key, headers);
  expect(again.body).toEqual(first.body);
  expect([again.headers.get("idempotency-replayed"), again.cost]).toEqual(["true", 0]);
  expect(await live.remaining(key)).toBe(before - first.cost);
  const other = await live.refused("/v2/batch", {
    key,
    method: "POST",
    headers,
    body: { requests: requests.slice(1) },
  });
  expect([other.status, other.body.error]).toEqual([409, "conflict"]);
});

test("without a key there is no batch", async () => {
  const body = { requests: [{ path: "/v2/alerts" }] };
  const { status, cost } = await live.refused("/v2/batch", { key: null, method: "POST", body });
  expect([status, cost]).toEqual([401, 0]);
});

test("on a platform that hangs, cold reads are free 503s, cached ones are answered, and late ones never start", async () => {
  const key = await live.makeKey({ plan: "scale" });
  const cached = "/v2/leaderboard/30d?limit=9";
  await live.ask(cached, { key });
  const cold = tokens.slice(0, 20).map((token) => ({ path: `/v2/token/${token}/stats` }));
  live.clock.hold();
  await live.misbehave({ kind: "stall", path: "/api" });
  const askedFor = (token = "") => live.asked(`/api/tokens/${token}/stats`);
  const [first, last] = [tokens[0], tokens[19]];
  const before = [await askedFor(first), await askedFor(last)];
  try {
    const asked = batch([{ path: cached }, ...cold], key);
    await eventually(async () => (await askedFor(first)) > Number(before[0]), "the platform was asked");
    live.clock.push(16_000);
    const { responses, cost } = await asked;
    expect(responses[0]?.status).toBe(200);
    const reported = responses
      .slice(1)
      .map(({ status, body }) => [status, (body as { error: string }).error]);
    expect(reported[0]).toEqual([503, "upstream_timeout"]);
    expect(reported.at(-1)).toEqual([503, "unavailable"]);
    expect(new Set(reported.map(([status]) => status))).toEqual(new Set([503]));
    expect([cost, await askedFor(last)]).toEqual([250, Number(before[1])]);
  } finally {
    live.clock.release();
    await live.misbehave();
  }
}, 900_000);
