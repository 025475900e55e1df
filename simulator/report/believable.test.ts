// The default world, at its default size and rate, within the bounds a quant would call plausible. One seed for details, and
// six for anything that depends on luck: profit, fees, volatility, hours, growth and followers.

import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { growthTo } from "../growth.ts";
import { DEFAULT_EVENTS_PER_SECOND } from "../life.ts";
import { createApi } from "../views/api.ts";
import { marketPrice } from "../world/markets.ts";
import type { Segment } from "../world/schedule.ts";
import { World } from "../world/world.ts";
import { leadersOf, meanOf, measure, quantile, spearman, volatilityMemory } from "./test-measures.ts";

/** Indexes of networks. */
const ETHEREUM = 1;
const ALTCHAIN = 4;
const NOW = Date.UTC(2026, 8, 21, 15);
const GENESIS = NOW - 31 * DAY_MS;

const GROWTH = growthTo(DEFAULT_EVENTS_PER_SECOND, GENESIS, NOW);

/** This world is examined in detail, and as one of the six. */
const DETAILED = "believable";

function lived(segments: Segment[], seed = DETAILED): World {
  const world = new World({ seed, genesis: GENESIS, traders: 2_000, segments });
  world.advance(NOW);
  return world;
}

const measured = (world: World) => ({ world, found: measure(world) });

const detailed = measured(lived(GROWTH));
const { world, found } = detailed;
/** Two whole weeks at one rate, to compare hours and weekdays. */
const even = measure(lived([{ from: GENESIS, until: GENESIS + 14 * DAY_MS, rate: 0.05 }]));

describe("trades", () => {
  test("match the present rate by now, and grew without a step", () => {
    const days = found.fillsPerDay;
    // Swaps are about 93 % of events, and a weekday is up to a quarter quieter than the mean.
    const expected = DEFAULT_EVENTS_PER_SECOND * 86_400 * 0.93;
    expect(days.at(-1)).toBeWithin(expected * 0.65, expected * 1.2);
    for (const [n, count] of days.entries())
      if (n > 0) expect(count / (days[n - 1] ?? 1)).toBeWithin(0.55, 1.8);
  });

  test("differ in size by purse, with no size that stands out", () => {
    const [low, median, high] = [0.05, 0.5, 0.99].map((part) => quantile(found.buysUsd, part));
    expect(low).toBeWithin(8, 50);
    expect(median).toBeWithin(90, 350);
    expect(high).toBeWithin(2_000, 20_000);
    const shares = new Map<string, number>();
    for (const share of found.buyShares) {
      const key = share.toPrecision(6);
      shares.set(key, (shares.get(key) ?? 0) + 1);
    }
    expect(Math.max(...shares.values())).toBeLessThan(found.buyShares.length * 0.002);
    const amounts = new Map<string, number>();
    for (const usd of found.buysUsd) amounts.set(usd.toFixed(2), (amounts.get(usd.toFixed(2)) ?? 0) + 1);
    // People often type round numbers, but no single one dominates.
    expect(Math.max(...amounts.values())).toBeLessThan(found.buysUsd.length * 0.04);
  });

  test("slip by the pool's depth, and by nothing else", () => {
    for (const { depthShare, slip } of found.slippage) expect(slip).toBeCloseTo(depthShare, 4);
    const slips = found.slippage.map(({ slip }) => slip);
    expect(quantile(slips, 0.5)).toBeWithin(0.0005, 0.03);
    expect(quantile(slips, 0.99)).toBeWithin(0.05, 0.2);
  });

  test("follow the local hours and weekdays of the traders", () => {
    const mean = even.fills / 24;
    expect(Math.min(...even.byHour) / mean).toBeWithin(0.3, 0.6);
    expect(Math.max(...even.byHour) / mean).toBeWithin(1.3, 1.8);
    const weekend = ((even.byWeekday[5] ?? 0) + (even.byWeekday[6] ?? 0)) / 2;
    const working = even.byWeekday.slice(0, 5).reduce((sum, day) => sum + day, 0) / 5;
    expect(weekend / working).toBeWithin(0.6, 0.95);
  });

  test("cluster after launches and after well-known traders", () => {
    expect(quantile(found.launchRush, 0.5)).toBeWithin(1, 15);
    expect(quantile(found.launchRush, 0.97)).toBeGreaterThan(12);
    expect(found.copyRatio).toBeGreaterThan(1.15);
  });
});

