// A trader's positions by page. Open ones come with the first page; closed ones 25 per page, in one of two orders, on one
// network or all, and never deeper than eight pages, so several queries find more than one. A cursor names the last position
// seen, so positions that close between two pages cause no repeats and no gaps. Some new positions are in the feed before they
// are listed, as on platforms whose lists lag behind their feed.
import type { NetworkId, TradeSort, WireTradesPage } from "../../protocol/protocol.ts";
import { appTime } from "../world/context.ts";
import { unit } from "../world/hash.ts";
import { networkIndex } from "../world/networks.ts";
import { readCursor, writeCursor } from "./cursors.ts";
import { closedCount } from "./pnl.ts";
import { closedSlots, openSlots, positionRow } from "./positions.ts";
import type { View } from "./view.ts";

const PAGE = 25;
const DEEPEST = 8;
/** One new position in three is listed this much later than the app shows it: a bot that looks immediately meets some. */
const LATE_SHARE = 1 / 3;
const LATE_MS_MIN = 10_000;
const LATE_MS_MAX = 50_000;

export function tradesPage(
  view: View,
  userId: string,
  query: { networkId?: NetworkId; sort: TradeSort; cursor?: string },
): WireTradesPage | undefined {
  const trader = view.traderOf(userId);
  if (!trader) return undefined;
  const wanted = query.networkId === undefined ? undefined : networkIndex(query.networkId);
  const positions = view.tables.positions.columns;
  const networkOf = (slot: number) => view.context.tokens.get(positions.token.get(slot)).network;
  const matches = (slot: number) => wanted === undefined || networkOf(slot) === wanted;
  const byPnl = query.sort === "pnl";
  const key = byPnl ? positions.realized : positions.closedAt;
  const scope = `trades ${trader.index} ${query.networkId ?? ""} ${query.sort}`;
  const [page, lastKey, lastNumber] =
    query.cursor === undefined
      ? [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      : (readCursor(view.cursorKey, scope, query.cursor, 3) as [number, number, number]);

  const kept = closedSlots(view, trader.index).filter(matches);
  const listed = kept.filter((slot) => isListed(view, slot));
  const closed = listed
    .sort((a, b) => key.get(b) - key.get(a) || positions.number.get(b) - positions.number.get(a))
    .filter(
      (slot) =>
        key.get(slot) < lastKey || (key.get(slot) === lastKey && positions.number.get(slot) < lastNumber),
    );
  const shown = closed.slice(0, PAGE);
  const last = shown.at(-1);
  const more = last !== undefined && closed.length > PAGE && page + 1 < DEEPEST;
  return {
    open:
      page === 0
        ? openSlots(view, trader.index)
            .filter((slot) => matches(slot) && isListed(view, slot))
            .map((slot) => positionRow(view, slot))
        : [],
    closed: shown.map((slot) => positionRow(view, slot)),
    // Positions that are not listed yet are not counted either.
    closedTotal: closedCount(view, trader.index, wanted) - (kept.length - listed.length),
    nextCursor: more
      ? writeCursor(view.cursorKey, scope, [page + 1, key.get(last), positions.number.get(last)])
      : null,
  };
}

/** The same position always has the same delay. */
function isListed(view: View, slot: number): boolean {
  const { number, openedAt } = view.tables.positions.columns;
  const shownAt = appTime(openedAt.get(slot));
  if (view.now >= shownAt + LATE_MS_MAX) return true;
  const draw = unit(view.context.key ^ 0x11_57ed, number.get(slot)) / LATE_SHARE;
  return draw >= 1 || view.now >= shownAt + LATE_MS_MIN + draw * (LATE_MS_MAX - LATE_MS_MIN);
}
