import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import type { FeedName, Platform } from "../../protocol/protocol.ts";
import { QUESTIONS } from "../../protocol/questions.ts";
import type { PlatformServer } from "../../protocol/server/serve.ts";
import { FAULT_KINDS } from "./faults.ts";
import { serveSimulator } from "./serve.ts";

const TOKEN = "an-admin-token";
const clock = systemClock();
const log = createLog("silent", clock.now);

/** Echoes its parameters, so that tests see how the wire was parsed. */
function echoPlatform() {
  const listeners = new Set<(feed: FeedName) => void>();
  let newest = 0;
  const echo =
    (name: string) =>
    (...asked: unknown[]) =>
      asked[0] === "nobody" ? undefined : { name, asked };
  const feed = (after: number, limit: number) => ({
    items: [{ position: newest, item: { after, limit } }],
    oldest: 1,
    newest,
  });
  const special: Record<string, unknown> = { appFeed: feed, pushFeed: feed, chainFeed: feed };
  const api = new Proxy({}, { get: (_, name) => special[String(name)] ?? echo(String(name)) });
  const platform = {
    api,
    onMove: (listener: (feed: FeedName) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
  } as unknown as Platform;
  const move = (feedName: FeedName, to: number) => {
    newest = to;
    for (const listener of listeners) listener(feedName);
  };
  return { platform, move, listeners };
}

const { platform, move, listeners } = echoPlatform();
let server: PlatformServer;
beforeAll(async () => {
  server = await serveSimulator({ platform, host: "127.0.0.1", port: 0, adminToken: TOKEN, log, clock });
});
afterAll(() => server.stop());

const get = async (path: string) => {
  const response = await fetch(server.url + path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const admin = (method: string, body?: unknown, token = TOKEN) =>
  fetch(`${server.url}/admin/faults`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe("the platform's server", () => {
  test("answers every route of its table, each with the call it names", async () => {
    const sample: Record<string, string> = { window: "7d", board: "graduated", feed: "push" };
    const needed: Record<string, string> = {
      "/api/search": "q=x",
      "/api/quotes": "token=1:x&token=1:y",
      "/api/images": "kind=avatar&id=x",
      "/api/tokens/:address/candles": "interval=1h&from=0&to=1",
      "/api/tokens/:address/ticks": "from=0&to=1",
    };
    for (const route of Object.values(QUESTIONS)) {
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => sample[name] ?? "x");
      const { status } = await get(`${path}?${needed[route.path] ?? ""}`);
      expect({ path, status }).toEqual({ path, status: 200 });
    }
  });

  test("parses path and query with their types", async () => {
    const { body } = await get("/api/users/u%201/trades?networkId=8453&sort=pnl&cursor=c&unknown=1");
    expect(body).toEqual({ name: "trades", asked: ["u 1", { networkId: 8453, sort: "pnl", cursor: "c" }] });
    expect((await get("/api/feeds/app?after=7&limit=9")).body.items).toEqual([
      { position: 0, item: { after: 7, limit: 9 } },
    ]);
  });

  test.each([
    ["/api/leaderboards/1y", "window"],
    ["/api/boards/best", "board"],
    ["/api/feeds/all", "feed"],
    ["/api/feeds/app?after=-1", "after"],
    ["/api/feeds/app?limit=100000", "limit"],
    ["/api/search", "q"],
    ["/api/users/u/trades?networkId=x", "networkId"],
    ["/api/users/u/trades?sort=best", "sort"],
    [`/api/handles/${"a".repeat(300)}`, "handle"],
  ])("calls %s bad input", async (path, parameter) => {
    expect(await get(path)).toEqual({ status: 400, body: { error: "bad_input", parameter } });
  });

  test("tells an unknown subject from an unknown path", async () => {
    expect(await get("/api/users/nobody")).toEqual({ status: 404, body: { error: "unknown_subject" } });
    expect(await get("/api/nothing")).toEqual({ status: 404, body: { error: "unknown_path" } });
  });

  test("sends readers the feeds' positions, at once on connecting and when they move", async () => {
    const heard: string[] = [];
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/api/live`);
    const received = (text: string) =>
      new Promise<void>((resolve) => {
        if (heard.includes(text)) return resolve();
        socket.addEventListener("message", () => heard.includes(text) && resolve());
      });
    socket.onmessage = ({ data }) => heard.push(String(data));
    await received('{"feed":"chain","newest":0}');
    move("push", 41);
    await received('{"feed":"push","newest":41}');
    for (let to = 42; to <= 500; to++) move("app", to);
    await received('{"feed":"app","newest":500}');
    expect(heard.filter((text) => text.includes("app")).length).toBeLessThan(100);
    socket.close();
    move("app", 0);
  });
});

describe("the admin call", () => {
  test("sets, counts, shows and clears", async () => {
    const set = await admin("POST", {
      faults: [{ kind: "status", path: "/api/boards", status: 502, count: 2 }],
    });
    expect(set.status).toBe(200);
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await get("/api/boards/trending")).status);
    expect(statuses).toEqual([502, 502, 200]);
    const shown = (await (await admin("GET")).json()) as {
      faults: { fired: number }[];
      requests: { paths: Record<string, number> };
    };
    expect(shown.faults).toMatchObject([{ kind: "status", fired: 2 }]);
    expect(shown.requests.paths["/api/boards/trending"]).toBe(3);
    await admin("POST", { faults: [{ kind: "status" }] });
    expect((await get("/api/status")).status).toBe(503);
    await admin("DELETE");
    expect((await get("/api/status")).status).toBe(200);
  });

  test("a seeded probability gives the same run again", async () => {
    const run = async () => {
      await admin("POST", { faults: [{ kind: "status", probability: 0.5, seed: "s" }] });
      const statuses: number[] = [];
      for (let i = 0; i < 20; i++) statuses.push((await get("/api/status")).status);
      return statuses;
    };
    const first = await run();
    expect(new Set(first)).toEqual(new Set([200, 503]));
    expect(await run()).toEqual(first);
    await admin("DELETE");
  });

  test("does not exist without the token", async () => {
    expect((await admin("GET", undefined, "wrong")).status).toBe(404);
    expect((await fetch(`${server.url}/admin/faults`)).status).toBe(404);
  });

  test("without a token set, does not exist for requests through a proxy", async () => {
    const open = await serveSimulator({ platform, host: "127.0.0.1", port: 0, log, clock });
    expect((await fetch(`${open.url}/admin/faults`)).status).toBe(200);
    const proxied = await fetch(`${open.url}/admin/faults`, {
      headers: { "x-forwarded-for": "203.0.113.9" },
    });
    expect(proxied.status).toBe(404);
    await open.stop();
  });

  test.each([
    [{}, "list called faults"],
    [{ faults: [{ kind: "mischief" }] }, FAULT_KINDS.join(", ")],
    [{ faults: [{ kind: "latency", latencyMs: -1 }] }, "latencyMs"],
    [{ faults: [{ kind: "status", status: 99 }] }, "status"],
    [{ faults: [{ kind: "stall", probability: 2 }] }, "probability"],
    [{ faults: Array(101).fill({ kind: "stall" }) }, "at most 100"],
  ])("says what is wrong with a script", async (body, words) => {
    const response = await admin("POST", body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toContain(words);
  });
});

test("a stopped server no longer listens to the platform", async () => {
  const before = listeners.size;
  const other = await serveSimulator({ platform, host: "127.0.0.1", port: 0, log, clock });
  expect(listeners.size).toBe(before + 1);
  await other.stop();
  expect(listeners.size).toBe(before);
});
