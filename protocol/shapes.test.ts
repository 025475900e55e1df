import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { anyCharacter } from "../test/support/any-character.ts";
import * as shapes from "./protocol.ts";
import { Malformed, type Schema } from "./schema.ts";
import { fixedPlatform } from "./test-platform.ts";
import {
  AT,
  TOKEN_ADDRESS,
  TRADE_ID,
  USER_ID,
  wirePosition,
  wireThesis,
  wireToken,
  wireTokenInfo,
  wireUser,
} from "./test-samples.ts";

const { api } = fixedPlatform();

const read =
  <Read>(schema: Schema<Read, unknown>) =>
  (value: unknown): Read =>
    schema.read(value, "not an object");
const trader = read(shapes.trader);
const position = read(shapes.position);
const positionDetail = read(shapes.positionDetail);
const tradesPage = read(shapes.tradesPage);
const thesis = read(shapes.thesis);
const token = read(shapes.token);
const tokenInfo = read(shapes.tokenInfo);
const tokenStats = read(shapes.tokenStats);
const leaderboard = read(shapes.leaderboard);
const board = read(shapes.board);

/** Every reader of a whole answer, with an answer it accepts. */
const DECODERS: Record<string, { decode: (value: unknown) => unknown; sample: unknown }> = {
  trader: { decode: trader, sample: wireUser },
  position: { decode: position, sample: wirePosition },
  positionDetail: { decode: positionDetail, sample: api.trade(TRADE_ID) },
  tradesPage: { decode: tradesPage, sample: api.trades(USER_ID, { sort: "recent" }) },
  thesis: { decode: thesis, sample: wireThesis },
  token: { decode: token, sample: wireToken },
  tokenInfo: { decode: tokenInfo, sample: wireTokenInfo },
  tokenStats: { decode: tokenStats, sample: api.tokenStats(TOKEN_ADDRESS) },
  leaderboard: { decode: leaderboard, sample: api.leaderboard("all") },
  board: { decode: board, sample: api.board("trending") },
};

describe("what a reader makes of a good answer", () => {
  test("volumes become numbers and addresses become keys", () => {
    const decoded = trader(wireUser);
    expect(decoded.volumeUsd).toBe(10_452.75);
    expect(decoded.wallets.evm).toBe(TOKEN_ADDRESS.toLowerCase());
    expect(decoded.holdings[0]?.token.address).toBe(TOKEN_ADDRESS.toLowerCase());
    expect(decoded.handle).toBe("FrogQueen");
  });

  test("an absent like count is unknown, not zero", () => {
    const { likes: _, ...uncounted } = wireThesis;
    expect(thesis(uncounted).likes).toBeNull();
  });

  test("a board keeps its ranks, gaps included", () => {
    expect(board(api.board("graduated")).rows.map((row) => row.rank)).toEqual([2]);
  });

  test("a perpetual market's name stands for an address on its own network only", () => {
    expect(token({ ...wireToken, networkId: 1337, address: "BTC-PERP" }).address).toBe("BTC-PERP");
    expect(() => token({ ...wireToken, address: "BTC-PERP" })).toThrow(Malformed);
  });
});

describe("what a reader refuses", () => {
  test.each([
    ["a NaN price", () => tokenInfo({ ...wireTokenInfo, priceUsd: Number.NaN })],
    ["an infinite price", () => tokenInfo({ ...wireTokenInfo, priceUsd: JSON.parse("1e999") })],
    ["a volume that is a number", () => trader({ ...wireUser, volumeUsd: 5 })],
    ["a volume that is empty", () => trader({ ...wireUser, volumeUsd: "" })],
    ["a volume in hexadecimal", () => trader({ ...wireUser, volumeUsd: "0x10" })],
    ["a user id that is no UUID", () => trader({ ...wireUser, userId: "1" })],
    ["a network id of zero", () => token({ ...wireToken, networkId: 0 })],
    ["a fractional network id", () => token({ ...wireToken, networkId: 1.5 })],
    ["an address that is neither", () => token({ ...wireToken, address: "frog" })],
    ["a time past the year 9999", () => position({ ...wirePosition, openedAt: 9e15 })],
    ["a negative count", () => trader({ ...wireUser, followers: -1 })],
    ["text without end", () => thesis({ ...wireThesis, text: "a".repeat(10_001) })],
    ["a NUL, which the database can't hold", () => thesis({ ...wireThesis, text: "a\0b" })],
    ["a handle that can't be asked for", () => trader({ ...wireUser, handle: "a b" })],
    [
      "ranks out of order",
      () => {
        const { rows } = api.board("trending");
        return board({ board: "trending", asOf: AT, rows: [...rows, ...rows] });
      },
    ],
    ["a board with one bad row", () => board({ ...api.board("trending"), rows: [{}] })],
    ["too many rows", () => board({ ...api.board("trending"), rows: Array(1_001).fill({}) })],
  ])("%s", (_, decode) => {
    expect(decode).toThrow(Malformed);
  });

  test("pictures and links of a scheme that runs are left out, not passed on", () => {
    expect(token({ ...wireToken, image: "javascript:alert(1)" }).image).toBeNull();
    expect(token({ ...wireToken, image: "//evil.example/x.png" }).image).toBeNull();
    const links = [{ text: "x", link: "data:text/html,x", provider: "x" }, ...wireThesis.links];
    expect(thesis({ ...wireThesis, links }).links).toEqual(wireThesis.links);
  });
});

describe.each(Object.entries(DECODERS))("%s", (_, { decode, sample }) => {
  test("keys that reach for prototypes and keys unknown to it leave no trace", () => {
    const hostile = JSON.parse(
      JSON.stringify(sample)
        .replaceAll("{", '{"__proto__":{"polluted":1},"constructor":{"a":1},"extra":"b",')
        .replaceAll(",}", "}"),
    );
    expect(decode(hostile)).toEqual(decode(sample));
    expect(Object.getPrototypeOf({}).polluted).toBeUndefined();
    expect(soundness(decode(hostile))).toEqual([]);
  });

  test("whatever replaces any one part, the result is sound or refused", () => {
    const places = placesIn(sample);
    const junk = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.double(),
      fc.string({ unit: anyCharacter, maxLength: 50 }),
      fc.constantFrom<unknown>(
        undefined,
        Number.NaN,
        Infinity,
        -1,
        2 ** 53,
        "NaN",
        "1e400",
        "__proto__",
        "a".repeat(20_000),
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), junk, (place, value) => {
        try {
          expect(soundness(decode(withPart(sample, place, value)))).toEqual([]);
        } catch (error) {
          expect(error).toBeInstanceOf(Malformed);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

type Place = (string | number)[];

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...at, key]))];
}

function withPart(value: unknown, place: Place, part: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return part;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as object) };
  const slot = copy as Record<string, unknown>;
  slot[key] = withPart(slot[key], rest, part);
  return copy;
}

/** What must never be in a decoded value. */
function soundness(value: unknown, at = ""): string[] {
  if (typeof value === "number") return Number.isFinite(value) ? [] : [`${at} is not finite`];
  if (typeof value === "string")
    return value.length <= 10_000 && value.isWellFormed() && !value.includes("\0")
      ? []
      : [`${at} is bad text`];
  if (value === undefined) return [`${at} is undefined`];
  if (typeof value !== "object" || value === null) return [];
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype)
    return [`${at} has a foreign prototype`];
  return Object.entries(value).flatMap(([key, part]) => soundness(part, `${at}.${key}`));
}
