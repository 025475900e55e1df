// The protocol as a chart library speaks it: a client that knows only the public description reads the shapes it needs, and
// what it draws matches the API.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { HOUR_MS } from "../../../kit/units.ts";
import { stillness } from "../../../test/http/quiet.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../../../test/support/live-service.ts";
import type { MarkedTrade } from "../../../web/explorer/chart-marks.ts";
import { biggestOfEachBar } from "./marks.ts";
import { pricescaleOf } from "./symbols.ts";

let live: LiveService;
let ticker: string;
let address: string;
let networkId: number;

beforeAll(async () => {
  live = await startLiveService({ traders: 50, historyDays: 1, eventsPerSecond: 0.05 });
  await live.captured();
  await live.derived();
  const { body } = await live.get("listTokenActivity", "/v2/tokens/activity?window=24h&limit=1");
  const busiest = body.tokens[0];
  if (!busiest) throw new Error("The world traded nothing.");
  ({ address, networkId } = busiest.token);
  ticker = `${busiest.chain}:${address}`;
}, START_MS_MAX);
afterEach(() => live.clock.release());
afterAll(() => live.stop(), START_MS_MAX);

type Columns = Record<string, unknown[]>;

const ask = async (path: string, query: Record<string, string | number> = {}, headers = {}) => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const response = await fetch(`${live.url}/udf/${path}?${search}`, { headers });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return { response, body: await response.json() };
};
const seconds = (ms: number) => Math.floor(ms / 1_000);
const range = (hours: number) => ({
  from: seconds(live.clock.now() - hours * HOUR_MS),
  to: seconds(live.clock.now()),
});

test("the configuration lists what is served, and each of those answers", async () => {
  const { body } = await ask("config");
  expect(body).toMatchObject({ supports_search: true, supports_marks: true, supports_timescale_marks: true });
  for (const resolution of body.supported_resolutions) {
    const { body: bars } = await ask("history", { symbol: ticker, resolution, ...range(24) });
    expect([resolution, bars.s]).toEqual([resolution, "ok"]);
  }
});

test("a symbol that was found resolves to itself, by ticker, by chain and address, and by its name", async () => {
  const { body: info } = await ask("symbols", { symbol: ticker });
  expect(info).toMatchObject({ ticker, session: "24x7", timezone: "Etc/UTC", has_intraday: true, minmov: 1 });
  expect(Math.log10(info.pricescale) % 1).toBe(0);
  const { body: rows } = await ask("search", { query: info.name, type: "", exchange: "", limit: 30 });
  expect(rows.map((row: { ticker: string }) => row.ticker)).toContain(ticker);
  const { body: elsewhere } = await ask("search", { query: info.name, exchange: "no such chain", limit: 30 });
  expect(elsewhere).toEqual([]);
  const { body: named } = await ask("symbols", { symbol: info.name });
  expect(named.name).toBe(info.name);
});

test("bars are the API's candles, columns of one length, ascending, and as many as requested", async () => {
  // The last candle is still open: it changes with the clock.
  await stillness(live);
  const asked = { symbol: ticker, resolution: "60", ...range(24) };
  const { body: bars } = await ask("history", asked);
  const { body: api } = await live.get(
    "listCandles",
    `/v2/token/${address}/candles?networkId=${networkId}&interval=1h&to=${asked.to}`,
  );
  const candles = api.candles.filter(({ t }) => Date.parse(t) >= asked.from * 1_000);
  expect(bars).toEqual({
    s: "ok",
    t: candles.map(({ t }) => seconds(Date.parse(t))),
    o: candles.map(({ o }) => o),
    h: candles.map(({ h }) => h),
    l: candles.map(({ l }) => l),
    c: candles.map(({ c }) => c),
    v: candles.map(({ v }) => v),
  });
  const narrow = { ...asked, from: asked.to - 1, countback: 5 };
  expect((await ask("history", narrow)).body.t).toEqual(bars.t.slice(-5));
});

test("a range without bars says so, and where the next earlier one is", async () => {
  const later = seconds(live.clock.now()) + 1_000_000;
  const { body } = await ask("history", { symbol: ticker, resolution: "60", from: later, to: later + 60 });
  expect(body.s).toBe("no_data");
  const earlier = {
    symbol: ticker,
    resolution: "60",
    from: body.nextTime - 1,
    to: body.nextTime,
    countback: 3,
  };
  const { body: bars } = await ask("history", earlier);
  expect([bars.s, bars.t.length, body.nextTime < later]).toEqual(["ok", 3, true]);
  const { body: before } = await ask("history", { symbol: ticker, resolution: "60", from: 0, to: 1 });
  expect(before).toEqual({ s: "no_data" });
});

