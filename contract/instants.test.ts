import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { DEEP_CALLS_MAX, DEEP_FULL_CALLS, deep, instant, instantMs } from "./instants.ts";

const LATEST_MS = Date.UTC(9999, 11, 31);

describe("instants", () => {
  test("an ISO timestamp, its seconds and its milliseconds are the same instant", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1e8, max: LATEST_MS / 1000 }), (seconds) => {
        const milliseconds = seconds * 1000;
        expect(instantMs(new Date(milliseconds).toISOString())).toBe(milliseconds);
        if (seconds < 1e11) expect(instantMs(String(seconds))).toBe(milliseconds);
        if (milliseconds >= 1e11) expect(instantMs(String(milliseconds))).toBe(milliseconds);
      }),
    );
  });
  test("an offset moves the instant, even when its + arrived as a space", () => {
    const expected = Date.UTC(2026, 2, 14, 13, 0, 0);
    for (const text of ["2026-03-14T15:00:00+02:00", "2026-03-14T15:00:00 02:00", "2026-03-14T10:00:00-0300"])
      expect(instantMs(text)).toBe(expected);
  });
  test("a day is its UTC midnight and a time without a zone is UTC", () => {
    expect(instantMs("2026-03-14")).toBe(Date.UTC(2026, 2, 14));
    expect(instantMs("2026-03-14T10:30")).toBe(Date.UTC(2026, 2, 14, 10, 30));
    expect(instantMs("2026-03-14 10:30:00.5")).toBe(Date.UTC(2026, 2, 14, 10, 30, 0, 500));
  });
  test.each([
    "",
    "yesterday",
    "2026-02-30",
    "2026-13-01",
    "2026-03-14T25:00:00Z",
    "2026-03-14T10:00:60Z",
    "-5",
    "1.5",
    "1e9",
    "99999999999999999",
    "2026-03-14T10:00:00+99:00",
  ])("%p is no instant", (text) => expect(instantMs(text)).toBeNull());
  test("as a parameter, an invalid instant is refused", () => {
    const schema = z.strictObject({ since: instant("") });
    expect(schema.safeParse({ since: "soon" }).success).toBe(false);
    expect(schema.parse({ since: "1773500966" }).since).toBe(1773500966000);
  });
});

describe("deep", () => {
  const read = (text: string) => deep("").safeParse(text);
  test("1 and true are the full fan-out", () => {
    for (const text of ["1", "true"]) expect(read(text).data).toEqual({ full: true, calls: DEEP_FULL_CALLS });
  });
  test("a number buys that many calls, up to the bound", () => {
    for (let calls = 2; calls <= DEEP_CALLS_MAX; calls++)
      expect(read(String(calls)).data).toEqual({ full: false, calls });
    for (const text of ["0", "false", String(DEEP_CALLS_MAX + 1), "-2", "2.0", "TRUE", "", "1e1"])
      expect(read(text).success).toBe(false);
  });
});
