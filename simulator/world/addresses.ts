// Addresses and hashes of the form their network gives them: base58 of 32 bytes (64 for a signature) on Solana,
// checksummed hex of 20 bytes (32 for a hash) on EVM chains.
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58 } from "@scure/base";
import { derivedBytes } from "./hash.ts";

const LOWER_A = 0x61;
/** Clears the bit that makes a letter lower case. */
const UPPER_CASE = 0xdf;

/** An EIP-55 address. */
export function evmAddress(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  const digest = keccak_256(new TextEncoder().encode(hex));
  const text = Buffer.from(`0x${hex}`);
  for (let i = 0; i < hex.length; i++) {
    const nibble = ((digest[i >> 1] as number) >> (i % 2 === 0 ? 4 : 0)) & 15;
    const letter = text[i + 2] as number;
    if (nibble >= 8 && letter >= LOWER_A) text[i + 2] = letter & UPPER_CASE;
  }
  return text.toString("latin1");
}

export function derivedAddress(solana: boolean, key: number, a: number, b = 0): string {
  return solana ? base58.encode(derivedBytes(32, key, a, b)) : evmAddress(derivedBytes(20, key, a, b));
}

export function derivedTxHash(solana: boolean, key: number, a: number, b: number): string {
  return solana
    ? base58.encode(derivedBytes(64, key, a, b))
    : `0x${Buffer.from(derivedBytes(32, key, a, b)).toString("hex")}`;
}
