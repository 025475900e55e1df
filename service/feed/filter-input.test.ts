import { expect, test } from "bun:test";
import fc from "fast-check";
import { createChains, DEFAULT_CHAINS } from "../../contract/chains.ts";
import { Fault } from "../../contract/errors.ts";
import { FILTER_NAMES_MAX } from "../../contract/filters.ts";
import { StreamFilter } from "../../contract/frames.ts";
import { filterKey } from "./filter.ts";
import { describeFilter, filterFromFrame, filterFromQuery } from "./filter-input.ts";

const chains = DEFAULT_CHAINS;
const subscribe = { action: "subscribe" as const };
const refused = (work: () => unknown): Fault => {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  throw new Error("it was not refused");
};

test("a query and a frame that ask for the same make the same filter, in any order and case", () => {
  const fromQuery = filterFromQuery(
    "alerts",
    { trader: "@NightOwl,alice", chain: "sol,8453", type: "BUY", token: "moon", source: "feed", minUsd: 500 },
    chains,
  );
  const fromFrame = filterFromFrame(
    "alerts",
    {
      ...subscribe,
      trader: "ALICE",
      traders: ["nightowl", "@alice"],
      chains: ["base", 1399811149],
      type: "buy",
      tokens: ["MOON"],
      sources: ["feed"],
      minUsd: 500,
    },
    chains,
  );
  expect(filterKey(fromQuery)).toBe(filterKey(fromFrame));
  expect(StreamFilter.parse(describeFilter("alerts", fromQuery, chains))).toEqual({
    traders: ["alice", "nightowl"],
    tokens: ["MOON"],
    chains: ["base", "solana"],
    types: ["buy"],
    sources: ["feed"],
    minUsd: 500,
  });
});

test("naming every value there is asks for everything", () => {
  const everything = filterFromQuery("alerts", {}, chains);
  expect(filterKey(filterFromQuery("alerts", { source: "push,feed" }, chains))).toBe(filterKey(everything));
  const sides = filterFromFrame("trades", { ...subscribe, sides: ["sell", "buy"] }, chains);
  expect(filterKey(sides)).toBe(filterKey(filterFromQuery("trades", {}, chains)));
});

test("addresses, userIds and wallets are told apart from symbols and handles", () => {
  const address = "0xABCDEF0123456789abcdef0123456789ABCDEF01";
  const userId = "7C0F6A52-4b1e-5d7a-9f3e-2a6d81c4e5b0";
  const filter = filterFromQuery(
    "trades",
    { trader: `${userId},${address},owl`, token: `${address},cat` },
    chains,
  );
  expect(filter.traders).toEqual(["h:owl", `u:${userId.toLowerCase()}`, `w:${address.toLowerCase()}`]);
  expect(filter.tokens).toEqual([`a:${address.toLowerCase()}`, "s:CAT"]);
});

test("the name that an operator gives chain 4663 works as a filter", () => {
  const own = createChains({ name: "moonchain", aliases: ["moon"] });
  for (const chain of ["moonchain", "moon", "altchain", "4663"]) {
    expect(filterFromQuery("alerts", { chain }, own).chains).toEqual([4663]);
  }
});

test("a wrong value is refused with its field's name and what the field takes", () => {
  const wrong: [Parameters<typeof filterFromQuery>[1], string][] = [
    [{ chain: "mars" }, "chain"],
    [{ type: "gift" }, "type"],
    [{ source: "onchain" }, "source"],
    [{ trader: "two words" }, "trader"],
    [{ trader: "a,,b" }, "trader"],
    [{ token: "x".repeat(65) }, "token"],
    [{ token: Array(201).fill("CAT").join(",") }, "token"],
  ];
  for (const [query, param] of wrong) {
    const error = refused(() => filterFromQuery("alerts", query, chains));
    expect(error.code).toBe("invalid_parameter");
    expect(error.details.param).toBe(param);
  }
  expect(refused(() => filterFromQuery("trades", { side: "hold" }, chains)).details.allowed).toEqual([
    "buy",
    "sell",
  ]);
});

test("the names of all lists together have one bound, whichever lists they are in", () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `name${n}`);
  const frame = (traders: number, tokens: number) => () =>
    filterFromFrame("alerts", { ...subscribe, traders: names(traders), tokens: names(tokens) }, chains);
  expect(frame(200, FILTER_NAMES_MAX - 200)().traders).toHaveLength(200);
  expect(refused(frame(200, FILTER_NAMES_MAX - 199)).message).toContain(`${FILTER_NAMES_MAX} together`);
});

test("a filter of the other stream is refused, not ignored", () => {
  expect(refused(() => filterFromFrame("alerts", { ...subscribe, side: "buy" }, chains)).message).toContain(
    "side",
  );
  expect(
    refused(() => filterFromFrame("trades", { ...subscribe, types: ["buy"] }, chains)).message,
  ).toContain("types");
});

test("no text crashes the parser: it is a filter or a fault", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.constantFrom("trader", "chain", "type", "token"),
      (text, field) => {
        try {
          const filter = filterFromQuery("alerts", { [field]: text }, chains);
          expect(filterKey(filter)).toBeString();
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
