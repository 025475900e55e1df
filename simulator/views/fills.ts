// Swaps and transfers: the fills behind positions, as far back as they are kept. Only fills that the app has shown.
import type {
  NetworkId,
  WirePage,
  WireSwap,
  WireTradeDetail,
  WireTransfer,
} from "../../protocol/protocol.ts";
import { derivedAddress, derivedTxHash } from "../world/addresses.ts";
import { blockNumber, ORDER_SLACK_MS, reorgDelay, settledAt } from "../world/blocks.ts";
import { feeOf } from "../world/fees.ts";
import { network, networkIndex, QUOTE_SYMBOL } from "../world/networks.ts";
import { BUY, SELL, TRANSFER_IN } from "../world/state.ts";
import { readCursor, writeCursor } from "./cursors.ts";
import { positionRow } from "./positions.ts";
import { paidInDollars } from "./pricing.ts";
import { dollars, MICRO, type View } from "./view.ts";

const SWAPS_PAGE = 100;
const DETAILS_MAX = 500;

/** Whether the fill's record is still kept. */
export function fillKept(view: View, number: number): boolean {
  return number >= 0 && number >= view.context.state.counters.fills - view.tables.fills.capacity;
}

/** The fill's place on the chain: in the block that stayed, or (first) in the one that a re-org undid. */
export function placeOf(
  view: View,
  number: number,
  first = false,
): { txHash: string; block: number; blockAt: number; row: number } {
  const fills = view.tables.fills.columns;
  const row = number % view.tables.fills.capacity;
  const networkAt = view.context.tokens.networkOf(fills.token.get(row));
  const on = network(networkAt);
  const delay = first ? 0 : reorgDelay(view.context, number, networkAt);
  const blockAt = fills.at.get(row) + delay;
  return {
    txHash: derivedTxHash(on.solana, view.context.key ^ 0x7a5, number, delay === 0 ? 0 : 1),
    block: blockNumber(on, blockAt),
    blockAt,
    row,
  };
}

/** The contract of the stablecoin that swaps are paid in. */
function quoteAddress(view: View, networkAt: number): string {
  return derivedAddress(network(networkAt).solana, view.context.key ^ 0xd011a5, networkAt);
}

/** The sender or recipient of tokens. */
export function counterpartyOf(view: View, number: number): string {
  const { fills } = view.tables;
  const token = fills.columns.token.get(number % fills.capacity);
  const { solana } = network(view.context.tokens.networkOf(token));
  return derivedAddress(solana, view.context.key ^ 0xc0, number);
}

function swapRow(view: View, number: number): WireSwap {
  const { tokens } = view.context;
  const fills = view.tables.fills.columns;
  const { txHash, block, blockAt, row } = placeOf(view, number);
  const token = tokens.get(fills.token.get(row));
  const on = network(token.network);
  const buys = fills.kind.get(row) === BUY;
  const usd = dollars(fills.usd.get(row));
  const amount = fills.amount.get(row) / MICRO;
  const quote = { address: quoteAddress(view, token.network), symbol: QUOTE_SYMBOL, amount: usd, usd };
  const base = { address: tokens.address(token), symbol: token.symbol, amount, usd };
  return {
    swapId: view.ids.swap.encode(number),
    tradeId: view.ids.trade.encode(fills.position.get(row), fills.slot.get(row)),
    userId: view.userId(fills.trader.get(row)),
    side: buys ? "buy" : "sell",
    networkId: on.id,
    tokenIn: buys ? quote : base,
    tokenOut: buys ? base : quote,
    priceUsd: usd / amount,
    ...paidInDollars(blockAt),
    feeUsd: dollars(feeOf(view.context, row)),
    txHash,
    block,
    at: blockAt,
  };
}

function transferRow(view: View, number: number): WireTransfer {
  const fills = view.tables.fills.columns;
  const { txHash, blockAt, row } = placeOf(view, number);
  const usd = dollars(fills.usd.get(row));
  const amount = fills.amount.get(row) / MICRO;
  return {
    transferId: view.ids.transfer.encode(number),
    tradeId: view.ids.trade.encode(fills.position.get(row), fills.slot.get(row)),
    direction: fills.kind.get(row) === TRANSFER_IN ? "in" : "out",
    amount,
    priceUsd: usd / amount,
    valueUsd: usd,
    counterparty: counterpartyOf(view, number),
    txHash,
    at: blockAt,
  };
}

