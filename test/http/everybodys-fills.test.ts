// Everybody's fills: a walk returns each once, in order, and never gets ahead of one that may still arrive.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../support/live-service.ts";
import { stillness } from "./quiet.ts";

let live: LiveService;
type FillsPage = AnswerOf<Routes["listFills"]>;

beforeAll(async () => {
  live = await startLiveService({ traders: 100, historyDays: 2, eventsPerSecond: 0.05 });
  await live.captured();
  await stillness(live);
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

async function walk(query: string): Promise<FillsPage["fills"]> {
  const rows: FillsPage["fills"] = [];
  for (let cursor = "start"; ; ) {
    const { body, cost } = await live.get("listFills", `/v2/fills?limit=50&${query}&cursor=${cursor}`);
    expect(cost).toBe(125);
    rows.push(...body.fills);
    if (body.nextCursor === null) return rows;
    cursor = body.nextCursor;
  }
}

test("a walk has every fill captured by its end once, oldest or newest first", async () => {
  const { body } = await live.get("listFills", "/v2/fills?limit=1");
  const rows = await walk("order=asc");
  const times = rows.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
  expect(times.every((at) => at < body.coveredTo)).toBe(true);
  const ids = rows.map(({ swapId }) => swapId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(60);
  expect((await walk("order=desc")).map(({ swapId }) => swapId)).toEqual(ids.toReversed());
  expect(Date.parse(body.coveredTo)).toBeLessThanOrEqual(live.clock.now() - MINUTE_MS / 3);
});

test("filters work as stated, and a row's own cursor continues after it", async () => {
  const all = await walk("order=asc");
  const some = all[5];
  if (!some) throw new Error("there are too few fills");
  const idsOf = (rows: readonly { swapId: string }[]) => rows.map(({ swapId }) => swapId);
  expect(idsOf(await walk(`trader=${some.userId}`))).toEqual(
    idsOf(all.filter(({ userId }) => userId === some.userId)),
  );
  expect(idsOf(await walk("side=sell"))).toEqual(idsOf(all.filter(({ side }) => side === "sell")));
  expect(idsOf(await walk(`chain=${some.chain}`))).toEqual(
    idsOf(all.filter(({ chain }) => chain === some.chain)),
  );
  const token = (some.side === "buy" ? some.tokenOut : some.tokenIn).address;
  expect(idsOf(await walk(`token=${token}`))).toEqual(
    idsOf(all.filter((row) => (row.side === "buy" ? row.tokenOut : row.tokenIn).address === token)),
  );
  expect(await walk("minUsd=900000000")).toEqual([]);
  const { body } = await live.get("listFills", `/v2/fills?limit=3&cursor=${some.cursor}`);
  expect(idsOf(body.fills)).toEqual(idsOf(all.slice(6, 9)));
  const from = Date.parse(some.at);
  expect(idsOf(await walk(`from=${from}`))).toEqual(idsOf(all.filter(({ at }) => at >= some.at)));
});

test("an answer is complete only if all of the requested time was captured", async () => {
  const { body } = await live.get("listFills", "/v2/fills?limit=1");
  const before = Date.parse(body.coveredFrom) - HOUR_MS;
  const old = await live.get("listFills", `/v2/fills?from=${before}&order=asc`);
  expect([old.body.complete, old.body.note === null]).toEqual([false, false]);
  const kept = await live.get(
    "listFills",
    `/v2/fills?from=${Date.parse(body.coveredFrom)}&to=${Date.parse(body.coveredTo)}`,
  );
  expect(kept.body.note).toBeNull();
  expect(kept.body.complete).toBe(kept.body.nextCursor === null);
});

test("the same rows come as NDJSON and as CSV", async () => {
  const { body } = await live.get("listFills", "/v2/fills?limit=5");
  const lines = await live.ask("/v2/fills?limit=5&format=ndjson");
  expect(lines.headers.get("content-type")).toStartWith("application/x-ndjson");
  expect(
    String(lines.body)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(body.fills);
  const table = String((await live.ask("/v2/fills?limit=5&format=csv")).body)
    .trim()
    .split("\r\n");
  expect(table.length).toBe(6);
  expect(table[0]).toStartWith("at,swapId,userId,handle,side");
  expect(table[1]).toContain(String(body.fills[0]?.swapId));
});
