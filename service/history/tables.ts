// The tables that days are closed into: their columns, in order, and where each takes its cells from. A column change increments
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

interface CellColumn<Item> extends HistoryColumn {
  cell(item: Item): HistoryCell;
}

const column = <Item>(
  name: string,
  type: CellType,
  cell: (item: Item) => NonNullable<HistoryCell>,
): CellColumn<Item> => ({ name, type, nullable: false, cell });
const unknown = <Item>(
  name: string,
  type: CellType,
  cell: (item: Item) => HistoryCell,
): CellColumn<Item> => ({
  name,
  type,
  nullable: true,
  cell,
});

const rowOf = <Item>(columns: readonly CellColumn<Item>[], item: Item): HistoryCell[] =>
  columns.map(({ cell }) => cell(item));

/** The event that a fill or a thesis came with. */
export interface EventPlace {
  eventId: string;
  seq: number;
}

interface WithPlace {
  /** Undefined if the event is no longer in the log. */
  place: EventPlace | undefined;
}

const EVENT: readonly CellColumn<WithPlace>[] = [
  unknown("eventId", "STRING", ({ place }) => place?.eventId ?? null),
  unknown("seq", "INT64", ({ place }) => place?.seq ?? null),
];

interface FillRecord extends WithPlace {
  fill: Fill;
  token: Fill["tokenIn"];
  /** What it was traded for. */
  other: Fill["tokenIn"];
}

// `ts` and not `at`, which is an SQL keyword in some engines.
const FILLS: readonly CellColumn<FillRecord>[] = [
  column("ts", "TIMESTAMP", ({ fill }) => fill.at),
  column("swapId", "STRING", ({ fill }) => fill.swapId),
  column("tradeId", "STRING", ({ fill }) => fill.tradeId),
  column("userId", "STRING", ({ fill }) => fill.userId),
  column("side", "STRING", ({ fill }) => fill.side),
  column("chainId", "INT64", ({ fill }) => fill.networkId),
  column("tokenAddress", "STRING", ({ token }) => token.address),
  column("tokenSymbol", "STRING", ({ token }) => token.symbol),
  column("amount", "DOUBLE", ({ token }) => token.amount),
  column("usd", "DOUBLE", ({ token }) => token.usd),
  column("priceUsd", "DOUBLE", ({ fill }) => fill.priceUsd),
  unknown("feeUsd", "DOUBLE", ({ fill }) => fill.feeUsd),
  column("otherAddress", "STRING", ({ other }) => other.address),
  column("otherSymbol", "STRING", ({ other }) => other.symbol),
  column("otherAmount", "DOUBLE", ({ other }) => other.amount),
  column("txHash", "STRING", ({ fill }) => fill.txHash),
  unknown("block", "INT64", ({ fill }) => fill.block),
  ...EVENT,
];

interface ThesisRecord extends WithPlace {
  thesis: Thesis;
}

const THESES: readonly CellColumn<ThesisRecord>[] = [
  column("createdAt", "TIMESTAMP", ({ thesis }) => thesis.createdAt),
  column("id", "STRING", ({ thesis }) => thesis.id),
  column("tradeId", "STRING", ({ thesis }) => thesis.tradeId),
  column("userId", "STRING", ({ thesis }) => thesis.userId),
  column("handle", "STRING", ({ thesis }) => thesis.handle),
  column("chainId", "INT64", ({ thesis }) => thesis.token.networkId),
  column("tokenAddress", "STRING", ({ thesis }) => thesis.token.address),
  column("tokenSymbol", "STRING", ({ thesis }) => thesis.token.symbol),
  column("text", "STRING", ({ thesis }) => thesis.text),
  unknown("likes", "INT64", ({ thesis }) => thesis.likes ?? null),
  unknown("tradeUsd", "DOUBLE", ({ thesis }) => thesis.tradeUsd),
  column("isDev", "BOOLEAN", ({ thesis }) => thesis.isDev),
  ...EVENT,
];

const TRADERS: readonly CellColumn<Trader>[] = [
  column("userId", "STRING", ({ userId }) => userId),
  column("handle", "STRING", ({ handle }) => handle),
  column("displayName", "STRING", ({ displayName }) => displayName),
  column("verified", "BOOLEAN", ({ verified }) => verified),
  unknown("followers", "INT64", ({ followers }) => followers),
  column("createdAt", "TIMESTAMP", ({ createdAt }) => createdAt),
  unknown("solana", "STRING", ({ wallets }) => wallets.solana),
  unknown("evm", "STRING", ({ wallets }) => wallets.evm),
];

