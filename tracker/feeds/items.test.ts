import { expect, test } from "bun:test";
import { wireToken } from "./items.ts";

const launch = { launchedAt: null, deployer: null, graduatedAt: null, tries: 0, askAt: 0 };
const known = { chainId: 1, decimals: 18, supplyRaw: null, seenAt: 0, place: 1, launch };
const address = "0x1234567890abcdef1234567890abcdef12345678";

test("a token is shown by its symbol, else by its address, and never blank", () => {
  const called = (token: string, symbol: string, name: string) => {
    const wire = wireToken({ ...known, token, symbol, name });
    return [wire.symbol, wire.name];
  };
  expect(called(address, "DOG", "Dog")).toEqual(["DOG", "Dog"]);
  expect(called(address, "DOG", "")).toEqual(["DOG", "DOG"]);
  expect(called(address, " \n", "  ")).toEqual(["0x1234…5678", "0x1234…5678"]);
  expect(called("D3P7c9FrKhPvkRZy6HLB15SxpkGGbFEiYCsF1dSWfof2", "", "")).toEqual(["D3P7…fof2", "D3P7…fof2"]);
  expect(called(address, "x".repeat(4_000), "y")[0]).toHaveLength(128);
});
