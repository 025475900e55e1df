// The edge: methods, paths, compression, caching headers, bodies, repeated posts, and refusals for callers without credits or
// over their rate. Every error is answered in the one error shape.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { examplePath } from "../../contract/examples.ts";
import { ALL_ROUTES } from "../../contract/routes.ts";
import { nextTurn } from "../../kit/turn.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../support/live-service.ts";
import { expectErrorBody, expectHeaders } from "./conform.ts";
import { freshlyKept } from "./quiet.ts";

let live: LiveService;
const BOARD = "/v2/leaderboard/7d?limit=100";

beforeAll(async () => {
  live = await startLiveService({ traders: 120, historyDays: 1, eventsPerSecond: 0.1 });
  await live.captured();
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);
afterEach(() => live.clock.release());

describe("methods and paths", () => {
  test("two Host headers are refused", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    await Bun.connect({
      hostname: "127.0.0.1",
      port: Number(new URL(live.url).port),
      socket: {
        open: (socket) =>
          void socket.write(
            "GET /v1 HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n",
          ),
        data: (_, bytes) => resolve(String(bytes)),
      },
    });
    expect(await promise).toStartWith("HTTP/1.1 400");
  });

  test("HEAD answers like GET, without the body", async () => {
    freshlyKept(live);
    for (const path of [
      BOARD,
      "/v1",
      "/health",
      "/v2/me",
      "/v2/users/nobody_here/followers",
      "/v2/leaderboard/1y",
    ]) {
      const got = await live.ask(path);
      const head = await live.ask(path, { method: "HEAD" });
      expect([path, head.status, head.cost, head.body]).toEqual([path, got.status, got.cost, ""]);
      expect(head.headers.get("etag")).toBe(got.headers.get("etag"));
      expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"));
      expectHeaders(head.headers, true);
    }
  });

  test("OPTIONS lists a path's methods, to any origin, without a key", async () => {
    for (const route of ALL_ROUTES) {
      const reported = await live.ask(examplePath(route).split("?")[0] ?? "", {
        method: "OPTIONS",
        key: null,
      });
      expect([route.id, reported.status, reported.body]).toEqual([route.id, 204, ""]);
      expect(reported.headers.get("allow")?.split(", ")).toEqual(
        expect.arrayContaining([route.method, "OPTIONS"]),
      );
      expect(reported.headers.get("access-control-allow-methods")).toBe(reported.headers.get("allow"));
      const allowed = String(reported.headers.get("access-control-allow-headers")).toLowerCase();
      for (const name of ["authorization", "content-type", "idempotency-key"])
        expect(allowed).toContain(name);
      expectHeaders(reported.headers, false);
    }
  });

  test("many concurrent calls, each with a new key, are each answered for their own path", async () => {
    const board = await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=40");
    const asked = board.body.traders.map(({ handle, userId }) => ({ handle, userId }));
    expect(asked.length).toBeGreaterThan(20);
    // A key that has to be looked up first, here in a slow database, delays the call before anything else is read.
    const keys = await Promise.all(asked.map(() => live.makeKey()));
    const { read } = live.service.store.database;
    const { one } = read;
    read.one = async (statement) => {
      for (let turn = 0; turn < 10; turn++) await nextTurn();
      return one(statement);
    };
    const reported = await Promise.all(
      asked.map(async ({ handle }, index) => {
        const answer = await live.get("getTrader", `/v2/users/${handle}`, { key: keys[index] ?? null });
        return { handle, userId: answer.body.userId };
      }),
    ).finally(() => {
      read.one = one;
    });
    expect(reported).toEqual(asked);
  });

  test("an unknown path is a 404, and a wrong method a 405 that lists the valid ones", async () => {
    for (const path of [
      "/v2",
      "/v2/users",
      "/v2/nothing",
      "/v3/me",
      "/v2/users/a/b/c",
      "/v2/me/",
      "/V2/me",
    ]) {
      const answered = await live.ask(path);
      expect([path, answered.status]).toEqual([path, 404]);
      expect(expectErrorBody(404, answered.headers, answered.body).error).toBe("not_found");
      expectHeaders(answered.headers, true);
      expect(answered.cost).toBe(0);
    }
    for (const [method, path, allow] of [
      ["POST", "/v2/me", "GET, HEAD, OPTIONS"],
      ["DELETE", "/v2/alerts", "GET, HEAD, OPTIONS"],
      ["GET", "/pay/create", "POST, OPTIONS"],
      ["PUT", "/v2/keys", "GET, POST, HEAD, OPTIONS"],
      ["PATCH", "/docs", "GET, HEAD, OPTIONS"],
    ] as const) {
      const answered = await live.ask(path, { method, key: null });
      expect([path, answered.status, answered.headers.get("allow")]).toEqual([path, 405, allow]);
      expect(expectErrorBody(405, answered.headers, answered.body).error).toBe("method_not_allowed");
      expectHeaders(answered.headers, false);
    }
  });

  test("a path that can't be decoded is the client's error", async () => {
    for (const path of [
      "/v2/users/%",
      "/v2/users/%zz",
      "/v2/users/%ff%fe",
      "/v2/users/a%00b",
      "/v2/users/a%2Fb",
      "/v2/users/%F0%9F%92%A5",
    ]) {
      const answered = await live.ask(path);
      expect([path, [400, 404].includes(answered.status)]).toEqual([path, true]);
      expectErrorBody(answered.status, answered.headers, answered.body);
    }
  });
});

