// PnL of a window is the profit made in it: recomputed here, from the public swaps, transfers and quotes, by an independent
// implementation of the accounting.

import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../kit/units.ts";
import type { PnlWindow } from "../../protocol/protocol.ts";
import { PENDING } from "../world/state.ts";
import { smallWorld } from "../world/test-worlds.ts";
import { createApi } from "./api.ts";
import { SETTLED_AFTER_MS } from "./pnl.ts";
import { View } from "./view.ts";

const world = smallWorld("earned", { seconds: 33 * 86_400, rate: 0.012, traders: 320 });
world.advance(Number.POSITIVE_INFINITY);
const api = createApi(world);
const view = new View(world);
const WINDOWS: PnlWindow[] = ["24h", "7d", "30d", "all"];
const LENGTHS = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS };
const { asOf } = api.leaderboard("24h");

interface Step {
  at: number;
  kind: "buy" | "sell" | "in" | "out";
  amount: number;
  usd: number;
  fee: number;
}

interface Held {
  token: { address: string; networkId: number };
  steps: Step[];
}

function positionsOf(trader: number): Held[] {
  const positions = world.context.state.tables.positions.columns;
  const held: Held[] = [];
  for (let slot = 0; slot < world.context.state.counters.slots; slot++) {
    if (positions.trader.get(slot) !== trader || positions.status.get(slot) === PENDING) continue;
    const detail = api.trade(view.tradeId(slot));
    if (!detail) throw new Error("a shown position has no detail");
    const swaps = detail.swaps.map((swap): Step => {
      const leg = swap.side === "buy" ? swap.tokenOut : swap.tokenIn;
      return { at: swap.at, kind: swap.side, amount: leg.amount, usd: leg.usd, fee: swap.feeUsd ?? 0 };
    });
    const transfers = detail.transfers.map(
      (each): Step => ({
        at: each.at,
        kind: each.direction,
        amount: each.amount,
        usd: each.valueUsd ?? 0,
        fee: 0,
      }),
    );
    held.push({ token: detail.token, steps: [...swaps, ...transfers].sort((a, b) => a.at - b.at) });
  }
  return held;
}

const prices = new Map<string, number>();
function quoted(token: Held["token"], at: number): number {
  const key = `${token.address} ${at}`;
  const known = prices.get(key) ?? api.quotes([token], at).rows[0]?.priceUsd;
  if (known === undefined || known === null) throw new Error("no quote");
  prices.set(key, known);
  return known;
}

/** Realized net of fees, and unrealized at a time, by moving average. */
function booksAt(
  { token, steps }: Held,
  at: number,
): { realized: number; unrealized: number; swaps: number; volume: number } {
  const of = { realized: 0, swaps: 0, volume: 0 };
  let amount = 0;
  let cost = 0;
  for (const step of steps) {
    if (step.at >= at) break;
    const share = step.kind === "buy" || step.kind === "in" ? 0 : cost * Math.min(1, step.amount / amount);
    if (step.kind === "buy" || step.kind === "in") {
      amount += step.amount;
      cost += step.usd;
    } else {
      amount -= step.amount;
      cost -= share;
    }
    if (step.kind === "sell") of.realized += step.usd - share;
    of.realized -= step.fee;
    if (step.kind === "buy" || step.kind === "sell") {
      of.swaps++;
      of.volume += step.usd;
    }
  }
  const isGone = amount < 1e-6;
  return { ...of, unrealized: isGone ? 0 : amount * quoted(token, at) - cost };
}

function earned(
  held: Held[],
  window: PnlWindow,
): { pnl: number; realized: number; swaps: number; volume: number } {
  const start = window === "all" ? 0 : Math.floor(asOf / 60_000) * 60_000 - LENGTHS[window];
  const sums = { pnl: 0, realized: 0, swaps: 0, volume: 0 };
  for (const each of held) {
    const now = booksAt(each, asOf);
    const then =
      window === "all" ? { realized: 0, unrealized: 0, swaps: 0, volume: 0 } : booksAt(each, start);
    sums.pnl += now.realized + now.unrealized - then.realized - then.unrealized;
    sums.realized += now.realized - then.realized;
    sums.swaps += now.swaps - then.swaps;
    sums.volume += now.volume - then.volume;
  }
  return sums;
}

