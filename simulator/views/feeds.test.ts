// The feeds: the chain shows a trade about 15 s before the app, re-orgs are retracted and corrected before then, and the app
// feed now and then repeats or delays items without ever losing one.
import { describe, expect, test } from "bun:test";
import type { WireAppItem, WireChainItem, WirePushItem } from "../../protocol/protocol.ts";
import { appTime } from "../world/context.ts";
import { smallWorld, TEST_GENESIS } from "../world/test-worlds.ts";
import { createApi } from "./api.ts";

const SECONDS = 2_400;
const world = smallWorld("feeds", { seconds: SECONDS, rate: 6 });
const api = createApi(world);
world.advance(TEST_GENESIS);
const begun = {
  app: api.appFeed(0, 1).newest,
  chain: api.chainFeed(0, 1).newest,
  push: api.pushFeed(0, 1).newest,
};
const app: { position: number; item: WireAppItem; arrivedAt: number }[] = [];
const chain: { item: WireChainItem; arrivedAt: number }[] = [];
const push: WirePushItem[] = [];
// Reads as a follower does: after the last position, as time passes.
for (let second = 1; second <= SECONDS; second++) {
  world.advance(TEST_GENESIS + second * 1000);
  for (const { position, item } of api.appFeed(app.at(-1)?.position ?? begun.app, 1000).items) {
    app.push({ position, item, arrivedAt: world.time });
  }
  for (const { item } of api.chainFeed(begun.chain + chain.length, 1000).items)
    chain.push({ item, arrivedAt: world.time });
  for (const { item } of api.pushFeed(begun.push + push.length, 1000).items) push.push(item);
}
const trades = chain.flatMap(({ item }) => (item.kind === "trade" ? [item] : []));
const retractions = chain.flatMap(({ item }) => (item.kind === "retract" ? [item] : []));

describe("the app feed", () => {
  test("has every kind of item", () => {
    const kinds = new Set(app.map(({ item }) => item.kind));
    for (const kind of ["buy", "perp", "sell", "thesis", "transfer"] as const) expect(kinds).toContain(kind);
    const longer = smallWorld("listing", { seconds: 4 * 86_400, rate: 0.01 });
    longer.advance(Number.POSITIVE_INFINITY);
    const items = createApi(longer).appFeed(0, 1000).items;
    expect(items.some(({ item }) => item.kind === "listing" && item.userId === null)).toBe(true);
  });

  test("positions grow by one", () => {
    expect(app.map(({ position }) => position)).toEqual(app.map((_, index) => begun.app + index + 1));
  });

  test("repeats some items under the same eventId, and delays some by up to three minutes", () => {
    const ids = app.map(({ item }) => item.eventId);
    const repeats = ids.length - new Set(ids).size;
    expect(repeats).toBeGreaterThan(20);
    expect(repeats).toBeLessThan(ids.length * 0.05);
    const delays = app.map(({ item, arrivedAt }) => arrivedAt - item.at);
    expect(Math.max(...delays)).toBeGreaterThan(60_000);
    expect(Math.max(...delays)).toBeLessThan(182_000);
    expect(delays.filter((delay) => delay > 2_000).length).toBeGreaterThan(20);
    expect(delays.filter((delay) => delay <= 1_000).length).toBeGreaterThan(ids.length * 0.9);
  });

  test("shows every fill that is due", () => {
    const shown = new Set(app.map(({ item }) => `${item.tradeId} ${item.txHash}`));
    const { fills } = world.context.state.tables;
    const { counters } = world.context.state;
    let due = 0;
    for (let row = 0; row < counters.fills; row++)
      if (appTime(fills.columns.at.get(row)) < world.time - 181_000) due++;
    expect(due).toBeGreaterThan(5_000);
    const early = trades.filter((trade) => trade.blockAt < world.time - 200_000);
    const undone = new Set(retractions.map((retraction) => retraction.retractedEventId));
    for (const { eventId, tradeId, txHash } of early)
      expect(shown.has(`${tradeId} ${txHash}`)).toBe(!undone.has(eventId));
  });

  test("sells carry the running figure and what the sell added, both net of fees", () => {
    const running = new Map<string, number>();
    const once = new Map(app.map(({ item }) => [item.eventId, item]));
    // The newest may still be waiting for a late one.
    const settled = [...once.values()].filter((item) => item.at < world.time - 181_000);
    const fills = settled.filter((item) => item.kind === "sell" || item.kind === "buy");
    const inOrder = fills.sort((a, b) => a.at - b.at);
    expect(inOrder.filter((item) => item.kind === "sell").length).toBeGreaterThan(500);
    for (const { kind, tradeId, realizedPnlUsd, realizedPnlUsdDelta, feeUsd } of inOrder) {
      // The amount a position had realized before the feed was read is unknown here.
      const before = running.get(tradeId as string);
      if (kind === "buy") {
        if (before !== undefined) running.set(tradeId as string, before - (feeUsd as number));
        continue;
      }
      if (before !== undefined)
        expect(before + (realizedPnlUsdDelta as number)).toBeCloseTo(realizedPnlUsd as number, 4);
      running.set(tradeId as string, realizedPnlUsd as number);
    }
  });
});