describe("an answer", () => {
  test("is compressed when the client accepts gzip, and unchanged by that", async () => {
    freshlyKept(live);
    const authorization = `Bearer ${live.keys.scale.secret}`;
    const raw = (encoding: string) =>
      fetch(`${live.url}${BOARD}`, {
        headers: { authorization, "accept-encoding": encoding },
        decompress: false,
      });
    const [plain, packed, refused] = await Promise.all([raw("identity"), raw("br, gzip"), raw("gzip;q=0")]);
    const encodings = [plain, packed, refused].map((answer) => answer.headers.get("content-encoding"));
    expect(encodings).toEqual([null, "gzip", null]);
    const [bytes, zipped, same] = await Promise.all([plain.bytes(), packed.bytes(), refused.bytes()]);
    expect(zipped.byteLength).toBeLessThan(bytes.byteLength / 2);
    expect(Bun.gunzipSync(zipped)).toEqual(bytes);
    expect(same).toEqual(bytes);
    expect(packed.headers.get("vary")).toContain("Accept-Encoding");
  });

  test("that the client already has is a free 304", async () => {
    freshlyKept(live);
    for (const route of ALL_ROUTES.filter((each) => each.method === "GET" && each.cache.kind === "shared")) {
      const { body } = await live.get("getLeaderboard", BOARD);
      const [trader] = body.traders;
      const token = (await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=1")).body
        .tokens[0]?.token;
      const sold = (await live.get("listAlerts", "/v2/alerts?type=sell&limit=1")).body.alerts[0];
      const path = examplePath(route, {
        handle: String(trader?.handle),
        userId: String(trader?.userId),
        tradeId: String(sold?.tradeId),
        tokenAddress: String(token?.address),
        symbol: String(token?.symbol),
      });
      const first = await live.ask(path);
      const etag = first.headers.get("etag");
      // A not-found answer is not cached, so it has no ETag.
      if (etag === null) continue;
      const before = await live.remaining();
      for (const mark of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await live.ask(path, { headers: { "if-none-match": mark } });
        expect([route.id, again.status, again.cost, again.body]).toEqual([route.id, 304, 0, ""]);
        expect(again.headers.get("etag")).toBe(etag);
        expectHeaders(again.headers, true);
      }
      expect(await live.remaining()).toBe(before);
      const other = await live.ask(path, { headers: { "if-none-match": '"other"' } });
      expect([other.status, other.cost]).toEqual([200, first.cost]);
    }
  });

  test("without a key costs nothing and is limited by address; the refusal says when to come back", async () => {
    const answers = [];
    for (let calls = 0; calls < 25; calls++)
      answers.push(await live.ask("/v2/leaderboard/24h?limit=1", { key: null }));
    expect(answers.every((answer) => answer.cost === 0)).toBe(true);
    const refused = answers.find((answer) => answer.status === 429);
    if (!refused) throw new Error("nothing was refused");
    const error = expectErrorBody(429, refused.headers, refused.body);
    expect(error.retryAfterSeconds).toBe(Number(refused.headers.get("retry-after")));
    expectHeaders(refused.headers, false);
    expect((await live.ask("/health", { key: null })).status).toBe(200);
    expect((await live.ask("/v2/leaderboard/24h?limit=1")).status).toBe(200);
  });
});

describe("a body", () => {
  const post = (body: string | undefined, headers: Record<string, string> = {}) =>
    live.ask("/v2/keys", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body }),
    });

  test("must be JSON, an object, and small", async () => {
    const cases: [string, string, Record<string, string>, number, string][] = [
      ["no JSON", "{", {}, 400, "invalid_body"],
      ["a list", "[]", {}, 400, "invalid_body"],
      ["null", "null", {}, 400, "invalid_body"],
      ["an unknown field", '{"surprise":1}', {}, 400, "invalid_body"],
      ["a wrong value", '{"monthlyCap":-1}', {}, 400, "invalid_body"],
      [
        "another type",
        "name=a",
        { "content-type": "application/x-www-form-urlencoded" },
        415,
        "unsupported_media_type",
      ],
      ["packed", "{}", { "content-encoding": "gzip" }, 415, "unsupported_media_type"],
      ["too large", JSON.stringify({ name: "a".repeat(70_000) }), {}, 413, "payload_too_large"],
    ];
    for (const [what, body, headers, status, code] of cases) {
      const answered = await post(body, headers);
      expect([what, answered.status]).toEqual([what, status]);
      if (code !== "")
        expect(expectErrorBody(status, answered.headers, answered.body).error).toBe(code as never);
      expectHeaders(answered.headers, true);
    }
  });

  test("sent twice with one Idempotency-Key creates one object; another body with it is a conflict", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const pay = { plan: "credits", amount: 25 };
    const first = await live.get("createPayment", "/pay/create", { method: "POST", headers, body: pay });
    const second = await live.get("createPayment", "/pay/create", { method: "POST", headers, body: pay });
    expect(second.body).toEqual(first.body);
    expect([first, second].map((answer) => answer.headers.get("idempotency-replayed"))).toEqual([
      null,
      "true",
    ]);
    expect(second.status).toBe(201);
    const other = await live.refused("/pay/create", {
      method: "POST",
      headers,
      body: { plan: "credits", amount: 26 },
    });
    expect([other.status, other.body.error]).toEqual([409, "conflict"]);
    const elsewhere = await live.get("createPayment", "/pay/create", {
      key: "growth",
      method: "POST",
      headers,
      body: pay,
    });
    expect(elsewhere.body.paymentId).not.toBe(first.body.paymentId);
    const manager = await live.makeKey({ plan: "growth", requestsPerMinute: null });
    const many = await Promise.all(
      Array.from({ length: 8 }, () =>
        live.ask("/v2/keys", { key: manager, method: "POST", headers, body: { name: "once" } }),
      ),
    );
    const made = new Set(
      many.filter((answer) => answer.status === 201).map((answer) => (answer.body as { id: string }).id),
    );
    expect(made.size).toBe(1);
    expect(many.every((answer) => answer.status === 201 || answer.status === 409)).toBe(true);
  });
});

