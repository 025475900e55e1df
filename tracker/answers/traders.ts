// The tracker's answers about traders: their profile, holdings and activity.
import { toUsd } from "../../accounting/money.ts";
import { SECOND_MS } from "../../kit/units.ts";
import type { WirePage } from "../../protocol/platform.ts";
import type {
  WirePosition,
  WireSwap,
  WireTradeDetail,
  WireTradesPage,
} from "../../protocol/shapes/position.ts";
import type { PnlWindow, WireBalances, WirePerson, WireUser } from "../../protocol/shapes/trader.ts";
import type { Booked } from "../books/accounting.ts";
import { amountOf } from "../books/amounts.ts";
import { coinBalancesOf } from "../books/coin-balances.ts";
import { type TraderLedger, tokenKey } from "../books/ledger.ts";
import { ownerOf, positionsOfTrader } from "../books/positions.ts";
import { coinDecimals } from "../books/tokens.ts";
import { NATIVE, SOLANA_CHAIN_ID } from "../chain.ts";
import { decimalText } from "../feeds/items.ts";
import { knownMoney } from "../prices/known.ts";
import type { RosterTrader } from "../roster/roster.ts";
import { pageOf } from "./pages.ts";
import type { Answering } from "./parts.ts";
import {
  everythingHeld,
  holdingsOf,
  standingAt,
  wireHolding,
  wirePosition,
  wireSwap,
  wireTransfer,
} from "./positions.ts";
import { isSpam } from "./spam.ts";
import type { TraderStanding } from "./standings.ts";

const CLOSED_A_PAGE = 25;
const CLOSED_PAGES_MAX = 8;
const SWAPS_A_PAGE = 100;
const PARTS_MAX = 500;
const TOP_HOLDINGS = 10;

export async function userOf(parts: Answering, trader: RosterTrader): Promise<WireUser> {
  const standing = await parts.standings.one(trader);
  const holdings = await holdingsOf(parts, trader.userId);
  const net = (window: PnlWindow) => toUsd(standing[window].total.net);
  return {
    ...personFrom(trader, standing),
    wallets: {
      status: "resolved",
      solana: trader.solana[0] ?? null,
      evm: trader.evm[0] ?? null,
      verified: false,
      evidence: { solana: trader.solana[0] ? "roster" : null, evm: trader.evm[0] ? "roster" : null },
      all: { solana: trader.solana, evm: trader.evm },
    },
    formerHandles: trader.formerHandles,
    pnl: { "24h": net("24h"), "7d": net("7d"), "30d": net("30d"), all: net("all") },
    averageHoldTimeSeconds:
      standing.all.averageHoldMs === null ? null : standing.all.averageHoldMs / SECOND_MS,
    holdingsCount: holdings.length,
    holdings: holdings.slice(0, TOP_HOLDINGS).map(wireHolding),
  };
}

export async function personOf(parts: Answering, trader: RosterTrader): Promise<WirePerson> {
  return personFrom(trader, await parts.standings.one(trader));
}

function personFrom(
  trader: RosterTrader,
  { all, "24h": day }: Record<PnlWindow, TraderStanding>,
): WirePerson {
  return {
    userId: trader.userId,
    handle: trader.handle,
    displayName: trader.displayName,
    avatar: trader.picture,
    verified: false,
    bio: trader.bio,
    twitter: trader.x,
    clan: null,
    private: false,
    followers: null,
    following: null,
    trades: all.positions,
    swapCount: all.total.fills,
    volumeUsd: decimalText(toUsd(all.total.volume)),
    pnl24h: toUsd(day.total.net),
    createdAt: trader.addedAt,
  };
}

