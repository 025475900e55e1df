// A walk through a trader's history: open positions and 25 closed ones first, then 25 closed ones at a time. Recent
// trades that the feed told of and upstream does not list yet come first, marked as what they are.
import type * as wire from "../../../contract/shapes/types.ts";
import type { Position } from "../../model/position.ts";
import type { Answer, Call } from "../answer.ts";
import { isStart, type KeptPlace, type LivePlace, readPlace, writePlace } from "../cursor.ts";
import { didNotFinish, unanswered } from "../live.ts";
import { presentFeedTrade } from "../present/trades.ts";
import type { Services } from "../services.ts";
import type { Identity } from "../traders.ts";
import { keep, ofStatus, type StatusFilter, type TradesBody, tradesBody } from "./rows.ts";
import { fromUpstreamCursor } from "./upstream-cursor.ts";

const CLOSED_A_PAGE = 25;
/** How many of a trader's last fills are compared with what upstream lists. */
const FEED_ROWS_AT_MOST = 25;

export interface WalkQuery {
  cursor: string | undefined;
  status: StatusFilter;
  limit: number | undefined;
}

export function createWalk(services: Services) {
  const { upstream, store, chains } = services;

  return async (trader: Identity, query: WalkQuery, call: Call): Promise<Answer<TradesBody>> => {
    const begins = isStart(query.cursor);
    const place = begins ? BEGINNING : readPlace(String(query.cursor));
    if (place.kind === "kept") return kept(trader, query, place);
    const outcome = await upstream.trades(
      trader.userId,
      { sort: "recent", ...(place.upstreamCursor === null ? {} : { cursor: place.upstreamCursor }) },
      call,
    );
    if (begins && unanswered(outcome)) return kept(trader, query, null);
    const page = fromUpstreamCursor(outcome, place, `trader called ${trader.handle}`);
    keep(services, [...page.open, ...page.closed]);

    const all = ofStatus([...page.open, ...page.closed], query.status);
    const rest = all.slice(place.skip);
    const rows = query.limit === undefined ? rest : rest.slice(0, query.limit);
    const cut = rest.length > rows.length;
    const next = nextPlace(place, query, rows.length, cut, page.nextCursor);
    const feed = begins && place.skip === 0 ? await unlisted(trader, all, query) : [];
    const body = tradesBody(chains, rows, feed, {
      nextCursor: next && writePlace(next),
      truncated: next !== null,
      complete: begins && next === null && page.closed.length >= page.closedTotal,
      note: null,
    });
    return { body, found: body.available || !begins };
  };

  /** Fills of the feed newer than the oldest listed row, of positions that are not listed. */
  async function unlisted(trader: Identity, listed: readonly Position[], query: WalkQuery) {
    if (query.status !== "all" || query.limit !== undefined) return [];
    const page = await store.log.page({
      feed: "app",
      kinds: ["buy", "sell"],
      userId: trader.userId,
      limit: FEED_ROWS_AT_MOST,
    });
    const known = new Set(listed.map((position) => position.tradeId));
    const since = Math.min(...listed.map((position) => position.lastActivityAt), Number.MAX_SAFE_INTEGER);
    return page.events.flatMap((event): wire.FeedTrade[] => {
      if (event.feed !== "app" || (listed.length > 0 && event.at < since)) return [];
      if (event.tradeId !== null && known.has(event.tradeId)) return [];
      const row = presentFeedTrade(chains, event);
      return row ? [row] : [];
    });
  }

  /** The captured copy, page by page; its own cursors keep the walk on it. */
  async function kept(
    trader: Identity,
    query: WalkQuery,
    place: KeptPlace | null,
  ): Promise<Answer<TradesBody>> {
    const open = place === null && query.status !== "closed" ? await everyOpen(trader.userId) : [];
    const wanted = query.status === "open" ? 0 : CLOSED_A_PAGE;
    const room =
      query.limit === undefined ? wanted : Math.min(wanted, Math.max(0, query.limit - open.length));
    const closed =
      room === 0
        ? { rows: [], next: null }
        : await store.positions.byTrader(trader.userId, {
            status: "closed",
            sort: "recent",
            limit: room,
            cursor: place?.after ?? null,
          });
    const rows = [...open.slice(0, query.limit ?? open.length), ...closed.rows];
    const feed = place === null ? await unlisted(trader, rows, query) : [];
    if (place === null && rows.length + feed.length === 0)
      throw didNotFinish(`the trades of ${trader.handle}`);
    const body = tradesBody(chains, rows, feed, {
      nextCursor: closed.next && writePlace({ kind: "kept", after: closed.next }),
      truncated: closed.next !== null || open.length > rows.length,
      complete: false,
      note: "Upstream did not answer: these are the positions that were captured.",
    });
    return { body, freshSeconds: 0 };
  }

  async function everyOpen(userId: string): Promise<Position[]> {
    const page = await store.positions.byTrader(userId, {
      status: "open",
      sort: "recent",
      limit: OPEN_AT_MOST,
    });
    return page.rows;
  }
}

/** No trader of any platform we know holds more at once; past it the oldest are left out. */
const OPEN_AT_MOST = 500;

const BEGINNING: LivePlace = { kind: "live", upstreamCursor: null, skip: 0 };

function nextPlace(
  place: LivePlace,
  query: WalkQuery,
  given: number,
  cut: boolean,
  upstreamNext: string | null,
): LivePlace | null {
  if (cut) return { ...place, skip: place.skip + given };
  // Open positions are all on the first page.
  if (query.status === "open" || upstreamNext === null) return null;
  return { kind: "live", upstreamCursor: upstreamNext, skip: 0 };
}
