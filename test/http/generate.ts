// Requests generated from the contract: for each parameter valid values, nearly valid values, and anything at all. Whether a
// generated request is valid is decided elsewhere, by the contract's own reader.

import fc from "fast-check";
import type { z } from "zod";
import { factsOf } from "../../contract/parts.ts";
import { type AnyRoute, pathNames } from "../../contract/route.ts";
import { DAY_MS } from "../../kit/units.ts";
import { anyCharacter } from "../support/any-character.ts";

/** Existing names of the world, so that a generated request also finds something. */
export interface Known {
  handles: readonly string[];
  userIds: readonly string[];
  tradeIds: readonly string[];
  addresses: readonly string[];
  symbols: readonly string[];
  keyIds: readonly string[];
  paymentIds: readonly string[];
  webhookIds: readonly string[];
  replayIds: readonly string[];
  followIds: readonly string[];
  cursors: readonly string[];
  now: number;
}

export interface MadeRequest {
  /** Values of the path, by the route's own names. */
  params: Record<string, string>;
  /** Pairs, because a name may be repeated. */
  query: [string, string][];
  body: unknown;
}

const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const NO_TOKEN = "0x00000000000000000000000000000000deadbeef";

const CHAINS = ["solana", "SOL", "1399811149", "base", "bnb", "eth", "altchain", "4663", "perps", "nowhere"];

/** Texts that have broken parsers before. */
const HOSTILE = [
  "",
  " ",
  "0",
  "-1",
  "+1",
  "1e3",
  "0x10",
  "01",
  "1.0",
  "NaN",
  "Infinity",
  "null",
  "undefined",
  "true",
  "9007199254740993",
  "99999999999999999999",
  "__proto__",
  "constructor",
  "%",
  "%00",
  "\u0000",
  "\n",
  "'",
  '"',
  "';--",
  "<script>",
  "../..",
  "💥",
  "\ud800",
  "a".repeat(300),
  "start",
  "live:0:",
  "kept:1:a",
  "live::",
  "kept:1e999:a",
  "a:999999999999999:1",
  "t:999999999999999",
  "from:1",
  "from:999999",
  "x.1",
  "9999-12-31T23:59:59Z",
  "-000001-01-01",
  "2026-02-30",
  "999999999999999",
];

const anything = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ maxLength: 80, unit: "grapheme" }),
  fc.string({ maxLength: 20, unit: anyCharacter }),
);

const pick = (values: readonly string[], ...others: string[]) => fc.constantFrom(...values, ...others);

/** Values intended for a parameter of this name. */
function meantFor(name: string, known: Known): fc.Arbitrary<string> | undefined {
  const trader = fc.oneof(
    pick(known.handles),
    pick(known.userIds, UNKNOWN_ID),
    pick(known.handles).map((handle) => `@${handle.toUpperCase()}`),
    fc.constant("unknown_handle"),
  );
  const token = pick(known.addresses, NO_TOKEN);
  const instant = fc.oneof(
    fc.integer({ min: 0, max: 30 * 86_400 }).map((ago) => String(Math.floor(known.now / 1000) - ago)),
    fc.integer({ min: 0, max: DAY_MS }).map((ago) => String(known.now - ago)),
    fc.integer({ min: 0, max: DAY_MS }).map((ago) => new Date(known.now - ago).toISOString()),
  );
  const made: Record<string, fc.Arbitrary<string>> = {
    handle: trader,
    id: fc.oneof(trader, pick(known.keyIds, "key_unknown")),
    trader,
    userId: pick(known.userIds, UNKNOWN_ID),
    tradeId: pick(known.tradeIds, UNKNOWN_ID),
    mint: token,
    address: token,
    token: fc.oneof(token, pick(known.symbols)),
    chain: pick(CHAINS),
    network: pick(CHAINS),
    networkId: pick(["1399811149", "8453", "56", "1", "4663", "1337", "7"]),
    cursor: pick(known.cursors, "start"),
    before: pick(known.cursors),
    since: instant,
    from: instant,
    to: instant,
    q: fc.oneof(pick(known.handles), pick(known.symbols), fc.string({ minLength: 1, maxLength: 12 })),
    notificationType: pick(["LARGE_BUY", "PRICE_SINCE_LISTED", "NOTHING"]),
    deep: pick(["1", "true", "2", "3", "20", "21"]),
    paymentId: pick(known.paymentIds, "pay_unknown"),
    webhookId: pick(known.webhookIds, "whk_unknown"),
    replayId: pick(known.replayIds, "rpl_unknown"),
    followId: pick(known.followIds, "flw_unknown"),
  };
  return Object.hasOwn(made, name) ? made[name] : undefined;
}

function fitting(name: string, field: z.ZodType, known: Known): fc.Arbitrary<string> {
  const schema = factsOf(field)?.schema ?? {};
  if (Array.isArray(schema.enum)) return pick(schema.enum.map(String));
  const meant = meantFor(name, known);
  if (meant) return meant;
  const { minimum: min, maximum: max } = schema as { minimum?: number; maximum?: number };
  if (schema.type === "integer" && min !== undefined && max !== undefined)
    return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max)).map(String);
  return anything;
}