describe("limits", () => {
  test("a key with its own cap or rate may not create, rotate or revoke keys", async () => {
    const { accountId } = await live.makeKey({ plan: "growth" });
    const { access } = live.service;
    const capped = await access.keys.create({ accountId, name: null, monthlyCap: 1_000 });
    const raised = await access.keys.create({ accountId, name: null, requestsPerMinute: 5_000 });
    for (const { secret, key } of [capped, raised]) {
      const asked = { key: { secret, accountId }, headers: { "content-type": "application/json" } };
      for (const [method, path, body] of [
        ["POST", "/v2/keys", {}],
        ["POST", `/v2/keys/${key.id}/rotate`, { overlapSeconds: 0 }],
        ["DELETE", `/v2/keys/${key.id}`, undefined],
      ] as const) {
        const refused = await live.refused(path, { ...asked, method, ...(body ? { body } : {}) });
        expect([refused.status, refused.body.error]).toEqual([403, "key_restricted"]);
      }
    }
    expect(await access.keys.list(accountId)).toHaveLength(3);
  });

  test("If-None-Match: * saves nothing: the read is charged like any other", async () => {
    const answered = await live.ask("/v2/leaderboard/7d?limit=7", { headers: { "if-none-match": "*" } });
    expect([answered.status, answered.cost]).toEqual([200, 250]);
  });

  test("a rate-limit refusal still states the credits left", async () => {
    const key = await live.makeKey({ requestsPerMinute: 1 });
    await live.ask("/v2/me", { key });
    const refused = await live.refused("/v2/leaderboard/24h", { key });
    expect([refused.status, refused.headers.get("x-credits-remaining")]).toEqual([429, "250000"]);
  });
});