const POSITIONS: readonly CellColumn<Position>[] = [
  column("userId", "STRING", ({ userId }) => userId),
  column("tradeId", "STRING", ({ tradeId }) => tradeId),
  column("handle", "STRING", ({ handle }) => handle),
  column("chainId", "INT64", ({ token }) => token.networkId),
  column("tokenAddress", "STRING", ({ token }) => token.address),
  column("tokenSymbol", "STRING", ({ token }) => token.symbol),
  column("status", "STRING", ({ status }) => status),
  column("heldAmount", "DOUBLE", heldAmount),
  column("boughtAmount", "DOUBLE", ({ boughtAmount }) => boughtAmount),
  column("soldAmount", "DOUBLE", ({ soldAmount }) => soldAmount),
  unknown("costBasisUsd", "DOUBLE", ({ costBasisUsd }) => costBasisUsd),
  unknown("proceedsUsd", "DOUBLE", ({ proceedsUsd }) => proceedsUsd),
  unknown("realizedPnlUsd", "DOUBLE", ({ realizedPnlUsd }) => realizedPnlUsd),
  unknown("unrealizedPnlUsd", "DOUBLE", ({ unrealizedPnlUsd }) => unrealizedPnlUsd),
  unknown("feesUsd", "DOUBLE", ({ feesUsd }) => feesUsd),
  column("openedAt", "TIMESTAMP", ({ openedAt }) => openedAt),
  column("lastActivityAt", "TIMESTAMP", ({ lastActivityAt }) => lastActivityAt),
  unknown("closedAt", "TIMESTAMP", ({ closedAt }) => closedAt),
];

const CANDLES: readonly CellColumn<MinuteCandle>[] = [
  column("opensAt", "TIMESTAMP", ({ opensAt }) => opensAt),
  column("tokenAddress", "STRING", ({ tokenKey }) => tokenKey),
  column("chainId", "INT64", ({ networkId }) => networkId),
  column("open", "DOUBLE", ({ open }) => open),
  column("high", "DOUBLE", ({ high }) => high),
  column("low", "DOUBLE", ({ low }) => low),
  column("close", "DOUBLE", ({ close }) => close),
  column("buyUsd", "DOUBLE", ({ buyUsd }) => buyUsd),
  column("sellUsd", "DOUBLE", ({ sellUsd }) => sellUsd),
  column("trades", "INT64", ({ trades }) => trades),
];

interface TokenTick {
  tokenKey: string;
  networkId: number;
  tick: TapeTick;
}

const TICKS: readonly CellColumn<TokenTick>[] = [
  column("ts", "TIMESTAMP", ({ tick }) => tick.at),
  column("tokenAddress", "STRING", ({ tokenKey }) => tokenKey),
  column("chainId", "INT64", ({ networkId }) => networkId),
  column("priceUsd", "DOUBLE", ({ tick }) => tick.priceUsd),
  unknown("depthUsd", "DOUBLE", ({ tick }) => tick.depthUsd),
  column("feeBps", "INT64", ({ tick }) => tick.feeBps),
];

export const COLUMNS: Record<HistoryTable, readonly HistoryColumn[]> = {
  fills: FILLS,
  theses: THESES,
  traders: TRADERS,
  positions: POSITIONS,
  candles_1m: CANDLES,
  ticks: TICKS,
};

export function fillRow(fill: Fill, place: EventPlace | undefined): HistoryCell[] {
  const [token, other] = fill.side === "buy" ? [fill.tokenOut, fill.tokenIn] : [fill.tokenIn, fill.tokenOut];
  return rowOf(FILLS, { fill, token, other, place });
}

export const thesisRow = (thesis: Thesis, place: EventPlace | undefined): HistoryCell[] =>
  rowOf(THESES, { thesis, place });

export const traderRow = (trader: Trader): HistoryCell[] => rowOf(TRADERS, trader);

export const positionRow = (position: Position): HistoryCell[] => rowOf(POSITIONS, position);

export const candleRow = (candle: MinuteCandle): HistoryCell[] => rowOf(CANDLES, candle);

export const tickRow = (tokenKey: string, networkId: number, tick: TapeTick): HistoryCell[] =>
  rowOf(TICKS, { tokenKey, networkId, tick });
