// Positions as the protocol shows them, and what a trader earned in a window: realized gains in it plus the change of
// unrealized ones, marked to market at both ends.
import type { WirePosition, WireSwap, WireTransfer } from "../../protocol/shapes/position.ts";
import type { WireHolding } from "../../protocol/shapes/token.ts";
import type { Window } from "../../protocol/shapes/trader.ts";
import type { Booked, PositionState } from "../books/accounting.ts";
import { amountOf } from "../books/amounts.ts";
import { type Ledger, tokenKey } from "../books/ledger.ts";
import type { KnownToken } from "../books/tokens.ts";
import { swapIdOf, transferIdOf, wireToken } from "../feeds/items.ts";
import type { RosterTrader } from "../roster/roster.ts";
import type { BooksCache } from "./books-cache.ts";

const DAY_MS = 86_400_000;
const WINDOW_MS: Record<Window, number> = {
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
};

export interface Standing {
  position: PositionState;
  known: KnownToken;
  /** The last known price; of a token that nobody priced, what it cost. */
  priceUsd: number;
  asOf: number;
  unrealizedUsd: number;
}

export async function standingOf(
  cache: BooksCache,
  ledger: Ledger,
  position: PositionState,
): Promise<Standing> {
  const known = ledger.tokens.get(tokenKey(position.chainId, position.token)) as KnownToken;
  const held = amountOf(position.heldRaw, known.decimals ?? 0);
  const quote = await cache.quote(position.chainId, position.token);
  const priceUsd = quote?.priceUsd ?? (held > 0 ? position.openCostUsd / held : 0);
  return {
    ...{ position, known, priceUsd },
    asOf: quote?.timeMs ?? position.lastActivityAt,
    unrealizedUsd: position.closedAt === null ? held * priceUsd - position.openCostUsd : 0,
  };
}

export function wirePosition(trader: RosterTrader, standing: Standing): WirePosition {
  const { position, known, priceUsd, unrealizedUsd } = standing;
  const amount = (raw: bigint) => amountOf(raw, known.decimals ?? 0);
  const [bought, sold] = [amount(position.boughtRaw), amount(position.soldRaw)];
  const [cameIn, wentOut] = [amount(position.inRaw), amount(position.outRaw)];
  const average = (usd: number, of: number) => (of > 0 ? usd / of : null);
  return {
    tradeId: position.tradeId,
    userId: trader.userId,
    handle: trader.handle,
    token: wireToken(known),
    status: position.closedAt === null ? "open" : "closed",
    isDev: false,
    boughtAmount: bought,
    soldAmount: sold,
    transferredInAmount: cameIn,
    transferredOutAmount: wentOut,
    amount: amount(position.heldRaw),
    costBasisUsd: position.costBasisUsd,
    proceedsUsd: position.proceedsUsd,
    avgEntryPrice: average(position.costBasisUsd, bought),
    avgExitPrice: average(position.proceedsUsd, sold),
    avgTransferInPrice: average(position.inValueUsd, cameIn),
    avgTransferOutPrice: average(position.outValueUsd, wentOut),
    realizedPnlUsd: position.realizedUsd,
    unrealizedPnlUsd: unrealizedUsd,
    priceUsd,
    openedAt: position.openedAt,
    lastActivityAt: position.lastActivityAt,
    closedAt: position.closedAt,
    thesis: null,
  };
}

export async function openStandings(cache: BooksCache, ledger: Ledger): Promise<Standing[]> {
  const open = ledger.positions.filter(({ closedAt }) => closedAt === null);
  const standings = await Promise.all(open.map((position) => standingOf(cache, ledger, position)));
  return standings.sort((a, b) => worthOf(b) - worthOf(a));
}

const worthOf = ({ position, known, priceUsd }: Standing): number =>
  amountOf(position.heldRaw, known.decimals ?? 0) * priceUsd;

