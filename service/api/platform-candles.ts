// The platform's own candles, over all of its history; null if it has none, or does not answer: then our own captured
// fills are used.
import { servingTurn } from "../../kit/turn.ts";
import type { CandlesPage } from "../../protocol/shapes/token.ts";
import type { Upstream } from "../upstream/port.ts";
import { type CandleBucket, INTERVALS } from "./candles.ts";
import { orUnsupported } from "./unsupported.ts";

export interface PlatformCandleRange {
  address: string;
  networkId: number;
  interval: keyof typeof INTERVALS;
  /** Null: the newest. */
  from: number | null;
  to: number;
  limit: number;
}

export interface CandlePage {
  buckets: CandleBucket[];
  /** Where a walk forward continues; null at its end. */
  nextFrom: number | null;
  coveredFrom: number;
}

/** A quiet token's newest candles are further back: this many steps, each four times as far. */
const STEPS_BACK_MAX = 4;
/** Pages per step; a longer range is a walk, which has a cursor. */
const PAGES_MAX = 8;
const PAGE_ROWS = 1_000;

export async function platformCandles(
  upstream: Pick<Upstream, "candles">,
  range: PlatformCandleRange,
  call: Parameters<Upstream["candles"]>[2],
): Promise<CandlePage | null> {
  const read = async (from: number, limit: number): Promise<CandlesPage | null> => {
    const { address, networkId, interval, to } = range;
    const outcome = await orUnsupported(
      upstream.candles(address, { networkId, interval, from, to, limit }, call),
    );
    return outcome?.kind === "found" ? outcome.value : null;
  };
  if (range.from === null) return newest(range, read);
  const page = await read(range.from, range.limit);
  return page && { buckets: page.rows.map(bucketOf), nextFrom: page.nextFrom, coveredFrom: page.coveredFrom };
}

async function newest(
  { to, limit, interval }: PlatformCandleRange,
  read: (from: number, limit: number) => Promise<CandlesPage | null>,
): Promise<CandlePage | null> {
  const { lengthMs } = INTERVALS[interval];
  let reach = limit;
  for (let step = 1; ; step++, reach *= 4) {
    const start = Math.max(0, to - reach * lengthMs);
    const rows: CandlesPage["rows"] = [];
    let coveredFrom = 0;
    let from: number | null = start;
    for (let pages = 0; from !== null && pages < PAGES_MAX; pages++) {
      if (pages > 0) await servingTurn();
      const page: CandlesPage | null = await read(from, PAGE_ROWS);
      if (!page) return null;
      rows.push(...page.rows);
      coveredFrom = page.coveredFrom;
      from = page.nextFrom;
    }
    if (rows.length >= limit || start <= coveredFrom || step === STEPS_BACK_MAX)
      return { buckets: rows.slice(-limit).map(bucketOf), nextFrom: null, coveredFrom };
  }
}

function bucketOf(row: CandlesPage["rows"][number]): CandleBucket {
  const { t, o, h, l, c, buyUsd, sellUsd, trades } = row;
  return { opensAt: t, open: o, high: h, low: l, close: c, buyUsd, sellUsd, trades };
}
