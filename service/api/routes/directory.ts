// All traders, in one order at one moment. A cursor contains the moment and a position in its order, which never changes,
// so that a walk of any length goes over one list.
import type { Routes } from "../../../contract/routes.ts";
import type { RankedTrader } from "../../../protocol/shapes/trader.ts";
import type { Handler } from "../answer.ts";
import { badCursor, isStart } from "../cursor.ts";
import { found } from "../live.ts";
import { iso, isoOrNull, presentLeaderboardRow } from "../present/common.ts";
import type { AnswerLabels } from "../present/labels.ts";
import { secondsLeft } from "../profit/moment.ts";
import type { Services } from "../services.ts";

type DirectoryParts = Pick<Services, "upstream" | "labels" | "clock">;

export function directoryRoutes({ upstream, labels, clock }: DirectoryParts): {
  listTraders: Handler<Routes["listTraders"]>;
} {
  return {
    async listTraders({ query }, call) {
      const { window, sort, limit } = query;
      const order = orderOf(query);
      const walk = ["traders", window, sort, order].join(":");
      const place = isStart(query.cursor)
        ? { at: call.asOf, from: 0 }
        : readWalk(String(query.cursor), walk, call.asOf);
      const outcome = await upstream.ranking(window, { ...place, sort, order, who: "all", limit }, call);
      const { asOf, total, rows } = found(outcome, "directory");
      // If the platform can no longer answer for the moment, this is another list.
      if (place.from > 0 && asOf !== place.at) throw badCursor();
      const next = place.from + rows.length;
      const isLast = next >= total || rows.length === 0;
      return {
        freshSeconds: secondsLeft(asOf, clock.now()),
        body: {
          window,
          sort,
          order,
          asOf: iso(asOf),
          total,
          count: rows.length,
          traders: rows.map((row) => presentDirectoryRow(labels, row)),
          nextCursor: isLast ? null : `${walk}:${asOf}:${next}`,
          complete: isLast,
          note: null,
        },
      };
    },
  };
}

export function orderOf({
  sort,
  order,
}: {
  sort: string;
  order?: "asc" | "desc" | undefined;
}): "asc" | "desc" {
  return order ?? (sort === "handle" ? "asc" : "desc");
}

function readWalk(cursor: string, walk: string, asOf: number): { at: number; from: number } {
  const place = /^(.+):(\d{1,15}):(\d{1,9})$/.exec(cursor);
  // No walk returned a future moment.
  if (!place || place[1] !== walk || Number(place[2]) > asOf) throw badCursor();
  return { at: Number(place[2]), from: Number(place[3]) };
}

function presentDirectoryRow(labels: AnswerLabels, row: RankedTrader) {
  const { rank, lastFillAt, createdAt } = row;
  const { topTokens: _, holdings: __, ...shown } = presentLeaderboardRow(labels, { ...row, topTokens: [] });
  return { ...shown, rank, lastFillAt: isoOrNull(lastFillAt), upstreamCreatedAt: iso(createdAt) };
}
