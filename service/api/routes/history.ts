// A trader's trades, positions and fills. Trades and fills are read live, one upstream page at a time; while upstream
// does not answer, captured data is used, and a walk continues on the source it began with.

import { readChain, type TraderKey } from "../../../contract/parts.ts";
import type { QueryOf } from "../../../contract/route.ts";
import type { Routes } from "../../../contract/routes.ts";
import type { Fill, Position } from "../../../protocol/shapes/position.ts";
import { netOf, valueOfHeld } from "../../model/position.ts";
import { atCurrentPrices } from "../../upstream/current-prices.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { BEGINNING, isStart, readKeyset, readPlace, writeKeyset, writePlace } from "../cursor.ts";
import { didNotFinish, unanswered } from "../live.ts";
import { takeRows } from "../live-page.ts";
import { iso } from "../present/common.ts";
import { presentPosition, presentSwap } from "../present/trades.ts";
import type { ReadBooks } from "../profit/books-reader.ts";
import { secondsLeft } from "../profit/moment.ts";
import type { Services } from "../services.ts";
import type { Identify } from "../traders.ts";
import { createFanOut, type FanOutParts } from "../trades/fan-out.ts";
import { positionsPage, readBooksPlace } from "../trades/positions-page.ts";
import { fromUpstreamCursor } from "../trades/upstream-cursor.ts";
import { createWalk, type WalkParts } from "../trades/walk.ts";

type PositionsQuery = QueryOf<Routes["listPositions"]>;
type HistoryRouteId = "listTrades" | "listPositions" | "listSwaps";

/** Pages are cut by the captured figures; each is sorted by the figures it shows. */
function inOrder(rows: readonly Position[], sort: "recent" | "pnl" | "size"): Position[] {
  const figure = {
    recent: () => 0,
    pnl: (row: Position) => netOf(row) ?? -Number.MAX_VALUE,
    size: (row: Position) => valueOfHeld(row) ?? 0,
  }[sort];
  return rows.toSorted((a, b) => figure(b) - figure(a));
}

const asked = (handle: TraderKey) => ({ key: handle.key, kind: handle.kind });

