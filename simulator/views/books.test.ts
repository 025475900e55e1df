// The platform's answers agree with its records: holders and boards are counted from positions, and answers agree with each
// other.
import { describe, expect, test } from "bun:test";
import type { WirePosition } from "../../protocol/protocol.ts";
import { OPEN, PENDING } from "../world/state.ts";
import { smallWorld, TEST_GENESIS } from "../world/test-worlds.ts";
import { createApi } from "./api.ts";
import { positionRow } from "./positions.ts";
import { View } from "./view.ts";

const world = smallWorld("books", { seconds: 33 * 86_400, rate: 0.012, traders: 200 });
world.advance(Number.POSITIVE_INFINITY);
const api = createApi(world);
const view = new View(world);
const { counters, tables } = world.context.state;
const positions = tables.positions.columns;
const shown = Array.from({ length: counters.slots }, (_, slot) => slot).filter(
  (slot) => positions.status.get(slot) !== PENDING,
);
describe("a position", () => {
  test("satisfies the identities of its own figures", () => {
    const close = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
    const bad: WirePosition[] = [];
    for (const slot of shown) {
      const row = positionRow(view, slot);
      const amount = row.boughtAmount - row.soldAmount + row.transferredInAmount - row.transferredOutAmount;
      const ok =
        Math.abs(amount - row.amount) < 1e-4 &&
        (row.boughtAmount === 0) === (row.avgEntryPrice === null) &&
        (row.avgEntryPrice === null ||
          close(row.avgEntryPrice * row.boughtAmount, row.costBasisUsd ?? Number.NaN)) &&
        (row.avgExitPrice === null ||
          close(row.avgExitPrice * row.soldAmount, row.proceedsUsd ?? Number.NaN)) &&
        (row.status === "closed") === (row.amount === 0) &&
        (row.status === "closed") === (row.closedAt !== null) &&
        (row.status === "open" || row.unrealizedPnlUsd === 0);
      if (!ok) bad.push(row);
    }
    expect(bad).toEqual([]);
  });

  test("is the sum of the swaps and transfers in its detail", () => {
    for (const slot of shown.slice(0, 400)) {
      const detail = api.trade(view.tradeId(slot));
      if (!detail) throw new Error("a shown position has no detail");
      const sum = (list: { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);
      const buys = detail.swaps.filter((swap) => swap.side === "buy");
      const sells = detail.swaps.filter((swap) => swap.side === "sell");
      expect(sum(buys.map((swap) => swap.tokenOut))).toBeCloseTo(detail.boughtAmount, 3);
      expect(sum(sells.map((swap) => swap.tokenIn))).toBeCloseTo(detail.soldAmount, 3);
      expect(buys.reduce((total, swap) => total + swap.tokenIn.usd, 0)).toBeCloseTo(
        detail.costBasisUsd ?? Number.NaN,
        4,
      );
      expect(sum(detail.transfers.filter((transfer) => transfer.direction === "in"))).toBeCloseTo(
        detail.transferredInAmount,
        3,
      );
    }
  });

  test("that the app has not shown is not known yet", () => {
    const fresh = smallWorld("fresh", { seconds: 30, rate: 20 });
    fresh.advance(TEST_GENESIS + 8_000);
    const before = createApi(fresh);
    const { tables: freshTables, counters: freshCounters } = fresh.context.state;
    const traded = Array.from({ length: freshCounters.slots }, (_, slot) => slot)
      .filter((slot) => freshTables.positions.columns.status.get(slot) === PENDING)
      .map((slot) => new View(fresh).tradeId(slot));
    expect(traded.length).toBeGreaterThan(0);
    for (const tradeId of traded) expect(before.trade(tradeId)).toBeUndefined();
    fresh.advance(TEST_GENESIS + 28_000);
    for (const tradeId of traded) expect(before.trade(tradeId)).toBeDefined();
  });
});

describe("tokens and boards", () => {
  const all = [api.tokens(), api.tokens(api.tokens().nextCursor ?? undefined)].flatMap((page) => page.rows);

  test("holders are the open positions, and the largest of them make the top ten", () => {
    const open = shown
      .filter((slot) => positions.status.get(slot) === OPEN)
      .map((slot) => positionRow(view, slot));
    const byToken = Map.groupBy(open, ({ token }) => token.address);
    for (const { holders, address, supply } of all.slice(0, 150)) {
      const held = (byToken.get(address) ?? []).map(({ amount }) => amount).sort((a, b) => b - a);
      expect(holders).toBe(held.length);
      const top = held.slice(0, 10).reduce((sum, amount) => sum + amount, 0);
      expect(api.tokenStats(address)?.top10HoldersPercent).toBeCloseTo((top / Number(supply)) * 100, 1);
    }
  });

  test("boards are ranked, leave only honeypots out, and agree with the tokens", () => {
    const gaps = new Set<string>();
    for (const name of ["trending", "most-held", "graduated"] as const) {
      const { rows } = api.board(name);
      expect(rows.length).toBeGreaterThan(10);
      let last = 0;
      for (const row of rows) {
        expect(row.rank).toBeGreaterThan(last);
        if (row.rank > last + 1) gaps.add(name);
        last = row.rank;
        const info = api.token(row.token.address, row.token.networkId);
        expect(row.holders).toBe(name === "most-held" ? null : (info?.holders as number));
        expect(row.marketCapUsd).toBe(info?.marketCapUsd as number);
        expect(Number(row.priceUsd) * Number(info?.supply)).toBeCloseTo(Number(row.marketCapUsd), 3);
        const flow = api.tokenStats(row.token.address)?.windows["24h"];
        expect(Number(row.volume24hUsd)).toBeCloseTo(
          Number(flow?.buyVolumeUsd) + Number(flow?.sellVolumeUsd),
          4,
        );
        const token = world.context.tokens.byAddress(row.token.address);
        expect(token?.honeypot).toBe(false);
      }
    }
    expect(gaps.size).toBeGreaterThan(0);
  });

  test("unique buyers and sellers are counted once each, and never exceed the buys and sells", () => {
    for (const { token } of api.board("trending").rows.slice(0, 20)) {
      const windows = Object.values(api.tokenStats(token.address)?.windows ?? {});
      expect(windows).toHaveLength(4);
      for (const window of windows) {
        expect(window.uniqueBuyers).toBeLessThanOrEqual(window.buys);
        expect(window.uniqueSellers).toBeLessThanOrEqual(window.sells);
        if (window.buys > 0) expect(window.uniqueBuyers).toBeGreaterThan(0);
      }
    }
  });

  test("some launches have insiders whose tokens were received", () => {
    const devs = all.flatMap((token) => api.tokenDevs(token.address)?.devs ?? []);
    expect(devs.length).toBeGreaterThan(20);
    for (const dev of devs) expect(api.trade(dev.tradeId ?? "")?.isDev).toBe(true);
    for (const token of all)
      for (const { isDev, wallet } of api.tokenDevs(token.address)?.devs ?? [])
        if (isDev) expect(api.token(token.address)?.deployer).toBe(wallet);
    const received = shown.filter(
      (slot) => positions.isDev.get(slot) === 1 && positions.received.get(slot) > 0,
    );
    expect(received.length).toBeGreaterThan(20);
  });
});
