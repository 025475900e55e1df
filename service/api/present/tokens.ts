// Boards, theses, search rows, stats and developers, as they travel.
import type { Chains } from "../../../contract/chains.ts";
import * as shapes from "../../../contract/shapes/tokens.ts";
import type * as wire from "../../../contract/shapes/types.ts";
import type { BoardRow } from "../../model/board.ts";
import type { Thesis } from "../../model/thesis.ts";
import type { DevHolding, FlowWindow, TokenInfo } from "../../model/token.ts";
import type { Person } from "../../model/trader.ts";
import { iso, presentChain, presentToken } from "./common.ts";
import { presentAs } from "./same-fields.ts";

export function presentBoardRow(chains: Chains, row: BoardRow): wire.BoardRow {
  return presentAs(shapes.BoardRow, row, {
    image: row.token.image,
    token: presentToken(row.token),
    network: row.token.networkId,
    ...presentChain(chains, row.token.networkId),
  });
}

export function presentThesis(chains: Chains, thesis: Thesis): wire.Thesis {
  return {
    id: thesis.id,
    tradeId: thesis.tradeId,
    text: thesis.text,
    handle: thesis.handle,
    name: thesis.displayName,
    userId: thesis.userId,
    avatar: thesis.avatar,
    equity: thesis.equityUsd,
    tradeUsd: thesis.tradeUsd,
    realizedPnlUsd: thesis.realizedPnlUsd,
    unrealizedPnlUsd: thesis.unrealizedPnlUsd,
    isDev: thesis.isDev,
    ts: iso(thesis.createdAt),
    ...(thesis.likes === null ? {} : { likes: thesis.likes }),
    replies: thesis.replies,
    links: thesis.links,
    token: presentToken(thesis.token),
    tokenImage: thesis.token.image,
    networkId: thesis.token.networkId,
    ...presentChain(chains, thesis.token.networkId),
  };
}

export function presentTokenResult(chains: Chains, token: TokenInfo): wire.TokenResult {
  return {
    type: "token",
    symbol: token.symbol,
    address: token.address,
    name: token.name,
    image: token.image,
    marketCapUsd: token.marketCapUsd,
    networkId: token.networkId,
    ...presentChain(chains, token.networkId),
  };
}

export function presentTraderResult(trader: Person): wire.TraderResult {
  return {
    type: "trader",
    handle: trader.handle,
    displayName: trader.displayName,
    userId: trader.userId,
    avatar: trader.avatar,
    verified: trader.verified,
    followers: trader.followers,
  };
}

export function presentFlow(flow: FlowWindow): wire.FlowWindow {
  return {
    ...flow,
    netVolumeUsd: flow.buyVolumeUsd - flow.sellVolumeUsd,
    buySellRatio: flow.sells > 0 ? flow.buys / flow.sells : null,
  };
}

export function presentDev(dev: DevHolding): wire.Dev {
  return { ...dev };
}
