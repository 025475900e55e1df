// Responses with one cached body share what they have in common, and nothing about the caller.
import { expect, test } from "bun:test";
import { pack } from "./byte-cache.ts";
import { type ReplyFacts, sendPacked } from "./respond.ts";

const exchangeOf = (requestId: string, remaining: number | null, used: number): ReplyFacts => ({
  request: new Request("http://localhost/v2/leaderboard/7d"),
  requestId,
  cost: 5,
  remaining,
  extra: null,
  rate: { limit: `"minute";r=${used};t=60`, policy: '"minute";q=60;w=60' },
});

test("responses with one cached body give each caller its own id, rate status and credits, or no credits at all", () => {
  const packed = pack(
    { body: { rows: [] } },
    { kind: "shared", freshSeconds: 30, staleSeconds: 0, ofMoment: false },
    0,
  );
  const asked: [string, number | null, number][] = [
    ["req_one", 900, 59],
    ["req_two", null, 58],
    ["req_three", 40, 57],
    ["req_four", 35, 56],
  ];
  const sent = asked.map((each) => sendPacked(exchangeOf(...each), packed, 200, 30));
  // Read after all were created, as the runtime does under load.
  const caching = sent.map(({ headers }) => [
    headers.get("x-request-id"),
    headers.get("x-credits-remaining"),
    headers.get("ratelimit"),
  ]);
  expect(caching).toEqual(
    asked.map(([id, left, used]) => [id, left === null ? null : String(left), `"minute";r=${used};t=60`]),
  );
});

test("headers of one response stay on that one", () => {
  const packed = pack(
    { body: {} },
    { kind: "shared", freshSeconds: 30, staleSeconds: 0, ofMoment: false },
    0,
  );
  const replayed = { ...exchangeOf("req_one", 1, 1), extra: { "idempotency-replayed": "true" } };
  expect(sendPacked(replayed, packed, 200, 30).headers.get("idempotency-replayed")).toBe("true");
  const next = sendPacked(exchangeOf("req_two", 1, 1), packed, 200, 30);
  expect(next.headers.has("idempotency-replayed")).toBe(false);
});
