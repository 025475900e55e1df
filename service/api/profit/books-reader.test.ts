// Captured books as of a moment show what was held then, even if it is now known how it ended.
import { expect, test } from "bun:test";
import { HOUR_MS, SECOND_MS } from "../../../kit/units.ts";
import { fill, MIDNIGHT, position } from "../../../test/support/nouns.ts";
import { booksWithin, marksNeeded } from "../../model/books.ts";
import type { Store } from "../../store/store.ts";
import type { Upstream } from "../../upstream/port.ts";
import { createBooksReader } from "./books-reader.ts";

const ASKED_AT = MIDNIGHT + HOUR_MS;
const SOLD_AT = ASKED_AT + 5 * SECOND_MS;

const sold = position({
  status: "closed",
  boughtAmount: 50,
  soldAmount: 50,
  costBasisUsd: 100,
  proceedsUsd: 300,
  lastActivityAt: SOLD_AT,
  closedAt: SOLD_AT,
});
const { tradeId, userId, token } = sold;
const fills = [
  fill({ tradeId, userId, token, side: "buy", usd: 100, at: MIDNIGHT }),
  fill({ tradeId, userId, token, side: "sell", usd: 300, at: SOLD_AT }),
];
const page = async <Row>(rows: Row[]) => ({ rows, next: null });
const store = {
  captures: { find: async () => ({ openComplete: true, closedTotal: 1 }) },
  positions: { byTrader: () => page([sold]) },
  fills: { byTrader: () => page(fills) },
  transfers: { byTrade: () => page([]) },
  tokens: { byRefs: async () => [] },
  traders: { byId: async () => null },
} as unknown as Store;

const capturedAt = (asOf: number) =>
  createBooksReader({ upstream: {} as Upstream, store }).captured(userId, asOf);

test("a token sold after the moment was still held at it, and needs a price there", async () => {
  const books = await capturedAt(ASKED_AT);
  expect(books.rows.map((row) => row.position)).toEqual([
    { ...sold, status: "open", lastActivityAt: MIDNIGHT, closedAt: null },
  ]);
  const bounds = { from: MIDNIGHT, to: ASKED_AT };
  expect(marksNeeded(booksWithin(books.rows, bounds), bounds)).toEqual([{ token, at: ASKED_AT }]);
  expect(books.isWhole).toBe(true);
});

test("a position sold before the moment is closed", async () => {
  const books = await capturedAt(SOLD_AT + 1);
  expect(books.rows.map((row) => row.position)).toEqual([sold]);
  expect(books.isWhole).toBe(true);
});