export function historyRoutes(
  services: WalkParts & FanOutParts & Pick<Services, "profits">,
  identify: Identify,
): { [Id in HistoryRouteId]: Handler<Routes[Id]> } {
  const { upstream, store, profits, chains, labels, clock } = services;
  const walk = createWalk(services);
  const fanOut = createFanOut(services);

  return {
    async listTrades({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const rows = query.deep
        ? await fanOut(trader, { calls: query.deep.calls, status: query.status, limit: query.limit }, call)
        : await walk(trader, { cursor: query.cursor, status: query.status, limit: query.limit }, call);
      return { ...rows, body: { ...asked(params.handle), ...rows.body } };
    },

    async listPositions({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const place = isStart(query.cursor)
        ? { asOf: call.asOf, from: 0 }
        : readBooksPlace(String(query.cursor), query.sort, call.asOf);
      const books = place && (await profits.books.read(trader, place.asOf, call));
      if (place && books?.isLive) return bookedPositions(params.handle, query, books, place.from);
      // Only the platform's own books have the next page of this walk.
      if (place && place.from > 0) throw didNotFinish(`the positions of ${trader.handle}`);
      return capturedPositions(params.handle, trader.userId, query, call);
    },

    async listSwaps({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const network = query.chain === undefined ? undefined : readChain(query.chain, chains, "chain").id;
      const begins = isStart(query.cursor);
      const place = begins ? BEGINNING : readPlace(String(query.cursor));
      const token = query.token ?? query.tokenAddress;
      const isFiltered = network !== undefined || token !== undefined;
      if (place.kind === "live") {
        const outcome = await upstream.swaps(
          trader.userId,
          {
            ...(network === undefined ? {} : { networkId: network }),
            ...(token === undefined ? {} : { token }),
            ...(place.upstreamCursor === null ? {} : { cursor: place.upstreamCursor }),
          },
          call,
        );
        if (!unanswered(outcome) || !begins) {
          const page = fromUpstreamCursor(outcome, place, `fills of ${trader.handle}`);
          const { rows, nextCursor } = takeRows(page, place, query.limit, ({ swapId, at }) => ({
            value: at,
            id: swapId,
          }));
          const available = rows.length > 0 || isFiltered || !begins;
          return swapsAnswer(params.handle, rows, { nextCursor, available, complete: begins, note: null });
        }
      }
      const kept = await store.fills.byTrader(trader.userId, {
        limit: query.limit,
        cursor: place.kind === "kept" ? place.after : null,
        ...(network === undefined ? {} : { networkId: network }),
        ...(token === undefined ? {} : { tokenAddress: token }),
      });
      if (kept.rows.length === 0 && begins) throw didNotFinish(`the fills of ${trader.handle}`);
      const nextCursor = kept.next && writePlace({ kind: "kept", after: { part: "rows", ...kept.next } });
      const note = "Upstream did not answer: these are the fills that were captured.";
      const rest = { nextCursor, available: true, complete: false, note };
      return { ...swapsAnswer(params.handle, kept.rows, rest), freshSeconds: 0 };
    },
  };

  function bookedPositions(handle: TraderKey, query: PositionsQuery, books: ReadBooks, from: number) {
    const networkId = networkOf(query);
    const page = positionsPage(
      books,
      {
        status: query.status,
        sort: query.sort,
        limit: query.limit,
        spam: query.spam ?? false,
        ...(networkId === undefined ? {} : { networkId }),
        ...(query.token === undefined ? {} : { token: query.token }),
      },
      from,
    );
    const open = page.rows.filter((position) => position.status === "open").length;
    return {
      freshSeconds: secondsLeft(books.asOf, clock.now()),
      body: {
        ...asked(handle),
        count: page.rows.length,
        openCount: open,
        closedCount: page.rows.length - open,
        openTotal: page.openTotal,
        closedTotal: page.closedTotal,
        closedTotalOnUpstream: page.closedTotal,
        positions: page.rows.map((position) => presentPosition(labels, position)),
        available: true,
        nextCursor: page.nextCursor,
        truncated: page.nextCursor !== null,
        complete: from === 0 && page.nextCursor === null && books.isWhole,
        asOf: iso(books.asOf),
        note: null,
      },
    };
  }

  function networkOf({ chain }: PositionsQuery): number | undefined {
    return chain === undefined ? undefined : readChain(chain, chains, "chain").id;
  }

  /** Captured positions at current prices, if the platform's books can't be read. */
  async function capturedPositions(
    handle: TraderKey,
    userId: string,
    query: PositionsQuery,
    call: RouteCall,
  ) {
    const networkId = networkOf(query);
    const capture = await store.captures.find(userId);
    const page = await store.positions.byTrader(userId, {
      limit: query.limit,
      sort: query.sort === "size" ? "value" : query.sort,
      cursor: isStart(query.cursor) ? null : readKeyset(String(query.cursor), query.sort),
      ...(query.status === "all" ? {} : { status: query.status }),
      ...(networkId === undefined ? {} : { networkId }),
      ...(query.token === undefined ? {} : { tokenAddress: query.token }),
    });
    const available = capture !== null || page.rows.length > 0;
    const totals = await store.positions.counts(userId);
    const open = page.rows.filter((position) => position.status === "open").length;
    const askedAt = clock.now();
    const { positions, isCurrent } = await atCurrentPrices(upstream, page.rows, call);
    return {
      found: available,
      body: {
        ...asked(handle),
        count: page.rows.length,
        openCount: open,
        closedCount: page.rows.length - open,
        openTotal: totals.open,
        closedTotal: totals.closed,
        closedTotalOnUpstream: capture?.closedTotal ?? null,
        positions: inOrder(positions, query.sort).map((position) => presentPosition(labels, position)),
        available,
        nextCursor: writeKeyset(query.sort, page.next),
        truncated: page.next !== null,
        // Captured positions are complete only if upstream's count of closed ones was reached.
        complete:
          isStart(query.cursor) &&
          page.next === null &&
          capture?.openComplete === true &&
          capture.closedTotal !== null &&
          totals.closed >= capture.closedTotal,
        asOf: isCurrent ? iso(askedAt) : null,
        note: available
          ? "The platform's books can't be read: these are the positions that were captured."
          : "Nothing was captured for this trader yet. Ask /trades to read it live.",
      },
    };
  }

  function swapsAnswer(
    handle: TraderKey,
    rows: readonly Fill[],
    rest: { nextCursor: string | null; available: boolean; complete: boolean; note: string | null },
  ) {
    return {
      found: rows.length > 0,
      body: {
        ...asked(handle),
        count: rows.length,
        swaps: rows.map((fill) => presentSwap(chains, fill)),
        truncated: rest.nextCursor !== null,
        ...rest,
        complete: rest.complete && rest.nextCursor === null,
      },
    };
  }
}