export async function tradesOf(
  parts: Answering,
  trader: RosterTrader,
  query: { networkId?: number; sort: "recent" | "pnl"; cursor?: string },
): Promise<WireTradesPage> {
  const rows: WirePosition[] = [];
  for (const position of await positionsOfTrader(parts.database.read, trader.userId)) {
    const { chainId, token } = position;
    const of = parts.live.token(tokenKey(chainId, token));
    if (of && (query.networkId ?? chainId) === chainId && !(await isSpam(parts, of)))
      rows.push(wirePosition(trader, await standingAt(parts, position, of.known)));
  }
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

export async function balancesOf(parts: Answering, trader: RosterTrader): Promise<WireBalances> {
  const holdings = await everythingHeld(parts, trader.userId);
  const coins = await coinsOf(parts, trader);
  return { holdings: holdings.map(wireHolding), coins, otherPnlUsd: null, perpPnlUsd: null };
}

/** Chains with a wallet not read yet are left out: a partial sum is not the total. */
async function coinsOf(
  { database, quotes }: Answering,
  { solana, evm }: RosterTrader,
): Promise<NonNullable<WireBalances["coins"]>> {
  const byChain = Map.groupBy(
    await coinBalancesOf(database.read, [...solana, ...evm]),
    ({ chainId }) => chainId,
  );
  const coins: NonNullable<WireBalances["coins"]> = [];
  for (const [chainId, held] of byChain) {
    const isSolana = chainId === SOLANA_CHAIN_ID;
    const own = isSolana ? solana : evm;
    const read = new Set(held.map(({ wallet }) => wallet));
    if (!own.every((wallet) => read.has(wallet))) continue;
    const raw = held.reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
    const amount = amountOf(raw, coinDecimals(chainId));
    const priceUsd = (await quotes.quote(chainId, NATIVE))?.priceUsd ?? null;
    coins.push({
      networkId: chainId,
      symbol: knownMoney(chainId).coin,
      amount,
      priceUsd,
      valueUsd: priceUsd === null ? null : amount * priceUsd,
      asOf: Math.min(...held.map(({ atMs }) => atMs)),
    });
  }
  return coins;
}

export async function swapsOf(
  parts: Answering,
  trader: RosterTrader,
  query: { networkId?: number; token?: string; cursor?: string },
): Promise<WirePage<WireSwap>> {
  const ledger = await parts.ledger(trader.userId);
  const wanted = query.token?.toLowerCase();
  const swaps = fillsOf(ledger).flatMap(({ booked, key }): WireSwap[] => {
    const known = ledger.tokens.get(key);
    const swap = known ? wireSwap(ledger, booked, known) : null;
    if (!swap || (query.networkId ?? swap.networkId) !== swap.networkId) return [];
    return wanted === undefined || booked.change.token.toLowerCase() === wanted ? [swap] : [];
  });
  swaps.sort((a, b) => b.at - a.at || (a.swapId < b.swapId ? -1 : 1));
  return pageOf("swaps", swaps, SWAPS_A_PAGE, query.cursor);
}

function fillsOf(ledger: TraderLedger): { booked: Booked; key: string }[] {
  return [...ledger.booked].flatMap(([key, list]) => list.map((booked) => ({ booked, key })));
}

export async function tradeOf(parts: Answering, tradeId: string): Promise<WireTradeDetail | undefined> {
  const owner = await ownerOf(parts.database.read, tradeId.toLowerCase());
  const trader = owner === null ? undefined : parts.directory.byId(owner);
  if (!trader) return undefined;
  const ledger = await parts.ledger(trader.userId);
  const position = ledger.positions.find((each) => each.tradeId === tradeId.toLowerCase());
  const key = position && tokenKey(position.chainId, position.token);
  const known = key && (parts.live.token(key)?.known ?? ledger.tokens.get(key));
  if (!position || !key || !known) return undefined;
  const booked = (ledger.booked.get(key) ?? []).filter(({ after }) => after.tradeId === position.tradeId);
  const keep = <Row>(rows: (Row | null)[]): Row[] =>
    rows.filter((row): row is Row & {} => row !== null).slice(0, PARTS_MAX);
  return {
    ...wirePosition(trader, await standingAt(parts, position, known)),
    swaps: keep(booked.map((each) => wireSwap(ledger, each, known))),
    transfers: keep(booked.map((each) => wireTransfer(trader.userId, each, known))),
  };
}
