// Edge cases of page figures: no NaN, no minus zero, no thousand thousands, and unknown is never zero.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { count, netUsd, percent, price, share, shortGain, signedUsd, span, times, usd } from "./format.ts";

test("a net with one unknown part is unknown, not the other part", () => {
  expect(netUsd({ realizedPnlUsd: 5, unrealizedPnlUsd: -2 })).toBe(3);
  expect(netUsd({ realizedPnlUsd: 5, unrealizedPnlUsd: null })).toBeNull();
  expect(netUsd({ realizedPnlUsd: null, unrealizedPnlUsd: 5 })).toBeNull();
});

test("a day's gain fits a small box, and is rounded before its unit is chosen", () => {
  expect([0.4, -0.4, -12.6, 340, 999.9, 1_240, -56_700, 999_999].map(shortGain)).toEqual([
    "+0",
    "+0",
    "−13",
    "+340",
    "+1.0K",
    "+1.2K",
    "−57K",
    "+1.0M",
  ]);
});

test("an unknown figure of any kind is a dash", () => {
  for (const write of [usd, signedUsd, count, percent, price, share, times])
    for (const unknown of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY])
      expect(write(unknown)).toBe("–");
  expect(span(Number.NaN)).toBe("–");
});

test("dollars at their edges", () => {
  const edges = [
    0, -0, 0.000001, -0.000001, 0.005, 99.994, 99.996, 9_999.4, 9_999.6, 999_499, 999_999.5, 1e15,
  ];
  expect(edges.map(usd)).toEqual([
    "$0",
    "$0",
    "<$0.01",
    "<$0.01",
    "$0.01",
    "$99.99",
    "$100",
    "$9,999",
    "$10.0K",
    "$999K",
    "$1.00M",
    "$1.00e15",
  ]);
  expect([0, -0, 0.000001, -0.004, -0.006, 12].map(signedUsd)).toEqual([
    "$0",
    "$0",
    "$0",
    "$0",
    "−$0.01",
    "+$12",
  ]);
});

test("prices, percents, times and spans at their edges", () => {
  expect([0, 1e-20, 0.000001, 0.99996, 999.999, 9_999_999, 12_345_678, -0.5].map(price)).toEqual([
    "$0",
    "$0.0₁₉1000",
    "$0.0₅1000",
    "$1.00",
    "$1,000.00",
    "$9,999,999",
    "$12.3M",
    "−$0.5000",
  ]);
  expect([0, -0, 0.04, -0.06, 9.94, 9.96, 999.4, 999.6, -12_345].map(percent)).toEqual([
    "0.0%",
    "0.0%",
    "0.0%",
    "−0.1%",
    "+9.9%",
    "+10%",
    "+999%",
    "+1,000%",
    "−12.3K%",
  ]);
  expect([0, 0.01, 0.4, 9.94, 9.96, 12_345].map(times)).toEqual([
    "0.0×",
    "<0.1×",
    "0.4×",
    "9.9×",
    "10×",
    "12.3K×",
  ]);
  expect([-5, 0, 59_999, 60_000].map(span)).toEqual(["0 s", "0 s", "59 s", "1 min"]);
});

test("a larger amount never reads as a smaller one, and no amount has more than nine characters", () => {
  const read = (text: string) => {
    const [, figure = "", unit = ""] = /^\$([\d.,e]+)([KMBT]?)$/.exec(text) ?? [];
    return Number(figure.replaceAll(",", "")) * ({ K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[unit] ?? 1);
  };
  const amount = fc.double({ min: 0.01, max: 1e17, noNaN: true });
  fc.assert(
    fc.property(amount, amount, (one, other) => {
      expect(usd(one).length).toBeLessThanOrEqual(9);
      if (one <= other) expect(read(usd(one))).toBeLessThanOrEqual(read(usd(other)));
    }),
  );
});
