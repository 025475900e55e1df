import { describe, expect, test } from "bun:test";
import type { Fill } from "../../protocol/shapes/position.ts";
import { fill, position, token } from "../../test/support/nouns.ts";
import { capturedMoves } from "./captured-moves.ts";

const traded = token();
const buy = (at: number, amount: number, usd: number): Fill =>
  fill({
    token: traded,
    side: "buy",
    at,
    feeUsd: 0.1,
    tokenIn: { address: "usd", symbol: "USD", amount: usd, usd },
    tokenOut: { address: traded.address, symbol: traded.symbol, amount, usd },
  });

describe("a captured position's moves", () => {
  test("are its fills, and it is whole when they explain it", () => {
    const held = position({ boughtAmount: 10, costBasisUsd: 20, openedAt: 100, lastActivityAt: 200 });
    const { moves, isWhole } = capturedMoves(held, [buy(100, 10, 20)], []);
    expect(moves).toMatchObject([{ kind: "buy", at: 100, amount: 10, usd: 20, feeUsd: 0.1 }]);
    expect(isWhole).toBe(true);
  });

  test("amounts that fills do not explain come from its totals, and it is not whole", () => {
    const held = position({
      boughtAmount: 10,
      costBasisUsd: 20,
      soldAmount: 4,
      proceedsUsd: 12,
      openedAt: 100,
      lastActivityAt: 200,
    });
    const { moves, isWhole } = capturedMoves(held, [buy(150, 6, 15)], []);
    expect(isWhole).toBe(false);
    expect(moves).toMatchObject([
      { kind: "buy", at: 100, amount: 4, usd: 5, feeUsd: null },
      { kind: "buy", at: 150, amount: 6, usd: 15 },
      { kind: "sell", at: 200, amount: 4, usd: 12, feeUsd: null },
    ]);
  });

  test("tokens received at an unknown price have no cost", () => {
    const given = position({
      boughtAmount: 0,
      costBasisUsd: 0,
      transferredInAmount: 5,
      avgTransferInPrice: null,
    });
    expect(capturedMoves(given, [], []).moves).toMatchObject([{ kind: "receive", amount: 5, usd: null }]);
  });
});