test("marks are fills of tracked traders, columns of one length, within the range", async () => {
  const asked = { symbol: ticker, resolution: "60", ...range(24) };
  const { body: marks } = await ask("marks", asked);
  const { complete, ...columns } = marks as Columns & { complete: boolean };
  expect(complete).toBeBoolean();
  expect(Object.keys(columns).sort()).toEqual(
    ["color", "id", "label", "labelFontColor", "minSize", "text", "time"].sort(),
  );
  expect(new Set(Object.values(columns).map(({ length }) => length)).size).toBe(1);
  expect(marks.time.length).toBeGreaterThan(0);
  for (const time of marks.time) expect(time >= asked.from && time < asked.to).toBe(true);
  expect(new Set(marks.id).size).toBe(marks.id.length);
  const { body: theses } = await ask("timescale_marks", asked);
  for (const { time, tooltip } of theses) {
    expect(time >= asked.from && time < asked.to).toBe(true);
    expect(tooltip[0]).toStartWith("@");
  }
});

test("quotes are current prices; one that is unknown does not spoil the others", async () => {
  const { body } = await ask("quotes", { symbols: `${ticker},NOSUCHTOKENATALL` });
  expect(body.s).toBe("ok");
  const [known, unknown] = body.d;
  expect(known).toMatchObject({ s: "ok", n: ticker });
  expect(known.v.lp).toBeGreaterThan(0);
  expect(unknown).toMatchObject({ s: "error", n: "NOSUCHTOKENATALL" });
});

test("a key pays for the reads; a page of another site needs one", async () => {
  const key = await live.makeKey({ plan: "scale" });
  const before = await live.remaining(key);
  const { response } = await ask(
    "history",
    { symbol: ticker, resolution: "60", ...range(2) },
    { authorization: `Bearer ${key.secret}` },
  );
  const cost = Number(response.headers.get("x-credits-cost"));
  expect(cost).toBeGreaterThan(0);
  expect(before - (await live.remaining(key))).toBe(cost);
  const foreign = await ask("symbols", { symbol: ticker }, { origin: "https://elsewhere.example" });
  expect([foreign.response.status, foreign.body.s]).toEqual([401, "error"]);
});

test.each([
  ["history", {}, "resolution"],
  ["history", { resolution: "7", from: 1, to: 2 }, "resolution"],
  ["history", { resolution: "60", from: "soon", to: 2 }, "from"],
  ["marks", { resolution: "60", from: 5, to: 5 }, "from"],
  ["symbols", {}, "symbol"],
  ["quotes", { symbols: Array(30).fill("a").join(",") }, "symbols"],
])("bad input to %s %j is refused by a sentence that names the field", async (path, query, param) => {
  const { response, body } = await ask(path, query as Record<string, string>);
  expect([response.status, body.s, body.error, body.param]).toEqual([
    400,
    "error",
    "invalid_parameter",
    param,
  ]);
  expect(body.errmsg).toStartWith(param);
});

test("an unknown token is an error that a chart shows", async () => {
  const { response, body } = await ask("symbols", { symbol: `base:0x${"0".repeat(39)}1` });
  expect([response.status, body.s]).toEqual([404, "error"]);
});

test("a bar has at most its ten largest marks, and no bar another one's", () => {
  const trade = fc.record({
    at: fc.integer({ min: 0, max: 10 * HOUR_MS }),
    usd: fc.option(fc.integer({ min: 0 })),
  });
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 80 }), (drawn) => {
      const trades = drawn.map((one, index) => ({ ...one, key: String(index) })) as MarkedTrade[];
      const shown = biggestOfEachBar(trades, HOUR_MS);
      const barOf = ({ at }: MarkedTrade) => Math.floor(at / HOUR_MS);
      for (const [bar, made] of Map.groupBy(trades, barOf)) {
        const marks = shown.filter((one) => barOf(one) === bar);
        expect(marks.length).toBe(Math.min(made.length, 10));
        const smallest = Math.min(...marks.map(({ usd }) => usd ?? 0));
        const left = made.filter((one) => !marks.includes(one));
        for (const { usd } of left) expect(usd ?? 0).toBeLessThanOrEqual(smallest);
      }
    }),
  );
});

test("a price shows at least five digits, whatever its size", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-10, max: 1e6, noNaN: true }), (priceUsd) => {
      const scale = pricescaleOf(priceUsd);
      expect(Math.abs(Math.round(priceUsd * scale) / scale / priceUsd - 1)).toBeLessThan(1e-4);
    }),
  );
  expect(pricescaleOf(null)).toBe(100_000_000);
});
