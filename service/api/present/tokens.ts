// Boards, theses, search rows, stats and developers, in wire form.
import * as shapes from "../../../contract/shapes/tokens.ts";
import type {
  ServedBoardRow,
  ServedDev,
  ServedFlowWindow,
  ServedHolder,
  ServedThesis,
  ServedTokenResult,
  ServedTradeResult,
  ServedTraderResult,
} from "../../../contract/shapes/types.ts";
import type { BoardRow } from "../../../protocol/shapes/board.ts";
import type { Fill, Position } from "../../../protocol/shapes/position.ts";
import type { Thesis } from "../../../protocol/shapes/thesis.ts";
import type { DevHolding, FlowWindow, TokenInfo } from "../../../protocol/shapes/token.ts";
import type { Person } from "../../../protocol/shapes/trader.ts";
import { atPrice, netOf } from "../../model/position.ts";
import type { Holder } from "../../store/captured/positions.ts";
import { iso, presentChain, presentToken } from "./common.ts";
import type { AnswerLabels } from "./labels.ts";
import { presentAs } from "./same-fields.ts";

export function presentBoardRow(labels: AnswerLabels, row: BoardRow): ServedBoardRow {
  return presentAs(shapes.BoardRow, row, {
    image: labels.pictureUrl(row.token.image),
    token: presentToken(labels, row.token),
    network: row.token.networkId,
    ...presentChain(labels.chains, row.token.networkId),
  });
}

export function presentThesis(labels: AnswerLabels, thesis: Thesis): ServedThesis {
  return {
    id: thesis.id,
    tradeId: thesis.tradeId,
    text: thesis.text,
    handle: thesis.handle,
    name: thesis.displayName,
    userId: thesis.userId,
    avatar: labels.pictureUrl(thesis.avatar),
    equity: thesis.equityUsd,
    tradeUsd: thesis.tradeUsd,
    realizedPnlUsd: thesis.realizedPnlUsd,
    unrealizedPnlUsd: thesis.unrealizedPnlUsd,
    isDev: thesis.isDev,
    ts: iso(thesis.createdAt),
    ...(thesis.likes === null ? {} : { likes: thesis.likes }),
    replies: thesis.replies,
    links: thesis.links,
    token: presentToken(labels, thesis.token),
    tokenImage: labels.pictureUrl(thesis.token.image),
    networkId: thesis.token.networkId,
    ...presentChain(labels.chains, thesis.token.networkId),
  };
}

export function presentTokenResult(labels: AnswerLabels, token: TokenInfo, now: number): ServedTokenResult {
  return {
    type: "token",
    symbol: token.symbol,
    address: token.address,
    name: token.name,
    image: labels.pictureUrl(token.image),
    marketCapUsd: token.marketCapUsd,
    // A row without a time was just fetched.
    asOf: iso(token.asOf ?? now),
    networkId: token.networkId,
    ...presentChain(labels.chains, token.networkId),
  };
}

export function presentTraderResult(labels: AnswerLabels, trader: Person): ServedTraderResult {
  return {
    type: "trader",
    handle: trader.handle,
    displayName: trader.displayName,
    userId: trader.userId,
    avatar: labels.pictureUrl(trader.avatar),
    verified: trader.verified,
    followers: trader.followers,
  };
}

export function presentTradeResult(
  labels: AnswerLabels,
  fill: Fill,
  handle: string | null,
): ServedTradeResult {
  const traded = fill.side === "buy" ? fill.tokenOut : fill.tokenIn;
  return {
    type: "trade",
    tradeId: fill.tradeId,
    handle,
    userId: fill.userId,
    symbol: traded.symbol,
    address: traded.address,
    side: fill.side,
    usd: traded.usd,
    txHash: fill.txHash,
    at: iso(fill.at),
    networkId: fill.networkId,
    ...presentChain(labels.chains, fill.networkId),
  };
}

export function presentFlow(flow: FlowWindow): ServedFlowWindow {
  return {
    ...flow,
    netVolumeUsd: flow.buyVolumeUsd - flow.sellVolumeUsd,
    buySellRatio: flow.sells > 0 ? flow.buys / flow.sells : null,
  };
}

/** Valued at the token's current price, or else at the one captured with the position. */
export function presentHolder(
  { handle, userId, amount, positions }: Holder,
  quotedUsd: number | null,
): ServedHolder {
  const latest = positions.at(-1) as Position;
  const priceUsd = quotedUsd ?? latest.priceUsd;
  const gains = positions.map((position) =>
    netOf(priceUsd === null ? position : atPrice(position, priceUsd, position)),
  );
  return {
    handle,
    userId,
    amount,
    valueUsd: priceUsd === null ? null : amount * priceUsd,
    priceUsd,
    pnlUsd: gains.reduce((sum, gain) => (sum === null || gain === null ? null : sum + gain), 0),
    since: iso(Math.min(...positions.map(({ openedAt }) => openedAt))),
    tradeId: latest.tradeId,
  };
}

export function presentDev(dev: DevHolding): ServedDev {
  return { ...dev };
}
