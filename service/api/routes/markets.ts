// Candles and what traders trade now, both computed from our own captured fills.
import { readChain } from "../../../contract/parts.ts";
import type { Routes } from "../../../contract/routes.ts";
import type { Token } from "../../model/token.ts";
import type { TokenActivity } from "../../store/captured/activity.ts";
import type { Handler } from "../answer.ts";
import { type Bucket, INTERVALS, rollUp } from "../candles.ts";
import { badCursor, isStart } from "../cursor.ts";
import { found } from "../live.ts";
import { iso, presentChain, presentToken } from "../present/common.ts";
import type { Services } from "../services.ts";
import { createNetworkOf, NO_SUCH_TOKEN } from "./tokens.ts";

const WINDOW_MS = { "5m": 300_000, "1h": 3_600_000, "4h": 14_400_000, "24h": 86_400_000 } as const;

type MarketParts = Pick<Services, "upstream" | "store" | "chains" | "clock">;

export function marketRoutes(services: MarketParts): {
  [Id in "listCandles" | "listTokenActivity"]: Handler<Routes[Id]>;
} {
  const { upstream, store, chains, clock } = services;
  const networkOf = createNetworkOf(services);

  return {
    async listCandles({ params, query }, call) {
      const networkId = await networkOf(params.address, query.networkId);
      const token =
        (await store.tokens.find(params.address, networkId)) ??
        found(await upstream.token(params.address, networkId, call), NO_SUCH_TOKEN);
      const now = clock.now();
      const { lengthMs, base, parts } = INTERVALS[query.interval];
      // The bucket that `to` falls into is given whole.
      const to = align((query.to ?? now + 1) + lengthMs - 1, lengthMs);
      const resumed = isStart(query.cursor) ? undefined : readTime(String(query.cursor));
      // Without a beginning the newest are wanted: read back far enough to find `limit` of them, gaps included.
      const span = await store.candles.span(params.address, networkId);
      const earliest = Math.max(query.from ?? 0, span?.firstAt ?? 0);
      const from = align(resumed ?? query.from ?? earliest, lengthMs);
      const read = (start: number, count: number) =>
        store.candles
          .range(params.address, { networkId, length: base, from: start, to, limit: (count + 1) * parts })
          .then((rows) => rollUp(rows, lengthMs));
      const forward = query.from !== undefined || resumed !== undefined;
      const buckets = forward
        ? await read(from, query.limit)
        : await newest(from, to, lengthMs, query.limit, read);
      const shown = forward ? buckets.slice(0, query.limit) : buckets.slice(-query.limit);
      const more = forward && buckets.length > shown.length;
      return {
        found: shown.length > 0,
        body: {
          token: presentToken(token),
          networkId,
          ...presentChain(chains, networkId),
          interval: query.interval,
          count: shown.length,
          complete: !more && (forward || shown.length === buckets.length),
          nextCursor: more ? `t:${(shown.at(-1) as Bucket).opensAt + lengthMs}` : null,
          candles: shown.map((bucket) => ({
            t: iso(bucket.opensAt),
            o: bucket.open,
            h: bucket.high,
            l: bucket.low,
            c: bucket.close,
            v: bucket.buyUsd + bucket.sellUsd,
            buyV: bucket.buyUsd,
            sellV: bucket.sellUsd,
            trades: bucket.trades,
            closed: bucket.opensAt + lengthMs <= now,
          })),
        },
      };
    },

    async listTokenActivity({ query }) {
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
        .sort((a, b) => ORDER[sort](a, b, side) || (a.tokenKey < b.tokenKey ? -1 : 1));
      const page = ranked.slice(from, from + query.limit);
      const more = from + page.length < ranked.length;
      const rows = await Promise.all(
        page.map((sum, index) => present(sum, from + index + 1, asOf, query.window)),
      );
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
      token: presentToken(token),
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

const NAMELESS = { symbol: "", name: "", image: null, decimals: 0 };

type Side = "buy" | "sell" | undefined;

function countOf(sum: TokenActivity, side: Side): number {
  if (side === undefined) return sum.traders;
  return side === "buy" ? sum.buyers : sum.sellers;
}

const ORDER = {
  traders: (a: TokenActivity, b: TokenActivity, side: Side) => countOf(b, side) - countOf(a, side),
  // Net dollars in the direction asked for: the most bought first, or the most sold.
  netUsd: (a: TokenActivity, b: TokenActivity, side: Side) =>
    (b.buyUsd - b.sellUsd - (a.buyUsd - a.sellUsd)) * (side === "sell" ? -1 : 1),
  recent: (a: TokenActivity, b: TokenActivity) => b.lastTradeAt - a.lastTradeAt,
};

function align(time: number, lengthMs: number): number {
  return Math.floor(time / lengthMs) * lengthMs;
}

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

/** Steps back in time until enough buckets are found, so that a quiet token is not read from its beginning. */
async function newest(
  earliest: number,
  to: number,
  lengthMs: number,
  wanted: number,
  read: (start: number, count: number) => Promise<Bucket[]>,
): Promise<Bucket[]> {
  for (let reach = wanted + 1; ; reach *= 4) {
    const start = Math.max(earliest, align(to, lengthMs) - reach * lengthMs);
    const buckets = await read(start, reach);
    if (buckets.length > wanted || start <= earliest) return buckets;
  }
}
