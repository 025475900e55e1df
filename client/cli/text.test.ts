// Printed text can't harm its reader, and stays aligned whatever it contains.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { csvLine } from "../../kit/csv.ts";
import { progressBar } from "./progress.ts";
import { table } from "./table.ts";
import { cut, painter, safe } from "./terminal.ts";
import * as unit from "./units.ts";

const plain = painter(false);

test.each([
  ["a colour", "\u001b[31mred\u001b[0m", "red"],
  ["a cleared screen", "a\u001b[2J\u001b[Hb", "ab"],
  ["a title", "\u001b]0;owned\u0007x", "x"],
  ["a link", "\u001b]8;;http://evil\u001b\\click\u001b]8;;\u001b\\", "click"],
  ["a new line", "one\r\ntwo", "one two"],
  ["a turned text", "abc\u202Efed", "abc fed"],
  ["a C1 sequence", "a\u009b31mb", "b"],
])("%s is removed from a text", (_, text, shown) => {
  expect(safe(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(safe(text)).toContain(shown.split(" ")[0] ?? "");
});

test("no text leaves a control character, and cut keeps to its width", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      (text, width) => {
        expect(safe(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
        expect(Bun.stringWidth(cut(safe(text), width))).toBeLessThanOrEqual(width);
      },
    ),
  );
});

test("columns line up for wide letters and emoji", () => {
  const rows = [
    { name: "nightowl 🔥", usd: 5 },
    { name: "漢字", usd: -1234.5 },
    { name: "x", usd: null },
  ];
  const text = table(
    rows,
    [
      { head: "name", value: ({ name }) => name },
      { head: "value (USD)", align: "right", value: ({ usd }) => unit.usd(usd) },
    ],
    plain,
  );
  const widths = text.split("\n").map((line) => Bun.stringWidth(line));
  expect(new Set(widths).size).toBe(1);
  expect(text).toContain("-1,234.50");
});

test("figures are grouped, and an unknown one is a dash", () => {
  expect(unit.usd(1234567.891)).toBe("1,234,567.89");
  expect(unit.price(0.00000012341)).toBe("0.0000001234");
  expect(unit.percent(12.34)).toBe("+12.3%");
  expect([unit.share(0.432), unit.share(null)]).toEqual(["43.2%", "–"]);
  expect(unit.count(null)).toBe("–");
  expect(unit.time("2026-03-14T15:09:26.535Z")).toBe("2026-03-14 15:09:26");
});

test("a CSV cell is quoted where needed, and never starts like a formula", () => {
  const row = { a: 'say "hi", you', b: { c: "=cmd()" }, d: -5, e: null, f: [1] };
  expect(csvLine(row, ["a", "b.c", "d", "e", "f", "g"])).toBe(`"say ""hi"", you",'=cmd(),-5,,[1],\r\n`);
});

test("a progress bar is drawn in a terminal only", () => {
  let drawn = "";
  const write = (text: string) => {
    drawn += text;
  };
  const stream = { isTTY: true, write };
  const bar = progressBar(stream, "oldest first", 0, 100);
  bar.show(1_000, 250, [10, 50]);
  bar.end();
  expect(drawn).toContain("50%");
  expect(drawn).toContain("1,000 rows, 250 credits");
  const silent = { isTTY: false, write };
  const before = drawn;
  progressBar(silent, "mixed", 0, 100).show(1, 1, [1]);
  expect(drawn).toBe(before);
});
