import { expect, test } from "bun:test";
import { BadSettings } from "../../kit/bad-settings.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { parsePriceHistory, readPriceHistory } from "./history.ts";

const chainOf = (name: string) => ({ base: 8453, "1": 1 })[name] ?? null;
const AT = Date.parse("2026-01-02T00:00:00Z");

test("a past coin price is the file's last one at or before that time, at most a day old", () => {
  const lines = [
    "chain,time,price",
    "base,2026-01-02,3000.5",
    `1,${AT / 1_000},10`,
    `base,${AT - DAY_MS},2900`,
    "base,2026-01-02 06:00:00,3100",
    "",
  ];
  const history = parsePriceHistory(lines.join("\r\n"), chainOf);
  expect(history.at(8453, AT)).toEqual({ asOf: AT, priceUsd: 3000.5 });
  expect(history.at(8453, AT - 1)).toEqual({ asOf: AT - DAY_MS, priceUsd: 2900 });
  expect(history.at(8453, AT + 6 * HOUR_MS)?.priceUsd).toBe(3100);
  expect(history.at(1, AT + 25 * HOUR_MS)?.priceUsd).toBe(10);
  expect(history.at(1, AT + 26 * HOUR_MS)).toBeNull();
  expect([history.at(8453, AT - 2 * DAY_MS), history.at(10, AT)]).toEqual([null, null]);
});

test("each wrong line gets its own sentence, and so does a missing file", () => {
  const text = "base,2026-01-02,1\nmoon,2026-01-02,1\nbase,yesterday,1\nbase,2026-01-02,-3\nbase,2026-01-02";
  const faultsOf = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      if (error instanceof BadSettings) return error.faults;
      throw error;
    }
    return [];
  };
  expect(faultsOf(() => parsePriceHistory(text, chainOf))).toEqual([
    'PRICES_HISTORY, line 2: "moon" is not a known chain.',
    'PRICES_HISTORY, line 3: "yesterday" is neither an ISO time nor epoch seconds or milliseconds.',
    'PRICES_HISTORY, line 4: "-3" is not a price in dollars.',
    "PRICES_HISTORY, line 5: expected chain,time,price.",
  ]);
  expect(faultsOf(() => readPriceHistory("/nowhere/at-all.csv", chainOf))).toEqual([
    'PRICES_HISTORY must name a file that can be read (it is "/nowhere/at-all.csv").',
  ]);
});
