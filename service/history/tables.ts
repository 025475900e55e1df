// The tables that days are closed into: their columns, in order, and how each noun becomes a row. A column change increments
// SCHEMA_VERSION, and days closed later have the new one. Money and amounts are doubles, times UTC milliseconds.
import type { Fill, Position } from "../../protocol/shapes/position.ts";
import type { Thesis } from "../../protocol/shapes/thesis.ts";
import type { Trader } from "../../protocol/shapes/trader.ts";
import { heldAmount } from "../model/position.ts";
import type { TapeTick } from "../model/tape.ts";
import type { MinuteCandle } from "../store/captured/days.ts";

export const SCHEMA_VERSION = 1;

export const HISTORY_TABLES = ["fills", "theses", "traders", "positions", "candles_1m", "ticks"] as const;
export type HistoryTable = (typeof HISTORY_TABLES)[number];

export type CellType = "TIMESTAMP" | "STRING" | "DOUBLE" | "INT64" | "BOOLEAN";
export type HistoryCell = string | number | boolean | null;
export interface HistoryColumn {
  name: string;
  type: CellType;
  nullable: boolean;
}

const column = (name: string, type: CellType, nullable = false): HistoryColumn => ({ name, type, nullable });
const unknown = (name: string, type: CellType) => column(name, type, true);

// Not `at`, which is an SQL keyword in some engines.

/** Its event in the log; null if that is no longer there. */
const EVENT_COLUMNS = [unknown("eventId", "STRING"), unknown("seq", "INT64")];

export const COLUMNS: Record<HistoryTable, readonly HistoryColumn[]> = {
  fills: [
    column("ts", "TIMESTAMP"),
    ...["swapId", "tradeId", "userId", "side"].map((name) => column(name, "STRING")),
    column("chainId", "INT64"),
    ...["tokenAddress", "tokenSymbol"].map((name) => column(name, "STRING")),
    ...["amount", "usd", "priceUsd"].map((name) => column(name, "DOUBLE")),
    unknown("feeUsd", "DOUBLE"),
    ...["otherAddress", "otherSymbol"].map((name) => column(name, "STRING")),
    column("otherAmount", "DOUBLE"),
    column("txHash", "STRING"),
    unknown("block", "INT64"),
    ...EVENT_COLUMNS,
  ],
  theses: [
    column("createdAt", "TIMESTAMP"),
    ...["id", "tradeId", "userId", "handle"].map((name) => column(name, "STRING")),
    column("chainId", "INT64"),
    ...["tokenAddress", "tokenSymbol", "text"].map((name) => column(name, "STRING")),
    unknown("likes", "INT64"),
    unknown("tradeUsd", "DOUBLE"),
    column("isDev", "BOOLEAN"),
    ...EVENT_COLUMNS,
  ],
  traders: [
    ...["userId", "handle", "displayName"].map((name) => column(name, "STRING")),
    column("verified", "BOOLEAN"),
    unknown("followers", "INT64"),
    column("createdAt", "TIMESTAMP"),
    ...["solana", "evm"].map((name) => unknown(name, "STRING")),
  ],
  positions: [
    ...["userId", "tradeId", "handle"].map((name) => column(name, "STRING")),
    column("chainId", "INT64"),
    ...["tokenAddress", "tokenSymbol", "status"].map((name) => column(name, "STRING")),
    ...["heldAmount", "boughtAmount", "soldAmount"].map((name) => column(name, "DOUBLE")),
    ...["costBasisUsd", "proceedsUsd", "realizedPnlUsd", "unrealizedPnlUsd", "feesUsd"].map((name) =>
      unknown(name, "DOUBLE"),
    ),
    ...["openedAt", "lastActivityAt"].map((name) => column(name, "TIMESTAMP")),
    unknown("closedAt", "TIMESTAMP"),
  ],
  candles_1m: [
    column("opensAt", "TIMESTAMP"),
    column("tokenAddress", "STRING"),
    column("chainId", "INT64"),
    ...["open", "high", "low", "close", "buyUsd", "sellUsd"].map((name) => column(name, "DOUBLE")),
    column("trades", "INT64"),
  ],
  ticks: [
    column("ts", "TIMESTAMP"),
    column("tokenAddress", "STRING"),
    column("chainId", "INT64"),
    column("priceUsd", "DOUBLE"),
    unknown("depthUsd", "DOUBLE"),
    column("feeBps", "INT64"),
  ],
};

/** The event that a fill or a thesis came with. */
export interface EventPlace {
  eventId: string;
  seq: number;
}

const placed = (place: EventPlace | undefined): HistoryCell[] => [place?.eventId ?? null, place?.seq ?? null];

export function fillRow(fill: Fill, place: EventPlace | undefined): HistoryCell[] {
  const [token, other] = fill.side === "buy" ? [fill.tokenOut, fill.tokenIn] : [fill.tokenIn, fill.tokenOut];
  return [
    ...[fill.at, fill.swapId, fill.tradeId, fill.userId, fill.side, fill.networkId],
    ...[token.address, token.symbol, token.amount, token.usd, fill.priceUsd, fill.feeUsd],
    ...[other.address, other.symbol, other.amount, fill.txHash, fill.block],
    ...placed(place),
  ];
}

export function thesisRow(thesis: Thesis, place: EventPlace | undefined): HistoryCell[] {
  const { token } = thesis;
  return [
    ...[thesis.createdAt, thesis.id, thesis.tradeId, thesis.userId, thesis.handle, token.networkId],
    ...[token.address, token.symbol, thesis.text, thesis.likes ?? null, thesis.tradeUsd, thesis.isDev],
    ...placed(place),
  ];
}

export function traderRow({ wallets, ...trader }: Trader): HistoryCell[] {
  return [
    ...[trader.userId, trader.handle, trader.displayName, trader.verified, trader.followers],
    ...[trader.createdAt, wallets.solana, wallets.evm],
  ];
}

export function positionRow(position: Position): HistoryCell[] {
  const { token } = position;
  return [
    ...[position.userId, position.tradeId, position.handle, token.networkId, token.address, token.symbol],
    ...[position.status, heldAmount(position), position.boughtAmount, position.soldAmount],
    ...[position.costBasisUsd, position.proceedsUsd, position.realizedPnlUsd, position.unrealizedPnlUsd],
    ...[position.feesUsd, position.openedAt, position.lastActivityAt, position.closedAt],
  ];
}

export function candleRow(candle: MinuteCandle): HistoryCell[] {
  return [
    ...[candle.opensAt, candle.tokenKey, candle.networkId, candle.open, candle.high, candle.low],
    ...[candle.close, candle.buyUsd, candle.sellUsd, candle.trades],
  ];
}

export const tickRow = (tokenKey: string, networkId: number, tick: TapeTick): HistoryCell[] => [
  ...[tick.at, tokenKey, networkId, tick.priceUsd, tick.depthUsd, tick.feeBps],
];
