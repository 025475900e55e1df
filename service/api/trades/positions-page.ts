// A page of a trader's positions from the platform's own books: all as of one moment, so that the pages of a walk, like
// every other route at that moment, add up to the trader's profit.
import type { Position } from "../../../protocol/shapes/position.ts";
import { netOf, valueOfHeld } from "../../model/position.ts";
import { badCursor } from "../cursor.ts";
import type { ReadBooks } from "../profit/books-reader.ts";

export type PositionOrder = "recent" | "pnl" | "size";

export interface PageQuery {
  status: "open" | "closed" | "all";
  sort: PositionOrder;
  networkId?: number;
  token?: string;
  /** Whether to include unsolicited tokens. */
  spam: boolean;
  limit: number;
}

export interface PositionsPage {
  rows: Position[];
  nextCursor: string | null;
  openTotal: number;
  closedTotal: number;
}

const PLACE = /^books:(recent|pnl|size):(\d{1,15}):(\d{1,6})$/;

/** The position of a walk through books; null for a cursor of another walk. */
export function readBooksPlace(
  cursor: string,
  sort: PositionOrder,
  latest: number,
): { asOf: number; from: number } | null {
  if (!cursor.startsWith("books:")) return null;
  const place = PLACE.exec(cursor);
  if (!place || place[1] !== sort || Number(place[2]) > latest) throw badCursor();
  return { asOf: Number(place[2]), from: Number(place[3]) };
}

const FIGURE: Record<PositionOrder, (position: Position) => number> = {
  recent: ({ lastActivityAt }) => lastActivityAt,
  // Unknown profits sort after every loss.
  pnl: (position) => netOf(position) ?? Number.NEGATIVE_INFINITY,
  size: (position) => valueOfHeld(position) ?? 0,
};

export function positionsPage(
  { rows, spam, asOf }: ReadBooks,
  query: PageQuery,
  from: number,
): PositionsPage {
  const asked = rows.map(({ position }) => position);
  const all = query.spam ? [...asked, ...spam] : asked;
  const address = query.token?.toLowerCase();
  const figure = FIGURE[query.sort];
  const wanted = all
    .filter(({ status, token }) => {
      if (query.status !== "all" && status !== query.status) return false;
      if (query.networkId !== undefined && token.networkId !== query.networkId) return false;
      return address === undefined || token.address.toLowerCase() === address;
    })
    .sort((a, b) => order(figure(b), figure(a)) || (a.tradeId < b.tradeId ? 1 : -1));
  const page = wanted.slice(from, from + query.limit);
  const next = from + page.length;
  const openTotal = all.filter(({ status }) => status === "open").length;
  return {
    rows: page,
    nextCursor: next < wanted.length ? `books:${query.sort}:${asOf}:${next}` : null,
    openTotal,
    closedTotal: all.length - openTotal,
  };
}

/** Two unknown figures are equal. */
const order = (a: number, b: number) => (a === b ? 0 : a - b);
