// Addresses and hashes of the form their network gives them: base58 of 32 bytes (64 for a signature) on Solana,
// checksummed hex of 20 bytes (32 for a hash) on EVM chains.
import { derivedBytes } from "./hash.ts";
import { keccak256 } from "./keccak.ts";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
// Five digits are taken at a time, so that a remainder and the next 16 bits fit exactly in a double.
const FIVE_DIGITS = 58 ** 5;

export function base58(bytes: Uint8Array): string {
  const halves: number[] = [];
  for (let i = 0; i < bytes.length; i += 2)
    halves.push((bytes[i] as number) * 256 + (bytes[i + 1] as number));
  let text = "";
  let first = 0;
  while (first < halves.length) {
    let remainder = 0;
    for (let i = first; i < halves.length; i++) {
      const value = remainder * 65_536 + (halves[i] as number);
      halves[i] = Math.floor(value / FIVE_DIGITS);
      remainder = value % FIVE_DIGITS;
    }
    for (let digit = 0; digit < 5; digit++) {
      text = ALPHABET.charAt(remainder % 58) + text;
      remainder = Math.floor(remainder / 58);
    }
    while (first < halves.length && halves[first] === 0) first++;
  }
  const digits = text.replace(/^1+/, "");
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  return "1".repeat(zeros) + digits;
}

/** An EIP-55 address. */
export function evmAddress(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  const digest = keccak256(new TextEncoder().encode(hex));
  let text = "0x";
  for (let i = 0; i < hex.length; i++) {
    const nibble = ((digest[i >> 1] as number) >> (i % 2 === 0 ? 4 : 0)) & 15;
    text += nibble >= 8 ? hex.charAt(i).toUpperCase() : hex.charAt(i);
  }
  return text;
}

export function derivedAddress(solana: boolean, key: number, a: number, b = 0): string {
  return solana ? base58(derivedBytes(32, key, a, b)) : evmAddress(derivedBytes(20, key, a, b));
}

export function derivedTxHash(solana: boolean, key: number, a: number, b: number): string {
  return solana
    ? base58(derivedBytes(64, key, a, b))
    : `0x${Buffer.from(derivedBytes(32, key, a, b)).toString("hex")}`;
}