const traders = world.context.population.traders.filter(
  ({ index }) => world.context.state.tables.traders.columns.lastFill.get(index) > 0,
);
const books = new Map(traders.map(({ index }) => [index, positionsOf(index)]));

describe("PnL by window", () => {
  test("equals the sum of swaps, transfers and quotes, for hundreds of traders", () => {
    expect(traders.length).toBeGreaterThan(250);
    let differing = 0;
    for (const trader of traders) {
      const user = api.userByHandle(trader.handle);
      const held = books.get(trader.index) ?? [];
      for (const window of WINDOWS) {
        const { pnl } = earned(held, window);
        expect(Math.abs((user?.pnl[window] as number) - pnl)).toBeLessThan(0.01 + Math.abs(pnl) * 1e-6);
      }
      expect(user?.pnl24h).toBe(user?.pnl["24h"] as number);
      // The count goes up to now, the profit up to the moment before.
      const steps = held.flatMap((each) => each.steps);
      expect(user?.swapCount).toBe(steps.filter(({ kind }) => kind === "buy" || kind === "sell").length);
      if (Math.abs((user?.pnl.all ?? 0) - (user?.pnl["24h"] ?? 0)) > 1) differing++;
    }
    expect(differing).toBeGreaterThan(200);
  });

  test("ranks the leaderboards, leaving out no one who did or held something", () => {
    for (const window of WINDOWS) {
      const { rows } = api.leaderboard(window);
      const best = traders
        .map(({ index }) => ({ userId: view.userId(index), ...earned(books.get(index) ?? [], window) }))
        .sort((a, b) => b.pnl - a.pnl);
      expect(rows.length).toBeGreaterThan(90);
      rows.slice(0, 40).forEach((row, place) => {
        const expected = best.find(({ userId }) => userId === row.userId);
        expect(row.rank).toBe(place + 1);
        expect(row.pnlUsd).toBeCloseTo(expected?.pnl as number, 1);
        expect(row.pnlUsd).toBeCloseTo(best[place]?.pnl as number, 1);
        expect(row.realizedPnlUsd).toBeCloseTo(expected?.realized as number, 1);
        expect(row.trades).toBe(expected?.swaps as number);
        expect(Number(row.volumeUsd)).toBeCloseTo(expected?.volume as number, 3);
        expect(row.positions).toBe(api.userById(row.userId)?.holdingsCount as number);
      });
    }
  });

  test("a gift is no profit when it arrives", () => {
    const gift = [...books.values()].flat().find(({ token, steps: [first, second] }) => {
      if (second || first?.kind !== "in" || first.usd <= 1) return false;
      // Tokens handed out in the block before a launch have no price yet.
      return (api.quotes([token], first.at + 1).rows[0]?.priceUsd ?? null) !== null;
    });
    const [came] = gift?.steps ?? [];
    if (!gift || !came) throw new Error("nobody was given anything");
    expect(Math.abs(booksAt(gift, came.at + 1).unrealized)).toBeLessThan(came.usd * 0.2 + 1);
  });

  test("nothing is added to settled books, whatever the block's network", () => {
    const busy = smallWorld("settled", { seconds: 4_000, rate: 4 });
    const { counters, tables } = busy.context.state;
    const late: number[] = [];
    for (let at = busy.context.genesis; at < busy.context.schedule.until; at += 1_000) {
      busy.advance(at);
      for (let fill = counters.applied; fill < counters.fills; fill++)
        if (tables.fills.columns.at.get(fill) <= at - SETTLED_AFTER_MS) late.push(fill);
    }
    expect(counters.fills).toBeLessThan(tables.fills.capacity);
    expect(late).toEqual([]);
  });
});
