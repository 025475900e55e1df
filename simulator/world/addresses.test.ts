// Addresses, hashes and ids have realistic forms, and ids decode to their records.
import { describe, expect, test } from "bun:test";
import { base58 } from "@scure/base";
import fc from "fast-check";
import { isUuid } from "../../kit/ids.ts";
import { derivedAddress, derivedTxHash, evmAddress } from "./addresses.ts";
import { idSpace, slottedIdSpace } from "./identifiers.ts";
import { NETWORKS } from "./networks.ts";
import { smallWorld } from "./test-worlds.ts";

describe("addresses", () => {
  test("are the same for a seed in every version", () => {
    expect(derivedAddress(true, 5, 1)).toBe("65dpmcjomu4tCeabFtBzJ94byR3VzKEdhjxkP4G6PqVZ");
    expect(derivedAddress(false, 5, 1)).toBe("0x4b7a64FAEFb309FD6b06EFd5e315740228659237");
    expect(derivedTxHash(true, 7, 1, 1)).toBe(
      "3CdD4pAoL95xWTQtUNoKePLf9qpnHqETKSf7syjx7wAEJFx38HDrqfjsJT7P8uMD9fJRWtbJrnyudX4M949Vbn8z",
    );
    expect(derivedTxHash(false, 7, 1, 1)).toBe(
      "0x6e0eeecfbb8ba9045c6893d2d4537e9219879c3f60f4acce8eec99702ff3412a",
    );
  });

  test("EVM addresses carry the checksum of EIP-55", () => {
    for (const address of [
      "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
      "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
      "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
      "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ]) {
      expect(evmAddress(Buffer.from(address.slice(2), "hex"))).toBe(address);
    }
  });

  test("all wallets and tokens of a world are valid on their network and differ", () => {
    const { population, tokens } = smallWorld("forms", { seconds: 1, rate: 1 }).context;
    const seen = new Set<string>();
    const check = (address: string, solana: boolean) => {
      if (solana) expect(base58.decode(address)).toHaveLength(32);
      else expect(address).toBe(evmAddress(Buffer.from(address.slice(2), "hex")));
      expect(seen.has(address)).toBe(false);
      seen.add(address);
    };
    for (const trader of population.traders) {
      const { solana, evm } = population.wallets(trader);
      expect(solana ?? evm).not.toBeNull();
      if (solana !== null) check(solana, true);
      if (evm !== null) check(evm, false);
    }
    for (const token of tokens.list) check(tokens.address(token), NETWORKS[token.network]?.solana ?? false);
    // A ticker may be on several chains, but never twice on one.
    const tickers = tokens.list.map((token) => `${token.symbol} ${token.network}`);
    expect(new Set(tickers).size).toBe(tokens.list.length);
    expect(new Set(tokens.list.map((token) => token.symbol)).size).toBeLessThan(tokens.list.length);
  });

  test("transaction hashes are 64 bytes of base58 or 32 of hex", () => {
    expect(base58.decode(derivedTxHash(true, 1, 2, 3))).toHaveLength(64);
    expect(derivedTxHash(false, 1, 2, 3)).toMatch(/^0x[0-9a-f]{64}$/);
  });
});

describe("ids", () => {
  test("are the same for a seed in every version", () => {
    const { encode } = idSpace("seed", "trade");
    expect(encode(12_345)).toBe("fbd9bcbb-7231-497b-9af3-5468d6cff621");
    expect(encode(2 ** 40 + 7)).toBe("48f06f53-a582-4673-b5b1-c3ec17ccd05c");
    expect(slottedIdSpace("seed", "thesis").encode(9, 5)).toBe("342ace85-dade-4967-95a0-75b0476abcdf");
  });

  test("decode to their number, and to nothing in another space", () => {
    const [one, two] = [idSpace("seed", "one"), idSpace("seed", "two")];
    fc.assert(
      fc.property(fc.maxSafeNat(), (number) => {
        const id = one.encode(number);
        expect(isUuid(id)).toBe(true);
        expect(one.decode(id)).toBe(number);
        expect(one.decode(id.toUpperCase())).toBe(number);
        expect(two.decode(id)).toBeUndefined();
      }),
    );
  });

  test("name the slot as well where slots are reused", () => {
    const space = slottedIdSpace("seed", "slots");
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 43 }), fc.nat({ max: 2 ** 20 - 1 }), (number, slot) => {
        expect(space.decode(space.encode(number, slot))).toEqual({ number, slot });
      }),
    );
  });

  test("that were never issued decode to nothing", () => {
    const space = idSpace("seed", "strangers");
    fc.assert(fc.property(fc.uuid({ version: 4 }), (id) => expect(space.decode(id)).toBeUndefined()));
    for (const id of ["", "x", "__proto__", "00000000-0000-4000-8000-00000000000g"])
      expect(space.decode(id)).toBeUndefined();
  });
});
