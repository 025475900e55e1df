// Boards, leaderboards, candles and activity.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BASE, fill, MIDNIGHT, SOLANA, token } from "../../../test/support/nouns.ts";
import { type StoreBench, withStore } from "../suite-support.ts";
import { CANDLE_LENGTHS, type CandleLength, type StoredCandle } from "./candles.ts";

const MINUTE = CANDLE_LENGTHS["1m"];

export function marketSuite(bench: StoreBench): void {
  test(
    "the last good board and leaderboard are stored completely; an older one never replaces them",
    withStore(bench, async ({ boards, leaderboards }) => {
      expect(await boards.find("trending")).toBeNull();
      const row = { rank: 2, token: token(), holders: null, priceUsd: 1, change24h: null };
      const board = {
        board: "trending" as const,
        asOf: MIDNIGHT,
        rows: [{ ...row, marketCapUsd: 1, volume24hUsd: 3, asOf: MIDNIGHT }],
      };
      await boards.save("trending", board, MIDNIGHT);
      await boards.save("trending", { ...board, rows: [] }, MIDNIGHT - 1);
      expect(await boards.find("trending")).toEqual({ value: board, capturedAt: MIDNIGHT });
      expect(await boards.find("graduated")).toBeNull();
      await leaderboards.save("24h", { asOf: MIDNIGHT, rows: [] }, MIDNIGHT);
      expect(await leaderboards.find("24h")).toEqual({
        value: { asOf: MIDNIGHT, rows: [] },
        capturedAt: MIDNIGHT,
      });
    }),
  );

  describe("candles", () => {
    test(
      "are the same however late and in whatever order fills arrive, and count each once",
      withStore(bench, async ({ fills, candles }) => {
        let run = 0;
        const oneFill = fc.record({
          at: fc.integer({ min: 0, max: 10 * MINUTE }),
          price: fc.integer({ min: 1, max: 1_000 }),
          buy: fc.boolean(),
        });
        // Two fills at one instant have no defined order, so instants differ.
        const many = fc.uniqueArray(oneFill, { selector: (one) => one.at, minLength: 1, maxLength: 30 });
        await fc.assert(
          fc.asyncProperty(many, fc.array(fc.nat(29), { maxLength: 4 }), async (drawn, again) => {
            run += 1;
            const of = token({ address: `token-${run}` });
            const made = drawn.map(({ at, price, buy }) =>
              fill({ token: of, at: MIDNIGHT + at, priceUsd: price, usd: price, side: buy ? "buy" : "sell" }),
            );
            for (let n = 0; n < made.length; n += 7) await fills.save(made.slice(n, n + 7));
            await fills.save(again.flatMap((n) => made[n] ?? []));
            for (const length of ["1m", "1h", "1d"] as const) {
              const range = { networkId: SOLANA, length, from: 0, to: MIDNIGHT * 2, limit: 99 };
              expect(await candles.range(of.address, range)).toEqual(naiveCandles(made, length));
            }
          }),
          { numRuns: 20 },
        );
      }),
    );

    test(
      "are read by range, know their span, and are pruned by length",
      withStore(bench, async ({ fills, candles }) => {
        const at = [0, 1, 2, 5].map((minute) => MIDNIGHT + minute * MINUTE);
        await fills.save(at.map((time) => fill({ at: time })));
        const range = {
          networkId: SOLANA,
          length: "1m" as const,
          from: MIDNIGHT + MINUTE,
          to: MIDNIGHT + 5 * MINUTE,
        };
        const found = await candles.range(token().address, { ...range, limit: 9 });
        expect(found.map((candle) => candle.opensAt)).toEqual(at.slice(1, 3));
        expect(await candles.range(token().address, { ...range, networkId: BASE, limit: 9 })).toEqual([]);
        expect(await candles.span(token().address, SOLANA)).toEqual({
          firstAt: MIDNIGHT,
          lastAt: at[3] ?? 0,
        });
        expect(await candles.span("none", SOLANA)).toBeNull();
        expect(await candles.prune("1m", MIDNIGHT + 2 * MINUTE, 1)).toBe(1);
        expect(await candles.prune("1m", MIDNIGHT + 2 * MINUTE, 9)).toBe(1);
        expect(await candles.prune("1d", MIDNIGHT, 9)).toBe(0);
      }),
    );
  });

  test(
    "activity sums a window's fills per token, even over many slices",
    withStore(bench, async ({ fills, activity }) => {
      const other = token({ networkId: BASE });
      const crowd = Array.from({ length: 4_500 }, (_, n) =>
        fill({
          token: other,
          userId: `u${n % 3}`,
          at: MIDNIGHT + (n % 50),
          usd: 1,
          side: n % 2 ? "buy" : "sell",
        }),
      );
      await fills.save([
        fill({ userId: "a", at: MIDNIGHT - 1, usd: 1_000 }),
        fill({ userId: "a", at: MIDNIGHT, usd: 10, priceUsd: 1 }),
        fill({ userId: "b", at: MIDNIGHT + 1, usd: 30, priceUsd: 3 }),
        fill({ userId: "a", at: MIDNIGHT + 2, usd: 5, side: "sell", priceUsd: 4 }),
        ...crowd,
      ]);
      const found = await activity.between(MIDNIGHT, MIDNIGHT + 60);
      expect(found.find((one) => one.networkId === SOLANA)).toEqual({
        networkId: SOLANA,
        tokenKey: token().address,
        buyers: 2,
        sellers: 1,
        traders: 2,
        buyUsd: 40,
        sellUsd: 5,
        firstTradeAt: MIDNIGHT,
        lastTradeAt: MIDNIGHT + 2,
        priceUsdAtFirst: 1,
        priceUsd: 4,
        topTraders: [
          { userId: "b", netUsd: 30 },
          { userId: "a", netUsd: 5 },
        ],
      });
      expect(found.find((one) => one.networkId === BASE)).toMatchObject({
        traders: 3,
        buyUsd: 2_250,
        sellUsd: 2_250,
      });
      expect(await activity.between(MIDNIGHT, MIDNIGHT + 60, { networkId: 56 })).toEqual([]);
      const [own, ...others] = await activity.between(MIDNIGHT, MIDNIGHT + 60, { userIds: new Set(["b"]) });
      expect([own, others]).toMatchObject([{ traders: 1, buyUsd: 30, sellUsd: 0 }, []]);
    }),
  );
}

/** The reference implementation of a candle. */
function naiveCandles(fills: ReturnType<typeof fill>[], length: CandleLength): StoredCandle[] {
  const lengthMs = CANDLE_LENGTHS[length];
  const groups = Map.groupBy(fills, (one) => Math.floor(one.at / lengthMs) * lengthMs);
  return [...groups]
    .map(([opensAt, group]) => {
      const inOrder = group.toSorted((a, b) => a.at - b.at);
      const prices = inOrder.map((one) => one.priceUsd);
      const usd = (side: "buy" | "sell") =>
        inOrder.filter((one) => one.side === side).reduce((sum, one) => sum + one.priceUsd, 0);
      return {
        opensAt,
        open: prices[0] ?? 0,
        high: Math.max(...prices),
        low: Math.min(...prices),
        close: prices.at(-1) ?? 0,
        buyUsd: usd("buy"),
        sellUsd: usd("sell"),
        trades: group.length,
      };
    })
    .sort((a, b) => a.opensAt - b.opensAt);
}
