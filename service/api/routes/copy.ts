// What following a trader would have earned, under standard terms.
import { fault } from "../../../contract/errors.ts";
import type { QueryOf } from "../../../contract/route.ts";
import type { Routes } from "../../../contract/routes.ts";
import { SECOND_MS } from "../../../kit/units.ts";
import { NO_FILTERS, NO_RULES, type ReplayTerms } from "../../../replay/terms.ts";
import type { Handler } from "../answer.ts";
import { copiedBooks } from "../copy/leader.ts";
import { noteOf, presentFollowed } from "../copy/present.ts";
import { WINDOW_MS } from "../copy/terms.ts";
import { iso } from "../present/common.ts";
import type { Services } from "../services.ts";
import type { Identify } from "../traders.ts";

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
      const terms = termsOf(query, books.asOf);
      const copied = copiedBooks(books.rows, terms);
      if (copied.fills > FILLS_MAX) throw tooMany();
      const followed = await follow({ userId: trader.userId, books, copied, terms }, call);
      return {
        // Figures that can't say anything are a look that found nothing.
        found: followed.answer.verdict !== "too_few",
        body: {
          handle: trader.handle,
          userId: trader.userId,
          window: query.window,
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
          ...presentFollowed(followed, copied, books),
          note: noteOf(books, followed.answer),
        },
      };
    },
  };
}

function termsOf(query: QueryOf<Routes["getCopy"]>, to: number): ReplayTerms {
  return {
    from: to - WINDOW_MS[query.window],
    to,
    capitalUsd: query.capital,
    size: { mode: "fixed", value: query.size, minUsd: null, maxUsd: null },
    delayMs: query.delay * SECOND_MS,
    exit: query.exit,
    rules: NO_RULES,
    filters: NO_FILTERS,
    costs: { networkFeeUsd: null, botFeeBps: query.botFeeBps },
    copyOpen: false,
  };
}

function tooMany() {
  return fault(
    "invalid_parameter",
    `window must be shorter for this trader: it holds more than ${FILLS_MAX} fills. This was free.`,
    { param: "window" },
  );
}
