// What following a trader would have earned: the books that every profit comes from, the tape of what they traded, and the
// fold of replay/. Long ones are worked through in slices, so that they hold up no one else.
import { roiOf } from "../../../accounting/figures.ts";
import { toUsd } from "../../../accounting/money.ts";
import { fault } from "../../../contract/errors.ts";
import type { QueryOf } from "../../../contract/route.ts";
import type { Routes } from "../../../contract/routes.ts";
import { seededRandom } from "../../../kit/random.ts";
import { inTurns } from "../../../kit/slices.ts";
import { DAY_MS, SECOND_MS } from "../../../kit/units.ts";
import { type ReplayAnswer, replay } from "../../../replay/replay.ts";
import { NO_FILTERS, NO_RULES, type ReplayTerms, type SkipReason } from "../../../replay/terms.ts";
import type { Handler } from "../answer.ts";
import { copiedBooks, leaderPositions, tapeWishes } from "../copy/leader.ts";
import { createTapeReader } from "../copy/tape.ts";
import { iso } from "../present/common.ts";
import type { ReadBooks } from "../profit/books-reader.ts";
import type { Services } from "../services.ts";
import type { Identify } from "../traders.ts";

const WINDOW_MS = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS } as const;
/** More would take longer than a call may. */
const MOVES_MAX = 20_000;

export function copyRoutes(
  { profits, upstream }: Pick<Services, "profits" | "upstream">,
  identify: Identify,
): { getCopy: Handler<Routes["getCopy"]> } {
  const tape = createTapeReader(upstream);

  return {
    async getCopy({ params, query }, call) {
      const trader = await identify(params.handle, call);
      const books = await profits.books.read(trader, call.asOf, call);
      const terms = termsOf(query, books.asOf);
      const copied = copiedBooks(books.rows, terms);
      if (copied.moves > MOVES_MAX) throw tooMany();
      const leader = await profits.window(books, query.window, call);
      const tapes = await tape.read(tapeWishes(copied, terms), call);
      const answer = await inTurns(
        replay({
          positions: leaderPositions(copied, tapes),
          terms,
          random: seededRandom(trader.userId, JSON.stringify(terms)),
        }),
      );
      return {
        // Figures that can't say anything are a look that found nothing.
        found: answer.verdict !== "too_few",
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
          leader: { pnlUsd: toUsd(leader.total.net), roi: roiOf(leader.total) },
          ...presentReplay(answer),
          perps: copied.perps,
          source: books.isLive ? ("live-upstream" as const) : ("captured" as const),
          note: noteOf(books, answer),
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

function presentReplay(answer: ReplayAnswer) {
  const { orders: _, turnoverUsd: __, skipped, curve, ...rest } = answer;
  return {
    ...rest,
    skipped: (Object.entries(skipped) as [SkipReason, number][])
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count),
    curve: curve.map(({ at, pnlUsd }) => ({ t: iso(at), pnlUsd })),
  };
}

const DOUBT_SENTENCES: Record<ReplayAnswer["doubts"][number], string> = {
  roundTrips: "Fewer than 30 positions were opened and sold.",
  coverage: "Fewer than 80 % of the orders could be priced by the tape.",
  chance: "What was earned may be chance: by token, nine draws of ten don't agree on its sign.",
};

function noteOf({ available }: ReadBooks, { doubts, follower }: ReplayAnswer): string | null {
  if (!available) return "Nothing was captured for this trader, and the platform's books can't be read.";
  if (follower.orders === 0) return "There was nothing to copy in this window.";
  return doubts.length === 0 ? null : doubts.map((doubt) => DOUBT_SENTENCES[doubt]).join(" ");
}

function tooMany() {
  return fault(
    "invalid_parameter",
    `window must be shorter for this trader: it holds more than ${MOVES_MAX} moves. This was free.`,
    { param: "window" },
  );
}
