import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { createChains } from "./chains.ts";
import { Fault } from "./errors.ts";
import {
  boolean,
  cursor,
  decimal,
  limit,
  oneOf,
  readChain,
  tokenAddress,
  traderKey,
  uuid,
  words,
} from "./parts.ts";
import { readInput } from "./read.ts";

const schema = z.strictObject({
  limit: limit(1, 150, 50),
  window: oneOf(["24h", "7d"], "").optional(),
  cursor: cursor("").optional(),
  minUsd: decimal(1e6, "").optional(),
  live: boolean("").optional(),
  q: words(1, 64, "").optional(),
  token: tokenAddress().optional(),
  trader: traderKey().optional(),
  userId: uuid("").optional(),
});
const read = (text: string) => readInput(schema, new URLSearchParams(text), "query");

function refusalOf(run: () => unknown): Fault {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("numbers", () => {
  test("every whole number in range is read, in plain digits only", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 150 }), (n) => expect(read(`limit=${n}`).limit).toBe(n)));
  });
  test("an absent limit is its default", () => expect(read("").limit).toBe(50));
  test.each([
    "1e2",
    "5.0",
    "%205",
    "",
    "%2B5",
    "0x10",
    "05",
    "-1",
    "0",
    "151",
    "NaN",
    "٥",
    "1_0",
    "9".repeat(30),
  ])("limit=%p is refused with its range", (text) => {
    const refusal = refusalOf(() => read(`limit=${text}`));
    expect(refusal.code).toBe("invalid_parameter");
    expect(refusal.message).toBe("limit must be a whole number from 1 to 150.");
    expect(refusal.details.param).toBe("limit");
  });
  test("decimals take no sign, exponent or infinity", () => {
    expect(read("minUsd=12.50").minUsd).toBe(12.5);
    for (const text of ["-1", "1e3", "Infinity", "NaN", ".5", "5.", "1000001"])
      expect(refusalOf(() => read(`minUsd=${text}`)).details.param).toBe("minUsd");
  });
});

describe("refusals", () => {
  test("a wrong choice lists the right ones", () => {
    const refusal = refusalOf(() => read("window=9d"));
    expect(refusal.message).toBe("window must be one of 24h, 7d.");
    expect(refusal.details).toEqual({ param: "window", allowed: ["24h", "7d"] });
  });
  test("an unknown parameter is named, with those there are", () => {
    const refusal = refusalOf(() => read("limt=5"));
    expect(refusal.message).toContain("limt is not a query parameter");
    expect(refusal.details.allowed).toContain("limit");
  });
  test("__proto__ and constructor are unknown parameters like any other", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"])
      expect(refusalOf(() => read(`${name}=1`)).code).toBe("invalid_parameter");
  });
  test("a repeated parameter is refused", () => {
    expect(refusalOf(() => read("limit=5&limit=5")).message).toBe("limit is given more than once.");
  });
  test("a missing field is called missing, and a body's refusal is invalid_body", () => {
    const body = z.strictObject({ plan: oneOf(["credits"], "") });
    const refusal = refusalOf(() => readInput(body, {}, "body"));
    expect(refusal.code).toBe("invalid_body");
    expect(refusal.message).toBe("plan is missing: it must be one of credits.");
  });
  test("whatever is sent, the outcome is a value or a sentence that does not repeat it", () => {
    const anyText = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), fc.webUrl());
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(schema.shape)), anyText, (name, value) => {
        const query = new URLSearchParams({ [name]: `${value}\u0007canary` });
        const refusal = refusalOf(() => readInput(schema, query, "query"));
        expect(refusal.message).toMatch(/^[A-Za-z].*\.$/);
        expect(refusal.message).not.toContain("canary");
        expect(refusal.details.param).toBe(name);
      }),
    );
  });
  test("whatever the name, it is refused in the error shape", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (name) => {
        fc.pre(!Object.hasOwn(schema.shape, name));
        const refusal = refusalOf(() => readInput(schema, new URLSearchParams([[name, "1"]]), "query"));
        expect(refusal.code).toBe("invalid_parameter");
      }),
    );
  });
});

describe("forms", () => {
  test("cursors are read exactly when they have the stated form", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_.:-]{1,160}$/), (text) => {
        expect(readInput(schema, { cursor: text }, "query").cursor).toBe(text);
      }),
    );
    for (const text of ["", "a b", "a/b", "a".repeat(161), "é", "a\n"])
      expect(() => readInput(schema, { cursor: text }, "query")).toThrow(Fault);
  });
  test("a handle loses its @ and its case; a UUID is a userId", () => {
    expect(read("trader=@NightOwl").trader).toEqual({ kind: "handle", key: "nightowl" });
    const id = "7C0F6A52-4B1E-5D7A-9F3E-2A6D81C4E5B0";
    expect(read(`trader=${id}`).trader).toEqual({ kind: "userId", key: id.toLowerCase() });
    expect(read(`userId=${id}`).userId).toBe(id.toLowerCase());
  });
  test("EVM addresses lose their case, Solana's keep it", () => {
    expect(read(`token=0x${"aB".repeat(20)}`).token).toBe(`0x${"ab".repeat(20)}`);
    const mint = "So11111111111111111111111111111111111111112";
    expect(read(`token=${mint}`).token).toBe(mint);
    for (const text of ["0x12", "O0Il".repeat(9), mint.slice(0, 20), `0x${"g".repeat(40)}`])
      expect(() => read(`token=${text}`)).toThrow(Fault);
  });
  test("search text is counted in characters, after the spaces around it", () => {
    expect(read("q=%20moon%20").q).toBe("moon");
    expect(read(`q=${"🌙".repeat(64)}`).q).toHaveLength(128);
    for (const text of ["", "%20%20", "a".repeat(65), "a%00b"])
      expect(() => read(`q=${text}`)).toThrow(Fault);
  });
  test("a chain is found by any of its names, and a wrong one lists them as the operator calls them", () => {
    const chains = createChains({ name: "marketname", aliases: ["mn"] });
    for (const text of ["marketname", "MN", "altchain", "4663"])
      expect(readChain(text, chains, "chain").id).toBe(4663);
    const refusal = refusalOf(() => readChain("doge", chains, "chain"));
    expect(refusal.details.allowed).toContain("marketname");
  });
});
