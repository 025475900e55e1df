import { describe, expect, test } from "bun:test";
import { ERROR_CODES, Fault } from "./errors.ts";
import { filledExample } from "./examples.ts";
import { createJsonSchemas } from "./json-schema.ts";
import { factsOf } from "./parts.ts";
import { readRequest } from "./read.ts";
import { type AnyRoute, canonicalParams, pathNames } from "./route.ts";
import { ALL_ROUTES, ROUTES, type RouteId } from "./routes.ts";
import { sampleOf } from "./sample.ts";

/** The API's price list: credits, unit, price of a miss, and whether it uses a resolution. */
const PRICES: Record<RouteId, [credits: number, unit: string, miss: number, resolution?: true]> = {
  getTrader: [2500, "call", 250, true],
  getTraderById: [10, "call", 0, true],
  listTraders: [250, "page", 250],
  listTrades: [250, "page", 250],
  listPositions: [250, "page", 250],
  listPositionCharts: [250, "call", 250],
  listSwaps: [250, "page", 250],
  getBalances: [250, "call", 250],
  listFollowing: [250, "page", 0],
  listFollowers: [250, "call", 0],
  getSpotlight: [250, "call", 0],
  getPnl: [250, "call", 250],
  getPnlProof: [250, "page", 250],
  getCopy: [250, "call", 250],
  getCopyLeaderboard: [250, "call", 250],
  createReplay: [1250, "5,000 fills", 250],
  getReplay: [0, "call", 0],
  cancelReplay: [0, "call", 0],
  listReplayOrders: [0, "call", 0],
  createFollow: [0, "call", 0],
  listFollows: [0, "call", 0],
  getFollow: [0, "call", 0],
  stopFollow: [0, "call", 0],
  listFollowOrders: [0, "call", 0],
  getRisk: [250, "call", 250],
  getTrade: [250, "call", 250],
  listComments: [250, "call", 250],
  listFills: [125, "page", 125],
  getLeaderboard: [250, "call", 250],
  getTrendingTokens: [250, "call", 250],
  getMostHeldTokens: [250, "call", 250],
  getGraduatedTokens: [250, "call", 250],
  listTheses: [1250, "page", 250],
  listTokenTheses: [1250, "page", 250],
  listTraderTheses: [1250, "page", 250],
  listTraderTokenTheses: [1250, "page", 250],
  getToken: [250, "call", 250],
  listHolders: [250, "call", 250],
  getHolderHistory: [250, "call", 250],
  listDevs: [250, "call", 250],
  getTokenStats: [250, "call", 250],
  listCandles: [250, "call", 250],
  listTokenActivity: [250, "call", 250],
  listHistory: [0, "call", 0],
  getHistoryFile: [2500, "100 MB", 0],
  search: [250, "call", 250],
  searchTokens: [250, "call", 250],
  listAlerts: [125, "call", 125],
  listNotifications: [125, "call", 125],
  createWebhook: [0, "call", 0],
  listWebhooks: [0, "call", 0],
  getWebhook: [0, "call", 0],
  updateWebhook: [0, "call", 0],
  deleteWebhook: [0, "call", 0],
  rotateWebhookSecret: [0, "call", 0],
  testWebhook: [0, "call", 0],
  listWebhookDeliveries: [0, "call", 0],
  replayWebhook: [0, "call", 0],
  batch: [0, "call", 0],
  getMe: [0, "call", 0],
  getUsage: [0, "call", 0],
  listKeys: [0, "call", 0],
  createKey: [0, "call", 0],
  rotateKey: [0, "call", 0],
  revokeKey: [0, "call", 0],
  createStreamTicket: [0, "call", 0],
  createPayment: [0, "call", 0],
  listPayments: [0, "call", 0],
  getPayment: [0, "call", 0],
  getInfo: [0, "call", 0],
  getHealth: [0, "call", 0],
};

const read = (route: AnyRoute, path: Record<string, string>, query = "", body?: unknown) =>
  readRequest(route, { params: path, query: new URLSearchParams(query), body });

function refusal(run: () => unknown): Fault | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  return undefined;
}

describe.each(Object.entries(ROUTES) as [RouteId, AnyRoute][])("%s", (id, route) => {
  test("is named by its key", () => expect(route.id).toBe(id));
  test("has exactly the parameters that its path names, aliases in the same number", () => {
    expect(Object.keys(route.params.shape)).toEqual(pathNames(route.path));
    for (const alias of route.aliases) expect(pathNames(alias)).toHaveLength(pathNames(route.path).length);
  });
  test("has words for every input", () => {
    for (const part of [route.params, route.query, ...(route.body ? [route.body] : [])])
      for (const field of Object.values(part.shape)) {
        const facts = factsOf(field as never);
        expect(facts?.must).toMatch(/^must be /);
        expect(facts?.description.length).toBeGreaterThan(5);
      }
  });
  test("costs what the interface says", () => {
    const [credits, unit, miss, resolution = false] = PRICES[id];
    expect(route.price).toEqual({ credits, unit: unit as never, miss, resolution });
  });
  test("declares errors that exist, each once", () => {
    expect(new Set(route.errors).size).toBe(route.errors.length);
    for (const code of route.errors) expect(ERROR_CODES[code]).toBeDefined();
  });
  test("reads its own example", () => {
    const { params, query, body } = filledExample(route);
    expect(() => readRequest(route, { params, query: new URLSearchParams(query), body })).not.toThrow();
  });
  test("accepts its own sample answer, which leaves no required field out", () => {
    const schemas = createJsonSchemas();
    const sample = sampleOf(schemas.of(route.answer), schemas.components);
    expect(route.answer.safeParse(sample).error?.issues ?? []).toEqual([]);
  });
  test("refuses an answer with a field that is not declared", () => {
    const schemas = createJsonSchemas();
    const sample = sampleOf(schemas.of(route.answer), schemas.components) as object;
    expect(route.answer.safeParse({ ...sample, undeclared: 1 }).success).toBe(false);
  });
});

