// Ten thousand theses without a visible template: with names and figures masked, no sentence is in more than 1 % of them, only
// those who added to a position say so, and the same thesis always says the same.
import { describe, expect, test } from "bun:test";
import { smallWorld } from "../world/test-worlds.ts";
import { createApi } from "./api.ts";
import { writtenOf } from "./thesis-rows.ts";
import { View } from "./view.ts";

const WANTED = 10_000;
const world = smallWorld("theses", { seconds: 20 * 86_400, rate: 0.19, traders: 1_500 });
world.advance(Number.POSITIVE_INFINITY);
const view = new View(world);
const { theses } = world.context.state.tables;
const count = world.context.state.counters.theses;

/** The newest, each generated once. */
const written = Array.from({ length: WANTED }, (_, place) => {
  const number = count - WANTED + place;
  return { number, ...writtenOf(view, number) };
});

function masked({ number, text, links }: (typeof written)[number]): string[] {
  const token = world.context.tokens.get(theses.columns.token.get(number % theses.capacity));
  const names = [token.name, token.symbol].map((name) => name.toLowerCase());
  let plain = text.toLowerCase();
  for (const link of links) plain = plain.replace(` ${link.text}`, "");
  for (const name of names) plain = plain.replaceAll(name, "@");
  plain = plain.replace(/ \p{Extended_Pictographic}$/u, "").replace(/\$?[+-]?\d[\d.,]*\d?[kmbx%h]?/g, "#");
  return plain.split(/(?<=[.!?])\s+|\n+/);
}

const sentencesOf = written.map(masked);

describe("theses", () => {
  test("share no sentence that is in 1 % of them", () => {
    expect(count).toBeGreaterThanOrEqual(WANTED);
    const sentences = new Map<string, number>();
    for (const thesis of sentencesOf)
      for (const sentence of new Set(thesis)) sentences.set(sentence, (sentences.get(sentence) ?? 0) + 1);
    const [most] = [...sentences].sort((a, b) => b[1] - a[1]);
    expect(most?.[1]).toBeLessThan(WANTED * 0.01);
    expect(sentences.size).toBeGreaterThan(5_000);
  });

  test("are hardly ever identical", () => {
    const wholes = new Map<string, number>();
    for (const thesis of sentencesOf) {
      const whole = thesis.join(" ");
      wholes.set(whole, (wholes.get(whole) ?? 0) + 1);
    }
    expect(Math.max(...wholes.values())).toBeLessThan(WANTED * 0.006);
  });

  test("say that more was bought only if it was", () => {
    let said = 0;
    for (const { number, text } of written) {
      const fills =
        /^(?:added|bought more|topped up).*?(?:buy number (\d+)|makes (\d+) buys|(\d+) fills)/i.exec(text);
      if (!fills) continue;
      said++;
      const buys = theses.columns.buys.get(number % theses.capacity);
      expect(buys).toBeGreaterThan(1);
      expect(Number(fills[1] ?? fills[2] ?? fills[3])).toBe(buys);
    }
    expect(said).toBeGreaterThan(100);
  });

  test("leave no placeholder unfilled, name no real host, and stay the same", () => {
    const again = new View(world);
    for (const { number, text, links } of written.slice(-2_000)) {
      expect(text).not.toMatch(/\$[a-zA-Z]+(?![A-Za-z0-9]*\b)|\[|\]|undefined|NaN|Infinity/);
      for (const { link } of links) expect(new URL(link).hostname).toEndWith(".example");
      expect(writtenOf(again, number).text).toBe(text);
    }
  });
});

test("replies answer an existing comment, and the author replies too", () => {
  const api = createApi(world);
  const talked = api.theses({}).rows.filter((thesis) => (thesis.replies ?? 0) > 5);
  let byAuthor = 0;
  for (const thesis of talked) {
    const rows = api.comments(thesis.tradeId)?.rows ?? [];
    const parents = new Map(rows.map((row) => [row.id, row]));
    for (const row of rows) {
      if (row.parentId === null) continue;
      expect(parents.get(row.parentId)?.parentId).toBeNull();
      if (row.userId === thesis.userId) byAuthor++;
    }
  }
  expect(byAuthor).toBeGreaterThan(3);
});
