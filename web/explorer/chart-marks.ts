// Buys and sells of tracked traders, as marks on the candles: the captured fills of the visible range, and the tape's events
// since.
import type { FillsAnswer, Swap, SwapLeg, TraderFill } from "../../client/src/generated.ts";
import type { TapeEvent } from "../shared/feed.ts";

/** A trade on the chart, from either source. */
export interface MarkedTrade {
  key: string;
  at: number;
  side: "buy" | "sell";
  usd: number | null;
  priceUsd: number | null;
  trader: string | null;
  tradeId: string | null;
}

export interface ChartMark {
  at: number;
  side: "buy" | "sell";
  count: number;
}

/** The fields of a fill that a mark needs. */
interface MarkedFill
  extends Pick<Swap, "side" | "priceUsd" | "txHash" | "tradeIdIn" | "tradeIdOut" | "at">,
    Pick<TraderFill, "handle"> {
  tokenIn: Pick<SwapLeg, "usd">;
  tokenOut: Pick<SwapLeg, "usd">;
}

type FillsPage<Fill> = Pick<FillsAnswer, "nextCursor" | "coveredFrom" | "coveredTo"> & { fills: Fill[] };

/** The result of one walk. */
export interface Walked<Fill = TraderFill> {
  fills: Fill[];
  /** The walk stopped here, with older trades of the range left; null when it reached the range's beginning. */
  cutAt: number | null;
  /** Before this, only trades that were still available when captured are known. */
  coveredFrom: number;
}

/** Newest first, page by page, until the range ends or `pagesMax` are read. */
export async function walkFills<Fill extends { at: string }>(
  read: (cursor: string | null) => Promise<FillsPage<Fill>>,
  pagesMax: number,
): Promise<Walked<Fill>> {
  const fills: Fill[] = [];
  for (let pages = 1, cursor: string | null = null; ; pages++) {
    const page = await read(cursor);
    fills.push(...page.fills);
    cursor = page.nextCursor;
    if (cursor !== null && pages < pagesMax) continue;
    const oldest = fills.at(-1);
    const cutAt = cursor === null ? null : Date.parse(oldest?.at ?? page.coveredTo);
    return { fills, cutAt, coveredFrom: Date.parse(page.coveredFrom) };
  }
}

/** A range of time, its end excluded; one that is open towards now ends at infinity. */
export interface ChartSpan {
  from: number;
  to: number;
}

/** The part of a range that is still to be read, newest first; null when nothing is left. */
export function gapIn(known: readonly ChartSpan[], { from, to }: ChartSpan): ChartSpan | null {
  const newest = known.find((one) => one.from <= to && one.to >= to);
  const end = newest ? newest.from : to;
  if (end <= from) return null;
  // A gap between two known ranges ends where the older one does.
  const older = known.filter((one) => one.to < end && one.to > from).map((one) => one.to);
  return { from: Math.max(from, ...older), to: end };
}

/** Adjacent ranges are merged. */
export function joined(known: readonly ChartSpan[], added: ChartSpan): ChartSpan[] {
  const isApart = ({ from, to }: ChartSpan) => to < added.from || from > added.to;
  const touching = [...known.filter((one) => !isApart(one)), added];
  const whole = {
    from: Math.min(...touching.map(({ from }) => from)),
    to: Math.max(...touching.map(({ to }) => to)),
  };
  return [...known.filter(isApart), whole];
}

/** Newest first. A trade from both sources counts once. */
export function tradesOf(fills: readonly MarkedFill[], tape: readonly TapeEvent[]): MarkedTrade[] {
  const trades = new Map<string, MarkedTrade>();
  for (const event of tape) {
    if (event.alertType !== "buy" && event.alertType !== "sell") continue;
    const { ts: at, alertType: side, trader, tradeId, fillUsd: usd = null, priceUsd = null } = event;
    const key = `${event.txHash ?? event.seq} ${tradeId} ${side}`;
    trades.set(key, { key, at, side, usd, priceUsd, trader, tradeId });
  }
  for (const fill of fills) {
    const { side, priceUsd, handle: trader } = fill;
    const { usd } = side === "buy" ? fill.tokenOut : fill.tokenIn;
    const tradeId = side === "buy" ? fill.tradeIdOut : fill.tradeIdIn;
    const key = `${fill.txHash} ${tradeId} ${side}`;
    trades.set(key, { key, at: Date.parse(fill.at), side, usd, priceUsd, trader, tradeId });
  }
  return [...trades.values()].sort((a, b) => b.at - a.at);
}

/** One mark per side of each visible candle. */
export function marksOf(
  trades: readonly MarkedTrade[],
  bucketOf: (at: number) => number,
  shown: ReadonlySet<number>,
): ChartMark[] {
  const marks = new Map<string, ChartMark>();
  for (const { at: tradedAt, side } of trades) {
    const at = bucketOf(tradedAt);
    if (!shown.has(at)) continue;
    const mark = marks.get(`${at}${side}`) ?? { at, side, count: 0 };
    mark.count += 1;
    marks.set(`${at}${side}`, mark);
  }
  return [...marks.values()].sort((a, b) => a.at - b.at || (a.side < b.side ? -1 : 1));
}
