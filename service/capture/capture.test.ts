import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Clock } from "../../kit/clock.ts";
import { HOUR_MS } from "../../kit/units.ts";
import { BOARD_NAMES } from "../../protocol/shapes/board.ts";
import { FEEDS, type FeedEvent } from "../../protocol/shapes/event.ts";
import type { Position } from "../../protocol/shapes/position.ts";
import { PNL_WINDOWS } from "../../protocol/shapes/trader.ts";
import { eventually } from "../../test/support/eventually.ts";
import { testClock } from "../../test/support/steered-clock.ts";
import { memoryBus } from "../bus/memory.ts";
import { heldAmount } from "../model/position.ts";
import type { Capture } from "./capture.ts";
import {
  type CaptureTestStore,
  captureOn,
  caughtUp,
  quietLog,
  sentBy,
  type TestWorld,
  testStore,
  testWorld,
  wholeLog,
  withoutPlace,
} from "./test-support.ts";

const CALL = { deadlineMs: 10_000 };

describe("capture of a real world", () => {
  let world: TestWorld;
  let storage: CaptureTestStore;
  let capture: Capture;
  const moves: number[] = [];
  const startedAt = testClock.now();

  beforeAll(async () => {
    world = await testWorld("capture");
    storage = await testStore();
    const bus = memoryBus(quietLog);
    bus.listen((message) => {
      if (message.kind === "moved") moves.push(message.seq);
    });
    capture = captureOn(world.upstream, storage.store, { bus });
    capture.start();
    await eventually(
      () =>
        capture.status().keepers.length > 0 && capture.status().keepers.every((keeper) => keeper.rounds > 0),
      "every keeper has done a round",
    );
    for (let step = 0; step < 12; step++) await world.live(5_000);
    await caughtUp(capture, world.upstream, storage.store);
  });
  afterAll(async () => {
    await capture.stop();
    await storage.close();
    await world.close();
  });

  test("the log holds each event of every feed once, exactly as upstream sent it", async () => {
    const log = await wholeLog(storage.store);
    const sent = await sentBy(world.upstream);
    const first = log[0]?.seq ?? 0;
    expect(log.map((event) => event.seq)).toEqual(log.map((_, index) => first + index));
    for (const feed of FEEDS) {
      const captured = log.filter((event) => event.feed === feed).map(withoutPlace);
      expect(captured.length).toBeGreaterThan(0);
      // Finality is a matter of when one asks, not of the event.
      // History is read from its newest down, so what a feed sends twice stays where it was last.
      const plain = (events: readonly FeedEvent[]) =>
        events
          .map((event) => ({ ...event, finality: null }))
          .sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
      expect(plain(captured)).toEqual(plain(sent[feed]));
    }
  });

  test("every move of the log is announced, ending at its head", async () => {
    expect(moves.length).toBeGreaterThan(0);
    expect(moves).toEqual([...moves].sort((a, b) => a - b));
    expect(moves.at(-1)).toBe((await storage.store.log.head()).seq);
  });

  test("every buy and sell is a fill once, with the chain's own figures", async () => {
    const swaps = (await wholeLog(storage.store)).filter(
      (event) => event.kind === "buy" || event.kind === "sell",
    );
    const byHash = new Map((await fillsOf(storage)).map((fill) => [`${fill.tradeId} ${fill.txHash}`, fill]));
    for (const event of swaps) {
      if (event.feed !== "app") continue;
      const fill = byHash.get(`${event.tradeId} ${event.txHash}`);
      expect(fill).toMatchObject({ side: event.kind, tradeId: event.tradeId });
      expect(fill?.priceUsd).toBeCloseTo(event.priceUsd ?? Number.NaN, 12);
    }
    const trades = await tradesOf(storage);
    for (const tradeId of trades) {
      const page = await storage.store.fills.byTrade(tradeId, { limit: 1_000 });
      expect(new Set(page.rows.map((fill) => fill.txHash)).size).toBe(page.rows.length);
    }
  });

  test("candles are what the stored fills add up to", async () => {
    const fills = (await fillsOf(storage)).sort((a, b) => a.at - b.at);
    expect(fills.length).toBeGreaterThan(100);
    const byMinute = Map.groupBy(fills, (fill) => {
      const traded = fill.side === "buy" ? fill.tokenOut : fill.tokenIn;
      return `${fill.networkId} ${traded.address} ${Math.floor(fill.at / 60_000) * 60_000}`;
    });
    for (const [key, group] of byMinute) {
      const [networkId, address = "", opensAt] = key.split(" ");
      const from = Number(opensAt);
      const [candle] = await storage.store.candles.range(address, {
        networkId: Number(networkId),
        length: "1m",
        from,
        to: from + 60_000,
        limit: 2,
      });
      const prices = group.map((fill) => fill.priceUsd);
      const usd = (side: string) =>
        group.reduce((sum, { side: of, tokenIn }) => sum + (of === side ? tokenIn.usd : 0), 0);
      expect(candle?.trades).toBe(group.length);
      expect(candle?.high).toBeCloseTo(Math.max(...prices), 12);
      expect(candle?.low).toBeCloseTo(Math.min(...prices), 12);
      expect(candle?.buyUsd).toBeCloseTo(usd("buy"), 6);
      expect(candle?.sellUsd).toBeCloseTo(usd("sell"), 6);
    }
  });

  test("positions are what upstream says they are, once it has sent all about them", async () => {
    const log = await wholeLog(storage.store);
    const shown = new Set(
      log.map((event) => (event.feed === "app" ? (event.transferId ?? event.txHash) : null)),
    );
    const undone = new Set(
      log.flatMap((event) => (event.kind === "retract" ? [event.retractedEventId] : [])),
    );
    // The chain is some seconds ahead of the platform's own books.
    const ahead = new Set(
      log.flatMap((event) =>
        event.kind === "trade" && !shown.has(event.txHash) && !undone.has(event.eventId)
          ? [event.tradeId]
          : [],
      ),
    );
    const written = new Set(log.map((event) => (event.kind === "thesis" ? event.thesisId : null)));
    let compared = 0;
    for (const tradeId of await tradesOf(storage)) {
      if (ahead.has(tradeId)) continue;
      const upstream = await world.upstream.trade(tradeId, CALL);
      if (upstream.kind !== "found") continue;
      const { swaps, transfers, ...position } = upstream.value;
      const flows = [
        ...swaps.map((swap) => swap.txHash),
        ...transfers.map((transfer) => transfer.transferId),
      ];
      if (!flows.every((id) => shown.has(id))) continue;
      // A thesis is on its position some seconds before the feed tells of it.
      if (position.thesis && !written.has(position.thesis.id)) continue;
      const ours = await storage.store.positions.byId(tradeId);
      // What closed long before the first start, beyond the page that a sweep reads, is not asked for.
      if (!ours && position.status === "closed" && position.lastActivityAt < startedAt) continue;
      if (!ours) throw new Error(`position ${tradeId} was not captured`);
      expect(stateOf(ours)).toEqual(stateOf(position));
      expect(ours.lastActivityAt).toBe(position.lastActivityAt);
      for (const [name, figure] of Object.entries(figures(position))) {
        if (figure === null) throw new Error(`${name} of ${tradeId} is not known`);
        const off = Math.abs(figure - (figures(ours)[name] ?? Number.NaN));
        expect(off, name).toBeLessThanOrEqual(Math.max(1e-6, Math.abs(figure) * 1e-9));
      }
      compared += 1;
    }
    expect(compared).toBeGreaterThan(50);
  });

  test("after a sweep, holders among captured positions agree with what balances say", async () => {
    await capture.stop();
    capture = captureOn(world.upstream, storage.store, { clock: laterClock(2 * HOUR_MS) });
    capture.start();
    await eventually(
      async () =>
        (await storage.store.captures.oldest(1)).every((oldest) => oldest.capturedAt > startedAt + HOUR_MS),
      "every trader was captured again",
    );
    await caughtUp(capture, world.upstream, storage.store);
    const page = await world.upstream.users(null, CALL);
    if (page.kind !== "found") throw new Error("no directory");
    const holdings = new Map<string, Map<string, number>>();
    // A position that is not listed yet can be known by its event alone, and to this clock all events are old ones.
    const listed = new Set<string>();
    const isListed = (userId: string, key: string) => listed.has(`${userId} ${key}`);
    for (const { userId } of page.value.rows) {
      const balances = await world.upstream.balances(userId, CALL);
      const trades = await world.upstream.trades(userId, { sort: "recent" }, CALL);
      if (balances.kind !== "found" || trades.kind !== "found") continue;
      for (const { token } of trades.value.open) listed.add(`${userId} ${token.networkId} ${token.address}`);
      for (const { token, amount } of balances.value.holdings) {
        const key = `${token.networkId} ${token.address}`;
        if (!isListed(userId, key)) continue;
        const holders = holdings.get(key) ?? new Map<string, number>();
        holders.set(userId, (holders.get(userId) ?? 0) + amount);
        holdings.set(key, holders);
      }
    }
    expect(holdings.size).toBeGreaterThan(5);
    for (const [key, expected] of holdings) {
      const [networkId, address = ""] = key.split(" ");
      const page = { networkId: Number(networkId), limit: 1_000 };
      const found = await storage.store.positions.holders(address, page);
      const holders = found.filter(({ userId }) => isListed(userId, key));
      expect(holders.map((holder) => holder.userId).sort()).toEqual([...expected.keys()].sort());
      for (const { userId, amount } of holders) {
        const held = expected.get(userId) ?? Number.NaN;
        expect(Math.abs(amount - held)).toBeLessThanOrEqual(held * 1e-9);
      }
    }
    const coverage = await storage.store.captures.coverage();
    expect(coverage).toEqual({ traders: page.value.rows.length, openComplete: page.value.rows.length });
  });

  test("the directory, the boards, the leaderboards and the theses are kept", async () => {
    const ping = await world.upstream.ping(CALL);
    if (ping.kind !== "found") throw new Error("no ping");
    expect(await storage.store.traders.count()).toBe(ping.value.users);
    expect(await storage.store.tokens.count()).toBe(ping.value.tokens);
    for (const name of BOARD_NAMES) {
      expect((await storage.store.boards.find(name))?.value.rows.length).toBeGreaterThan(0);
    }
    for (const window of PNL_WINDOWS) {
      expect((await storage.store.leaderboards.find(window))?.value.rows.length).toBeGreaterThan(0);
    }
    for (const event of await wholeLog(storage.store)) {
      if (event.kind !== "thesis" || event.thesisId === null) continue;
      expect((await storage.store.theses.byId(event.thesisId))?.text).toBe(event.text ?? "");
    }
  });

  test("its status tells where each feed is, who writes, and that nothing is behind", async () => {
    const status = capture.status();
    expect(status.writing).toBe(true);
    expect((await storage.store.leases.current("log-writer"))?.holder).toBe(status.holder);
    for (const feed of status.feeds) {
      expect(feed.lag).toBe(0);
      expect(feed.position).toBe(feed.newest);
      expect(feed.lastEventAt).not.toBeNull();
    }
  });
});

function laterClock(byMs: number): Clock {
  const clock = testClock;
  return { now: () => clock.now() + byMs, sleep: clock.sleep };
}

function stateOf(position: Position) {
  const { status, closedAt, thesis } = position;
  return { status, isClosed: closedAt !== null, thesis: thesis?.id ?? null };
}

/** What the books say, without what only moves with the market. */
function figures(position: Position): Record<string, number | null> {
  const { boughtAmount, soldAmount, costBasisUsd, proceedsUsd, realizedPnlUsd } = position;
  return { boughtAmount, soldAmount, costBasisUsd, proceedsUsd, realizedPnlUsd, held: heldAmount(position) };
}

async function tradesOf({ store }: CaptureTestStore): Promise<Set<string>> {
  const trades = new Set<string>();
  for (const event of await wholeLog(store)) {
    if ("tradeId" in event && event.tradeId !== null) trades.add(event.tradeId);
  }
  return trades;
}

async function fillsOf(storage: CaptureTestStore) {
  const trades = await tradesOf(storage);
  const pages = await Promise.all(
    [...trades].map((tradeId) => storage.store.fills.byTrade(tradeId, { limit: 1_000 })),
  );
  return pages.flatMap((page) => page.rows);
}
