// Positions and their parts, in wire form.
import type { Chains } from "../../../contract/chains.ts";
import { SpotlightTrade } from "../../../contract/shapes/traders.ts";
import * as shapes from "../../../contract/shapes/trades.ts";
import type {
  ServedComment,
  ServedFeedTrade,
  ServedPosition,
  ServedSpotlightTrade,
  ServedSwap,
  ServedTransfer,
} from "../../../contract/shapes/types.ts";
import type { AppItem } from "../../../protocol/shapes/event.ts";
import type { Fill, Position, Transfer } from "../../../protocol/shapes/position.ts";
import type { Comment } from "../../../protocol/shapes/thesis.ts";
import { entryPrice, grossOf, heldAmount, netOf } from "../../model/position.ts";
import { iso, isoOrNull, presentChain, presentToken } from "./common.ts";
import type { AnswerLabels } from "./labels.ts";
import { presentAs } from "./same-fields.ts";

/** The direction of a position: a closed one ended with a sell, an open one is (still) bought. */
function sideOf(position: Position): "buy" | "sell" {
  return position.status === "closed" ? "sell" : "buy";
}

export function presentPosition(labels: AnswerLabels, position: Position): ServedPosition {
  const amount = heldAmount(position);
  return presentAs(shapes.Position, position, {
    token: presentToken(labels, position.token),
    side: sideOf(position),
    // The size on the row's side: cost for a buy, proceeds for a sell.
    sizeUsd: sideOf(position) === "buy" ? position.costBasisUsd : position.proceedsUsd,
    ...presentChain(labels.chains, position.token.networkId),
    ts: iso(position.closedAt ?? position.lastActivityAt),
    source: "captured",
    amount,
    avgEntryPrice: entryPrice(position),
    asOf: isoOrNull(position.asOf),
    pnlUsd: netOf(position),
    grossPnlUsd: grossOf(position),
    createdAt: iso(position.openedAt),
    closedAt: isoOrNull(position.closedAt),
    spam: position.spam ?? false,
  });
}

/** A buy or sell of the app feed as a row of a trader's trades; null if it is not a trade in a token. */
export function presentFeedTrade(labels: AnswerLabels, event: AppItem): ServedFeedTrade | null {
  if ((event.kind !== "buy" && event.kind !== "sell") || event.token === null) return null;
  return {
    token: presentToken(labels, event.token),
    side: event.kind,
    sizeUsd: event.fillUsd,
    realizedPnlUsd: event.realizedPnlUsd,
    ...presentChain(labels.chains, event.token.networkId),
    ts: iso(event.at),
    source: "feed",
    userId: event.userId,
    tradeId: event.tradeId,
    swapId: event.swapId,
    amount: event.amount,
    priceUsd: event.priceUsd,
    txHash: event.txHash,
  };
}

export function presentSwap(chains: Chains, fill: Fill): ServedSwap {
  return presentAs(shapes.Swap, fill, {
    ...presentChain(chains, fill.networkId),
    // A buy pays money into the position, a sell pays the position out into money.
    tradeIdIn: fill.side === "sell" ? fill.tradeId : null,
    tradeIdOut: fill.side === "buy" ? fill.tradeId : null,
    asOf: isoOrNull(fill.asOf),
    at: iso(fill.at),
  });
}

export function presentTransfer(transfer: Transfer): ServedTransfer {
  return presentAs(shapes.Transfer, transfer, { at: iso(transfer.at) });
}

export function presentComment(comment: Comment): ServedComment {
  return presentAs(shapes.Comment, comment, {
    createdAt: iso(comment.createdAt),
    isReply: comment.parentId !== null,
  });
}

export function presentSpotlightTrade(labels: AnswerLabels, position: Position): ServedSpotlightTrade {
  return presentAs(SpotlightTrade, position, {
    token: presentToken(labels, position.token),
    ...presentChain(labels.chains, position.token.networkId),
    avgEntryPrice: entryPrice(position),
    openedAt: iso(position.openedAt),
    closedAt: isoOrNull(position.closedAt),
  });
}
