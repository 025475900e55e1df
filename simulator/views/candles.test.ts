// Candles are one history at every interval: minutes add up to hours and days, quotes lie within them, their volume is the
// swaps' volume, and a closed one never changes.

import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { BUY, SELL } from "../world/state.ts";
import { smallWorld, TEST_GENESIS } from "../world/test-worlds.ts";
import { createApi } from "./api.ts";

const world = smallWorld("candles", { seconds: 9 * 86_400, rate: 0.03, traders: 150 });
world.advance(TEST_GENESIS + 8 * DAY_MS);
const api = createApi(world);
const busiest = api
  .board("most-held")
  .rows.map((row) => row.token)
  .filter((token) => (api.token(token.address)?.launchedAt ?? 0) < TEST_GENESIS)
  .slice(0, 6);
const from = Math.ceil(TEST_GENESIS / DAY_MS) * DAY_MS;
const to = from + 6 * DAY_MS;

function all(
  token: { address: string; networkId: number },
  interval: "1m" | "15m" | "1h" | "1d",
  since = from,
  until = to,
) {
  const rows = [];
  for (let next: number | null = since; next !== null; ) {
    const page = api.candles(token.address, {
      networkId: token.networkId,
      interval,
      from: next,
      to: until,
      limit: 1000,
    });
    if (!page) throw new Error("an unknown token");
    rows.push(...page.rows);
    next = page.nextFrom;
  }
  return rows;
}

describe("candles", () => {
  test("follow each other without a gap, each opening where the last closed", () => {
    for (const token of busiest)
      for (const interval of ["15m", "1h", "1d"] as const) {
        const rows = all(token, interval);
        expect(rows.length).toBeGreaterThan(2);
        rows.forEach((row, place) => {
          expect(row.h).toBeGreaterThanOrEqual(Math.max(row.o, row.c));
          expect(row.l).toBeLessThanOrEqual(Math.min(row.o, row.c));
          expect(row.l).toBeGreaterThan(0);
          const before = rows[place - 1];
          if (before) expect(row.o).toBeCloseTo(before.c, 12);
        });
      }
  });

  test("of minutes make the hour, and hours the day", () => {
    for (const token of busiest.slice(0, 3)) {
      const days = all(token, "1d");
      const hours = all(token, "1h");
      const [last] = days.slice(-1);
      const within = hours.filter((hour) => hour.t >= (last?.t ?? 0) && hour.t < (last?.t ?? 0) + DAY_MS);
      expect(Math.max(...within.map((hour) => hour.h))).toBe(last?.h as number);
      expect(Math.min(...within.map((hour) => hour.l))).toBe(last?.l as number);
      expect(within.reduce((sum, hour) => sum + hour.trades, 0)).toBe(last?.trades as number);
      const [hour] = within.slice(-1);
      const minutes = all(token, "1m", hour?.t, (hour?.t ?? 0) + HOUR_MS);
      expect(minutes).toHaveLength(60);
      expect(Math.max(...minutes.map((minute) => minute.h))).toBe(hour?.h as number);
      expect(Math.min(...minutes.map((minute) => minute.l))).toBe(hour?.l as number);
      expect(minutes[59]?.c).toBe(hour?.c as number);
    }
  });

  test("contain the quotes of their time", () => {
    for (const token of busiest) {
      for (const row of all(token, "15m").slice(0, 200)) {
        const price = api.quotes([token], row.t + 433_000).rows[0]?.priceUsd;
        if (price === null || price === undefined) continue;
        expect(price).toBeLessThanOrEqual(row.h * 1.0001);
        expect(price).toBeGreaterThanOrEqual(row.l * 0.9999);
      }
    }
  });

  test("count the swaps of the platform's own people", () => {
    const { fills } = world.context.state.tables;
    for (const token of busiest) {
      const index = world.context.tokens.byAddress(token.address)?.index;
      let usd = 0;
      let trades = 0;
      for (let row = 0; row < world.context.state.counters.fills; row++) {
        const kind = fills.columns.kind.get(row);
        const at = fills.columns.at.get(row);
        if (fills.columns.token.get(row) !== index || (kind !== BUY && kind !== SELL)) continue;
        if (at < from || at >= to) continue;
        usd += fills.columns.usd.get(row) / 1e6;
        trades++;
      }
      const rows = all(token, "1h");
      expect(rows.reduce((sum, row) => sum + row.trades, 0)).toBe(trades);
      expect(rows.reduce((sum, row) => sum + Number(row.volumeUsd), 0)).toBeCloseTo(usd, 3);
      expect(rows.reduce((sum, row) => sum + Number(row.buyUsd) + Number(row.sellUsd), 0)).toBeCloseTo(
        usd,
        3,
      );
    }
  });

  test("that are closed never change", () => {
    const before = busiest.map((token) => all(token, "15m", to, to + 2 * DAY_MS));
    world.advance(TEST_GENESIS + 9 * DAY_MS);
    const later = createApi(world);
    busiest.forEach((token, place) => {
      // All but the last one, which was still open.
      const closed = before[place]?.slice(0, -1) ?? [];
      expect(closed.length).toBeGreaterThan(30);
      const page = later.candles(token.address, {
        interval: "15m",
        from: to,
        to: to + 2 * DAY_MS,
        limit: 1000,
      });
      expect(page?.rows.slice(0, closed.length)).toEqual(closed);
    });
  });
});

test("every route shows the same quote of a token at one moment, and states the moment", () => {
  const [row] = api.board("most-held").rows;
  if (!row) throw new Error("nothing is held");
  const info = api.token(row.token.address);
  const holder = api
    .users()
    .rows.flatMap((user) => user.holdings)
    .find((holding) => holding.token.address === row.token.address);
  const quote = api.quotes([row.token]).rows[0];
  for (const shown of [row, info, holder]) {
    expect(shown?.priceUsd).toBe(quote?.priceUsd as number);
    expect(shown?.asOf).toBe(quote?.asOf as number);
  }
  expect(world.time - (quote?.asOf ?? 0)).toBeLessThan(6_001);
  expect(quote?.asOf).toBeLessThan(world.time);
});
