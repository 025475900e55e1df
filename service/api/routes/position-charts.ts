// A trader's positions as small charts: moves come from the books, prices from the same source as every other chart.

import type { AnswerOf } from "../../../contract/route.ts";
import { POSITION_CHARTS_MAX } from "../../../contract/routes/position-charts.ts";
import type { Routes } from "../../../contract/routes.ts";
import { servingTurn } from "../../../kit/turn.ts";
import type { Book } from "../../model/books.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { INTERVALS } from "../candles.ts";
import { capturedCandles } from "../captured-candles.ts";
import { chartStretch, reachesBack, shownMoves, thinned } from "../chart-stretch.ts";
import { inTurn } from "../in-turn.ts";
import { platformCandles } from "../platform-candles.ts";
import { iso } from "../present/common.ts";
import { secondsLeft } from "../profit/moment.ts";
import type { Services } from "../services.ts";
import type { Identify } from "../traders.ts";

type ChartParts = Pick<Services, "upstream" | "store" | "profits" | "clock">;
type Chart = AnswerOf<Routes["listPositionCharts"]>["charts"][number];

/** Concurrent candle reads. */
const READS_IN_FLIGHT_MAX = 4;
/** Captured books are used only briefly, so that a recovered upstream is used soon. */
const STAND_IN_SECONDS = 2;

export function positionChartRoutes(
  { upstream, store, profits, clock }: ChartParts,
  identify: Identify,
): { listPositionCharts: Handler<Routes["listPositionCharts"]> } {
  const chartOf = async (
    { position, moves, isWhole }: Book,
    asOf: number,
    call: RouteCall,
  ): Promise<Chart> => {
    const ends = position.status === "closed" ? position.lastActivityAt : asOf;
    const stretch = chartStretch(position.openedAt, ends, asOf);
    const { interval, from, to } = stretch;
    const range = {
      address: position.token.address,
      networkId: position.token.networkId,
      interval,
      from,
      to,
      limit: Math.ceil((to - from) / INTERVALS[interval].lengthMs),
    };
    const { buckets, coveredFrom } =
      (await platformCandles(upstream, range, call)) ?? (await capturedCandles(store, range));
    // A platform in this process answers without leaving the thread.
    await servingTurn();
    const marked = shownMoves(moves);
    return {
      tradeId: position.tradeId,
      interval,
      from: iso(from),
      to: iso(to),
      prices: thinned(buckets).map(({ opensAt, close }) => ({ t: iso(opensAt), c: close })),
      marks: marked.map(({ at, kind, usd, amount }) => ({
        t: iso(at),
        kind,
        priceUsd: usd === null || amount <= 0 ? null : usd / amount,
        usd,
      })),
      moves: moves.length,
      complete:
        isWhole && marked.length === moves.length && reachesBack(stretch, position.openedAt, coveredFrom),
    };
  };

  return {
    async listPositionCharts({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const books = await profits.books.read(trader, call.asOf, call);
      const charts = await inTurn(wanted(books.rows, query.tradeIds), READS_IN_FLIGHT_MAX, (book) =>
        chartOf(book, books.asOf, call),
      );
      return {
        found: charts.length > 0,
        freshSeconds: books.isLive ? secondsLeft(books.asOf, clock.now()) : STAND_IN_SECONDS,
        body: { ...trader, asOf: iso(books.asOf), count: charts.length, charts },
      };
    },
  };
}

/** The requested ones, in request order; by default the most recently active ones. */
function wanted(rows: readonly Book[], tradeIds: readonly string[] | undefined): Book[] {
  if (tradeIds === undefined)
    return rows
      .toSorted((a, b) => b.position.lastActivityAt - a.position.lastActivityAt)
      .slice(0, POSITION_CHARTS_MAX);
  const known = new Map(rows.map((book) => [book.position.tradeId, book]));
  return tradeIds.flatMap((tradeId) => known.get(tradeId) ?? []);
}
