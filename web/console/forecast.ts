// When credits run out, at the pace of the last days. Arithmetic over whole days that states its basis; without any spending
// there is nothing to predict.
import { DAY_MS } from "../../kit/units.ts";

export interface Forecast {
  /** Credits per day, over the last days. */
  perDay: number;
  days: number;
  /** When the credits reach zero at this pace; null without spending. */
  runsOutAt: number | null;
  /** Whether the month renews before that. */
  lasts: boolean;
}

/** Long enough to even out a day off, short enough to notice a new bot. */
const FORECAST_DAYS = 7;

export function forecast(
  rows: readonly { group: string; credits: number }[],
  balance: { remaining: number; resetsAt: string | null },
  now: number,
): Forecast {
  const from = now - FORECAST_DAYS * DAY_MS;
  const recent = rows.filter(({ group }) => Date.parse(`${group}T00:00:00.000Z`) >= from - DAY_MS + 1);
  const spent = recent.reduce((sum, { credits }) => sum + credits, 0);
  const first = recent.reduce(
    (least, { group }) => Math.min(least, Date.parse(`${group}T00:00:00.000Z`)),
    now,
  );
  const days = Math.min(FORECAST_DAYS, Math.max(1, (now - first) / DAY_MS));
  const perDay = spent / days;
  const runsOutAt = perDay > 0 ? now + (balance.remaining / perDay) * DAY_MS : null;
  const renewsAt = balance.resetsAt === null ? null : Date.parse(balance.resetsAt);
  return {
    perDay,
    days,
    runsOutAt,
    lasts: runsOutAt === null || (renewsAt !== null && renewsAt <= runsOutAt),
  };
}
