// The ranking's rows with each trader's trading figures, in the orders and chains that callers can request. A platform that
// ranks by its own books sends these figures with the row; otherwise they are computed from the trader's books, a few
// traders at a time, so that no other request waits for a whole board.

import { figuresOf, roiOf, type TradingFigures } from "../../accounting/figures.ts";
import { toMicro, toUsd } from "../../accounting/money.ts";
import { partOf, type WindowProfit } from "../../accounting/window.ts";
import type { Chain } from "../../contract/chains.ts";
import type { LEADERBOARD_SORTS } from "../../contract/shapes/traders.ts";
import type { ServedLeaderboardRow } from "../../contract/shapes/types.ts";
import { knownFirst, type SortOrder } from "../../kit/known-first.ts";
import { servingTurn } from "../../kit/turn.ts";
import type { Position } from "../../protocol/shapes/position.ts";
import type { LeaderboardRow, PnlWindow } from "../../protocol/shapes/trader.ts";
import { netOf } from "../model/position.ts";
import type { RouteCall } from "./answer.ts";
import { inTurn } from "./in-turn.ts";
import { presentChain, presentLeaderboardRow, presentToken } from "./present/common.ts";
import { presentProfit } from "./profit/present.ts";
import type { RankMoves } from "./rank-moves.ts";
import type { Services } from "./services.ts";

/** Books processed at once: a platform in this process takes a few milliseconds for each. */
const TRADERS_IN_FLIGHT_MAX = 4;
const NAMES_A_LOOKUP = 8;

export type LeaderboardSort = (typeof LEADERBOARD_SORTS)[number];

export interface RowsQuery {
  window: PnlWindow;
  chain: Chain | null;
  asOf: number;
  /** How ranks moved, if the ranking is of all chains. */
  moves: RankMoves;
}

type RowsParts = Pick<Services, "store" | "profits" | "chains" | "labels">;
type Figures = Pick<ServedLeaderboardRow, "winRate" | "roi" | "bestTrade" | "pending">;

const PENDING: Figures = { winRate: null, roi: null, bestTrade: null, pending: true };

export async function leaderboardRows(
  services: RowsParts,
  ranked: readonly LeaderboardRow[],
  { window, chain, asOf, moves }: RowsQuery,
  call: RouteCall,
): Promise<ServedLeaderboardRow[]> {
  const { profits, chains, labels } = services;
  const avatars = await avatarsOf(services, ranked);

  const rows = await inTurn(
    ranked,
    TRADERS_IN_FLIGHT_MAX,
    async (row): Promise<ServedLeaderboardRow | null> => {
      const shown = {
        ...presentLeaderboardRow(labels, row),
        rankChange: moves(row),
        avatar: labels.pictureUrl(avatars.get(row.userId) ?? null),
      };
      if (chain === null && row.figures) return { ...shown, ...platformFigures(row.figures) };
      const books = await profits.books.read(row, asOf, call);
      await servingTurn();
      // Figures from only part of a trader's positions would be wrong.
      const isRead = books.available && (books.isLive || books.isWhole);
      if (!isRead) return chain === null ? { ...shown, ...PENDING } : null;
      const whole = await profits.window(books, window, call);
      if (chain === null) return { ...shown, ...ownFigures(whole) };
      const part = partOf(whole, ({ token }) => token.networkId === chain.id);
      if (part.positions.length === 0) return null;
      return {
        ...shown,
        ...presentProfit(part.total),
        realizedPnlUsd: toUsd(part.total.realized),
        volumeUsd: toUsd(part.total.volume),
        trades: part.total.fills,
        ...ownFigures(part),
      };
    },
  );
  const found = rows.filter((row) => row !== null);
  if (chain !== null) {
    found.sort((a, b) => b.pnlUsd - a.pnlUsd);
    for (const [index, row] of found.entries()) row.rank = index + 1;
  }
  return found;

  function platformFigures({ winRate, roi, best }: NonNullable<LeaderboardRow["figures"]>): Figures {
    const bestTrade = best && {
      ...best,
      token: presentToken(labels, best.token),
      ...presentChain(chains, best.token.networkId),
    };
    return { winRate, roi, bestTrade, pending: false };
  }

  function ownFigures(window: WindowProfit<Position>): Figures {
    const { winRate, roi, best } = figuresOf(window, lifeNet);
    return { winRate, roi, bestTrade: presentBest(best), pending: false };
  }

  function presentBest(best: TradingFigures<Position>["best"]): ServedLeaderboardRow["bestTrade"] {
    return (
      best && {
        tradeId: best.subject.tradeId,
        token: presentToken(labels, best.subject.token),
        ...presentChain(chains, best.subject.token.networkId),
        ...presentProfit(best.profit),
        roi: roiOf(best.profit),
      }
    );
  }
}

/** The total net profit of a closed position. */
function lifeNet(position: Position): number | null {
  const net = position.status === "closed" ? netOf(position) : null;
  return net === null ? null : toMicro(net);
}

async function avatarsOf(
  { store }: Pick<Services, "store">,
  ranked: readonly LeaderboardRow[],
): Promise<Map<string, string | null>> {
  const avatars = new Map<string, string | null>();
  for (let start = 0; start < ranked.length; start += NAMES_A_LOOKUP) {
    const ids = ranked.slice(start, start + NAMES_A_LOOKUP).map(({ userId }) => userId);
    for (const trader of await store.traders.byIds(ids)) avatars.set(trader.userId, trader.avatar);
    await servingTurn();
  }
  return avatars;
}

/** Rows sorted by something other than rank; ties keep their rank order. */
export function ordered(
  rows: readonly ServedLeaderboardRow[],
  sort: LeaderboardSort,
  order: SortOrder,
): ServedLeaderboardRow[] {
  return rows.toSorted((a, b) => knownFirst(figureOf(a, sort), figureOf(b, sort), order) || a.rank - b.rank);
}

function figureOf(row: ServedLeaderboardRow, sort: LeaderboardSort): number | null {
  return {
    pnl: row.pnlUsd,
    roi: row.roi,
    winRate: row.winRate,
    volume: row.volumeUsd,
    trades: row.trades,
    followers: row.followers,
  }[sort];
}
