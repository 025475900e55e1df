import { expect, test } from "bun:test";
import { manualClock } from "../../kit/clock.ts";
import type { PlatformApi } from "../../protocol/platform.ts";
import type { Position } from "../../protocol/shapes/position.ts";
import { QUOTES_MAX } from "../../protocol/shapes/token.ts";
import { fixedPlatform } from "../../protocol/test-platform.ts";
import { eventually } from "../../test/support/eventually.ts";
import { position, token } from "../../test/support/nouns.ts";
import { atCurrentPrices } from "./current-prices.ts";
import { inProcessUpstream } from "./in-process.ts";
import { silentLog } from "./test-served.ts";

const NOW = 1_790_000_000_000;

/** A platform that answers this many quote calls, at two dollars each, and never answers the others. */
function stalling(answered: number) {
  const clock = manualClock(NOW);
  const platform = fixedPlatform();
  let calls = 0;
  const api: PlatformApi = platform.api;
  api.quotes = (tokens) =>
    calls++ < answered
      ? { rows: tokens.map((asked) => ({ ...asked, priceUsd: 2, asOf: NOW })) }
      : new Promise(() => {});
  const upstream = inProcessUpstream(platform, { log: silentLog, clock });
  const given: { positions: Position[] | null; at: number } = { positions: null, at: 0 };
  return {
    clock,
    given,
    calls: () => calls,
    ask: (positions: Position[], deadlineMs: number) => {
      void atCurrentPrices(upstream, positions, { deadlineMs }).then((priced) => {
        Object.assign(given, { positions: priced.positions, at: clock.now() });
      });
    },
  };
}

/** Each in a different token. */
const open = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    position({ token: token({ address: `0x${index.toString(16).padStart(40, "0")}` }) }),
  );
const pricesOf = (positions: readonly Position[] | null) => positions?.map(({ priceUsd }) => priceUsd);

test("an upstream that stalls delays captured positions by 700 ms at most, and they come as captured", async () => {
  const { ask, clock, given } = stalling(0);
  const positions = open(3);
  ask(positions, 8_000);
  await clock.advance(699);
  expect(given.positions).toBeNull();
  await clock.advance(60_000);
  expect(given).toEqual({ positions, at: NOW + 700 });
});

test("tokens quoted in time are shown at their quote, and only the rest as captured", async () => {
  const { ask, clock, given, calls } = stalling(1);
  const positions = [...open(QUOTES_MAX + 20), position({ status: "closed", closedAt: NOW })];
  ask(positions, 8_000);
  await eventually(() => calls() === 2, "both calls are made");
  await clock.advance(700);
  expect(pricesOf(given.positions)).toEqual(positions.map((_, index) => (index < QUOTES_MAX ? 2 : 1)));
});

test("a caller with less time than that does not wait longer", async () => {
  const { ask, clock, given } = stalling(0);
  ask(open(1), 50);
  await clock.advance(60_000);
  expect(given.at).toBe(NOW + 50);
});

test("the longest page of positions is quoted completely", async () => {
  const { ask, given } = stalling(Number.POSITIVE_INFINITY);
  const positions = open(500);
  ask(positions, 8_000);
  await eventually(() => given.positions !== null, "they are given");
  expect(pricesOf(given.positions)).toEqual(positions.map(() => 2));
});
