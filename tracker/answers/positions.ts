// Positions in the protocol's form, at the last known price. Without a price there is no value.

import type { Lot } from "../../accounting/lot.ts";
import { toUsd } from "../../accounting/money.ts";
import { worthOf } from "../../accounting/window.ts";
import type { WirePosition, WireSwap, WireTransfer } from "../../protocol/shapes/position.ts";
import type { Pricing } from "../../protocol/shapes/pricing.ts";
import type { WireHolding } from "../../protocol/shapes/token.ts";
import type { Booked, PositionState } from "../books/accounting.ts";
import { amountOf } from "../books/amounts.ts";
import { type PaidMoney, paidKey, type TraderLedger } from "../books/ledger.ts";
import type { KnownToken } from "../books/tokens.ts";
import { NATIVE } from "../chain.ts";
import { pricingOfChange, swapIdOf, transferIdOf, wireToken } from "../feeds/items.ts";
import { knownMoney } from "../prices/known.ts";
import type { SeenPrice } from "../prices/observed.ts";
import type { RosterTrader } from "../roster/roster.ts";
import type { LivePosition } from "./live-positions.ts";
import type { Answering } from "./parts.ts";
import { isSpam } from "./spam.ts";

export interface PricedPosition {
  position: PositionState;
  known: KnownToken;
  /** The last known price; null if there never was one. */
  priceUsd: number | null;
  pricing: Pick<Pricing, "pricedBy" | "depthUsd" | "asOf">;
  /** null when cost or price is unknown. */
  unrealizedUsd: number | null;
}

/** At its last price, or at the last one before a moment. */
export async function standingAt(
  { quotes }: Pick<Answering, "quotes">,
  position: PositionState,
  known: KnownToken,
  at?: number,
): Promise<PricedPosition> {
  const { chainId, token, lot } = position;
  const quote = await (at === undefined ? quotes.quote(chainId, token) : quotes.quoteAt(chainId, token, at));
  return {
    position,
    known,
    priceUsd: quote?.priceUsd ?? null,
    pricing: pricingOfQuote(quote),
    unrealizedUsd: position.closedAt === null ? openGain(lot, quote?.priceUsd ?? null) : 0,
  };
}

/** A price's source. */
export function pricingOfQuote(quote: SeenPrice | null): Pick<Pricing, "pricedBy" | "depthUsd" | "asOf"> {
  return {
    pricedBy: quote?.by ?? null,
    depthUsd: quote?.depthUsd ?? null,
    asOf: quote?.timeMs ?? null,
  };
}

function openGain({ amount, cost }: Pick<Lot, "amount" | "cost">, priceUsd: number | null): number | null {
  return cost === null || priceUsd === null ? null : toUsd(worthOf(amount, priceUsd) - cost);
}

const plus = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

const isDeployer = ({ solana, evm }: RosterTrader, { launch }: KnownToken): boolean =>
  launch.deployer !== null && (solana.includes(launch.deployer) || evm.includes(launch.deployer));

export function wirePosition(trader: RosterTrader, standing: PricedPosition): WirePosition {
  const { position, known, priceUsd, pricing, unrealizedUsd } = standing;
  const amount = (raw: bigint) => amountOf(raw, known.decimals ?? 0);
  const [bought, sold] = [amount(position.boughtRaw), amount(position.soldRaw)];
  const [cameIn, wentOut] = [amount(position.inRaw), amount(position.outRaw)];
  const average = (usd: number | null, size: number) => (usd === null || !(size > 0) ? null : usd / size);
  return {
    tradeId: position.tradeId,
    userId: trader.userId,
    handle: trader.handle,
    token: wireToken(known),
    status: position.closedAt === null ? "open" : "closed",
    isDev: isDeployer(trader, known),
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
    feesUsd: position.feesUsd,
    priceUsd,
    ...pricing,
    exact: position.isExact,
    openedAt: position.openedAt,
    lastActivityAt: position.lastActivityAt,
    closedAt: position.closedAt,
    thesis: null,
  };
}

export interface PricedHolding {
  position: LivePosition;
  quote: SeenPrice | null;
  valueUsd: number | null;
  spam: boolean;
}

/** A trader's holdings that are not spam, most valuable first. */
export async function holdingsOf(parts: Answering, userId: string): Promise<PricedHolding[]> {
  return (await everythingHeld(parts, userId)).filter(({ spam }) => !spam);
}

/** Including unsolicited tokens. */
export async function everythingHeld(parts: Answering, userId: string): Promise<PricedHolding[]> {
  const { live, quotes } = parts;
  const holdings: PricedHolding[] = [];
  for (const positions of live.of(userId).values()) {
    const position = positions.at(-1);
    if (!position || position.closedAt !== null) continue;
    const { chainId, token } = position.of.known;
    const said = quotes.quote(chainId, token);
    // Most are cached, and a leaderboard looks at everyone's holdings.
    const quote = said instanceof Promise ? await said : said;
    const valueUsd = quote && position.held * quote.priceUsd;
    const judged = isSpam(parts, position.of);
    const spam = judged instanceof Promise ? await judged : judged;
    holdings.push({ position, quote, valueUsd, spam });
  }
  return holdings.sort((a, b) => (b.valueUsd ?? 0) - (a.valueUsd ?? 0));
}

export function wireHolding({ position, quote, valueUsd, spam }: PricedHolding): WireHolding {
  return {
    token: wireToken(position.of.known),
    amount: position.held,
    priceUsd: quote?.priceUsd ?? null,
    valueUsd,
    change24h: null,
    pnlUsd: plus(position.realizedUsd, openGain(position, quote?.priceUsd ?? null)),
    asOf: quote?.timeMs ?? position.at,
    ...(spam && { spam }),
  };
}

/** The other leg is the money of the same transaction; dollars if that was of several kinds, or a token. */
export function wireSwap(
  { userId, paid: money }: Pick<TraderLedger, "userId" | "paid">,
  booked: Booked,
  known: KnownToken,
): WireSwap | null {
  const { change, after } = booked;
  if (!change.isSwap || change.valueUsd === null) return null;
  const size = Math.abs(amountOf(change.netRaw, known.decimals ?? 0));
  if (!(size > 0)) return null;
  const side = change.netRaw > 0n ? "buy" : "sell";
  const usd = change.valueUsd;
  const traded = { address: known.token, symbol: wireToken(known).symbol, amount: size, usd };
  const other = money.get(paidKey(change));
  const isOther = other !== undefined && other.amountRaw < 0n === change.netRaw > 0n;
  const paid = isOther ? { ...moneyOf(other), usd } : { address: "usd", symbol: "USD", amount: usd, usd };
  return {
    swapId: swapIdOf(userId, change),
    tradeId: after.tradeId,
    userId,
    side,
    networkId: change.chainId,
    tokenIn: side === "buy" ? paid : traded,
    tokenOut: side === "buy" ? traded : paid,
    priceUsd: usd / size,
    ...pricingOfChange(change),
    feeUsd: change.feeUsd,
    txHash: change.txHash,
    block: change.height,
    at: change.timeMs,
  };
}

function moneyOf({ known, amountRaw }: PaidMoney) {
  const { chainId, token, decimals } = known;
  const symbol = token === NATIVE ? knownMoney(chainId).coin : wireToken(known).symbol;
  return { address: token, symbol, amount: Math.abs(amountOf(amountRaw, decimals ?? 0)) };
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