describe("positions", () => {
  test("are held for as long as their holders' styles say", () => {
    const median = (name: keyof typeof found.holdHours) => quantile(found.holdHours[name], 0.5);
    expect(median("bot")).toBeWithin(0.1, 0.8);
    expect(median("sniper")).toBeWithin(0.2, 1.5);
    expect(median("swing")).toBeWithin(10, 48);
    expect(median("bad")).toBeWithin(5, 30);
    expect(median("holder")).toBeWithin(48, 300);
    const all = Object.values(found.holdHours).flat();
    expect(quantile(all, 0.95) / quantile(all, 0.05)).toBeGreaterThan(200);
  });

  test("win less than half of the time, and the bad win less", () => {
    const rate = (name: keyof typeof found.wins) => found.wins[name].won / found.wins[name].closed;
    for (const name of ["sniper", "swing", "holder", "bot"] as const)
      expect(rate(name)).toBeWithin(0.28, 0.56);
    expect(rate("bad")).toBeWithin(0.22, 0.42);
    expect(rate("bad")).toBeLessThan(rate("swing"));
  });

  test("lose and gain with fat tails: many small, some ruin, a few multiples", () => {
    expect(quantile(found.returns, 0.02)).toBeLessThan(-0.85);
    expect(quantile(found.returns, 0.5)).toBeWithin(-0.1, 0.02);
    expect(quantile(found.returns, 0.95)).toBeWithin(0.2, 3);
    expect(quantile(found.returns, 0.997)).toBeGreaterThan(2);
  });
});

describe("people", () => {
  test("differ in how much they trade: a few do much of it, most do little", () => {
    const swaps = found.people.map((each) => each.swaps).sort((a, b) => b - a);
    const sum = (of: number[]) => of.reduce((total, count) => total + count, 0);
    expect(sum(swaps.slice(0, swaps.length / 20)) / sum(swaps)).toBeWithin(0.3, 0.55);
    expect(quantile(swaps, 0.5)).toBeWithin(6, 20);
  });

  test("have a past as old as their account", () => {
    const { fills } = world.context.state.tables;
    const first = new Map<number, number>();
    for (let row = 0; row < world.context.state.counters.applied; row++) {
      const trader = fills.columns.trader.get(row);
      if (!first.has(trader)) first.set(trader, fills.columns.at.get(row));
    }
    const old = world.context.population.traders.filter(
      (trader) => trader.createdAt < GENESIS - 200 * DAY_MS,
    );
    const early = old.filter((trader) => (first.get(trader.index) ?? NOW) < GENESIS - 30 * DAY_MS).length;
    expect(early / old.length).toBeGreaterThan(0.6);
    for (const trader of world.context.population.traders)
      expect(first.get(trader.index) ?? NOW).toBeGreaterThanOrEqual(trader.createdAt - 60_000);
  });
});

describe.each(["crowdtape", DETAILED, "alpha", "b7", "one", "two"])("in world %p", (seed) => {
  const { world, found } = seed === DETAILED ? detailed : measured(lived(GROWTH, seed));

  test("leaders trade often, and few of them owe it to one position", () => {
    const leaders = leadersOf(found.people);
    const shares = leaders.map(({ bestShare }) => bestShare);
    expect(quantile(shares, 0.5)).toBeLessThan(0.5);
    expect(quantile(shares, 0.85)).toBeLessThan(0.9);
    const closed = leaders.map((leader) => leader.closed);
    expect(quantile(closed, 0.5)).toBeGreaterThan(24);
    expect(quantile(closed, 0.25)).toBeGreaterThan(12);
  });

  test("after fees the crowd loses", () => {
    expect(meanOf(found.netReturns)).toBeWithin(-0.12, 0);
    expect(quantile(found.netReturns, 0.5)).toBeWithin(-0.08, 0);
    expect(found.people.filter(({ pnl30d }) => pnl30d > 0).length / found.people.length).toBeWithin(
      0.18,
      0.45,
    );
  });

  test("fees differ by chain, by app and by size", () => {
    const shareOf = (fees: typeof found.fees) =>
      quantile(
        fees.map(({ share }) => share),
        0.5,
      );
    const all = found.fees.map(({ share }) => share);
    expect(quantile(all, 0.9) / quantile(all, 0.1)).toBeGreaterThan(2.5);
    const on = (network: number) => shareOf(found.fees.filter((fee) => fee.network === network));
    expect(on(ETHEREUM) / on(ALTCHAIN)).toBeGreaterThan(1.3);
    const small = found.fees.filter(({ usd }) => usd < 100);
    const large = found.fees.filter(({ usd }) => usd > 10_000);
    expect(shareOf(small) / shareOf(large)).toBeGreaterThan(1.8);
    // For one chain and one size, only the app differs.
    const alike = found.fees.filter(({ network, usd }) => network === ALTCHAIN && usd > 300 && usd < 900);
    expect(new Set(alike.map(({ share }) => share.toFixed(3))).size).toBeGreaterThanOrEqual(4);
  });

  test("wild times follow wild times", () => {
    for (const stepMs of [5 * MINUTE_MS, HOUR_MS]) {
      const { established, launched } = volatilityMemory(world, stepMs);
      expect(established).toBeWithin(0.2, 0.5);
      expect(launched).toBeWithin(0.2, 0.5);
    }
  });

  test("the busiest hour has at least three times the fills of the quietest", () => {
    expect(Math.max(...found.byHour) / Math.min(...found.byHour)).toBeWithin(3, 6);
  });

  test("fills a day have grown, and by less than three times", () => {
    const days = found.fillsPerDay;
    const week = (first: number) => days.slice(first, first + 7).reduce((sum, day) => sum + day, 0);
    expect(week(days.length - 7) / week(0)).toBeWithin(1.3, 3);
    expect(Math.max(...days) / Math.min(...days)).toBeLessThan(4);
  });

  test("those who earned more have more followers", () => {
    const active = found.people.filter(({ swaps }) => swaps > 10);
    expect(active.length).toBeGreaterThan(1_000);
    const correlation = spearman(
      active.map(({ followers }) => followers),
      active.map(({ pnl30d }) => pnl30d),
    );
    expect(correlation).toBeWithin(0.15, 0.5);
  });
});

