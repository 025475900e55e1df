import { expect, test } from "bun:test";
import { position } from "../../../test/support/nouns.ts";
import { positionsPage } from "./positions-page.ts";

test("unsolicited positions are included only on request", () => {
  const [own, sent] = [position(), position({ spam: true })];
  const books = {
    asOf: 1,
    rows: [{ position: own, before: null, moves: [], isWhole: true }],
    spam: [sent],
    isLive: true,
    isWhole: true,
    available: true,
  };
  const page = (spam: boolean) => positionsPage(books, { status: "all", sort: "recent", limit: 10, spam }, 0);
  expect([page(false).rows, page(false).openTotal]).toEqual([[own], 1]);
  expect(
    page(true)
      .rows.map(({ tradeId }) => tradeId)
      .sort(),
  ).toEqual([own.tradeId, sent.tradeId].sort());
});
