// Shared page code that needs no browser: figures as words, pictures as numbers, the forecast, and data that can't break out
// of its page.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DAY_MS } from "../../kit/units.ts";
import { forecast } from "../console/forecast.ts";
import { niceTicks, timeTicks } from "./axes.tsx";
import { embeddable } from "./data.ts";
import { count, counted, percent, price, signedUsd, span, usd } from "./format.ts";
import { curlOf, pythonOf, typescriptOf } from "./samples.ts";
import { layOut } from "./treemap.tsx";

describe("figures", () => {
  test("are short, grouped, and always say their sign where it matters", () => {
    expect([0, 4.2, 1234, 12_345, 1.5e6, -98_700].map(usd)).toEqual([
      "$0",
      "$4.20",
      "$1,234",
      "$12.3K",
      "$1.50M",
      "−$98.7K",
    ]);
    expect([12.3, -5, 0.001].map(signedUsd)).toEqual(["+$12.30", "−$5", "$0"]);
    expect([12.34, -3.21, 0].map(percent)).toEqual(["+12%", "−3.2%", "0.0%"]);
    expect([null, undefined].map(count)).toEqual(["–", "–"]);
  });
  test("of small prices count their zeros", () => {
    expect([1234.5, 12.345, 0.5, 0.00342, 0.00000342, 0].map(price)).toEqual([
      "$1,235",
      "$12.35",
      "$0.5000",
      "$0.003420",
      "$0.0₅3420",
      "$0",
    ]);
  });
  test("are rounded before their unit and their zeros are chosen", () => {
    expect([999_960, 999_499, 999_999_999].map(usd)).toEqual(["$1.00M", "$999K", "$1.00B"]);
    expect([0.00000999996, 0.0000099994, 0.999996, 0.00999996].map(price)).toEqual([
      "$0.0₄1000",
      "$0.0₅9999",
      "$1.00",
      "$0.01000",
    ]);
    expect([1, 2, 0].map((followers) => counted(followers, "follower"))).toEqual([
      "1 follower",
      "2 followers",
      "0 followers",
    ]);
  });
  test("never come out as NaN, whatever the number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (value) => {
        for (const text of [
          usd(value),
          signedUsd(value),
          percent(value),
          price(value),
          count(value),
          span(value),
        ])
          expect(text).not.toMatch(/NaN|undefined|Infinity/);
      }),
    );
  });
});

describe("the time under a curve", () => {
  test("has ticks at the starts of days, whatever the hour of the first point", () => {
    const from = Date.parse("2026-03-10T08:17:00Z");
    const ticks = timeTicks(from, from + 7 * DAY_MS, 7);
    expect(ticks.map(({ label }) => label)).toEqual(
      [11, 12, 13, 14, 15, 16, 17].map((date) => `${date} Mar`),
    );
    for (const { at } of ticks) expect(at % DAY_MS).toBe(0);
  });
  test("has ticks at whole hours within a day, and never too many", () => {
    const from = Date.parse("2026-03-10T08:17:00Z");
    expect(timeTicks(from, from + DAY_MS, 6).map(({ label }) => label)).toEqual([
      "12:00",
      "18:00",
      "00:00",
      "06:00",
    ]);
    for (const days of [1, 7, 30, 365, 4_000])
      expect(timeTicks(from, from + days * DAY_MS, 6).length).toBeLessThanOrEqual(7);
  });
});

test("a treemap covers its box, each tile by its share", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 24 }), (values) => {
      const items = values.map((value, index) => ({
        key: String(index),
        label: "x",
        value,
        change: null,
        href: "/",
      }));
      const tiles = layOut(items, 360, 150);
      const total = values.reduce((sum, value) => sum + value, 0);
      expect(tiles).toHaveLength(values.length);
      for (const { value, width, height, x, y } of tiles) {
        expect(Math.abs((width * height) / (360 * 150) - value / total)).toBeLessThan(1e-6);
        expect(x + width).toBeLessThan(360.001);
        expect(y + height).toBeLessThan(150.001);
      }
    }),
  );
});

test("a scale spans its values in a handful of round steps", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e6, max: 0 }), fc.integer({ min: 1, max: 1e6 }), (low, high) => {
      const ticks = niceTicks(low, high);
      expect(ticks.length).toBeGreaterThan(2);
      expect(ticks.length).toBeLessThan(9);
      expect(ticks[0] ?? 1).toBeLessThanOrEqual(low);
      expect(ticks.at(-1) ?? 0).toBeGreaterThanOrEqual(high);
    }),
  );
});

describe("the forecast of credits", () => {
  const now = Date.parse("2026-03-14T12:00:00.000Z");
  const days = (credits: number) =>
    Array.from({ length: 7 }, (_, index) => ({
      group: `2026-03-${String(8 + index).padStart(2, "0")}`,
      credits,
    }));
  test("names the day they run out before the month renews", () => {
    const seen = forecast(days(1_000), { remaining: 2_000, resetsAt: "2026-04-01T00:00:00.000Z" }, now);
    expect(seen.lasts).toBe(false);
    expect(new Date(seen.runsOutAt ?? 0).toISOString().slice(0, 10)).toBe("2026-03-16");
  });
  test("lasts when the month renews first, and predicts nothing without spending", () => {
    expect(
      forecast(days(1_000), { remaining: 50_000, resetsAt: "2026-04-01T00:00:00.000Z" }, now).lasts,
    ).toBe(true);
    expect(forecast([], { remaining: 5, resetsAt: null }, now)).toMatchObject({
      runsOutAt: null,
      lasts: true,
    });
  });
});

test("data in a page is the same data, and can't end its element", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, text) => {
      const data = { value, text: `${text}</script><!--<script>` };
      expect(JSON.parse(embeddable(data))).toEqual(JSON.parse(JSON.stringify(data)));
      expect(embeddable(data)).not.toMatch(/[<>&]/);
    }),
  );
});

test("samples carry the address, the method, the key and the body in every language", () => {
  const request = {
    method: "POST",
    url: "https://a.example/pay/create",
    needsKey: true,
    body: { plan: "credits", amount: 50, test: true, none: null },
  };
  for (const text of [curlOf(request), typescriptOf(request), pythonOf(request)]) {
    expect(text).toContain(request.url);
    expect(text.toUpperCase()).toContain("POST");
    expect(text).toContain("CROWDTAPE_KEY");
    expect(text).toContain("credits");
  }
  expect(pythonOf(request)).toContain('"test": True, "none": None');
});