/** Just outside, or far outside. */
function unfitting(field: z.ZodType): fc.Arbitrary<string> {
  const { minimum, maximum } = (factsOf(field)?.schema ?? {}) as { minimum?: number; maximum?: number };
  if (minimum === undefined || maximum === undefined) return anything;
  return fc.oneof(anything, fc.constantFrom(minimum - 1, maximum + 1).map(String));
}

/** Mostly valid, so that most requests get past validation. */
function value(name: string, field: z.ZodType, known: Known): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fitting(name, field, known), weight: 15 },
    { arbitrary: unfitting(field), weight: 1 },
  );
}

const fieldsOf = (schema: z.ZodObject | undefined): [string, z.ZodType][] =>
  Object.entries(schema?.shape ?? {}) as [string, z.ZodType][];

/** Lists of requests as a batch accepts them: most of them existing reads, some nearly so. */
function batchRequests(known: Known): fc.Arbitrary<unknown> {
  const paths = [
    "/v2/me",
    "/v2/alerts?limit=2",
    "/theses?limit=1",
    "/v2/leaderboard/7d?limit=3",
    "/v2/leaderboard/1y",
    ...known.handles.map((handle) => `/v2/users/${encodeURIComponent(handle)}/balances`),
    ...known.tradeIds.map((id) => `/v2/trades/${id}`),
    "/health",
    "/v2/batch",
    "/v2/users/..",
    "//x/v2/me",
    "v2/me",
    "/v2/me?surprise=1",
    "/v2/users/%/trades",
  ];
  const request = fc.record(
    {
      path: fc.oneof({ arbitrary: pick(paths), weight: 30 }, { arbitrary: anything, weight: 1 }),
      id: fc.oneof({ arbitrary: fc.uuid(), weight: 9 }, { arbitrary: anything, weight: 1 }),
      headers: fc.oneof(
        {
          arbitrary: fc.constantFrom('"a"', "*", 'W/"b"').map((etag) => ({ "if-none-match": etag })),
          weight: 9,
        },
        { arbitrary: fc.jsonValue({ maxDepth: 1 }), weight: 1 },
      ),
    },
    { requiredKeys: ["path"] },
  );
  return fc.array(request, { minLength: 0, maxLength: 27, size: "max" });
}

function bodyOf(route: AnyRoute, known: Known): fc.Arbitrary<unknown> {
  if (!route.body) return fc.constant(undefined);
  const made = fc.record(
    Object.fromEntries(
      fieldsOf(route.body).map(([name]) => [
        name,
        fc.oneof(
          { arbitrary: fc.constantFrom<unknown>(route.example.body?.[name]), weight: 6 },
          { arbitrary: fc.jsonValue({ maxDepth: 1 }), weight: 1 },
          ...(name === "requests" ? [{ arbitrary: batchRequests(known), weight: 12 }] : []),
          {
            arbitrary: fc.constantFrom<unknown>(-1, 0, 1, 4.99, 5, 10_000.01, "credits", "scale"),
            weight: 2,
          },
        ),
      ]),
    ),
    { requiredKeys: [] },
  );
  return fc.oneof({ arbitrary: made, weight: 9 }, { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 });
}

export function requestsOf(route: AnyRoute, known: Known): fc.Arbitrary<MadeRequest> {
  const params = fc.record(
    Object.fromEntries(pathNames(route.path).map((name) => [name, value(name, shapeOf(route, name), known)])),
  );
  const asked = fieldsOf(route.query).map(([name, field]) =>
    fc.option(
      value(name, field, known).map((text): [string, string] => [name, text]),
      { nil: undefined, freq: 2 },
    ),
  );
  const strangers = fc.oneof(
    { arbitrary: fc.constant<[string, string][]>([]), weight: 24 },
    { arbitrary: fc.tuple(anything, anything).map((pair) => [pair]), weight: 1 },
    { arbitrary: fc.constant<[string, string][]>([["limit", "1"]]), weight: 1 },
  );
  return fc
    .tuple(params, fc.tuple(...asked), strangers, bodyOf(route, known))
    .map(([path, query, extra, body]) => ({
      params: path,
      query: [...query.filter((pair) => pair !== undefined), ...extra],
      body,
    }));
}

function shapeOf(route: AnyRoute, name: string): z.ZodType {
  return (route.params.shape as Record<string, z.ZodType>)[name] as z.ZodType;
}

/** A generated request's URL; null when its path could not belong to this route. */
export function pathOf(path: string, made: MadeRequest): string | null {
  const values = Object.values(made.params);
  // An empty segment, or one that a client normalizes away, makes another path.
  if (values.some((text) => text === "" || text === "." || text === ".." || !text.isWellFormed()))
    return null;
  let filled = path;
  for (const name of pathNames(path))
    filled = filled.replace(`{${name}}`, () => encodeURIComponent(values.shift() ?? ""));
  const query = new URLSearchParams(made.query).toString();
  return query === "" ? filled : `${filled}?${query}`;
}
