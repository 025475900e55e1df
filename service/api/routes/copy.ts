// What following a trader would have earned, under standard terms.
import { fault } from "../../../contract/errors.ts";
import type { QueryOf } from "../../../contract/route.ts";
import type { Routes } from "../../../contract/routes.ts";
import { HOUR_MS, SECOND_MS } from "../../../kit/units.ts";
import type { ReplayTerms } from "../../../replay/terms.ts";
import type { Book } from "../../model/books.ts";
import type { Handler } from "../answer.ts";
import { copiedBooks } from "../copy/leader.ts";
import { noteOf, presentFollowed } from "../copy/present.ts";
import { standardTerms } from "../copy/terms.ts";
import { iso } from "../present/common.ts";
import type { Services } from "../services.ts";
import type { Identify } from "../traders.ts";

/** The longest delay, and a while for the last order. */
const SOLD_WITHIN_MS = 2 * HOUR_MS;
/** More would take longer than a call may. */
const FILLS_MAX = 20_000;

export function copyRoutes(
  { profits, follow }: Pick<Services, "profits" | "follow">,
  identify: Identify,
): { getCopy: Handler<Routes["getCopy"]> } {
  return {
    async getCopy({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const books = await profits.books.read(trader, call.asOf, call);
      const { tradeId = null } = query;
      const rows = tradeId === null ? books.rows : [positionOf(books.rows, tradeId)];
      const terms = {
        ...termsOf(query, books.asOf),
        ...(tradeId === null ? {} : boundsOf(rows, books.asOf)),
      };
      const copied = copiedBooks(rows, terms);
      if (copied.fills > FILLS_MAX) throw tooMany();
      const leaders = [{ who: trader, books: { ...books, rows }, copied, chosen: null }];
      const followed = await follow({ leaders, terms }, call);
      return {
        // Figures that can't say anything are a look that found nothing.
        found: tradeId === null ? followed.answer.verdict !== "too_few" : followed.answer.follower.orders > 0,
        body: {
          handle: trader.handle,
          userId: trader.userId,
          window: query.window,
          tradeId,
          from: iso(terms.from),
          asOf: iso(terms.to),
          available: books.available,
          terms: {
            sizeUsd: query.size,
            capitalUsd: query.capital,
            delaySeconds: query.delay,
            exit: query.exit,
            botFeeBps: query.botFeeBps,
            networkFeeUsd: null,
          },
          ...presentFollowed(followed, leaders),
          note: noteOf(leaders, followed.answer),
        },
      };
    },
  };
}

function termsOf(query: QueryOf<Routes["getCopy"]>, to: number): ReplayTerms {
  const standard = standardTerms(query.window, to);
  return {
    ...standard,
    capitalUsd: query.capital,
    size: { ...standard.size, value: query.size },
    delayMs: query.delay * SECOND_MS,
    exit: query.exit,
    costs: { ...standard.costs, botFeeBps: query.botFeeBps },
  };
}

function positionOf(rows: readonly Book[], tradeId: string): Book {
  const found = rows.find(({ position }) => position.tradeId === tradeId);
  if (!found) throw fault("not_found", "This trader has no such position.");
  return found;
}

/** From just before the first move until all that a follower sold is sold. */
function boundsOf([book]: readonly Book[], asOf: number): { from: number; to: number } {
  const { openedAt, lastActivityAt, status } = (book as Book).position;
  const to = status === "closed" ? Math.min(asOf, lastActivityAt + SOLD_WITHIN_MS) : asOf;
  return { from: Math.min(openedAt, to) - 1, to };
}

function tooMany() {
  return fault(
    "invalid_parameter",
    `window must be shorter for this trader: it holds more than ${FILLS_MAX} fills. This was free.`,
    { param: "window" },
  );
}
