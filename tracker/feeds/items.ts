// The feed items for a booked change: a trade on the chain feed as soon as its block is seen, and an alert on the app feed once
// it can't be undone. Ids derive from the chain, so the same event always has the same id.
import { derivedUuid } from "../../kit/ids.ts";
import type { WireAppItem, WireChainItem } from "../../protocol/shapes/event.ts";
import type { Pricing } from "../../protocol/shapes/pricing.ts";
import type { WireToken } from "../../protocol/shapes/token.ts";
import type { Booked, Change } from "../books/accounting.ts";
import { amountOf } from "../books/amounts.ts";
import type { KnownToken } from "../books/tokens.ts";
import { pretends } from "../prices/look-alike.ts";
import type { RosterTrader } from "../roster/roster.ts";

const WORD_LENGTH_MAX = 128;

/** A token without a symbol is shown by its address, like in wallets and explorers. */
export function wireToken({ chainId, token, symbol, name, decimals }: KnownToken): WireToken {
  const called = symbol.trim().slice(0, WORD_LENGTH_MAX).trim() || shortAddress(token);
  return {
    address: token,
    networkId: chainId,
    symbol: called,
    name: name.trim() || called,
    image: null,
    decimals: decimals ?? 0,
  };
}

const shortAddress = (token: string): string =>
  `${token.slice(0, token.startsWith("0x") ? 6 : 4)}…${token.slice(-4)}`;

const idOf = (what: string, userId: string, { chainId, txHash, token }: Change) =>
  derivedUuid(what, chainId, txHash, userId, token);

export const swapIdOf = (userId: string, change: Change): string => idOf("swap", userId, change);
export const transferIdOf = (userId: string, change: Change): string => idOf("transfer", userId, change);

/** The same trade in another block is another event. */
const eventIdOf = (what: "seen" | "app", userId: string, change: Change, blockHash: string): string =>
  derivedUuid(what, change.chainId, blockHash, change.txHash, userId, change.token);

/** The side: incoming tokens were bought. */
const sideOf = ({ netRaw }: Change): "buy" | "sell" => (netRaw > 0n ? "buy" : "sell");

/** null: nothing could price it, and a trade without a value is not published. */
export function tradeItem(
  trader: RosterTrader,
  { change, after }: Booked,
  known: KnownToken,
  blockHash: string,
): WireChainItem | null {
  const size = sizeOf(change, known);
  if (!change.isSwap || change.valueUsd === null || !(size > 0)) return null;
  const { userId, handle } = trader;
  const priceUsd = change.valueUsd / size;
  return {
    kind: "trade",
    eventId: eventIdOf("seen", userId, change, blockHash),
    tradeId: after.tradeId,
    swapId: swapIdOf(userId, change),
    side: sideOf(change),
    userId,
    handle,
    wallet: change.wallet,
    token: wireToken(known),
    marketCapUsd: marketCapOf(known, priceUsd),
    usd: decimalText(change.valueUsd),
    amount: size,
    priceUsd,
    ...pricingOfChange(change),
    feeUsd: change.feeUsd,
    txHash: change.txHash,
    block: change.height,
    blockAt: change.timeMs,
    finality: "confirmed",
  };
}

/** `isChosen`: whether the trader bought or sold the token before, so that it was not unsolicited. */
export function appItem(
  trader: RosterTrader,
  booked: Booked,
  known: KnownToken,
  blockHash: string,
  isChosen: boolean,
): WireAppItem | null {
  const { change, after, realizedDeltaUsd } = booked;
  const { userId, handle, displayName } = trader;
  const size = sizeOf(change, known);
  const shared = {
    eventId: eventIdOf("app", userId, change, blockHash),
    userId,
    handle,
    displayName,
    token: wireToken(known),
    tradeId: after.tradeId,
    thesisId: null,
    txHash: change.txHash,
    execAt: change.timeMs,
    block: change.height,
    at: change.timeMs,
    fillMatch: change.isExact ? ("onchain-exact" as const) : ("onchain" as const),
    amount: size,
  };
  const priceUsd = change.valueUsd === null ? null : change.valueUsd / size;
  const { symbol } = shared.token;
  if (!change.isSwap) {
    const direction = change.netRaw > 0n ? "in" : "out";
    // Anyone can send a token to anyone, and a token can fake a transfer from someone: these are in the books, but not news.
    if (change.valueUsd === null && (direction === "in" || !isChosen)) return null;
    if (!isChosen && (pretends(known) || claimsTooMuch(change))) return null;
    const verb = direction === "in" ? "received" : "sent";
    return {
      ...shared,
      kind: "transfer",
      swapId: null,
      transferId: transferIdOf(userId, change),
      direction,
      fillUsd: null,
      priceUsd,
      positionValueUsd: null,
      realizedPnlUsd: null,
      realizedPnlUsdDelta: null,
      valueUsd: change.valueUsd,
      counterparty: change.counterparty,
      text: `${displayName} ${verb} ${symbol}`,
    };
  }
  if (priceUsd === null || change.valueUsd === null) return null;
  const isSell = sideOf(change) === "sell";
  return {
    ...shared,
    kind: sideOf(change),
    swapId: swapIdOf(userId, change),
    transferId: null,
    fillUsd: decimalText(change.valueUsd),
    priceUsd,
    positionValueUsd: amountOf(after.heldRaw, known.decimals ?? 0) * priceUsd,
    realizedPnlUsd: isSell ? after.realizedUsd : null,
    realizedPnlUsdDelta: isSell ? realizedDeltaUsd : null,
    ...pricingOfChange(change),
    feeUsd: change.feeUsd,
    text: `${displayName} ${isSell ? "sold" : "bought"} ${symbol}`,
  };
}

/** More than the pool that prices it holds: it could never be sold for that. */
const claimsTooMuch = ({ valueUsd, depthUsd }: Change): boolean =>
  valueUsd !== null && depthUsd !== null && valueUsd > depthUsd;

/** A fill's price source. */
export const pricingOfChange = ({ pricedBy, depthUsd, asOf, isExact }: Change): Pricing => ({
  pricedBy,
  depthUsd,
  asOf,
  exact: isExact,
});

export function marketCapOf({ supplyRaw, decimals }: KnownToken, priceUsd: number): number | null {
  return supplyRaw === null || decimals === null ? null : amountOf(supplyRaw, decimals) * priceUsd;
}

function sizeOf({ netRaw }: Change, { decimals }: KnownToken): number {
  return Math.abs(amountOf(netRaw, decimals ?? 0));
}

/** In the protocol's format for volumes: a plain decimal. */
export function decimalText(value: number): string {
  const text = value.toFixed(8);
  return text.includes("e") ? "0" : text;
}
