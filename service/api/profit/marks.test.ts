// A mark is the platform's price at a moment: once looked up it stays for the answer that needed it, and one that may still
// be corrected is requested again.
import { expect, test } from "bun:test";
import type { PriceMark } from "../../../accounting/marks.ts";
import { manualClock } from "../../../kit/clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import { BASE, MIDNIGHT, token } from "../../../test/support/nouns.ts";
import { nameOfToken, type TokenRef } from "../../model/token.ts";
import type { Upstream } from "../../upstream/port.ts";
import type { RouteCall } from "../answer.ts";
import { createMarks, WANTED_MAX } from "./marks.ts";

const NOW = MIDNIGHT + 30 * 24 * HOUR_MS;
const call = {} as RouteCall;
const tokenNumber = (index: number): TokenRef => token({ address: `token${index}`, networkId: BASE });
const ONE = tokenNumber(1);

/** A platform that answers with the current price, and counts the requests. */
function marksOf() {
  const clock = manualClock(NOW);
  const platform = { priceUsd: 1 as number | null, asked: 0, isAway: false };
  const saved = new Map<string, PriceMark>();
  const upstream = {
    quotes: async (tokens: readonly TokenRef[], at: number) => {
      platform.asked++;
      if (platform.isAway) return { kind: "failed" };
      return { kind: "found", value: tokens.map(() => ({ priceUsd: platform.priceUsd, asOf: at })) };
    },
  } as unknown as Upstream;
  const store = {
    marks: {
      at: async (tokens: readonly TokenRef[], at: number) =>
        new Map(
          tokens.flatMap((each) => {
            const mark = saved.get(`${nameOfToken(each)}@${at}`);
            return mark ? [[nameOfToken(each), mark] as const] : [];
          }),
        ),
      save: async (marks: { token: TokenRef; at: number; mark: PriceMark }[]) => {
        for (const { token: of, at, mark } of marks) saved.set(`${nameOfToken(of)}@${at}`, mark);
      },
    },
    candles: { range: async () => [{ close: 7, opensAt: NOW - 2 * HOUR_MS }] },
  } as unknown as Parameters<typeof createMarks>[0]["store"];
  return { marks: createMarks({ upstream, store, clock }), platform, saved, clock };
}

test("a long curve keeps all of its marks, although more are looked up than are cached", async () => {
  const { marks } = marksOf();
  const tokens = Array.from({ length: 80 }, (_, index) => tokenNumber(index));
  const wanted = Array.from({ length: 700 }, (_, hour) =>
    tokens.map((each) => ({ token: each, at: NOW - (hour + 2) * HOUR_MS })),
  ).flat();
  const markOf = await marks.load(wanted, 30 * 24 * HOUR_MS, call);
  expect(wanted.filter(({ token: of, at }) => markOf(of, at) === null)).toEqual([]);
});

test("one call looks up a limited number of marks", async () => {
  const { marks, platform } = marksOf();
  let yielded = 0;
  function* endless() {
    for (;;) yield { token: tokenNumber(++yielded % 50), at: NOW - 2 * HOUR_MS };
  }
  await marks.load(endless(), HOUR_MS, call);
  expect([yielded, platform.asked]).toEqual([WANTED_MAX + 1, 1]);
});

test("a price that may still be corrected is requested again, and a settled one is kept", async () => {
  const { marks, platform, saved, clock } = marksOf();
  const young = NOW;
  const old = NOW - 5 * HOUR_MS;
  const priceAt = async (at: number) =>
    (await marks.load([{ token: ONE, at }], HOUR_MS, call))(ONE, at)?.priceUsd;
  expect([await priceAt(young), await priceAt(old)]).toEqual([1, 1]);
  platform.priceUsd = 2;
  expect([await priceAt(young), await priceAt(old)]).toEqual([1, 1]);
  await clock.advance(2 * MINUTE_MS);
  expect([await priceAt(young), await priceAt(old)]).toEqual([2, 1]);
  expect([...saved.keys()]).toEqual([`${nameOfToken(ONE)}@${old}`]);
});

test("a price known only from the tape is not stored as the platform's", async () => {
  const { marks, platform, saved, clock } = marksOf();
  platform.priceUsd = null;
  const at = NOW - HOUR_MS;
  const markAt = async () => (await marks.load([{ token: ONE, at }], 24 * HOUR_MS, call))(ONE, at);
  expect(await markAt()).toMatchObject({ priceUsd: 7, source: "candle" });
  expect(saved.size).toBe(0);
  platform.priceUsd = 3;
  await clock.advance(2 * MINUTE_MS);
  // An unknown old price is not requested for each curve.
  expect([(await markAt())?.source, platform.asked]).toEqual(["candle", 1]);
  await clock.advance(HOUR_MS);
  expect(await markAt()).toMatchObject({ priceUsd: 3, source: "quote" });
});
