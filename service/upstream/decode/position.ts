// Positions, their fills and transfers. The platform's own `amount` and entry price are not read: the model works
// them out from the flows, so they can not disagree with them.
import type { Fill, Position, PositionDetail, SwapLeg, Transfer } from "../../model/position.ts";
import { address, handle } from "./keys.ts";
import {
  allRows,
  amount,
  count,
  cursor,
  type Fields,
  fields,
  flag,
  MAX_WORD_LENGTH,
  networkId,
  oneOf,
  orNull,
  prose,
  text,
  time,
  uuid,
  word,
} from "./read.ts";
import { token } from "./token.ts";

/** Open positions come all at once, on the first page. */
const MAX_OPEN_POSITIONS = 5_000;
const MAX_PAGE_ROWS = 500;
const MAX_SPOTLIGHT_ROWS = 100;

export function position(value: unknown): Position {
  const from = fields(value);
  return {
    tradeId: uuid(from, "tradeId"),
    userId: uuid(from, "userId"),
    handle: handle(from, "handle"),
    token: token(from.token),
    status: oneOf(from, "status", ["open", "closed"]),
    isDev: flag(from, "isDev"),
    boughtAmount: amount(from, "boughtAmount"),
    soldAmount: amount(from, "soldAmount"),
    transferredInAmount: amount(from, "transferredInAmount"),
    transferredOutAmount: amount(from, "transferredOutAmount"),
    costBasisUsd: amount(from, "costBasisUsd"),
    proceedsUsd: amount(from, "proceedsUsd"),
    avgExitPrice: orNull(from, "avgExitPrice", amount),
    avgTransferInPrice: orNull(from, "avgTransferInPrice", amount),
    avgTransferOutPrice: orNull(from, "avgTransferOutPrice", amount),
    realizedPnlUsd: amount(from, "realizedPnlUsd"),
    unrealizedPnlUsd: amount(from, "unrealizedPnlUsd"),
    priceUsd: amount(from, "priceUsd"),
    openedAt: time(from, "openedAt"),
    lastActivityAt: time(from, "lastActivityAt"),
    closedAt: orNull(from, "closedAt", time),
    thesis: orNull(from, "thesis", shortThesis),
  };
}

function shortThesis(parent: Fields, field: string): { id: string; text: string; likes: number } {
  const from = fields(parent[field]);
  return { id: word(from, "id"), text: prose(from, "text"), likes: count(from, "likes") };
}

export function tradesPage(value: unknown) {
  const from = fields(value);
  return {
    open: allRows(from, "open", MAX_OPEN_POSITIONS, position),
    closed: allRows(from, "closed", MAX_PAGE_ROWS, position),
    closedTotal: count(from, "closedTotal"),
    nextCursor: cursor(from, "nextCursor"),
  };
}

export function spotlight(value: unknown): { bestTrades: Position[]; bestTheses: Position[] } {
  const from = fields(value);
  return {
    bestTrades: allRows(from, "bestTrades", MAX_SPOTLIGHT_ROWS, position),
    bestTheses: allRows(from, "bestTheses", MAX_SPOTLIGHT_ROWS, position),
  };
}

export function positionDetail(value: unknown): PositionDetail {
  const from = fields(value);
  return {
    ...position(value),
    swaps: allRows(from, "swaps", MAX_PAGE_ROWS, fill),
    transfers: allRows(from, "transfers", MAX_PAGE_ROWS, transfer),
  };
}

export function fillsPage(value: unknown): { rows: Fill[]; nextCursor: string | null } {
  const from = fields(value);
  return { rows: allRows(from, "rows", MAX_PAGE_ROWS, fill), nextCursor: cursor(from, "nextCursor") };
}

function fill(value: unknown): Fill {
  const from = fields(value);
  return {
    swapId: uuid(from, "swapId"),
    tradeId: uuid(from, "tradeId"),
    userId: uuid(from, "userId"),
    side: oneOf(from, "side", ["buy", "sell"]),
    networkId: networkId(from, "networkId"),
    tokenIn: swapLeg(from.tokenIn),
    tokenOut: swapLeg(from.tokenOut),
    priceUsd: amount(from, "priceUsd"),
    feeUsd: orNull(from, "feeUsd", amount),
    txHash: word(from, "txHash"),
    block: orNull(from, "block", count),
    at: time(from, "at"),
  };
}

function swapLeg(value: unknown): SwapLeg {
  const from = fields(value);
  return {
    address: address(from, "address"),
    symbol: text(from, "symbol", MAX_WORD_LENGTH),
    amount: amount(from, "amount"),
    usd: amount(from, "usd"),
  };
}

function transfer(value: unknown): Transfer {
  const from = fields(value);
  return {
    transferId: uuid(from, "transferId"),
    tradeId: uuid(from, "tradeId"),
    direction: oneOf(from, "direction", ["in", "out"]),
    amount: amount(from, "amount"),
    priceUsd: orNull(from, "priceUsd", amount),
    valueUsd: orNull(from, "valueUsd", amount),
    counterparty: orNull(from, "counterparty", word),
    txHash: word(from, "txHash"),
    at: time(from, "at"),
  };
}
