// Values to attack with: valid for a documented schema, nearly valid, and known to have broken parsers. A text for the wire is
// latin-1 and is sent unchanged, so its bytes and percent signs need not be valid in any encoding.
import fc from "fast-check";
import { anyCharacter } from "../support/any-character.ts";
import { HOSTILE_BYTES, HOSTILE_TEXTS, repeat } from "./hostile.ts";
import type { Schema } from "./schema.ts";

/** Values from the service's own answers, by field name. */
export type Seen = Map<string, Set<string>>;

const letters = fc.oneof(
  fc.string({ maxLength: 80, unit: "grapheme" }),
  fc.string({ maxLength: 20, unit: anyCharacter }),
  fc.string({ maxLength: 200, unit: "binary-ascii" }),
);

/** Any text at all. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...HOSTILE_TEXTS), weight: 3 },
  { arbitrary: letters, weight: 1 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...HOSTILE_TEXTS), fc.constantFrom(...HOSTILE_TEXTS))
      .map(([a, b]) => a + b),
    weight: 1,
  },
);

/** Text as a browser would put it into a URL. Half a surrogate pair becomes the bytes that a careless encoder produces. */
const encoded = (text: string) =>
  text.isWellFormed() ? encodeURIComponent(text).replace(/%20/g, "+") : "%ed%a0%80";

const hostileWire: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: hostileText.map(encoded), weight: 3 },
  { arbitrary: fc.constantFrom(...HOSTILE_BYTES), weight: 2 },
  {
    arbitrary: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) =>
      // Neither a space nor an end of line: those would end the request target, which is another attack.
      Buffer.from(bytes.filter((byte) => byte > 0x20 && byte !== 0x7f)).toString("latin1"),
    ),
    weight: 1,
  },
  {
    arbitrary: fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => {
      const hex = Buffer.from(bytes).toString("hex");
      return hex.replace(/../g, "%$&");
    }),
    weight: 1,
  },
);

/** Field names in answers for parameters of another name. */
const SAME_THING: Record<string, string[]> = {
  id: ["handle", "userId", "id"],
  trader: ["handle", "userId"],
  mint: ["address", "tokenAddress"],
  token: ["address", "symbol"],
  cursor: ["nextCursor", "oldestCursor"],
  before: ["oldestCursor", "nextCursor"],
  q: ["symbol", "handle", "name"],
  since: ["ts", "createdAt"],
  from: ["ts", "createdAt"],
  to: ["ts", "createdAt"],
  network: ["chain"],
  handle: ["handle", "userId"],
};

function seenFor(name: string, seen: Seen): string[] {
  return (SAME_THING[name] ?? [name]).flatMap((field) => [...(seen.get(field) ?? [])]);
}

/** Plausible values for a field of this name and schema, as text. */
export function fittingText(
  name: string,
  schema: Schema,
  seen: Seen,
  example?: unknown,
): fc.Arbitrary<string> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum.map(String));
  const known = seenFor(name, seen);
  const choices: fc.Arbitrary<string>[] = [];
  if (known.length > 0) choices.push(fc.constantFrom(...known));
  if (example !== undefined) choices.push(fc.constant(String(example)));
  const { minimum = 0, maximum = 1_000_000 } = schema as { minimum?: number; maximum?: number };
  if (schema.type === "integer" || schema.type === "number")
    choices.push(fc.constantFrom(String(minimum), String(maximum)));
  if (schema.type === "integer") choices.push(fc.integer({ min: minimum, max: maximum }).map(String));
  if (schema.type === "boolean") choices.push(fc.constantFrom("true", "false", "1", "0"));
  if (typeof schema.pattern === "string") choices.push(fc.stringMatching(new RegExp(schema.pattern)));
  if (Array.isArray(schema.anyOf))
    for (const each of schema.anyOf) choices.push(fittingText(name, each as Schema, seen));
  return choices.length > 0 ? fc.oneof(...choices) : letters;
}

function nearlyFitting(schema: Schema): fc.Arbitrary<string> {
  const { minimum, maximum, maxLength } = schema as Record<string, number | undefined>;
  const edges = [minimum, maximum].filter((bound) => bound !== undefined);
  const numbers = edges.flatMap((bound) => [bound - 1, bound + 1, bound + 0.5, -bound]).map(String);
  const texts = maxLength === undefined ? [] : [repeat("a", maxLength), repeat("a", maxLength + 1)];
  const values = (schema.enum as string[] | undefined)?.flatMap((each) => [
    ` ${each}`,
    `${each}\u200b`,
    each.toUpperCase(),
  ]);
  const all = [...numbers, ...texts, ...(values ?? [])];
  return all.length > 0 ? fc.constantFrom(...all) : hostileText;
}

/** A value for a path or a query, ready for the wire. */
export function wireValue(name: string, schema: Schema, seen: Seen, example?: unknown): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fittingText(name, schema, seen, example).map(encoded), weight: 4 },
    { arbitrary: nearlyFitting(schema).map(encoded), weight: 2 },
    { arbitrary: hostileWire, weight: 6 },
  );
}

/** A header's value: any byte except those that end it. */
export const headerValue: fc.Arbitrary<string> = fc
  .oneof(
    { arbitrary: hostileText.map((text) => Buffer.from(text).toString("latin1")), weight: 3 },
    { arbitrary: fc.constantFrom(...HOSTILE_BYTES), weight: 1 },
    {
      arbitrary: fc.constantFrom(repeat("a,", 3_000), repeat('"', 300), "gzip;q=0", 'W/"*"', "*", "bytes=0-"),
      weight: 1,
    },
  )
  .map((text) => [...text].filter((letter) => !"\r\n\0".includes(letter)).join(""));

const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  1e-9,
  5,
  4.99,
  10_000,
  10_000.01,
  1e21,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 53 + 2,
];

/** Any JSON value for a field of a body or a frame. */
export function jsonValue(name: string, schema: Schema, seen: Seen): fc.Arbitrary<unknown> {
  const fitting = fittingText(name, schema, seen);
  const isNumber = schema.type === "number" || schema.type === "integer";
  return fc.oneof(
    { arbitrary: isNumber ? fitting.map(Number) : fitting, weight: 3 },
    { arbitrary: fc.array(fitting, { maxLength: 5 }), weight: 1 },
    { arbitrary: hostileText, weight: 3 },
    { arbitrary: fc.constantFrom<unknown>(...HOSTILE_NUMBERS, null, true, false, [], {}, [[]]), weight: 2 },
    {
      arbitrary: fc.constantFrom<unknown>(Array(201).fill("a"), Array(2_000).fill(1), { length: 3 }),
      weight: 1,
    },
    { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
  );
}
