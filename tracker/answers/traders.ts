// What the tracker says about people: who they are, what they hold, and what they did.
import { toUsd } from "../../accounting/money.ts";
import type { WirePage } from "../../protocol/platform.ts";
import type { WireSwap, WireTradeDetail, WireTradesPage } from "../../protocol/shapes/position.ts";
import type { PnlWindow, WireBalances, WirePerson, WireUser } from "../../protocol/shapes/trader.ts";
import type { Booked } from "../books/accounting.ts";
import { type TraderLedger, tokenKey } from "../books/ledger.ts";
import { decimalText } from "../feeds/items.ts";
import type { RosterTrader } from "../roster/roster.ts";
import { windowOf } from "./books.ts";
import { pageOf } from "./pages.ts";
import type { AnswerParts } from "./parts.ts";
import { openStandings, standingAt, wireHolding, wirePosition, wireSwap, wireTransfer } from "./positions.ts";

const CLOSED_A_PAGE = 25;
const CLOSED_PAGES_MAX = 8;
const SWAPS_A_PAGE = 100;
const PARTS_MAX = 500;
const TOP_HOLDINGS = 10;

export async function userOf(parts: AnswerParts, trader: RosterTrader): Promise<WireUser> {
  const { cache, clock } = parts;
  const ledger = await cache.ledger(trader.userId);
  const now = clock.now();
  const earned = async (window: PnlWindow) => toUsd((await windowOf(cache, ledger, window, now)).total.net);
  const standings = await openStandings(cache, ledger);
  const pnl24h = await earned("24h");
  return {
    ...(await personOf(parts, trader, pnl24h)),
    wallets: {
      status: "resolved",
      solana: trader.solana[0] ?? null,
      evm: trader.evm[0] ?? null,
      verified: false,
      evidence: { solana: trader.solana[0] ? "roster" : null, evm: trader.evm[0] ? "roster" : null },
    },
    formerHandles: trader.formerHandles,
    pnl: { "24h": pnl24h, "7d": await earned("7d"), "30d": await earned("30d"), all: await earned("all") },
    averageHoldTimeSeconds: holdTimeOf(ledger),
    holdingsCount: standings.length,
    holdings: standings.slice(0, TOP_HOLDINGS).map(wireHolding),
  };
}

export async function personOf(
  { cache, clock }: AnswerParts,
  trader: RosterTrader,
  pnl24h?: number,
): Promise<WirePerson> {
  const ledger = await cache.ledger(trader.userId);
  const { total } = await windowOf(cache, ledger, "all", clock.now());
  return {
    userId: trader.userId,
    handle: trader.handle,
    displayName: trader.displayName,
    avatar: null,
    verified: false,
    bio: null,
    twitter: null,
    clan: null,
    private: false,
    followers: 0,
    following: 0,
    trades: ledger.positions.length,
    swapCount: total.fills,
    volumeUsd: decimalText(toUsd(total.volume)),
    pnl24h: pnl24h ?? toUsd((await windowOf(cache, ledger, "24h", clock.now())).total.net),
    createdAt: trader.addedAt,
  };
}

function holdTimeOf(ledger: TraderLedger): number | null {
  const closed = ledger.positions.flatMap(({ openedAt, closedAt }) =>
    closedAt === null ? [] : [closedAt - openedAt],
  );
  return closed.length === 0 ? null : closed.reduce((sum, ms) => sum + ms, 0) / closed.length / 1_000;
}

export async function tradesOf(
  { cache }: AnswerParts,
  trader: RosterTrader,
  query: { networkId?: number; sort: "recent" | "pnl"; cursor?: string },
): Promise<WireTradesPage> {
  const ledger = await cache.ledger(trader.userId);
  const wanted = ledger.positions.filter(({ chainId }) => (query.networkId ?? chainId) === chainId);
  const standings = await Promise.all(wanted.map((position) => standingAt(cache, ledger, position)));
  const rows = standings.map((standing) => wirePosition(trader, standing));
  const closed = rows
    .filter((row) => row.status === "closed")
    .sort((a, b) =>
      query.sort === "pnl"
        ? (b.realizedPnlUsd ?? 0) - (a.realizedPnlUsd ?? 0) || (a.tradeId < b.tradeId ? -1 : 1)
        : (b.closedAt ?? 0) - (a.closedAt ?? 0) || (a.tradeId < b.tradeId ? -1 : 1),
    );
  const reachable = closed.slice(0, CLOSED_A_PAGE * CLOSED_PAGES_MAX);
  const page = pageOf(
    `trades-${query.sort}-${query.networkId ?? "all"}`,
    reachable,
    CLOSED_A_PAGE,
    query.cursor,
  );
  return {
    open: query.cursor === undefined ? rows.filter((row) => row.status === "open") : [],
    closed: page.rows,
    closedTotal: closed.length,
    nextCursor: page.nextCursor,
  };
}

export async function balancesOf({ cache }: AnswerParts, trader: RosterTrader): Promise<WireBalances> {
  const standings = await openStandings(cache, await cache.ledger(trader.userId));
  return { holdings: standings.map(wireHolding), otherPnlUsd: null, perpPnlUsd: null };
}

export async function swapsOf(
  { cache }: AnswerParts,
  trader: RosterTrader,
  query: { networkId?: number; token?: string; cursor?: string },
): Promise<WirePage<WireSwap>> {
  const ledger = await cache.ledger(trader.userId);
  const wanted = query.token?.toLowerCase();
  const swaps = fillsOf(ledger).flatMap(({ booked, key }): WireSwap[] => {
    const known = ledger.tokens.get(key);
    const swap = known ? wireSwap(trader.userId, booked, known) : null;
    if (!swap || (query.networkId ?? swap.networkId) !== swap.networkId) return [];
    return wanted === undefined || booked.change.token.toLowerCase() === wanted ? [swap] : [];
  });
  swaps.sort((a, b) => b.at - a.at || (a.swapId < b.swapId ? -1 : 1));
  return pageOf("swaps", swaps, SWAPS_A_PAGE, query.cursor);
}

function fillsOf(ledger: TraderLedger): { booked: Booked; key: string }[] {
  return [...ledger.booked].flatMap(([key, list]) => list.map((booked) => ({ booked, key })));
}

export async function tradeOf(parts: AnswerParts, tradeId: string): Promise<WireTradeDetail | undefined> {
  const { cache, directory } = parts;
  for (const trader of directory.traders()) {
    const ledger = await cache.ledger(trader.userId);
    const position = ledger.positions.find((each) => each.tradeId === tradeId.toLowerCase());
    if (!position) continue;
    const key = tokenKey(position.chainId, position.token);
    const known = ledger.tokens.get(key);
    const booked = (ledger.booked.get(key) ?? []).filter(({ after }) => after.tradeId === position.tradeId);
    if (!known) return undefined;
    const keep = <Row>(rows: (Row | null)[]): Row[] =>
      rows.filter((row): row is Row & {} => row !== null).slice(0, PARTS_MAX);
    return {
      ...wirePosition(trader, await standingAt(cache, ledger, position)),
      swaps: keep(booked.map((each) => wireSwap(trader.userId, each, known))),
      transfers: keep(booked.map((each) => wireTransfer(trader.userId, each, known))),
    };
  }
  return undefined;
}
