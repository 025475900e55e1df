// A token's candles: the platform's own if it has them, else from our captured fills.

import type { Routes } from "../../../contract/routes.ts";
import type { Handler } from "../answer.ts";
import { align, type CandleBucket, INTERVALS } from "../candles.ts";
import { capturedCandles } from "../captured-candles.ts";
import { badCursor, isStart } from "../cursor.ts";
import { found } from "../live.ts";
import { platformCandles } from "../platform-candles.ts";
import { iso, presentChain, presentToken } from "../present/common.ts";
import type { Services } from "../services.ts";
import { createNetworkOf, NO_SUCH_TOKEN } from "./tokens.ts";

type CandleParts = Pick<Services, "upstream" | "store" | "chains" | "labels" | "clock">;

export function candleRoutes(services: CandleParts): {
  listCandles: Handler<Routes["listCandles"]>;
} {
  const { upstream, store, chains, labels, clock } = services;
  const networkOf = createNetworkOf(services);

  return {
    async listCandles({ params, query }, call) {
      const networkId = await networkOf(params.address, query.networkId);
      const token =
        (await store.tokens.find(params.address, networkId)) ??
        found(await upstream.token(params.address, networkId, call), NO_SUCH_TOKEN);
      const now = clock.now();
      const { lengthMs } = INTERVALS[query.interval];
      // The bucket that contains `to` is returned whole.
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
      // Without `from` the newest are returned: they are complete only if there were fewer than requested.
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
  };
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

function readTime(cursor: string): number {
  const time = /^t:(\d{1,15})$/.exec(cursor);
  if (!time) throw badCursor();
  return Number(time[1]);
}
