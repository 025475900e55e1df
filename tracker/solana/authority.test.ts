// Which sales are believed when someone else signed: a token's creator may have kept the right to take it from any account.
import { describe, expect, test } from "bun:test";
import { netWallet } from "./netting.ts";
import { FEE, RENT, type Scene, transactionOf } from "./test-transactions.ts";
import { readTransaction } from "./transaction.ts";

const SOL = 1_000_000_000;
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const kindOf = (scene: Scene) => netWallet(readTransaction(transactionOf(scene)), "wallet").kind;

describe("a wallet that did not sign", () => {
  const exchange = (token: string, other: string): Scene => ({
    lamports: { taker: [SOL, SOL - FEE], a: [RENT, RENT], b: [RENT, RENT], c: [RENT, RENT], d: [RENT, RENT] },
    tokens: [
      ["a", "wallet", token, "900", "0"],
      ["b", "taker", token, "0", "900"],
      ["c", "taker", other, "70", "0"],
      ["d", "wallet", other, "0", "70"],
    ],
  });

  test("did not sell what a token's permanent delegate took, whatever was sent along", () => {
    const taken: Scene = {
      lamports: { taker: [SOL, SOL - FEE - 1], wallet: [SOL, SOL + 1], a: [RENT, RENT], b: [RENT, RENT] },
      tokens: [
        ["a", "wallet", "FAKE", "900", "0"],
        ["b", "taker", "FAKE", "0", "900"],
      ],
    };
    expect(kindOf(taken)).toBe("transfer-in");
    expect(kindOf(exchange("FAKE", USDC))).toBe("transfer-in");
    expect(kindOf(exchange("FAKE", "OTHER"))).toBe("transfer-in");
  });

  test("bought what it paid money for, and sold what it co-signed for", () => {
    expect(kindOf(exchange(USDC, "MINT"))).toBe("swap");
    const signed = exchange("MINT", "OTHER");
    signed.lamports = { taker: [SOL, SOL - FEE], wallet: [SOL, SOL], ...signed.lamports };
    expect(kindOf({ ...signed, signers: 2 })).toBe("swap");
  });
});
