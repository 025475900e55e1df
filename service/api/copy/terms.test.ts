import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../kit/units.ts";
import { tradeBounds } from "./terms.ts";

test("the time of one trade holds its first buy and a late follower's last sell, and is refused beyond 180 days", () => {
  const asOf = 300 * DAY_MS;
  const closed = { status: "closed", openedAt: 10 * DAY_MS, lastActivityAt: 12 * DAY_MS } as const;
  expect(tradeBounds(closed, asOf)).toEqual({ from: 10 * DAY_MS - 1, to: 12 * DAY_MS + 2 * HOUR_MS });
  expect(tradeBounds(closed, 12 * DAY_MS).to).toBe(12 * DAY_MS);
  const open = { status: "open", openedAt: asOf - 180 * DAY_MS, lastActivityAt: asOf - DAY_MS } as const;
  expect(tradeBounds(open, asOf).to).toBe(asOf);
  expect(() => tradeBounds({ ...open, openedAt: open.openedAt - 1 }, asOf)).toThrow(
    "tradeId must be of a trade that was open for at most 180 days",
  );
});