export function wireHolding(standing: Standing): WireHolding {
  const { position, known, priceUsd, unrealizedUsd, asOf } = standing;
  return {
    token: wireToken(known),
    amount: amountOf(position.heldRaw, known.decimals ?? 0),
    priceUsd,
    valueUsd: worthOf(standing),
    change24h: null,
    pnlUsd: position.realizedUsd + unrealizedUsd,
    asOf,
  };
}

/** The other leg is in dollars: what was paid is kept as its value. */
export function wireSwap(userId: string, booked: Booked, known: KnownToken): WireSwap | null {
  const { change, after } = booked;
  if (!change.isSwap || change.valueUsd === null) return null;
  const size = Math.abs(amountOf(change.netRaw, known.decimals ?? 0));
  if (!(size > 0)) return null;
  const side = change.netRaw > 0n ? "buy" : "sell";
  const usd = change.valueUsd;
  const traded = { address: known.token, symbol: wireToken(known).symbol, amount: size, usd };
  const paid = { address: "usd", symbol: "USD", amount: usd, usd };
  return {
    swapId: swapIdOf(userId, change),
    tradeId: after.tradeId,
    userId,
    side,
    networkId: change.chainId,
    tokenIn: side === "buy" ? paid : traded,
    tokenOut: side === "buy" ? traded : paid,
    priceUsd: usd / size,
    feeUsd: change.feeUsd,
    txHash: change.txHash,
    block: change.height,
    at: change.timeMs,
  };
}

export function wireTransfer(userId: string, booked: Booked, known: KnownToken): WireTransfer | null {
  const { change, after } = booked;
  if (change.isSwap) return null;
  const size = Math.abs(amountOf(change.netRaw, known.decimals ?? 0));
  return {
    transferId: transferIdOf(userId, change),
    tradeId: after.tradeId,
    direction: change.netRaw > 0n ? "in" : "out",
    amount: size,
    priceUsd: change.valueUsd === null || !(size > 0) ? null : change.valueUsd / size,
    valueUsd: change.valueUsd,
    counterparty: change.counterparty,
    txHash: change.txHash,
    at: change.timeMs,
  };
}

export interface Earned {
  pnlUsd: number;
  realizedUsd: number;
  volumeUsd: number;
  fills: number;
  /** Whether there was a fill or an open position in the window. */
  wasActive: boolean;
}

export async function earnedIn(
  cache: BooksCache,
  ledger: Ledger,
  window: Window,
  now: number,
): Promise<Earned> {
  const since = now - WINDOW_MS[window];
  const earned: Earned = { pnlUsd: 0, realizedUsd: 0, volumeUsd: 0, fills: 0, wasActive: false };
  for (const booked of ledger.booked.values()) {
    for (const { change, realizedDeltaUsd } of booked) {
      if (change.timeMs < since || !change.isSwap) continue;
      earned.realizedUsd += realizedDeltaUsd;
      earned.volumeUsd += change.valueUsd ?? 0;
      earned.fills += 1;
    }
    const last = booked.at(-1);
    if (last && last.after.closedAt === null)
      earned.pnlUsd += (await standingOf(cache, ledger, last.after)).unrealizedUsd;
    if (last && (last.after.closedAt === null || last.after.lastActivityAt >= since)) earned.wasActive = true;
    const before = booked.findLast(({ change }) => change.timeMs < since)?.after;
    if (before && before.closedAt === null) earned.pnlUsd -= await unrealizedAt(cache, ledger, before, since);
  }
  earned.pnlUsd += earned.realizedUsd;
  return earned;
}

async function unrealizedAt(
  cache: BooksCache,
  ledger: Ledger,
  position: PositionState,
  timeMs: number,
): Promise<number> {
  const known = ledger.tokens.get(tokenKey(position.chainId, position.token));
  const held = amountOf(position.heldRaw, known?.decimals ?? 0);
  const quote = await cache.quoteAt(position.chainId, position.token, timeMs);
  return quote ? held * quote.priceUsd - position.openCostUsd : 0;
}
