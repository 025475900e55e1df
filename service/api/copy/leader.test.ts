import { expect, test } from "bun:test";
import { NOTHING_HELD } from "../../../accounting/lot.ts";
import { nameOfToken } from "../../model/token.ts";
import { type CopiedBooks, copiedTokens, leaderPositions } from "./leader.ts";

test("a position that ends in the block in which the next one begins is sold before that one is bought", () => {
  const token = { networkId: 1, address: "0xa" };
  const move = { amount: 1, usd: 1, feeUsd: 0, networkFeeUsd: 0, txHash: null };
  const opened = {
    position: { token, status: "open", openedAt: 5 },
    opening: NOTHING_HELD,
    later: [{ ...move, kind: "buy", at: 5 }],
  };
  const closed = {
    position: { token, status: "closed", openedAt: 1 },
    opening: NOTHING_HELD,
    later: [
      { ...move, kind: "buy", at: 1 },
      { ...move, kind: "sell", at: 5 },
    ],
  };
  const books = [opened, closed] as unknown as CopiedBooks["books"];
  const [position] = leaderPositions({ books, fills: 3, perps: 0 }, new Map());
  expect(position?.moves.map(({ kind }) => kind)).toEqual(["buy", "sell", "buy"]);
});

test("positions of one token are copied as one holding, in the order of time", () => {
  const book = (address: string, ...times: number[]) => ({
    position: { token: { networkId: 1, address } },
    opening: { ...NOTHING_HELD, amount: times.length },
    later: times.map((at) => ({
      at,
      kind: "buy",
      amount: 1,
      usd: 1,
      feeUsd: 0,
      networkFeeUsd: 0,
      txHash: null,
    })),
  });
  const books = [book("0xa", 5, 6), book("0xb", 2), book("0xa", 1, 3)] as unknown as CopiedBooks["books"];
  const positions = leaderPositions({ books, fills: 5, perps: 0 }, new Map());
  expect(positions.map(({ openingAmount, moves }) => [openingAmount, moves.map(({ at }) => at)])).toEqual([
    [4, [1, 3, 5, 6]],
    [1, [2]],
  ]);
  expect(copiedTokens({ books }).map(nameOfToken)).toEqual(positions.map(({ token }) => token));
});
