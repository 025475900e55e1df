// Profits as every route reports them: one read of a trader's books, one set of marks, one accounting. A window, a
// leaderboard, a list of positions and a proof agree at one moment because they all come from here.
import { bucketEnds, type CurveBucket, curveOf } from "../../../accounting/curve.ts";
import { type WindowProfit, windowProfit } from "../../../accounting/window.ts";
import type { Clock } from "../../../kit/clock.ts";
import { inTurns } from "../../../kit/slices.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { Position } from "../../../protocol/shapes/position.ts";
import type { PnlWindow } from "../../../protocol/shapes/trader.ts";
import {
  booksWithin,
  firstMoveAt,
  marksNeeded,
  positionBooks,
  type WindowBounds,
} from "../../model/books.ts";
import type { Store } from "../../store/store.ts";
import type { Upstream } from "../../upstream/port.ts";
import type { RouteCall } from "../answer.ts";
import { type BooksReader, createBooksReader, type ReadBooks } from "./books-reader.ts";
import { createMarks, type WantedMark } from "./marks.ts";

export interface ProfitWindow extends WindowProfit<Position>, WindowBounds {}

export interface Profits {
  books: BooksReader;
  window(books: ReadBooks, window: PnlWindow, call: RouteCall): Promise<ProfitWindow>;
  /** From a moment to that of the books. */
  since(books: ReadBooks, from: number, call: RouteCall): Promise<ProfitWindow>;
  curve(window: ProfitWindow, stepMs: number, call: RouteCall): Promise<CurveBucket[]>;
}

const WINDOW_MS: Record<Exclude<PnlWindow, "all">, number> = {
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
};

/** Only tokens that can be held at the end of a bucket need a price there. */
function* marksWithin(
  positions: ProfitWindow["positions"],
  ends: readonly number[],
  { from, to }: WindowBounds,
): Generator<WantedMark> {
  for (const { book } of positions) {
    const { status, lastActivityAt, openedAt, token } = book.subject;
    const since = book.opening.amount > 0 ? from : openedAt;
    const until = status === "open" ? to : lastActivityAt;
    for (const at of ends) if (at > since && at <= until) yield { token, at };
  }
}

export function createProfits(parts: {
  upstream: Upstream;
  store: Store;
  clock: Pick<Clock, "now">;
}): Profits {
  const marks = createMarks(parts);

  const since = async (books: ReadBooks, from: number, call: RouteCall): Promise<ProfitWindow> => {
    const to = books.asOf;
    const bounds = { from, to };
    const within = booksWithin(books.rows, bounds);
    const markOf = await marks.load(marksNeeded(within, bounds), to - from, call);
    const profit = windowProfit(positionBooks(within, bounds, markOf));
    return { ...profit, ...bounds, isComplete: profit.isComplete && books.isWhole };
  };

  return {
    books: createBooksReader(parts),
    since,
    window: (books, window, call) =>
      since(
        books,
        window === "all" ? (firstMoveAt(books.rows) ?? books.asOf) : books.asOf - WINDOW_MS[window],
        call,
      ),

    async curve({ positions, from, to }, stepMs, call) {
      const ends = bucketEnds(from, to, stepMs);
      const inner = ends.slice(0, -1).map(({ endsAt }) => endsAt);
      const markOf = await marks.load(marksWithin(positions, inner, { from, to }), to - from, call);
      return inTurns(curveOf(positions, ends, ({ token }, at) => markOf(token, at)));
    },
  };
}
