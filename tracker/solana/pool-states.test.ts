import { expect, test } from "bun:test";
import { NATIVE } from "../chain.ts";
import { stateAfter } from "./pool-states.ts";
import { FEE, type Scene, transactionOf, WRAPPED } from "./test-transactions.ts";
import { readTransaction } from "./transaction.ts";

/** A buyer pays coins into a pool's vault and gets tokens from the other one. */
const swap = (coins: [number, number], tokens: [number, number], others: Scene["tokens"] = []) =>
  readTransaction(
    transactionOf({
      lamports: {
        buyer: [10 ** 9, 10 ** 9 - FEE],
        vault: [1, 1],
        coins: [1, 1],
        own: [1, 1],
        paid: [1, 1],
        another: [1, 1],
      },
      tokens: [
        ...others,
        ["coins", "pool", WRAPPED, String(coins[0]), String(coins[1]), 9],
        ["vault", "pool", "mint", String(tokens[0]), String(tokens[1])],
        ["own", "buyer", "mint", "0", String(tokens[0] - tokens[1])],
        ["paid", "buyer", WRAPPED, String(coins[1] - coins[0]), "0", 9],
      ],
    }),
  );
const POOL = { pool: "pool", token: "mint" };
const VAULT = { address: "vault", curve: null, program: null };

test("on one curve the vaults are the state, and the swap shows the fee", () => {
  // 1 % of the payment stays outside the curve.
  const left = Math.ceil((10 ** 8 * 10 ** 9) / (10 ** 8 + 990_000));
  const state = stateAfter(swap([10 ** 8, 101_000_000], [10 ** 9, left]), POOL, VAULT);
  expect(state).toMatchObject({ inSide: 101_000_000n, outSide: BigInt(left), feeBps: 100 });
  expect(state?.in).toEqual({ token: NATIVE, amountRaw: 1_000_000n });
});

test("with concentrated liquidity the price is the swap's, and the depth is the money vault's balance", () => {
  const state = stateAfter(swap([100_000, 101_000], [1_000_000, 999_500]), POOL, VAULT);
  // Two coins a token, whatever the vaults hold.
  expect(state).toMatchObject({ inSide: 101_000n, outSide: 50_500n, feeBps: null });
});

test("a one-sided move, or one of another token, is not a swap of the pool", () => {
  expect(stateAfter(swap([100_000, 100_000], [1_000_000, 999_500]), POOL, VAULT)).toBeNull();
  expect(stateAfter(swap([1_000, 2_000], [1_000, 500]), { pool: "pool", token: "other" }, VAULT)).toBeNull();
});

test("a swap that mentions another vault of the pool's owner gives no state: it may belong to another pool", () => {
  const both = swap([100_000, 101_000], [1_000_000, 999_500], [["another", "pool", WRAPPED, "7", "7", 9]]);
  expect(stateAfter(both, POOL, VAULT)).toBeNull();
  const curve = { tokens: 1n, coins: 1n, quote: NATIVE };
  expect(stateAfter(both, POOL, { ...VAULT, curve })).toBeNull();
});
