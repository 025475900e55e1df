// Items of the app feed. A fill's item carries the position's figures right after that fill, as booked then.
import type { WireAppItem, WireToken } from "../../protocol/protocol.ts";
import { tokenImagePath } from "../images/paths.ts";
import { appTime } from "../world/context.ts";
import { APP_FILL, APP_PERP, APP_THESIS } from "../world/feeds.ts";
import { feeOf } from "../world/fees.ts";
import { PERPS_NETWORK_ID } from "../world/networks.ts";
import { CLOSED_LONG, CLOSED_SHORT, LIQUIDATED, OPENED_LONG, OPENED_SHORT } from "../world/perps.ts";
import type { WorldTrader } from "../world/population.ts";
import { BUY, SELL, TRANSFER_IN } from "../world/state.ts";
import { counterpartyOf, fillKept, placeOf } from "./fills.ts";
import { nameOf } from "./names.ts";
import { paidInDollars } from "./pricing.ts";
import { short } from "./thesis-facts.ts";
import { thesisKept, writtenOf } from "./thesis-rows.ts";
import { dollars, MICRO, type View, volumeText } from "./view.ts";

const KINDS = 4;

export function appItem(view: View, row: number): WireAppItem | undefined {
  const kind = view.tables.appFeed.columns.kind.get(row);
  const number = view.tables.appFeed.columns.number.get(row);
  const eventId = view.ids.appEvent.encode(number * KINDS + kind);
  if (kind === APP_FILL) return fillKept(view, number) ? fillItem(view, eventId, number) : undefined;
  if (kind === APP_THESIS) return thesisKept(view, number) ? thesisItem(view, eventId, number) : undefined;
  if (kind === APP_PERP) return perpItem(view, eventId, number);
  const token = view.context.tokens.get(number);
  return {
    ...blank(view, eventId, "listing", null, view.token(token), token.graduatedAt ?? token.launchAt),
    text: `${token.name} (${token.symbol}) graduated and is now listed`,
  };
}

function blank(
  view: View,
  eventId: string,
  kind: WireAppItem["kind"],
  trader: WorldTrader | null,
  token: WireToken | null,
  at: number,
): WireAppItem {
  return {
    eventId,
    kind,
    userId: trader && view.userId(trader.index),
    handle: trader?.handle ?? null,
    displayName: trader && nameOf(view, trader),
    token,
    tradeId: null,
    swapId: null,
    transferId: null,
    text: null,
    fillUsd: null,
    amount: null,
    priceUsd: null,
    txHash: null,
    positionValueUsd: null,
    realizedPnlUsd: null,
    realizedPnlUsdDelta: null,
    feeUsd: null,
    thesisId: null,
    execAt: null,
    block: null,
    fillMatch: null,
    direction: null,
    valueUsd: null,
    counterparty: null,
    market: null,
    side: null,
    action: null,
    leverage: null,
    sizeUsd: null,
    at,
  };
}

function fillItem(view: View, eventId: string, number: number): WireAppItem {
  const fills = view.tables.fills.columns;
  const { txHash, block, blockAt, row } = placeOf(view, number);
  const kind = fills.kind.get(row);
  const trader = view.context.population.get(fills.trader.get(row));
  const token = view.context.tokens.get(fills.token.get(row));
  const usd = fills.usd.get(row);
  const amount = fills.amount.get(row);
  const at = appTime(fills.at.get(row));
  const tradeId = view.ids.trade.encode(fills.position.get(row), fills.slot.get(row));
  if (kind !== BUY && kind !== SELL) {
    const verb = kind === TRANSFER_IN ? "received" : "sent";
    return {
      ...blank(view, eventId, "transfer", trader, view.token(token), at),
      tradeId,
      transferId: view.ids.transfer.encode(number),
      text: `${nameOf(view, trader)} ${verb} ${short(dollars(usd))} of ${token.symbol}`,
      direction: kind === TRANSFER_IN ? "in" : "out",
      amount: amount / MICRO,
      valueUsd: dollars(usd),
      counterparty: counterpartyOf(view, number),
      txHash,
      execAt: blockAt,
      block,
    };
  }
  const price = usd / amount;
  const sells = kind === SELL;
  return {
    ...blank(view, eventId, sells ? "sell" : "buy", trader, view.token(token), at),
    tradeId,
    // The app does not name the swap: the position and the transaction identify it.
    text: `${nameOf(view, trader)} ${sells ? "sold" : "bought"} ${short(dollars(usd))} of ${token.symbol}`,
    fillUsd: volumeText(usd),
    amount: amount / MICRO,
    priceUsd: price,
    txHash,
    positionValueUsd: dollars(Math.round(fills.amountAfter.get(row) * price)),
    realizedPnlUsd: sells ? dollars(fills.realizedAfter.get(row)) : null,
    realizedPnlUsdDelta: sells ? dollars(usd - fills.costShare.get(row) - feeOf(view.context, row)) : null,
    feeUsd: dollars(feeOf(view.context, row)),
    ...paidInDollars(blockAt),
    execAt: blockAt,
    block,
    fillMatch: "onchain-exact",
  };
}

function thesisItem(view: View, eventId: string, number: number): WireAppItem {
  const theses = view.tables.theses.columns;
  const row = number % view.tables.theses.capacity;
  const trader = view.context.population.get(theses.trader.get(row));
  const token = view.context.tokens.get(theses.token.get(row));
  return {
    ...blank(view, eventId, "thesis", trader, view.token(token), theses.at.get(row)),
    tradeId: view.ids.trade.encode(theses.position.get(row), theses.slot.get(row)),
    text: writtenOf(view, number).text,
    thesisId: view.ids.thesis.encode(number),
  };
}

const PERP_VERBS: Record<number, string> = {
  [OPENED_LONG]: "opened a long",
  [OPENED_SHORT]: "opened a short",
  [CLOSED_LONG]: "closed a long",
  [CLOSED_SHORT]: "closed a short",
  [LIQUIDATED]: "was liquidated",
};

function perpItem(view: View, eventId: string, number: number): WireAppItem | undefined {
  if (number < view.context.state.counters.perps - view.tables.perps.capacity) return undefined;
  const perps = view.tables.perps.columns;
  const row = number % view.tables.perps.capacity;
  const trader = view.context.population.get(perps.trader.get(row));
  const { symbol, name } = view.context.markets[perps.market.get(row)] ?? { symbol: "", name: "" };
  const action = perps.action.get(row);
  const size = `${short(dollars(perps.usd.get(row)))} at ${perps.leverage.get(row)}x`;
  const pnl = dollars(perps.pnl.get(row));
  const isOpening = action === OPENED_LONG || action === OPENED_SHORT;
  const result = isOpening ? "" : `, ${pnl < 0 ? "-" : "+"}${short(Math.abs(pnl))}`;
  const token = {
    address: `${symbol}-PERP`,
    networkId: PERPS_NETWORK_ID,
    symbol: `${symbol}-PERP`,
    name: `${name} perpetual`,
    image: tokenImagePath("perps", `${symbol}-PERP`),
    decimals: 6,
  };
  return {
    ...blank(view, eventId, "perp", trader, token, perps.at.get(row)),
    text: `${nameOf(view, trader)} ${PERP_VERBS[action] ?? "traded"} on ${symbol}, ${size}${result}`,
    market: symbol,
    side: perps.isShort.get(row) === 1 ? "short" : "long",
    action: isOpening ? "open" : action === LIQUIDATED ? "liquidate" : "close",
    leverage: perps.leverage.get(row),
    sizeUsd: dollars(perps.usd.get(row)),
    realizedPnlUsd: isOpening ? null : pnl,
  };
}
