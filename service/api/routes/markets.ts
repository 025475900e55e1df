// Candles, the platform's own where it has them, and what traders trade now, from our captured fills.

import { readChain } from "../../../contract/parts.ts";
import type { Routes } from "../../../contract/routes.ts";
import { servingTurn } from "../../../kit/turn.ts";
import { DAY_MS, HOUR_MS } from "../../../kit/units.ts";
import type { Token } from "../../../protocol/shapes/token.ts";
import type { TokenActivity } from "../../store/captured/activity.ts";
import { currentPrices } from "../../upstream/current-prices.ts";
import type { Handler } from "../answer.ts";
import { align, type CandleBucket, INTERVALS } from "../candles.ts";
import { capturedCandles } from "../captured-candles.ts";
import { badCursor, isStart } from "../cursor.ts";
import { found } from "../live.ts";
import { platformCandles } from "../platform-candles.ts";
import { iso, presentChain, presentToken } from "../present/common.ts";
import type { Services } from "../services.ts";
import { createNetworkOf, NO_SUCH_TOKEN } from "./tokens.ts";

const WINDOW_MS = { "5m": 300_000, "1h": HOUR_MS, "4h": 14_400_000, "24h": DAY_MS } as const;

/** Each has three look-ups: some five milliseconds of them between two turns of the event loop. */
const TOKENS_A_TURN = 10;

type MarketParts = Pick<Services, "upstream" | "store" | "moderation" | "chains" | "labels" | "clock">;

export function marketRoutes(services: MarketParts): {
  [Id in "listCandles" | "listTokenActivity"]: Handler<Routes[Id]>;
} {
  const { upstream, store, moderation, chains, labels, clock } = services;
  const networkOf = createNetworkOf(services);

  return {
    async listCandles({ params, query }, call) {
      const networkId = await networkOf(params.address, query.networkId);
      const token =
        (await store.tokens.find(params.address, networkId)) ??
        found(await upstream.token(params.address, networkId, call), NO_SUCH_TOKEN);
      const now = clock.now();
      const { lengthMs } = INTERVALS[query.interval];
      // The bucket that `to` falls into is given whole.
      const to = align((query.to ?? now + 1) + lengthMs - 1, lengthMs);
      const resumed = isStart(query.cursor) ? undefined : readTime(String(query.cursor));
      const begins = resumed ?? query.from;
      const range = {
        address: params.address,
        networkId,
        interval: query.interval,
        to,
        limit: query.limit,
        from: begins === undefined ? null : align(begins, lengthMs),
      };
      const { buckets, nextFrom, coveredFrom } =
        (await platformCandles(upstream, range, call)) ?? (await capturedCandles(store, range));
      // Without a beginning the newest are given: all of it is here only if fewer than asked for were there.
      const isAll = range.from !== null || buckets.length < query.limit;
      const isCovered = (range.from ?? buckets[0]?.opensAt ?? to) >= align(coveredFrom, lengthMs);
      return {
        found: buckets.length > 0,
        body: {
          token: presentToken(labels, token),
          networkId,
          ...presentChain(chains, networkId),
          interval: query.interval,
          count: buckets.length,
          complete: nextFrom === null && isAll && isCovered,
          coveredFrom: iso(coveredFrom),
          nextCursor: nextFrom === null ? null : `t:${nextFrom}`,
          candles: buckets.map((bucket) => presentCandle(bucket, bucket.opensAt + lengthMs <= now)),
        },
      };
    },

    async listTokenActivity({ query }, call) {
      const now = clock.now();
      const { asOf, from } = isStart(query.cursor)
        ? { asOf: now, from: 0 }
        : readPlace(String(query.cursor), now);
      const networkId = query.chain === undefined ? undefined : readChain(query.chain, chains, "chain").id;
      const sums = await store.activity.between(asOf - WINDOW_MS[query.window], asOf, networkId);
      const { side, sort } = query;
      const traded = side === undefined ? sums : sums.filter((sum) => countOf(sum, side) > 0);
      const ranked = traded
        .filter((sum) => countOf(sum, side) >= query.minTraders)
        .filter((sum) => !moderation.isSpam({ address: sum.tokenKey, networkId: sum.networkId }))
        .sort((a, b) => ORDER[sort](a, b, side) || (a.tokenKey < b.tokenKey ? -1 : 1));
      const page = ranked.slice(from, from + query.limit);
      const more = from + page.length < ranked.length;
      const prices = await currentPrices(
        upstream,
        page.map(({ tokenKey: address, networkId: on }) => ({ address, networkId: on })),
        asOf,
        call,
      );
      const rows = [];
      for (let start = 0; start < page.length; start += TOKENS_A_TURN) {
        const part = page.slice(start, start + TOKENS_A_TURN);
        const rank = from + start + 1;
        rows.push(
          ...(await Promise.all(
            part.map((sum, index) => present(atQuote(sum, prices), rank + index, asOf, query.window)),
          )),
        );
        await servingTurn();
      }
      return {
        body: {
          window: query.window,
          asOf: iso(asOf),
          count: rows.length,
          tokens: rows,
          nextCursor: more ? `a:${asOf}:${from + page.length}` : null,
          complete: from === 0 && !more,
        },
      };
    },
  };

  async function present(sum: TokenActivity, rank: number, asOf: number, window: keyof typeof WINDOW_MS) {
    const [known, people, theses] = await Promise.all([
      store.tokens.find(sum.tokenKey, sum.networkId),
      store.traders.byIds(sum.topTraders.map((top) => top.userId)),
      store.theses.countForToken(sum.tokenKey, sum.networkId, asOf - WINDOW_MS[window]),
    ]);
    const handles = new Map(people.map((trader) => [trader.userId, trader.handle]));
    const token: Token = known ?? { address: sum.tokenKey, networkId: sum.networkId, ...NAMELESS };
    return {
      rank,
      token: presentToken(labels, token),
      ...presentChain(chains, sum.networkId),
      traders: sum.traders,
      buyers: sum.buyers,
      sellers: sum.sellers,
      buyUsd: sum.buyUsd,
      sellUsd: sum.sellUsd,
      netUsd: sum.buyUsd - sum.sellUsd,
      firstTradeAt: iso(sum.firstTradeAt),
      lastTradeAt: iso(sum.lastTradeAt),
      priceUsdAtFirst: sum.priceUsdAtFirst,
      priceUsd: sum.priceUsd,
      changePct: sum.priceUsdAtFirst > 0 ? (sum.priceUsd / sum.priceUsdAtFirst - 1) * 100 : null,
      topTraders: sum.topTraders.flatMap(({ userId, netUsd }) => {
        const handle = handles.get(userId);
        return handle === undefined ? [] : [{ handle, userId, netUsd }];
      }),
      theses,
    };
  }
}

