// The watchlist: no duplicates in any case, never longer than a filter allows, and nothing foreign in it.
import { expect, test } from "bun:test";
import { isIn, merged, readWatchlist, toggled, WATCHED_MAX } from "./watchlist.ts";

const NOTHING = { traders: [], tokens: [] };
const token = { address: "0xAB", networkId: 8453, symbol: "MOON" };

test("following twice is not following, whatever the name's case", () => {
  const one = toggled(toggled(NOTHING, { handle: "Maya" }), token);
  expect(isIn(one, { handle: "maya" })).toBe(true);
  expect(isIn(one, { ...token, address: "0xab" })).toBe(true);
  expect(isIn(one, { ...token, networkId: 1 })).toBe(false);
  expect(toggled(toggled(one, { handle: "MAYA" }), { ...token, address: "0xab" })).toEqual(NOTHING);
});

test("lists are merged without duplicates, up to a filter's limit", () => {
  const many = { traders: Array.from({ length: 300 }, (_, index) => `t${index}`), tokens: [token, token] };
  expect(merged(many, many).traders).toHaveLength(WATCHED_MAX);
  expect(merged(many, many).tokens).toEqual([token]);
});

test("a foreign file is refused, and foreign entries in one of ours are left out", () => {
  for (const text of ["", "{", "[]", "null", '{"traders":1}']) expect(readWatchlist(text)).toBeNull();
  const mixed = { traders: ["maya", 7, "", "a,b", "x".repeat(99)], tokens: [token, { address: 1 }, null] };
  expect(readWatchlist(JSON.stringify(mixed))).toEqual({ traders: ["maya"], tokens: [token] });
});
