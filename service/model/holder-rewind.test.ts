import { expect, test } from "bun:test";
import { createHolderRewind } from "./holder-rewind.ts";

const leg = (amount: number) => ({ address: "a", symbol: "A", amount, usd: 1 });
const fill = (userId: string, side: "buy" | "sell", amount: number) => ({
  userId,
  side,
  tokenIn: leg(side === "sell" ? amount : 1),
  tokenOut: leg(side === "buy" ? amount : 1),
});

test("a buyer held nothing before, a seller of everything held it before, and dust is not a holding", () => {
  const rewind = createHolderRewind(
    new Map([
      ["amy", 0.3],
      ["bob", 5],
    ]),
  );
  const seen = [
    fill("cat", "sell", 2),
    fill("bob", "sell", 1),
    fill("amy", "buy", 0.1),
    fill("amy", "buy", 0.2),
    fill("cat", "buy", 2),
    fill("bob", "buy", 9),
  ].map((each) => {
    rewind.undo(each);
    return rewind.holders();
  });
  expect(seen).toEqual([3, 3, 3, 2, 1, 0]);
});
