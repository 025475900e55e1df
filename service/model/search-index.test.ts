import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSearchIndex } from "./search-index.ts";

function indexOf(names: Record<string, number>) {
  const index = createSearchIndex<string>();
  for (const [name, weight] of Object.entries(names))
    index.upsert(name, { names: [name], weight, value: name });
  return { search: (q: string, limit: number) => index.search(q, limit).map((hit) => hit.value) };
}

test("an exact name comes before prefixes, prefixes before substrings, substrings before similar names", () => {
  const index = indexOf({ moonboy: 9, moon: 1, bluemoon: 99, mooon: 999 });
  expect(index.search("moon", 10)).toEqual(["moon", "moonboy", "bluemoon", "mooon"]);
});

test("between equal matches the better known comes first", () => {
  expect(indexOf({ whale_a: 1, whale_b: 50 }).search("whale", 10)).toEqual(["whale_b", "whale_a"]);
});

test("one or two letters find prefixes", () => {
  expect(indexOf({ anna: 2, bob: 1, albert: 3 }).search("a", 10)).toEqual(["albert", "anna"]);
});

test("case, accents and a leading @ or $ do not matter", () => {
  const index = indexOf({ Élodie: 1 });
  for (const q of ["elodie", "@ELODIE", "Élo"]) expect(index.search(q, 1)).toEqual(["Élodie"]);
});

test("a typo still finds: one letter changed, dropped, doubled or swapped in a name of six or more", () => {
  const alphabet = "abcdefghijklmnopqrstuvwxyz";
  const word = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 8, maxLength: 14 });
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom("change", "drop", "double"), (name, roll, kind) => {
      const at = 1 + (roll % (name.length - 2));
      const typed = {
        change: `${name.slice(0, at)}${alphabet[roll % 26]}${name.slice(at + 1)}`,
        drop: name.slice(0, at) + name.slice(at + 1),
        double: name.slice(0, at) + name[at] + name.slice(at),
      }[kind];
      expect(indexOf({ [name]: 1, zzzzzzzz: 5 }).search(typed, 5)).toContain(name);
    }),
  );
});

test("a renamed entry is found by its new name only, and removal forgets it", () => {
  const index = createSearchIndex<number>();
  index.upsert("k", { names: ["oldname"], weight: 1, value: 1 });
  index.upsert("k", { names: ["newname"], weight: 1, value: 2 });
  const values = (q: string) => index.search(q, 5).map((hit) => hit.value);
  expect(values("oldname")).not.toContain(1);
  expect(values("newname")).toEqual([2]);
  index.remove("k");
  expect(values("newname")).toEqual([]);
  expect(index.size()).toBe(0);
});

test("after many renames it still answers as a fresh index would", () => {
  const index = createSearchIndex<string>();
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < 200; i++) {
      index.upsert(String(i), { names: [`name${round}x${i}`], weight: i, value: `name${round}x${i}` });
    }
  }
  expect(index.size()).toBe(200);
  expect(index.search("name19x7", 1)[0]?.value).toBe("name19x7");
  expect(index.search("name3x7", 200).every((hit) => hit.value.startsWith("name19x"))).toBe(true);
});

test("a search never returns more than requested, and nothing twice", () => {
  const names = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`token ${i} token`, i]));
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.integer({ min: 1, max: 50 }), (q, limit) => {
      const found = indexOf(names).search(q, limit);
      expect(found.length).toBeLessThanOrEqual(limit);
      expect(new Set(found).size).toBe(found.length);
    }),
    { numRuns: 30 },
  );
});
