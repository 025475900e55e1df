// Boards, leaderboards and search: as upstream has them, cached for as long as they may be, and honest about their age when
// upstream is dead. An empty or bad answer never replaces a good one.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Routes } from "../../contract/routes.ts";
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import type { BoardName } from "../../protocol/protocol.ts";
import { eventually } from "../support/eventually.ts";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";
import { everyUser, still } from "./world.ts";

let live: ServedService;
const BOARDS = {
  trending: "getTrendingTokens",
  "most-held": "getMostHeldTokens",
  graduated: "getGraduatedTokens",
} as const satisfies Record<BoardName, keyof Routes>;
const NAMES = Object.keys(BOARDS) as BoardName[];

beforeAll(async () => {
  live = await startServedService({ traders: 200, historyDays: 2, eventsPerSecond: 0.1 });
  // The board keeper has requested each once, and rests.
  await eventually(
    async () => (await live.service.store.leaderboards.find("all")) !== null,
    "boards are kept",
  );
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);
afterEach(async () => {
  await live.misbehave();
  live.clock.release();
  // Past every cache and a breaker's cooldown.
  live.clock.push(11 * MINUTE_MS);
  await live.platform.advance();
});

const board = async (name: BoardName, query = "limit=100") =>
  (await live.get(BOARDS[name], `/v2/leaderboard/tokens/${name}?${query}`)).body;

describe("a token board", () => {
  test("mirrors upstream's ranks, with gaps for hidden ones", async () => {
    await still(live);
    let gaps = 0;
    for (const name of NAMES) {
      const body = await board(name);
      const own = live.platform.api.board(name).rows;
      expect(body.tokens.map((row) => [row.rank, row.token.symbol])).toEqual(
        own.map((row) => [row.rank, row.token.symbol]),
      );
      expect(body).toMatchObject({
        board: name,
        count: own.length,
        stale: false,
        ageHours: 0,
        source: "live-upstream",
      });
      expect(body.tokens.every((row) => (name === "most-held") === (row.holders === null))).toBe(true);
      expect(
        body.tokens.every((row) => row.network === row.chainId && row.network === row.token.networkId),
      ).toBe(true);
      gaps += Number(own.at(-1)?.rank) - own.length;
      expect((await board(name, "limit=7")).tokens).toEqual(body.tokens.slice(0, 7));
    }
    expect(gaps).toBeGreaterThan(0);
  });

  test("is requested once in five minutes, no matter how many read it", async () => {
    const path = "/api/boards/graduated";
    await still(live);
    const first = await board("graduated");
    const asked = await live.asked(path);
    live.clock.push(299_000);
    for (let reads = 0; reads < 5; reads++) expect(await board("graduated")).toEqual(first);
    // The clock's jump may end the writer's term, and the next one's keeper makes its own request.
    expect(await live.asked(path)).toBeLessThanOrEqual(asked + 1);
    live.clock.push(2_000);
    // Served during the refresh.
    expect(await board("graduated")).toEqual(first);
    await eventually(
      async () => (await board("graduated")).capturedAt !== first.capturedAt,
      "the board was refreshed",
    );
  });

  for (const [how, fault] of Object.entries({
    dead: { kind: "status", status: 500 },
    empty: { kind: "emptyLists" },
    spoilt: { kind: "malformed" },
  })) {
    test(`is the last good one with its true age while upstream is ${how}, and the good one stays`, async () => {
      const good = await board("trending");
      expect(good.count).toBeGreaterThan(0);
      const { boards, leaderboards } = live.service.store;
      await live.get("getLeaderboard", "/v2/leaderboard/7d");
      await eventually(async () => (await boards.find("trending")) !== null, "the board was kept");
      await eventually(async () => (await leaderboards.find("7d")) !== null, "the leaderboard was kept");
      await live.misbehave({ ...fault, path: "/api/boards" }, { ...fault, path: "/api/leaderboards" });
      await still(live);
      live.clock.push(5 * HOUR_MS);
      const kept = await boards.find("trending");
      const stale = await board("trending");
      expect(stale).toMatchObject({ stale: true, source: "captured", count: kept?.value.rows.length });
      const ageMs = live.clock.now() - Date.parse(String(stale.capturedAt));
      expect(ageMs).toBe(live.clock.now() - Number(kept?.capturedAt));
      expect(stale.ageHours).toBeCloseTo(ageMs / HOUR_MS, 6);
      expect(stale.ageHours).toBeGreaterThanOrEqual(5);
      const ranking = await live.get("getLeaderboard", "/v2/leaderboard/7d");
      expect([ranking.body.stale, ranking.body.source, ranking.body.count > 0]).toEqual([
        true,
        "captured",
        true,
      ]);
      await live.misbehave();
      live.clock.push(60_000);
      expect(await board("trending")).toMatchObject({ stale: false, source: "live-upstream", ageHours: 0 });
    });
  }
});

test("a search finds by prefix, despite a typo, and only the requested type; upstream supplies newcomers", async () => {
  const famous = everyUser(live.platform).find((user) => /^[a-z]{8,}$/.test(user.handle));
  if (!famous) throw new Error("no name is long");
  const { handle } = famous;
  const typo = `${handle.slice(0, 3)}${handle[4]}${handle[3]}${handle.slice(5)}`;
  const find = async (q: string, more = "") =>
    (await live.get("search", `/v2/search?q=${encodeURIComponent(q)}${more}`)).body.results;
  await eventually(async () => (await find(typo)).length > 0, "the directory can be searched");
  for (const q of [handle, handle.toUpperCase(), handle.slice(0, 6), typo]) {
    const found = await find(q, "&type=traders&limit=50");
    expect([q, found.some((row) => row.type === "trader" && row.userId === famous.userId)]).toEqual([
      q,
      true,
    ]);
  }
  expect((await find(handle, "&limit=1"))[0]).toMatchObject({ type: "trader", handle });
  const token = live.platform.api.board("trending").rows[0]?.token;
  const symbol = String(token?.symbol);
  expect((await find(symbol, "&type=tokens")).every((row) => row.type === "token")).toBe(true);
  expect((await find(symbol, "&type=traders")).every((row) => row.type === "trader")).toBe(true);
  const byAddress = await live.get("searchTokens", `/v2/tokens/search?q=${token?.address}`);
  expect(byAddress.body.tokens[0]?.address.toLowerCase()).toBe(String(token?.address).toLowerCase());
  expect(byAddress.body.results).toEqual(byAddress.body.tokens);
  const moments = byAddress.body.tokens.map(({ asOf }) => Date.parse(asOf));
  expect(Date.parse(String(byAddress.body.asOf))).toBe(Math.min(...moments));
  expect(Math.max(...moments)).toBeLessThanOrEqual(live.clock.now());
  const none = await live.ask("/v2/search?q=qqzzxxjj0099");
  expect([none.status, none.cost, (none.body as { count: number }).count]).toEqual([200, 250, 0]);
  const most = await live.ask("/v2/search?q=qqzzxxjj0097&limit=100");
  expect([most.status, (most.body as { count: number }).count]).toEqual([200, 0]);
  await live.misbehave({ kind: "stall", path: "/api/search" });
  const dead = await live.refused("/v2/search?q=qqzzxxjj0098");
  expect([dead.status, dead.body.retryable, dead.cost]).toEqual([503, true, 0]);
});

test("a thousand identical concurrent misses are one upstream request", async () => {
  const [user] = everyUser(live.platform);
  const path = `/api/users/${user?.userId}/spotlight`;
  await live.misbehave({ kind: "latency", path, latencyMs: 1_000 });
  const before = await live.asked(path);
  const keys = await Promise.all(Array.from({ length: 5 }, () => live.makeKey({ plan: "scale" })));
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) =>
      overOwnSocket(`/v2/users/${user?.userId}/spotlight`, String(keys[index % 5]?.secret)),
    ),
  );
  const [first = ""] = answers;
  expect(first).toMatch(/^HTTP\/1.1 200 /);
  expect(first).toMatch(/x-credits-cost: 250\r\n/i);
  const bodyOf = (text: string) => text.slice(text.indexOf("\r\n\r\n"));
  expect(new Set(answers.map(bodyOf))).toEqual(new Set([bodyOf(first)]));
  expect((await live.asked(path)) - before).toBe(1);
  for (const key of keys) {
    const { body } = await live.get("getMe", "/v2/me", { key });
    expect(body.credits.usedThisMonth).toBe(200 * 250);
  }
});