describe("the whole", () => {
  test("no two routes share a method and path", () => {
    const places = ALL_ROUTES.flatMap((route) =>
      [route.path, ...route.aliases].map((path) => `${route.method} ${path}`),
    );
    expect(new Set(places).size).toBe(places.length);
  });
  test("keyless is only what the rulings allow", () => {
    const without = ALL_ROUTES.filter(({ access }) => access === "open" || access === "keyless").map(
      ({ path }) => path,
    );
    expect(without.sort()).toEqual(["/health", "/v1", "/v2/alerts", "/v2/leaderboard/{window}"]);
  });
  test("an alias gives its values the route's own names", () => {
    const given = canonicalParams(ROUTES.listTokenTheses, "/token/{address}/theses", { address: "abc" });
    expect(given).toEqual({ mint: "abc" });
  });
});

describe("rules between fields", () => {
  test("a leaderboard is at most 150 long, on every window", () => {
    for (const window of ["24h", "7d", "30d", "all"]) {
      expect(refusal(() => read(ROUTES.getLeaderboard, { window }, "limit=150"))).toBeUndefined();
      const refused = refusal(() => read(ROUTES.getLeaderboard, { window }, "limit=151"));
      expect(refused?.details.param).toBe("limit");
      expect(refused?.message).toContain("from 1 to 150");
    }
  });
  test("searches take up to 100 rows, trades and positions 500, comments 200", () => {
    const id = "00000000-0000-4000-8000-000000000000";
    const cases: [number, (limit: number) => unknown][] = [
      [100, (limit) => read(ROUTES.search, {}, `q=a&limit=${limit}`)],
      [100, (limit) => read(ROUTES.searchTokens, {}, `q=a&limit=${limit}`)],
      [500, (limit) => read(ROUTES.listTrades, { handle: "a" }, `limit=${limit}`)],
      [500, (limit) => read(ROUTES.listPositions, { handle: "a" }, `limit=${limit}`)],
      [200, (limit) => read(ROUTES.listComments, { tradeId: id }, `limit=${limit}`)],
    ];
    for (const [most, reading] of cases) {
      expect(refusal(() => reading(most))).toBeUndefined();
      expect(refusal(() => reading(most + 1))?.details.param).toBe("limit");
    }
  });
  test("an invalid window lists the windows", () => {
    const refused = refusal(() => read(ROUTES.getLeaderboard, { window: "1y" }));
    expect(refused?.details).toEqual({ param: "window", allowed: ["24h", "7d", "30d", "all"] });
  });
  test("a fan-out has no pages", () => {
    expect(refusal(() => read(ROUTES.listTrades, { handle: "a" }, "deep=1&cursor=start"))).toBeUndefined();
    expect(refusal(() => read(ROUTES.listTrades, { handle: "a" }, "deep=1&cursor=c1"))?.details.param).toBe(
      "cursor",
    );
  });
  test("buying credits needs an amount in range; a plan does not", () => {
    const pay = (body: unknown) => refusal(() => read(ROUTES.createPayment, {}, "", body));
    expect(pay({ plan: "credits", amount: 5 })).toBeUndefined();
    expect(pay({ plan: "growth" })).toBeUndefined();
    expect(pay({ plan: "credits" })?.message).toBe(
      "amount is missing: say how many dollars of credits to buy.",
    );
    for (const amount of [4.99, 10_001, 5.001, "50", null, Number.NaN])
      expect(pay({ plan: "credits", amount })?.code).toBe("invalid_body");
    for (const body of [undefined, null, [], "x", 5]) expect(pay(body)?.code).toBe("invalid_body");
  });
  test("a balance is checked for as many units as the input can cost", () => {
    const following = (limit: number) => ROUTES.listFollowing.unitsMax?.({ limit });
    expect([1, 50, 51, 200, 300].map(following)).toEqual([1, 1, 2, 4, 4]);
    expect(ROUTES.listTrades.unitsMax?.({ status: "all", deep: { full: false, calls: 7 } })).toBe(7);
    expect(ROUTES.listTrades.unitsMax?.({ status: "all" })).toBe(1);
    expect(ROUTES.listTokenTheses.unitsMax?.({ limit: 50, pages: 3 })).toBe(3);
  });
});
