// One trade in full, and its comments.

import { fault } from "../../../contract/errors.ts";
import type { Routes } from "../../../contract/routes.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import type { PositionDetail } from "../../../protocol/shapes/position.ts";
import type { Handler } from "../answer.ts";
import { BEGINNING, badCursor, isStart, readPlace } from "../cursor.ts";
import { found } from "../live.ts";
import { takeRows } from "../live-page.ts";
import { iso } from "../present/common.ts";
import { presentComment, presentPosition, presentSwap, presentTransfer } from "../present/trades.ts";
import type { Services } from "../services.ts";
import { fromUpstreamCursor } from "../trades/upstream-cursor.ts";

/** Fills per answer, and transfers. */
const PARTS_A_PAGE = 200;

type TradeParts = Pick<Services, "upstream" | "store" | "keeper" | "chains" | "labels" | "clock">;

export function tradeRoutes({ upstream, store, keeper, chains, labels, clock }: TradeParts): {
  [Id in "getTrade" | "listComments"]: Handler<Routes[Id]>;
} {
  return {
    async getTrade({ params, query }, call) {
      const from = offsetOf(query.cursor);
      const askedAt = clock.now();
      const outcome = await upstream.trade(params.tradeId, call);
      const captured = outcome.kind === "found" ? null : await capturedTrade(params.tradeId);
      if (outcome.kind === "notFound" && !captured) await refuseUnshown(params.tradeId);
      const trade = captured ?? found(outcome, "trade with this id");
      if (captured === null) void keeper.positions([withoutParts(trade)], askedAt);
      const parts = Math.max(trade.swaps.length, trade.transfers.length);
      if (from > 0 && from >= parts) throw badCursor();
      const next = from + PARTS_A_PAGE;
      return {
        ...(captured === null ? {} : { freshSeconds: 0 }),
        body: {
          ...presentPosition(labels, trade),
          trader: { handle: trade.handle, userId: trade.userId },
          isDev: trade.isDev,
          thesis: trade.thesis,
          swapCount: trade.swaps.length,
          transferCount: trade.transfers.length,
          swaps: trade.swaps.slice(from, next).map((fill) => presentSwap(chains, fill)),
          transfers: trade.transfers.slice(from, next).map(presentTransfer),
          nextCursor: next < parts ? `from:${next}` : null,
          complete: from === 0 && next >= parts && captured === null,
          asOf: captured === null ? iso(askedAt) : null,
        },
      };
    },

    async listComments({ params, query }, call) {
      const place = isStart(query.cursor) ? BEGINNING : readPlace(String(query.cursor));
      if (place.kind !== "live") throw badCursor();
      const outcome = await upstream.comments(params.tradeId, place.upstreamCursor, call);
      const page = fromUpstreamCursor(outcome, place, "trade with this id");
      // Oldest first.
      const { rows, nextCursor } = takeRows(page, place, query.limit, ({ id, createdAt }) => ({
        value: -createdAt,
        id,
      }));
      return {
        body: {
          tradeId: params.tradeId,
          count: rows.length,
          comments: rows.map(presentComment),
          nextCursor,
          complete: isStart(query.cursor) && nextCursor === null,
        },
      };
    },
  };

  /** A trade that is on chain but that the app has not shown yet is not missing: it arrives within seconds. */
  async function refuseUnshown(tradeId: string): Promise<void> {
    const { seq } = await store.log.head();
    const recent = await store.log.readAfter(Math.max(0, seq - UNSHOWN_POSITIONS_MAX), {
      limit: UNSHOWN_POSITIONS_MAX,
      feeds: ["chain"] as const,
    });
    const isReported = recent.some(
      (event) =>
        event.kind === "trade" && event.tradeId === tradeId && event.capturedAt > clock.now() - UNSHOWN_MS,
    );
    if (!isReported) return;
    throw fault("not_shown_yet", "The app has not shown this trade yet. Try again shortly; this was free.", {
      retryAfterSeconds: UNSHOWN_RETRY_SECONDS,
    });
  }

  /** The captured trade, if upstream does not answer or no longer has it. */
  async function capturedTrade(tradeId: string): Promise<PositionDetail | null> {
    const position = await store.positions.byId(tradeId);
    if (!position) return null;
    const [swaps, transfers] = await Promise.all([
      store.fills.byTrade(tradeId, { limit: CAPTURED_PARTS_MAX }),
      store.transfers.byTrade(tradeId, { limit: CAPTURED_PARTS_MAX }),
    ]);
    return { ...position, swaps: swaps.rows, transfers: transfers.rows };
  }
}

/** The app is about 15 seconds behind the chain; a trade that it has not shown by then was reverted. */
const UNSHOWN_MS = 2 * MINUTE_MS;
const UNSHOWN_RETRY_SECONDS = 5;
/** Two minutes of a busy log, read in a few milliseconds. */
const UNSHOWN_POSITIONS_MAX = 2_000;

/** As many as upstream itself returns for one trade. */
const CAPTURED_PARTS_MAX = 500;

function offsetOf(cursor: string | undefined): number {
  if (isStart(cursor)) return 0;
  const from = /^from:(\d{1,6})$/.exec(String(cursor));
  if (!from) throw badCursor();
  return Number(from[1]);
}

function withoutParts({ swaps: _swaps, transfers: _transfers, ...position }: PositionDetail) {
  return position;
}
