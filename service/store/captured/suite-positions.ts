// Positions, captures, fills and transfers: each once, as last captured, in stable pages.

import { describe, expect, test } from "bun:test";
import type { Keyset, KeysetPage } from "../../../database/keyset.ts";
import { DAY_MS } from "../../../kit/units.ts";
import {
  BASE,
  fill,
  MIDNIGHT,
  position,
  SOLANA,
  token,
  trader,
  transfer,
} from "../../../test/support/nouns.ts";
import { bind } from "../repository.ts";
import { expectBounded, recording, type StoreBench, withStore } from "../suite-support.ts";
import { fills as fillsOf } from "./fills.ts";
import { POSITION_SORTS, positions as positionsOf } from "./positions.ts";

async function walk<T>(page: (cursor: Keyset | null) => Promise<KeysetPage<T>>): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: Keyset | null = null; ; ) {
    const next = await page(cursor);
    rows.push(...next.rows);
    if (!next.next) return rows;
    cursor = next.next;
  }
}

export function positionsSuite(bench: StoreBench): void {
  describe("positions", () => {
    test(
      "are one row per trade, and an older capture never replaces a newer one",
      withStore(bench, async ({ positions }) => {
        const one = position();
        await positions.save([one, one], MIDNIGHT);
        await positions.save([{ ...one, soldAmount: 4 }], MIDNIGHT + 10);
        await positions.save([{ ...one, soldAmount: 1 }], MIDNIGHT + 5);
        expect(await positions.byId(one.tradeId)).toEqual({ ...one, soldAmount: 4 });
        expect(await positions.byId("none")).toBeNull();
        expect(await positions.byIds(["none", one.tradeId])).toEqual([{ ...one, soldAmount: 4 }]);
        expect(await positions.byIds([])).toEqual([]);
      }),
    );

    test(
      "page through a trader's in every order, each once, even when figures are equal",
      withStore(bench, async ({ positions }) => {
        const userId = "trader";
        const all = Array.from({ length: 53 }, (_, n) =>
          position({
            userId,
            status: n % 3 === 0 ? "closed" : "open",
            lastActivityAt: MIDNIGHT + (n % 7),
            realizedPnlUsd: (n % 5) + 0.1,
            boughtAmount: n % 4,
            token: token({ networkId: n % 2 === 0 ? SOLANA : BASE }),
          }),
        );
        await positions.save([...all, position()], MIDNIGHT);
        for (const sort of POSITION_SORTS) {
          const rows = await walk((cursor) => positions.byTrader(userId, { sort, limit: 10, cursor }));
          expect(rows.map((row) => row.tradeId).sort()).toEqual(all.map((row) => row.tradeId).sort());
          const figure = { recent: "lastActivityAt", pnl: "realizedPnlUsd", value: "boughtAmount" } as const;
          const figures = rows.map((row) => row[figure[sort]] ?? 0);
          expect(figures).toEqual([...figures].sort((a, b) => b - a));
        }
        const query = { sort: "recent" as const, limit: 5, status: "open" as const, networkId: BASE };
        const open = await walk((cursor) => positions.byTrader(userId, { ...query, cursor }));
        const expected = all.filter((row) => row.status === "open" && row.token.networkId === BASE);
        expect(open.map((row) => row.tradeId).sort()).toEqual(expected.map((row) => row.tradeId).sort());
        const none = await positions.byTrader(userId, { ...query, tokenAddress: "other" });
        expect(none).toEqual({ rows: [], next: null });
        expect(await positions.counts(userId)).toEqual({ open: 35, closed: 18 });
        expect(await positions.openTradeIds(userId)).toHaveLength(35);
      }),
    );

    test(
      "list a token's holders: open ones summed by trader, largest first",
      withStore(bench, async ({ positions }) => {
        const whale = { userId: "whale", handle: "Whale" };
        await positions.save(
          [
            position({ ...whale, boughtAmount: 60, priceUsd: 1, lastActivityAt: MIDNIGHT }),
            position({
              ...whale,
              boughtAmount: 0,
              transferredInAmount: 50,
              priceUsd: 2,
              lastActivityAt: MIDNIGHT + 1,
            }),
            position({ userId: "fish", handle: "Fish", boughtAmount: 100 }),
            position({ userId: "gone", boughtAmount: 500, soldAmount: 500, status: "closed" }),
            position({ userId: "empty", boughtAmount: 5, soldAmount: 5 }),
            position({ userId: "elsewhere", token: token({ networkId: BASE }), boughtAmount: 900 }),
          ],
          MIDNIGHT,
        );
        const query = { networkId: SOLANA, limit: 10 };
        const found = await positions.holders(token().address, query);
        expect(
          found.map(({ positions: open, ...who }) => ({
            ...who,
            prices: open.map(({ priceUsd }) => priceUsd),
          })),
        ).toEqual([
          { userId: "whale", handle: "Whale", amount: 110, prices: [1, 2] },
          { userId: "fish", handle: "Fish", amount: 100, prices: [1] },
        ]);
        expect(await positions.holders(token().address, { limit: 1 })).toMatchObject([
          { userId: "elsewhere" },
        ]);
        expect(await positions.holderCount(token().address, SOLANA)).toBe(2);
        expect([...(await positions.held(token().address, SOLANA))].sort()).toEqual([
          ["fish", 100],
          ["whale", 110],
        ]);
        expect(await positions.holders("unknown", query)).toEqual([]);
      }),
    );

    test(
      "that are closed and old are forgotten in small steps; open ones stay",
      withStore(bench, async ({ positions }) => {
        const old = { lastActivityAt: MIDNIGHT };
        const closed = Array.from({ length: 5 }, () => position({ ...old, status: "closed" }));
        const open = position(old);
        await positions.save([...closed, open], MIDNIGHT);
        expect(await positions.prune(MIDNIGHT + 1, 3)).toBe(3);
        expect(await positions.prune(MIDNIGHT + 1, 3)).toBe(2);
        expect(await positions.byId(open.tradeId)).toEqual(open);
      }),
    );
  });

  test(
    "a trader's newest capture is stored, and counted",
    withStore(bench, async ({ captures, traders }) => {
      expect(await captures.coverage()).toEqual({ traders: 0, openComplete: 0 });
      expect(await captures.find("a")).toBeNull();
      const newer = { userId: "a", capturedAt: MIDNIGHT + 9, openComplete: true, closedTotal: 7 };
      await captures.save(newer);
      await captures.save({ ...newer, capturedAt: MIDNIGHT, openComplete: false });
      await captures.save({ userId: "b", capturedAt: MIDNIGHT, openComplete: false, closedTotal: null });
      expect(await captures.find("a")).toEqual(newer);
      expect((await captures.oldest(1)).map((capture) => capture.userId)).toEqual(["b"]);
      expect(await captures.coverage()).toEqual({ traders: 2, openComplete: 1 });
      await traders.save(
        ["a", "b", "c", "d"].map((userId) => trader({ userId })),
        MIDNIGHT,
      );
      expect(await captures.missing("", 9)).toEqual(["c", "d"]);
      expect(await captures.missing("c", 9)).toEqual(["d"]);
      await captures.saveMany(["c", "d"].map((userId) => ({ ...newer, userId })));
      expect(await captures.missing("", 9)).toEqual([]);
    }),
  );

  describe("fills", () => {
    test(
      "are stored once and page newest first, by trader, trade and token",
      withStore(bench, async ({ fills }) => {
        const mine = Array.from({ length: 25 }, (_, n) => fill({ userId: "me", at: MIDNIGHT + (n % 6) }));
        expect(await fills.save([...mine, ...mine])).toHaveLength(25);
        expect(await fills.save(mine)).toEqual([]);
        expect(await fills.count()).toBe(25);
        const rows = await walk((cursor) => fills.byTrader("me", { limit: 4, cursor }));
        expect(rows.map((row) => row.swapId).sort()).toEqual(mine.map((row) => row.swapId).sort());
        const times = rows.map((row) => row.at);
        expect(times).toEqual([...times].sort((a, b) => b - a));
        expect((await fills.byTrader("me", { limit: 9, networkId: BASE })).rows).toEqual([]);
        const one = mine[3];
        if (!one) return;
        expect(await fills.byId(one.swapId)).toEqual(one);
        expect((await fills.byTrade(one.tradeId, { limit: 9 })).rows).toEqual([one]);
        const range = { limit: 99, from: MIDNIGHT + 1, to: MIDNIGHT + 3, networkId: SOLANA };
        const inRange = mine.filter((row) => row.at === MIDNIGHT + 1 || row.at === MIDNIGHT + 2);
        expect((await fills.byToken(token().address, range)).rows).toHaveLength(inRange.length);
      }),
    );

    test(
      "of any time are stored, each id once over all months, and forgotten by whole months",
      withStore(bench, async ({ fills }) => {
        const day = DAY_MS;
        const times = [
          -1,
          0,
          MIDNIGHT - 500 * day,
          MIDNIGHT - 31 * day,
          MIDNIGHT,
          MIDNIGHT + 70 * day,
          2 ** 52,
        ];
        const made = times.map((at) => fill({ userId: "me", at }));
        expect(await fills.save(made)).toHaveLength(made.length);
        // Saved again with other times, which would put them in other months.
        expect(await fills.save(made.map((one) => ({ ...one, at: one.at + 40 * day })))).toEqual([]);
        const rows = await walk((cursor) => fills.byTrader("me", { limit: 2, cursor }));
        expect(rows).toEqual(made.toReversed());
        const traded = { limit: 2, from: -5, to: MIDNIGHT + 1 };
        const ofToken = await walk((cursor) => fills.byToken(token().address, { ...traded, cursor }));
        expect(ofToken).toEqual(made.slice(0, 5).reverse());
        while ((await fills.prune(MIDNIGHT, 1)) > 0);
        expect((await fills.byTrader("me", { limit: 9 })).rows).toEqual(made.slice(4).reverse());
        expect(await fills.save(made.slice(0, 4))).toHaveLength(4);
      }),
    );

    test(
      "from a feed make way for upstream's own, whichever arrives first, and count once",
      withStore(bench, async ({ fills, candles }) => {
        const range = { networkId: SOLANA, length: "1m" as const, from: 0, to: MIDNIGHT * 2, limit: 9 };
        const trades = async () =>
          (await candles.range(token().address, range)).reduce((sum, candle) => sum + candle.trades, 0);
        const full = fill();
        const provisional = { ...full, swapId: "derived" };
        expect(await fills.save([provisional], { provisional: true })).toEqual([provisional]);
        expect(await fills.save([full])).toEqual([]);
        expect(await fills.save([provisional], { provisional: true })).toEqual([]);
        expect(await fills.byId("derived")).toBeNull();
        expect(await fills.byId(full.swapId)).toEqual(full);
        expect(await trades()).toBe(1);
        // One transaction may contain two swaps of a trade.
        const twin = { ...full, swapId: "twin" };
        expect(await fills.save([full, twin])).toEqual([twin]);
        expect(await trades()).toBe(2);
      }),
    );
  });

  test(
    "transfers are stored once and page by trade",
    withStore(bench, async ({ transfers }) => {
      const mine = Array.from({ length: 7 }, (_, n) => transfer({ tradeId: "t", at: MIDNIGHT + n }));
      expect(await transfers.save([...mine, ...mine])).toBe(7);
      expect(await transfers.save(mine)).toBe(0);
      expect(await walk((cursor) => transfers.byTrade("t", { limit: 3, cursor }))).toEqual(mine);
      expect(await transfers.prune(MIDNIGHT + 3, 2)).toBe(2);
    }),
  );

  test(
    "pages of positions and fills never scan or sort a table",
    withStore(bench, async (store) => {
      const { database, statements } = recording(store.database);
      const cursor = { value: MIDNIGHT, id: "x" };
      const [positions, fills] = [bind(database, positionsOf), bind(database, fillsOf)];
      for (const sort of POSITION_SORTS) {
        await positions.byTrader("u", { sort, limit: 5, cursor, networkId: BASE, tokenAddress: "t" });
      }
      await positions.byTrader("u", { sort: "recent", limit: 5, cursor, status: "open" });
      await fills.byTrader("u", { limit: 5, cursor, networkId: BASE });
      await fills.byToken("t", { limit: 5, cursor, networkId: BASE, from: 0, to: MIDNIGHT });
      const indexes = ["user_recent", "user_pnl", "user_value", "user_status"].map(
        (name) => `position_${name}`,
      );
      indexes.push("fill_user", "fill_token");
      expect(statements).toHaveLength(indexes.length);
      for (const [n, statement] of statements.entries()) {
        await expectBounded(store.database, statement, indexes[n] ?? "");
      }
    }),
  );
}
