// The tape of a simulated token: exact after each swap, reproducible from the seed, and never of a moment that is not over
// yet.
import { describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import type { WireTick } from "../../protocol/protocol.ts";
import { smallWorld, TEST_GENESIS } from "../world/test-worlds.ts";
import { createApi } from "./api.ts";

const world = smallWorld("tape", { seconds: 8 * 3_600, rate: 0.5 });
world.advance(TEST_GENESIS + 8 * HOUR_MS);
const api = createApi(world);
const now = api.status().worldTime as number;

function ticksOf(address: string, networkId: number, from: number, to: number): WireTick[] {
  const rows: WireTick[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = api.ticks(address, { networkId, from, to, ...(cursor === null ? {} : { cursor }) });
    rows.push(...(page?.rows ?? []));
    if (!page?.nextCursor) return rows;
    cursor = page.nextCursor;
  }
}

const tokens = api.tokens().rows.filter(({ launchedAt }) => (launchedAt ?? 0) < now - 6 * HOUR_MS);

describe("the simulated tape", () => {
  test("matches the quote of a moment to the last digit", () => {
    for (const { address, networkId } of tokens.slice(0, 10)) {
      const ticks = ticksOf(address, networkId, now - 3 * HOUR_MS, now - HOUR_MS);
      expect(ticks.length).toBeGreaterThan(0);
      for (const [index, { at, priceUsd, depthUsd }] of ticks.entries()) {
        expect(depthUsd).toBeGreaterThan(0);
        // A quote of a moment includes all of its swaps.
        if (ticks[index + 1]?.at === at) continue;
        const { rows } = api.quotes([{ address, networkId }], at);
        expect(rows[0]?.priceUsd).toBeCloseTo(priceUsd, 12);
      }
    }
  });

  test("has a tick for every fill", () => {
    const busiest = world.context.state.tables.fills.columns;
    const { counters } = world.context.state;
    const recent = Array.from({ length: 200 }, (_, back) => counters.fills - 2_000 - back);
    for (const number of recent) {
      const kind = busiest.kind.get(number);
      if (kind > 1) continue;
      const token = world.context.tokens.get(busiest.token.get(number));
      const at = busiest.at.get(number);
      const { address, networkId } = api.token(world.context.tokens.address(token)) ?? {};
      const ticks = ticksOf(String(address), Number(networkId), at, at + 1);
      const usd = busiest.usd.get(number) / 1e6;
      expect(ticks.map((tick) => tick.usd)).toContain(usd);
    }
  });

  test("is busier where the pool is deeper, and never silent for ten minutes", () => {
    for (const { address, networkId } of tokens.slice(0, 20)) {
      const ticks = ticksOf(address, networkId, now - 4 * HOUR_MS, now - HOUR_MS);
      for (const [index, { at }] of ticks.entries())
        expect(at - (ticks[index - 1]?.at ?? at)).toBeLessThan(10 * MINUTE_MS);
    }
  });

  test("covers only the past", () => {
    const { address, networkId } = tokens[0] as (typeof tokens)[number];
    const page = api.ticks(address, { networkId, from: now - MINUTE_MS, to: now + HOUR_MS });
    expect(page?.covered.at(-1)?.to).toBeLessThanOrEqual(now);
    expect(page?.rows.every(({ at }) => at < now)).toBe(true);
    expect(api.ticks(address, { networkId, from: now + HOUR_MS, to: now + 2 * HOUR_MS })).toMatchObject({
      rows: [],
      covered: [],
      nextCursor: null,
    });
  });
});