describe("tokens", () => {
  test("mostly die: few hits, many zeros", () => {
    const dead = found.lives.filter(({ drawdown }) => drawdown > 0.9).length / found.lives.length;
    expect(dead).toBeWithin(0.55, 0.9);
    const hits = found.lives.filter(({ peak }) => peak > 25).length / found.lives.length;
    expect(hits).toBeWithin(0.01, 0.2);
    expect(new Set(found.lives.map(({ life }) => life)).size).toBe(7);
  });

  test("that are established move together and stay in range", () => {
    const daily = [0, 1, 2, 3].map((market) =>
      Array.from({ length: 120 }, (_, day) =>
        Math.log(
          marketPrice(world.context.markets, market, NOW - day * DAY_MS) /
            marketPrice(world.context.markets, market, NOW - (day + 1) * DAY_MS),
        ),
      ),
    );
    const [first, ...others] = daily;
    for (const other of others) expect(spearman(first ?? [], other)).toBeGreaterThan(0.5);
    const deviation = Math.sqrt((first ?? []).reduce((sum, move) => sum + move * move, 0) / 120);
    expect(deviation).toBeWithin(0.012, 0.05);
  });
});

test("the cases that bots must handle occur", () => {
  const api = createApi(world);
  const tickers = new Map<string, Set<number>>();
  for (const token of world.context.tokens.list)
    tickers.set(token.symbol, (tickers.get(token.symbol) ?? new Set()).add(token.network));
  expect([...tickers.values()].some((networks) => networks.size > 1)).toBe(true);
  const theses = new Map<number, number>();
  const { theses: table } = world.context.state.tables;
  for (let row = 0; row < world.context.state.counters.theses; row++)
    theses.set(table.columns.token.get(row), (theses.get(table.columns.token.get(row)) ?? 0) + 1);
  expect(Math.max(...theses.values())).toBeGreaterThan(95);
  expect(found.people.some(({ closed }) => closed > 200)).toBe(true);
  const users = api.users().rows;
  expect(users.some((user) => user.private)).toBe(true);
  expect(users.some((user) => user.formerHandles.length > 0)).toBe(true);
  expect(world.context.tokens.list.some((token) => token.honeypot)).toBe(true);
  const { newest } = api.chainFeed(0, 1);
  const kinds = new Set<string>();
  for (let after = newest - 12_000; after < newest; after += 1_000)
    for (const { item } of api.chainFeed(after, 1_000).items) kinds.add(item.kind);
  expect([...kinds].sort()).toEqual(["final", "retract", "trade"]);
  const balances = users.flatMap((user) => api.balances(user.userId) ?? []);
  expect(balances.some(({ perpPnlUsd }) => perpPnlUsd !== null)).toBe(true);
  expect(balances.some(({ perpPnlUsd }) => perpPnlUsd === null)).toBe(true);
  const abroad = balances.flatMap(({ externalPerps }) => externalPerps ?? []);
  expect(abroad.length).toBeGreaterThan(0);
  expect(abroad.length).toBeLessThan(users.length / 4);
  for (const { sizeUsd, unrealizedPnlUsd } of abroad) {
    expect(sizeUsd).toBeGreaterThan(0);
    // Never loses more than the margin at the lowest leverage.
    expect(unrealizedPnlUsd ?? 0).toBeGreaterThan(-sizeUsd / 2);
  }
});

test("no real project and no real host is named", () => {
  const real = /\b(pepe|bonk|link|uni|aave|jup|wif|shib|floki|btc|eth|sol|bnb|doge|xrp|sui|hype)\b/i;
  for (const token of world.context.tokens.list) expect(token.symbol).not.toMatch(real);
  for (const market of world.context.markets) expect(market.symbol).not.toMatch(real);
});
