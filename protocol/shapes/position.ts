// Positions, their fills and transfers. A platform's own `amount` and entry price are not read: the model computes them
// from the flows, so they can't disagree with them.
import { list, nullable, object, oneOf, optional, type ReadOf, type WrittenOf } from "../schema.ts";
import {
  address,
  amount,
  count,
  cursor,
  flag,
  handle,
  label,
  networkId,
  prose,
  time,
  uuid,
  word,
} from "../values.ts";
import { pricing } from "./pricing.ts";
import { token } from "./token.ts";

/** All open positions are on the first page. */
const OPEN_POSITIONS_MAX = 5_000;
const PAGE_ROWS_MAX = 500;
const SPOTLIGHT_ROWS_MAX = 100;

export const SIDES = ["buy", "sell"] as const;

const positionFields = {
  tradeId: uuid,
  userId: uuid,
  handle,
  token,
  status: oneOf(["open", "closed"]),
  isDev: flag,
  boughtAmount: amount,
  soldAmount: amount,
  transferredInAmount: amount,
  transferredOutAmount: amount,
  /** The cost of the tokens alone, and the proceeds of selling them, without fees; null when unknown. */
  costBasisUsd: nullable(amount),
  proceedsUsd: nullable(amount),
  avgExitPrice: nullable(amount),
  avgTransferInPrice: nullable(amount),
  avgTransferOutPrice: nullable(amount),
  /** Realized, net of fees; null when unknown. */
  realizedPnlUsd: nullable(amount),
  unrealizedPnlUsd: nullable(amount),
  /** App and network fees of its buys and sells. */
  feesUsd: nullable(amount),
  priceUsd: nullable(amount),
  /** Of `priceUsd`; `exact` is about the amounts. */
  ...pricing,
  openedAt: time,
  lastActivityAt: time,
  closedAt: nullable(time),
  thesis: nullable(object({ id: word, text: prose, likes: count })),
  /** In an unsolicited token: it counts for nothing, and is listed only on request. */
  spam: optional(flag),
};
/** amount = boughtAmount - soldAmount + transferredInAmount - transferredOutAmount */
const workedOut = { amount, avgEntryPrice: nullable(amount) };

export const position = object(positionFields, workedOut);
export type Position = ReadOf<typeof position>;
export type WirePosition = WrittenOf<typeof position>;

const swapLeg = object({ address: { read: legAddress }, symbol: label, amount, usd: amount });
export type SwapLeg = ReadOf<typeof swapLeg>;

/** In place of a contract: the chain's own coin, or dollars where only the value paid is known. */
const WITHOUT_CONTRACT: readonly unknown[] = ["native", "usd"];

function legAddress(value: unknown, field: string): string {
  return WITHOUT_CONTRACT.includes(value) ? String(value) : address.read(value, field);
}

export const fill = object({
  swapId: uuid,
  tradeId: uuid,
  userId: uuid,
  side: oneOf(SIDES),
  networkId,
  tokenIn: swapLeg,
  tokenOut: swapLeg,
  priceUsd: amount,
  ...pricing,
  feeUsd: nullable(amount),
  txHash: word,
  block: nullable(count),
  at: time,
});
export type Fill = ReadOf<typeof fill>;
export type WireSwap = WrittenOf<typeof fill>;

export const transfer = object({
  transferId: uuid,
  tradeId: uuid,
  direction: oneOf(["in", "out"]),
  amount,
  priceUsd: nullable(amount),
  valueUsd: nullable(amount),
  counterparty: nullable(word),
  txHash: word,
  at: time,
});
export type Transfer = ReadOf<typeof transfer>;
export type WireTransfer = WrittenOf<typeof transfer>;

/** Fills and transfers oldest first, at most 500 of each. */
export const positionDetail = object(
  { ...positionFields, swaps: list(fill, PAGE_ROWS_MAX), transfers: list(transfer, PAGE_ROWS_MAX) },
  workedOut,
);
export type PositionDetail = ReadOf<typeof positionDetail>;
export type WireTradeDetail = WrittenOf<typeof positionDetail>;

export const tradesPage = object({
  /** On the first page only. */
  open: list(position, OPEN_POSITIONS_MAX),
  /** 25 at most. */
  closed: list(position, PAGE_ROWS_MAX),
  closedTotal: count,
  nextCursor: cursor,
});
export type TradesPage = ReadOf<typeof tradesPage>;
export type WireTradesPage = WrittenOf<typeof tradesPage>;

export const spotlight = object({
  bestTrades: list(position, SPOTLIGHT_ROWS_MAX),
  bestTheses: list(position, SPOTLIGHT_ROWS_MAX),
});
export type WireSpotlight = WrittenOf<typeof spotlight>;

export const fillsPage = object({ rows: list(fill, PAGE_ROWS_MAX), nextCursor: cursor });
