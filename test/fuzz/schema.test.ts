// Tests of the fuzzer's own judge: it must find each kind of mismatch, or the fuzz run proves nothing.
import { expect, test } from "bun:test";
import { createChecker, type Schema } from "./schema.ts";

const document = {
  parts: {
    Row: { type: "object", properties: { id: { type: "string", format: "uuid" } }, required: ["id"] },
  },
};
const check = createChecker(document);
const UUID = "7c0f6a52-4b1e-5d7a-9f3e-2a6d81c4e5b0";

const cases: [string, Schema, unknown, unknown][] = [
  ["type", { type: "string" }, "a", 1],
  ["whole numbers", { type: "integer" }, 3, 3.5],
  ["several types", { type: ["string", "null"] }, null, true],
  ["const", { const: "buy" }, "buy", "sell"],
  ["enum", { enum: ["a", "b"] }, "b", "c"],
  ["uuid", { format: "uuid" }, UUID, "7c0f6a52"],
  ["date-time", { format: "date-time" }, "2026-03-14T15:09:26.535Z", "2026-13-14T15:09:26.535Z"],
  ["pattern", { pattern: "^[a-z]+$" }, "abc", "a1"],
  ["bounds", { minimum: 0, maximum: 9 }, 9, 10],
  ["lengths", { minLength: 1, maxLength: 2 }, "ab", "abc"],
  ["items", { type: "array", items: { type: "number" }, maxItems: 2 }, [1, 2], [1, "2"]],
  ["how many items", { type: "array", maxItems: 2 }, [1, 2], [1, 2, 3]],
  ["references", { $ref: "#/parts/Row" }, { id: UUID }, { id: "x" }],
  ["required", { $ref: "#/parts/Row" }, { id: UUID }, {}],
  ["strangers", { properties: { a: {} }, additionalProperties: false }, { a: 1 }, { a: 1, b: 2 }],
  ["records", { additionalProperties: { type: "number" } }, { a: 1 }, { a: "1" }],
  ["names", { propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
  ["anyOf", { anyOf: [{ type: "string" }, { type: "null" }] }, null, 0],
  ["oneOf", { oneOf: [{ const: 1 }, { type: "string" }] }, "a", 2],
  ["allOf", { allOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, 4],
];

test.each(cases)("the checker judges %s", (_, schema, right, wrong) => {
  expect(check(schema, right)).toEqual([]);
  expect(check(schema, wrong)).not.toEqual([]);
});

test("the checker refuses to skip an unknown keyword or format", () => {
  expect(() => check({ unevaluatedProperties: false }, {})).toThrow("unevaluatedProperties");
  expect(() => check({ format: "ipv6" }, "::1")).toThrow("ipv6");
});
