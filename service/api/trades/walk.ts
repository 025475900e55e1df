// A walk through a trader's history: open positions and 25 closed ones first, then 25 closed ones at a time. Recent
// trades that the feed has and upstream does not list yet come first, marked as such.
import type { Keyset } from "../../../database/keyset.ts";
import type { Position } from "../../../protocol/shapes/position.ts";
import type { TradesPage } from "../../upstream/port.ts";
import type { RouteAnswer, RouteCall } from "../answer.ts";
import {
  BEGINNING,
  type CursorPart,
  isStart,
  type KeptPlace,
  type LivePlace,
  readPlace,
  writePlace,
} from "../cursor.ts";
import { didNotFinish, unanswered } from "../live.ts";
import { rowsAfter } from "../live-page.ts";
import { iso } from "../present/common.ts";
import type { Services } from "../services.ts";
import type { TraderIdentity } from "../traders.ts";
import { type StatusFilter, type TradesBody, tradesBody } from "./rows.ts";
import { createUnlisted, within } from "./unlisted.ts";
import { fromUpstreamCursor } from "./upstream-cursor.ts";

const CLOSED_A_PAGE = 25;
const CUT_NOTE =
  "The platform lists no older closed trades. /v2/users/{handle}/positions has those that were captured before.";
/** No trader on any platform we know holds more at once; past it a captured copy continues on the next page. */
const OPEN_MAX = 500;

export interface WalkQuery {
  cursor: string | undefined;
  status: StatusFilter;
  limit: number | undefined;
}

export type WalkParts = Pick<Services, "upstream" | "store" | "keeper" | "labels" | "clock">;

export function createWalk({ upstream, store, keeper, labels, clock }: WalkParts) {
  const unlisted = createUnlisted({ store, labels });

  return async (
    trader: TraderIdentity,
    query: WalkQuery,
    call: RouteCall,
  ): Promise<RouteAnswer<TradesBody>> => {
    const begins = isStart(query.cursor);
    const place = begins ? BEGINNING : readPlace(String(query.cursor));
    if (place.kind === "kept") return kept(trader, query, place);
    const askedAt = clock.now();
    const outcome = await upstream.trades(
      trader.userId,
      { sort: "recent", ...(place.upstreamCursor === null ? {} : { cursor: place.upstreamCursor }) },
      call,
    );
    if (begins && unanswered(outcome)) return kept(trader, query, null);
    const page = fromUpstreamCursor(outcome, place, `trader called ${trader.handle}`);
    void keeper.positions([...page.open, ...page.closed], askedAt);

    const rest = restOf(page, place, query.status);
    const news = begins ? await unlisted(trader, [...page.open, ...page.closed], query.status) : [];
    const { feed, rows } = within(query.limit, news, rest);
    // Upstream's count when the walk began; a position that closes meanwhile is not owed.
    const closed = rows.filter(({ status }) => status === "closed").length;
    const owed = Math.max(0, (place.owed ?? page.closedTotal) - closed);
    const next = nextPlace({ ...place, owed }, query, rest, rows, page.nextCursor);
    const isCut = next === null && query.status !== "open" && owed > 0;
    const closedLeft = query.status === "open" ? 0 : page.closedTotal - page.closed.length;
    const body = tradesBody(labels, rows, feed, {
      available: !begins || feed.length + page.open.length + page.closedTotal > 0,
      nextCursor: next && writePlace(next),
      truncated: next !== null || isCut,
      complete: begins && next === null && closedLeft <= 0,
      asOf: iso(askedAt),
      note: isCut ? CUT_NOTE : null,
    });
    return { body, found: body.available };
  };

  /** The captured copy, page by page; its own cursors keep the walk on it. */
  async function kept(
    trader: TraderIdentity,
    query: WalkQuery,
    place: KeptPlace | null,
  ): Promise<RouteAnswer<TradesBody>> {
    const { rows, next } = await keptRows(trader.userId, query, place);
    // A captured copy includes the feed's trades; those it misses are added to a page without a limit.
    const feed =
      place === null && query.limit === undefined ? await unlisted(trader, rows, query.status) : [];
    if (place === null && rows.length + feed.length === 0) {
      const { open, closed } = await store.positions.counts(trader.userId);
      if (open + closed === 0) throw didNotFinish(`the trades of ${trader.handle}`);
    }
    const body = tradesBody(labels, rows, feed, {
      available: true,
      nextCursor: next && writePlace({ kind: "kept", after: next }),
      truncated: next !== null,
      complete: false,
      asOf: null,
      note: "Upstream did not answer: these are the positions that were captured.",
    });
    return { body, freshSeconds: 0 };
  }

  async function keptRows(
    userId: string,
    { status, limit }: WalkQuery,
    place: KeptPlace | null,
  ): Promise<{ rows: Position[]; next: KeptPlace["after"] | null }> {
    const read = (part: Position["status"], after: Keyset | null, most: number) =>
      store.positions.byTrader(userId, { status: part, sort: "recent", limit: most, cursor: after });
    const after = place?.after ?? null;
    const open =
      status === "closed" || after?.part === "rows"
        ? NO_ROWS
        : await read("open", after, Math.min(OPEN_MAX, limit ?? OPEN_MAX));
    if (open.next) return { rows: open.rows, next: { part: "open", ...open.next } };
    if (status === "open") return { rows: open.rows, next: null };
    const room = Math.min(CLOSED_A_PAGE, (limit ?? Number.POSITIVE_INFINITY) - open.rows.length);
    const from = after?.part === "rows" ? after : null;
    // Without room, one row is read to know whether the walk continues.
    const closed = await read("closed", from, Math.max(1, room));
    if (room > 0)
      return { rows: [...open.rows, ...closed.rows], next: closed.next && { part: "rows", ...closed.next } };
    return { rows: open.rows, next: closed.rows.length > 0 ? BEFORE_THE_FIRST : null };
  }
}

