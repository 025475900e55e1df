// The candles that show a trade: from a little before its first fill to a little after its last, as fine as a chart allows.
import type { TradeDetail } from "../../client/src/generated.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";

const INTERVALS = [
  ["1m", MINUTE_MS],
  ["5m", 5 * MINUTE_MS],
  ["15m", 15 * MINUTE_MS],
  ["1h", HOUR_MS],
  ["4h", 4 * HOUR_MS],
] as const;
const WIDEST = ["1d", DAY_MS] as const;
/** With more than this, a candle is thinner than its mark. */
const CANDLES_MAX = 240;
const LEAST_MS = 2 * HOUR_MS;
const ROOM_SHARE = 0.15;

export function candlesAround(
  { createdAt, closedAt }: Pick<TradeDetail, "createdAt" | "closedAt">,
  now: number,
): { interval: string; from: string; to: string } {
  const start = Date.parse(createdAt);
  const end = closedAt === null ? now : Date.parse(closedAt);
  const room = Math.max(LEAST_MS, (end - start) * ROOM_SHARE);
  const [first, last] = [start - room, Math.min(now, end + room)];
  const [interval, lengthMs] = INTERVALS.find(([, each]) => (last - first) / each <= CANDLES_MAX) ?? WIDEST;
  // Whole candles: everybody who looks during the same candle gets the same address.
  const rounded = (at: number) => new Date(at).toISOString();
  return {
    interval,
    from: rounded(Math.floor(first / lengthMs) * lengthMs),
    to: rounded(Math.ceil(Math.max(last, first + lengthMs) / lengthMs) * lengthMs),
  };
}
