import { expect, test } from "bun:test";
import type { Fill } from "../../protocol/shapes/position.ts";
import { fill, token } from "../../test/support/nouns.ts";
import { capturedMoves } from "./captured-moves.ts";
import { positionOfFills } from "./fills-position.ts";

const traded = token();
const leg = (amount: number, usd: number) => ({
  address: traded.address,
  symbol: traded.symbol,
  amount,
  usd,
});
const money = (usd: number) => ({ address: "usd", symbol: "USD", amount: usd, usd });
const buy = (at: number, amount: number, usd: number): Fill =>
  fill({ token: traded, side: "buy", at, tokenIn: money(usd), tokenOut: leg(amount, usd) });
const sell = (at: number, amount: number, usd: number): Fill =>
  fill({ token: traded, side: "sell", at, tokenIn: leg(amount, usd), tokenOut: money(usd) });

test("fills alone make a position that they explain, open until all of it is sold", () => {
  const fills = [sell(300, 4, 10), buy(100, 10, 20)];
  const open = positionOfFills(fills, traded, "left");
  expect(open).toMatchObject({ status: "open", openedAt: 100, lastActivityAt: 300, closedAt: null });
  expect(open).toMatchObject({ boughtAmount: 10, costBasisUsd: 20, soldAmount: 4, proceedsUsd: 10 });
  expect(capturedMoves(open, fills, []).moves.map(({ kind, at }) => [kind, at])).toEqual([
    ["buy", 100],
    ["sell", 300],
  ]);
  const closed = positionOfFills([...fills, sell(400, 6, 6)], traded, "left");
  expect(closed).toMatchObject({ status: "closed", closedAt: 400 });
});