function atQuote(sum: TokenActivity, prices: Awaited<ReturnType<typeof currentPrices>>): TokenActivity {
  const quote = prices.of({ address: sum.tokenKey, networkId: sum.networkId });
  return quote === undefined ? sum : { ...sum, priceUsd: quote.priceUsd };
}

function presentCandle(
  { opensAt, open, high, low, close, buyUsd, sellUsd, trades }: CandleBucket,
  closed: boolean,
) {
  return {
    t: iso(opensAt),
    o: open,
    h: high,
    l: low,
    c: close,
    v: buyUsd + sellUsd,
    buyV: buyUsd,
    sellV: sellUsd,
    trades,
    closed,
  };
}

const NAMELESS = { symbol: "", name: "", image: null, decimals: 0 };

type FlowSide = "buy" | "sell" | undefined;

function countOf(sum: TokenActivity, side: FlowSide): number {
  if (side === undefined) return sum.traders;
  return side === "buy" ? sum.buyers : sum.sellers;
}

const ORDER = {
  traders: (a: TokenActivity, b: TokenActivity, side: FlowSide) => countOf(b, side) - countOf(a, side),
  // Net dollars in the direction asked for: the most bought first, or the most sold.
  netUsd: (a: TokenActivity, b: TokenActivity, side: FlowSide) =>
    (b.buyUsd - b.sellUsd - (a.buyUsd - a.sellUsd)) * (side === "sell" ? -1 : 1),
  recent: (a: TokenActivity, b: TokenActivity) => b.lastTradeAt - a.lastTradeAt,
};

function readTime(cursor: string): number {
  const time = /^t:(\d{1,15})$/.exec(cursor);
  if (!time) throw badCursor();
  return Number(time[1]);
}

function readPlace(cursor: string, now: number): { asOf: number; from: number } {
  const place = /^a:(\d{1,15}):(\d{1,6})$/.exec(cursor);
  if (!place || Number(place[1]) > now) throw badCursor();
  return { asOf: Number(place[1]), from: Number(place[2]) };
}
