// Recent trades that the feed has and upstream does not list yet, marked as such.
import type { ServedFeedTrade } from "../../../contract/shapes/types.ts";
import type { Position } from "../../../protocol/shapes/position.ts";
import { presentFeedTrade } from "../present/trades.ts";
import type { Services } from "../services.ts";
import type { TraderIdentity } from "../traders.ts";
import type { StatusFilter } from "./rows.ts";

/** How many of a trader's last fills are compared with upstream's list. */
const FEED_ROWS_MAX = 25;

export type UnlistedParts = Pick<Services, "store" | "labels">;

export function createUnlisted({ store, labels }: UnlistedParts) {
  /** Fills of the feed newer than the oldest listed row, of positions that are not listed. */
  return async (
    trader: TraderIdentity,
    listed: readonly Position[],
    status: StatusFilter,
  ): Promise<ServedFeedTrade[]> => {
    if (status !== "all") return [];
    const page = await store.log.page({
      feed: "app",
      kinds: ["buy", "sell"],
      userId: trader.userId,
      limit: FEED_ROWS_MAX,
    });
    const known = new Set(listed.map((position) => position.tradeId));
    const since = Math.min(...listed.map((position) => position.lastActivityAt), Number.MAX_SAFE_INTEGER);
    return page.events.flatMap((event): ServedFeedTrade[] => {
      if (event.feed !== "app" || (listed.length > 0 && event.at < since)) return [];
      if (event.tradeId !== null && known.has(event.tradeId)) return [];
      const row = presentFeedTrade(labels, event);
      return row ? [row] : [];
    });
  };
}

/** Feed trades come first and leave room for one listed row, from which the next page continues. */
export function within(
  limit: number | undefined,
  news: ServedFeedTrade[],
  rest: Position[],
): { feed: ServedFeedTrade[]; rows: Position[] } {
  if (limit === undefined) return { feed: news, rows: rest };
  const feed = news.slice(0, rest.length > 0 ? limit - 1 : limit);
  return { feed, rows: rest.slice(0, limit - feed.length) };
}
