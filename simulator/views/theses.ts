// Lists of theses: everybody's, a token's, a trader's; 95 per page. Cursors name the last thesis seen.
import type { NetworkId, WirePage, WireThesis } from "../../protocol/protocol.ts";
import { networkIndex } from "../world/networks.ts";
import { readCursor, writeCursor } from "./cursors.ts";
import { likesOf, thesisKept, thesisRow, thesisShown } from "./thesis-rows.ts";
import type { View } from "./view.ts";

const PAGE = 95;

export function allTheses(
  view: View,
  query: { networkId?: NetworkId; cursor?: string },
): WirePage<WireThesis> {
  const { counters } = view.context.state;
  const scope = `theses ${query.networkId ?? ""}`;
  const wanted = query.networkId === undefined ? undefined : networkIndex(query.networkId);
  const theses = view.tables.theses.columns;
  const [start] =
    query.cursor === undefined ? [counters.theses] : readCursor(view.cursorKey, scope, query.cursor, 1);
  const found: number[] = [];
  for (
    let number = Math.min(start as number, counters.theses) - 1;
    thesisKept(view, number) && found.length <= PAGE;
    number--
  ) {
    const token = view.context.tokens.get(theses.token.get(number % view.tables.theses.capacity));
    if ((wanted === undefined || token.network === wanted) && thesisShown(view, number)) found.push(number);
  }
  return page(view, scope, found, false);
}

export function tokenTheses(
  view: View,
  address: string,
  query: { networkId?: NetworkId; sort?: "likes" | "recent"; page: number },
): { rows: WireThesis[]; hasMore: boolean } | undefined {
  const token = view.context.tokens.byAddress(address, query.networkId);
  if (!token) return undefined;
  const { backOfToken } = view.tables.theses.columns;
  const found = walk(view, view.tables.tokens.columns.lastThesis.get(token.index), backOfToken);
  if (query.sort !== "recent") {
    const likes = new Map(found.map((number) => [number, likesOf(view, number)]));
    found.sort((a, b) => (likes.get(b) ?? 0) - (likes.get(a) ?? 0) || b - a);
  }
  const first = (query.page - 1) * PAGE;
  return {
    rows: found.slice(first, first + PAGE).map((number) => thesisRow(view, number, true)),
    hasMore: found.length > first + PAGE,
  };
}

export function userTheses(
  view: View,
  userId: string,
  query: { token?: string; cursor?: string },
): WirePage<WireThesis> | undefined {
  const trader = view.traderOf(userId);
  if (!trader) return undefined;
  const scope = `user theses ${trader.index} ${query.token ?? ""}`;
  const [start] =
    query.cursor === undefined
      ? [Number.POSITIVE_INFINITY]
      : readCursor(view.cursorKey, scope, query.cursor, 1);
  const token = query.token === undefined ? undefined : view.context.tokens.byAddress(query.token);
  if (query.token !== undefined && !token) return { rows: [], nextCursor: null };
  const theses = view.tables.theses.columns;
  const found = walk(
    view,
    view.tables.traders.columns.lastThesis.get(trader.index),
    theses.backOfTrader,
  ).filter(
    (number) =>
      number < (start as number) &&
      (token === undefined || theses.token.get(number % view.tables.theses.capacity) === token.index),
  );
  return page(view, scope, found, true);
}

/** Latest first, as far as they are kept and shown. */
function walk(view: View, lastPlusOne: number, back: { get(index: number): number }): number[] {
  const found: number[] = [];
  let number = lastPlusOne - 1;
  while (thesisKept(view, number)) {
    if (thesisShown(view, number)) found.push(number);
    const distance = back.get(number % view.tables.theses.capacity);
    if (distance === 0) break;
    number -= distance;
  }
  return found;
}

function page(view: View, scope: string, found: number[], withLikes: boolean): WirePage<WireThesis> {
  const shown = found.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    rows: shown.map((number) => thesisRow(view, number, withLikes)),
    nextCursor: last !== undefined && found.length > PAGE ? writeCursor(view.cursorKey, scope, [last]) : null,
  };
}
