import { expect, test } from "bun:test";
import { NOTHING_HELD } from "../../../accounting/lot.ts";
import { nameOfToken } from "../../model/token.ts";
import { type CopiedBooks, copiedTokens, leaderPositions } from "./leader.ts";

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