export function tradeDetail(view: View, tradeId: string): WireTradeDetail | undefined {
  const slot = view.slotOf(tradeId);
  if (slot === undefined) return undefined;
  const fills = view.tables.fills.columns;
  const swaps: number[] = [];
  const transfers: number[] = [];
  let number = view.tables.positions.columns.lastFill.get(slot) - 1;
  while (fillKept(view, number)) {
    const row = number % view.tables.fills.capacity;
    const kind = fills.kind.get(row);
    (kind === BUY || kind === SELL ? swaps : transfers).push(number);
    const back = fills.backOfPosition.get(row);
    if (back === 0) break;
    number -= back;
  }
  const oldestFirst = (numbers: number[]) => inOrder(view, numbers).reverse().slice(0, DETAILS_MAX);
  return {
    ...positionRow(view, slot),
    swaps: oldestFirst(swaps).map((swap) => swapRow(view, swap)),
    transfers: oldestFirst(transfers).map((transfer) => transferRow(view, transfer)),
  };
}

interface PlacedFill {
  number: number;
  at: number;
}

/** By block, latest first: a fill that a re-org moved is listed in the block that stayed, not where it was first seen. */
function byBlock(a: PlacedFill, b: PlacedFill): number {
  return b.at - a.at || b.number - a.number;
}

function inOrder(view: View, numbers: readonly number[]): number[] {
  const placed = numbers.map((number) => ({ number, at: settledAt(view.context, number) }));
  return placed.sort(byBlock).map(({ number }) => number);
}

/** Latest first. The cursor is the last swap seen. */
export function swapsPage(
  view: View,
  userId: string,
  query: { networkId?: NetworkId; token?: string; cursor?: string },
): WirePage<WireSwap> | undefined {
  const trader = view.traderOf(userId);
  if (!trader) return undefined;
  const scope = `swaps ${trader.index} ${query.networkId ?? ""} ${query.token ?? ""}`;
  const [at, number] =
    query.cursor === undefined
      ? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      : (readCursor(view.cursorKey, scope, query.cursor, 2) as [number, number]);
  const wanted = query.networkId === undefined ? undefined : networkIndex(query.networkId);
  const token = query.token === undefined ? undefined : view.context.tokens.byAddress(query.token);
  if (query.token !== undefined && !token) return { rows: [], nextCursor: null };
  const matches = (index: number) =>
    (token === undefined || index === token.index) &&
    (wanted === undefined || view.context.tokens.networkOf(index) === wanted);
  const found = swapsBefore(view, trader.index, { at, number }, matches);
  const shown = found.slice(0, SWAPS_PAGE);
  const last = shown.at(-1);
  return {
    rows: shown.map((swap) => swapRow(view, swap.number)),
    nextCursor:
      last && found.length > SWAPS_PAGE ? writeCursor(view.cursorKey, scope, [last.at, last.number]) : null,
  };
}

/** The trader's swaps that follow one in the list: a page of them, and at least one more if there is one. */
function swapsBefore(
  view: View,
  trader: number,
  after: PlacedFill,
  matches: (token: number) => boolean,
): PlacedFill[] {
  const fills = view.tables.fills.columns;
  const found: PlacedFill[] = [];
  // Once the page is full, only fills that a re-org may have moved still matter.
  let enough = Number.NEGATIVE_INFINITY;
  let number = view.tables.traders.columns.lastFill.get(trader) - 1;
  while (fillKept(view, number)) {
    const row = number % view.tables.fills.capacity;
    const swap = { number, at: settledAt(view.context, number) };
    if (swap.at + ORDER_SLACK_MS < enough) break;
    const kind = fills.kind.get(row);
    const isSwap = kind === BUY || kind === SELL;
    if (isSwap && byBlock(after, swap) < 0 && matches(fills.token.get(row))) found.push(swap);
    if (found.length === SWAPS_PAGE + 1) enough = Math.min(...found.map((each) => each.at));
    const back = fills.backOfTrader.get(row);
    if (back === 0) break;
    number -= back;
  }
  return found.sort(byBlock);
}
