import { expect, test } from "bun:test";
import { getBase58Decoder } from "@solana/kit";
import fc from "fast-check";
import { decodeBase58, encodeBase58, isAddress } from "./base58.ts";

test("bytes survive the round trip, and the text is what Solana's own library produces", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 90 }), (bytes) => {
      const text = encodeBase58(bytes);
      expect(text).toBe(getBase58Decoder().decode(bytes));
      expect(decodeBase58(text)).toEqual(bytes);
    }),
  );
});

test("invalid base58, or the wrong length for an address, is refused", () => {
  for (const text of ["0", "O", "I", "l", "é", "1".repeat(2_000), "a b"])
    expect(decodeBase58(text)).toBeNull();
  expect(isAddress("11111111111111111111111111111111")).toBe(true);
  expect(isAddress("1111111111111111111111111111111")).toBe(false);
  expect(isAddress("")).toBe(false);
});