describe("the chain feed", () => {
  test("is 12 to 18 s ahead of the app, with the same tradeId and final hash; only the chain names the swap", () => {
    const byHash = new Map(trades.map((trade) => [trade.txHash, trade]));
    const first = new Map<string, number>();
    for (const trade of trades)
      first.set(trade.swapId, Math.min(first.get(trade.swapId) ?? Infinity, trade.blockAt));
    let compared = 0;
    for (const { item } of app) {
      if (item.kind !== "buy" && item.kind !== "sell") continue;
      const trade = byHash.get(item.txHash as string);
      expect([item.swapId, item.transferId]).toEqual([null, null]);
      expect(trade?.tradeId).toBe(item.tradeId as string);
      expect(trade?.side as string).toBe(item.kind);
      const ahead = item.at - (first.get(trade?.swapId as string) as number);
      expect(ahead).toBeGreaterThan(12_000);
      expect(ahead).toBeLessThan(18_000);
      compared++;
    }
    expect(compared).toBeGreaterThan(5_000);
  });

  test("retracts a trade that a re-org undid and sends it again before the app shows it", () => {
    expect(retractions.length).toBeGreaterThan(10);
    for (const retraction of retractions) {
      const undone = trades.find((trade) => trade.eventId === retraction.retractedEventId);
      const again = trades.find(
        (trade) => trade.swapId === undone?.swapId && trade.eventId !== undone?.eventId,
      );
      expect(again).toBeDefined();
      expect(again?.txHash).not.toBe(undone?.txHash as string);
      expect(again?.block).toBeGreaterThan(undone?.block as number);
      expect(undone?.finality).toBe("confirmed");
      const shown = app.find(({ item }) => item.txHash === again?.txHash)?.item;
      if (shown) expect(retraction.at).toBeLessThan(shown.at);
    }
    const ids = chain.map(({ item }) => item.eventId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("calls old blocks final and fresh ones only confirmed", () => {
    const now = api
      .chainFeed(begun.chain, 1000)
      .items.flatMap(({ item }) => (item.kind === "trade" ? [item.finality] : []));
    expect(new Set(trades.map((trade) => trade.finality)).has("confirmed")).toBe(true);
    expect(now.filter((finality) => finality === "finalized").length).toBeGreaterThan(now.length * 0.8);
  });

  test("names a wallet of the trader on the right network", () => {
    for (const trade of trades.slice(0, 300)) {
      if (trade.token.networkId === 1399811149) expect(trade.wallet).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
      else expect(trade.wallet).toMatch(/^0x[0-9a-fA-F]{40}$/);
    }
  });
});

test("pushes come with several types, and some without", () => {
  const types = new Set(push.map((item) => item.notificationType));
  expect(types.has(null)).toBe(true);
  expect(types.has("LARGE_BUY")).toBe(true);
  expect(types.size).toBeGreaterThan(3);
  for (const item of push) expect(item.title.length > 0 && item.text.length > 0).toBe(true);
});

test("a feed drops items beyond its capacity and says so", () => {
  const busy = smallWorld("busy", { seconds: 60, rate: 2_500 });
  busy.advance(Number.POSITIVE_INFINITY);
  const page = createApi(busy).appFeed(0, 10);
  // At most its capacity, and nothing before an item whose record has expired.
  expect(page.newest - page.oldest).toBeLessThan(100_000);
  expect(page.newest - page.oldest).toBeGreaterThan(50_000);
  expect(page.items[0]?.position).toBeGreaterThanOrEqual(page.oldest);
});