const NO_ROWS = { rows: [], next: null };
/** Larger than any time, so that everything sorts after it. */
const BEFORE_THE_FIRST = { part: "rows", value: 999_999_999_999_999, id: "0" } as const;

/** The rest of a page. Open positions are ordered by opening time, which does not change during a walk. */
function restOf(page: TradesPage, { after }: LivePlace, status: StatusFilter): Position[] {
  const newestFirst = [...page.open].sort(
    (a, b) => b.openedAt - a.openedAt || (a.tradeId < b.tradeId ? 1 : -1),
  );
  const open = status === "closed" || after?.part === "rows" ? [] : newestFirst;
  const closed = status === "open" ? [] : page.closed;
  if (after === null) return [...open, ...closed];
  return after.part === "open"
    ? [...rowsAfter(open, after, keyOf), ...closed]
    : rowsAfter(closed, after, keyOf);
}

function keyOf(position: Position): Keyset & { part: CursorPart } {
  const { status, openedAt, closedAt, lastActivityAt, tradeId: id } = position;
  if (status === "open") return { part: "open", value: openedAt, id };
  return { part: "rows", value: closedAt ?? lastActivityAt, id };
}

function nextPlace(
  place: LivePlace,
  query: WalkQuery,
  rest: readonly Position[],
  rows: readonly Position[],
  upstreamNext: string | null,
): LivePlace | null {
  const last = rows.at(-1);
  if (last && rest.length > rows.length) return { ...place, after: keyOf(last) };
  // Open positions are all on the first page.
  if (query.status === "open" || upstreamNext === null) return null;
  // Newer rows may have pushed the last returned row onto the next page: rows before it there were returned too.
  const after = rest.length === 0 && place.after?.part === "rows" ? place.after : null;
  return { ...place, upstreamCursor: upstreamNext, after };
}
