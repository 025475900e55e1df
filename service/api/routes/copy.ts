// What following a trader would have earned, under standard terms.
import { fault } from "../../../contract/errors.ts";
import type { QueryOf } from "../../../contract/route.ts";
import type { Routes } from "../../../contract/routes.ts";
import { SECOND_MS } from "../../../kit/units.ts";
import type { ReplayTerms } from "../../../replay/terms.ts";
import type { Book } from "../../model/books.ts";
import type { Handler } from "../answer.ts";
import { copiedBooks } from "../copy/leader.ts";
import { noteOf, presentFollowed } from "../copy/present.ts";
import { standardTerms, tradeBounds } from "../copy/terms.ts";
import { iso } from "../present/common.ts";
import type { Services } from "../services.ts";
import type { Identify } from "../traders.ts";

/** More would take longer than a call may. */
const FILLS_MAX = 20_000;

export function copyRoutes(
  { profits, follow, store, chains }: Pick<Services, "profits" | "follow" | "store" | "chains">,
  identify: Identify,
): { getCopy: Handler<Routes["getCopy"]> } {
  return {
    async getCopy({ params, query }, call) {
      const trader = await identify(params.handle, call);
      // Read first: the answer includes everything logged up to here.
      const { seq: logSeq } = await store.log.head();
      const books = await profits.books.read(trader, call.asOf, call);
      const { tradeId = null } = query;
      const one = tradeId === null ? null : bookOf(books.rows, tradeId);
      const rows = one === null ? books.rows : [one];
      const terms = {
        ...termsOf(query, books.asOf),
        ...(one === null ? {} : tradeBounds(one.position, books.asOf)),
      };
      const copied = copiedBooks(rows, terms);
      if (copied.fills > FILLS_MAX) throw tooMany(tradeId);
      const leaders = [{ who: trader, books: { ...books, rows }, copied, chosen: null }];
      const followed = await follow({ leaders, terms }, call);
      return {
        // Figures too thin to say anything count as a miss.
        found: tradeId === null ? followed.answer.verdict !== "too_few" : followed.answer.follower.orders > 0,
        body: {
          handle: trader.handle,
          userId: trader.userId,
          window: query.window,
          tradeId,
          from: iso(terms.from),
          asOf: iso(terms.to),
          logSeq,
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
          note: noteOf(leaders, followed, terms, chains),
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

function bookOf(rows: readonly Book[], tradeId: string): Book {
  const found = rows.find(({ position }) => position.tradeId === tradeId);
  if (!found) throw fault("not_found", "This trader has no such position.");
  return found;
}

function tooMany(tradeId: string | null) {
  const [param, must] =
    tradeId === null ? ["window", "be shorter for this trader"] : ["tradeId", "be of a smaller trade"];
  const sentence = `${param} must ${must}: it holds more than ${FILLS_MAX} fills. This was free.`;
  return fault("invalid_parameter", sentence, { param });
}