describe("a leaderboard whose first caller hangs up", () => {
  const path = "/v2/leaderboard/7d";
  const ended = () => {
    const counted = live.service.metrics
      .render()
      .split("\n")
      .filter((line) => /^crowdtape_http_requests_total\{.*"getLeaderboard"/.test(line));
    return counted.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  };
  /** The platform's answers are held until released; a caller without a key makes a request and hangs up. */
  const hangUp = async (meanwhile: () => Promise<unknown> | undefined) => {
    const { leaderboard } = live.platform.api;
    const letGo = Promise.withResolvers<void>();
    const isAsked = Promise.withResolvers<void>();
    live.platform.api.leaderboard = async (window, at) => {
      if (window === "7d") isAsked.resolve();
      await letGo.promise;
      return leaderboard(window, at);
    };
    const hanging = new AbortController();
    const cut = fetch(live.url + path, { signal: hanging.signal }).catch(() => "gone");
    await isAsked.promise;
    const asked = meanwhile();
    // By now the second one was accepted.
    await live.ask("/v2/me");
    hanging.abort();
    expect(await cut).toBe("gone");
    return {
      asked,
      letGo: () => {
        live.platform.api.leaderboard = leaderboard;
        letGo.resolve();
      },
    };
  };

  test("is the live one for all others waiting for it", async () => {
    await live.get("getLeaderboard", path);
    await eventually(
      async () => (await live.service.store.leaderboards.find("7d")) !== null,
      "one that would stand in was kept",
    );
    live.clock.push(11 * MINUTE_MS);
    await still(live);
    const { asked, letGo } = await hangUp(() => live.get("getLeaderboard", path));
    // The server notices it a moment later.
    await live.ask("/v2/me");
    letGo();
    expect(await asked).toMatchObject({ status: 200, body: { stale: false, source: "live-upstream" } });
  });

  test("is requested again by the next caller, who doesn't get the stand-in of the one who left", async () => {
    await still(live);
    const before = ended();
    const { letGo } = await hangUp(() => undefined);
    await eventually(() => ended() > before, "the first caller's request ended");
    letGo();
    const { body } = await live.get("getLeaderboard", path);
    expect(body).toMatchObject({ stale: false, source: "live-upstream" });
  });
});

/** One request per connection: the runtime's client would allow only 256 at once, shared with the service's. */
async function overOwnSocket(path: string, secret: string): Promise<string> {
  const { hostname, port } = new URL(live.url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: string[] = [];
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => {
        socket.write(
          `GET ${path} HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${secret}\r\nconnection: close\r\n\r\n`,
        );
      },
      data: (_socket, bytes) => void chunks.push(bytes.toString("latin1")),
      close: () => resolve(chunks.join("")),
      error: (_socket, error) => reject(error),
    },
  });
  return promise;
}
