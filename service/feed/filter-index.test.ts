import { expect, test } from "bun:test";
import fc from "fast-check";
import { eventMaker } from "../streams/test-events.ts";
import { type EventFacts, factsOf } from "./facts.ts";
import { admitsChain, canonical, type FeedFilter, filterKey, matches } from "./filter.ts";
import { createFilterIndex } from "./filter-index.ts";

const few = <T>(values: readonly T[]) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<T[]>([]) },
    fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 }),
  );

const TRADERS = ["h:a", "h:b", "u:1", "u:2", "w:x"];
const TOKENS = ["a:0x1", "a:0x2", "s:CAT", "s:DOG"];
const CHAINS = [1, 56, 8453];
const TYPES = ["buy", "sell", "thesis", "push"];
const SOURCES = ["feed", "push"];

const filters: fc.Arbitrary<FeedFilter> = fc
  .record({
    traders: few(TRADERS),
    tokens: few(TOKENS),
    chains: few(CHAINS),
    types: few(TYPES),
    sources: few(SOURCES),
    minUsd: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 })),
  })
  .map(canonical);

const facts: fc.Arbitrary<EventFacts> = fc.record({
  traders: fc.subarray(TRADERS),
  tokens: fc.subarray(TOKENS),
  chainId: fc.option(fc.constantFrom(...CHAINS)),
  type: fc.constantFrom(...TYPES),
  source: fc.constantFrom("feed" as const, "push" as const),
  usd: fc.option(fc.integer({ min: 0, max: 6 })),
});

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: filters.map((filter) => ({ do: "add" as const, filter })) },
    { weight: 1, arbitrary: fc.nat().map((which) => ({ do: "remove" as const, which })) },
    { weight: 3, arbitrary: facts.map((about) => ({ do: "search" as const, about })) },
  ),
  { maxLength: 120 },
);

test("the index finds exactly the filters that a walk over all of them finds", () => {
  fc.assert(
    fc.property(steps, (script) => {
      const index = createFilterIndex<string>();
      const kept = new Map<string, FeedFilter>();
      for (const step of script) {
        if (step.do === "add") {
          const key = filterKey(step.filter);
          if (!kept.has(key)) index.add(key, step.filter, key);
          kept.set(key, step.filter);
        } else if (step.do === "remove") {
          const key = [...kept.keys()][step.which % Math.max(1, kept.size)];
          if (key === undefined) continue;
          kept.delete(key);
          index.remove(key);
        } else {
          const expected = [...kept].filter(([, filter]) => matches(filter, step.about)).map(([key]) => key);
          expect(index.search(step.about).sort()).toEqual(expected.sort());
        }
      }
      expect(index.size()).toBe(kept.size);
      for (const chainId of CHAINS) {
        const expected = [...kept].filter(([, filter]) => admitsChain(filter, chainId)).map(([key]) => key);
        expect(index.searchByChain(chainId).sort()).toEqual(expected.sort());
      }
    }),
    { numRuns: 400 },
  );
});

test("the filters of other traders, tokens and minimums are not even looked at", () => {
  const index = createFilterIndex<string>();
  let looks = 0;
  const watched = (filter: FeedFilter): FeedFilter => ({
    ...filter,
    // The first thing that is read of any filter that is looked at.
    get minUsd() {
      looks++;
      return filter.minUsd;
    },
  });
  const add = (filter: Partial<FeedFilter>) => {
    const whole = canonical({
      traders: [],
      tokens: [],
      chains: [],
      types: [],
      sources: [],
      minUsd: 0,
      ...filter,
    });
    index.add(filterKey(whole), watched(whole), filterKey(whole));
  };
  for (let i = 0; i < 2_000; i++) {
    add({ traders: [`h:trader${i}`] });
    add({ tokens: [`s:TOKEN${i}`] });
    // One crowded trader: the index falls back on the token.
    add({ traders: ["h:whale"], tokens: [`a:0x${i}`] });
    add({ minUsd: 1_000 + i });
  }
  looks = 0;
  const event = eventMaker("one").app({ kind: "buy", handle: "whale", fillUsd: 500 });
  const found = index.search({
    ...factsOf({ ...event, seq: 1, capturedAt: 1 }),
    tokens: ["a:0x7", "s:TOKEN9"],
  });
  expect(found).toHaveLength(2);
  expect(looks).toBeLessThan(12);
});
