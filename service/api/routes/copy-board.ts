// Which traders were worth following, as computed in the background.
import type { Routes } from "../../../contract/routes.ts";
import { SECOND_MS } from "../../../kit/units.ts";
import type { Handler } from "../answer.ts";
import { standardTerms } from "../copy/terms.ts";
import { iso, isoOrNull } from "../present/common.ts";
import type { Services } from "../services.ts";

export function copyBoardRoutes({ store, labels }: Pick<Services, "store" | "labels">): {
  getCopyLeaderboard: Handler<Routes["getCopyLeaderboard"]>;
} {
  return {
    async getCopyLeaderboard({ params: { window }, query }) {
      const { traders, replayed } = await store.copyBoard.standing();
      const ranked = await store.copyBoard.ranked(window, query.limit);
      const people = await store.traders.byIds(ranked.map(({ userId }) => userId));
      const byId = new Map(people.map((trader) => [trader.userId, trader]));
      // A trader not yet in the directory has no name to show.
      const named = ranked.flatMap(({ userId, ...row }) => {
        const trader = byId.get(userId);
        return trader ? [{ ...row, trader }] : [];
      });
      const rows = named.map(({ trader, asOf, ...figures }, index) => {
        const { userId, handle, displayName, avatar } = trader;
        const who = { rank: index + 1, handle, displayName, userId, avatar: labels.pictureUrl(avatar) };
        return { ...who, asOf: iso(asOf), ...figures };
      });
      const newest = ranked.reduce<number | null>((latest, { asOf }) => Math.max(latest ?? asOf, asOf), null);
      const complete = traders > 0 && replayed === traders && named.length === ranked.length;
      return {
        // Results that are not computed yet are free.
        free: rows.length === 0 && !complete,
        found: rows.length > 0,
        body: {
          window,
          asOf: isoOrNull(newest),
          count: rows.length,
          terms: TERMS,
          traders: rows,
          replayed,
          of: traders,
          complete,
          note: complete ? null : noteOf(replayed, traders),
        },
      };
    },
  };
}

const STANDARD = standardTerms("30d", 0);
const TERMS = {
  sizeUsd: STANDARD.size.value,
  capitalUsd: STANDARD.capitalUsd,
  delaySeconds: STANDARD.delayMs / SECOND_MS,
  exit: "mirror" as const,
  botFeeBps: STANDARD.costs.botFeeBps,
  networkFeeUsd: null,
};

const noteOf = (replayed: number, traders: number): string =>
  traders === 0
    ? "Nobody was replayed yet: that begins half a minute after a start, unless COPY_BOARD_TRADERS is 0. This was free."
    : replayed === traders
      ? "The names of some traders are still being read; they are not in the list yet."
      : `${replayed} of ${traders} traders were replayed so far; the others are not in the list yet.`;