describe("credits", () => {
  test("that do not suffice are a 402 that states the rest, before any work", async () => {
    const { accountId } = await live.makeKey();
    const key = await live.service.access.keys.create({ accountId, name: null, monthlyCap: 300 });
    expect((await live.ask(BOARD, { key })).status).toBe(200);
    const refused = await live.refused(BOARD, { key });
    expect([
      refused.status,
      refused.body.error,
      refused.body.remaining,
      refused.body.required,
      refused.cost,
    ]).toEqual([402, "key_cap_reached", 50, 250, 0]);
    expect(refused.body.upgradeUrl).toBeDefined();
    expect(refused.body.topUp).toBe("/pay/create");
  });

  test("and a month's resolutions are used by hits only; with none left it is a separate 402", async () => {
    const key = await live.makeKey();
    const { body } = await live.get("getLeaderboard", BOARD);
    const userId = String(body.traders[0]?.userId);
    for (let calls = 0; calls < 100; calls++)
      await live.get("getTraderById", `/v2/users/id/${userId}`, { key });
    const me = await live.get("getMe", "/v2/me", { key });
    expect([
      me.body.resolutions.usedThisMonth,
      me.body.resolutions.remaining,
      me.body.credits.usedThisMonth,
    ]).toEqual([100, 0, 1_000]);
    const refused = await live.refused(`/v2/users/id/${userId}`, { key });
    expect([refused.status, refused.body.error, refused.cost]).toEqual([402, "resolutions_exhausted", 0]);
    expect((await live.ask(BOARD, { key })).status).toBe(200);
  });
});

test("documents and pages are served next to the routes", async () => {
  for (const [path, type] of [
    ["/docs", "text/html"],
    ["/openapi.json", "application/json"],
    ["/asyncapi.json", "application/json"],
  ] as const) {
    const answered = await live.ask(path, { key: null });
    expect([path, answered.status, answered.headers.get("content-type")?.split(";")[0]]).toEqual([
      path,
      200,
      type,
    ]);
  }
});

test("each answer is counted once, whether it was read fresh, cached, not found, or not paid for", async () => {
  const counted = () => {
    const lines = live.service.metrics.render().match(/^crowdtape_http_requests_total\{.* (\d+)$/gm) ?? [];
    return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  };
  const { accountId } = await live.makeKey();
  const key = await live.service.access.keys.create({ accountId, name: null, monthlyCap: 300 });
  const before = counted();
  const statuses: number[] = [];
  const leaderboard = "/v2/leaderboard/30d?limit=7";
  for (const path of [leaderboard, leaderboard, "/v2/users/unknown-handle", "/v2/leaderboard/99h"])
    statuses.push((await live.ask(path)).status);
  // Concurrently, so that one of them is refused only where charges are decided.
  const both = await Promise.all([live.ask(leaderboard, { key }), live.ask(leaderboard, { key })]);
  statuses.push(...both.map(({ status }) => status).sort());
  expect(statuses).toEqual([200, 200, 404, 400, 200, 402]);
  expect(counted() - before).toBe(statuses.length);
});
