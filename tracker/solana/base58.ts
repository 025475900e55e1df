// Base58 as Solana uses it for keys, signatures and instruction data. Decoding returns null for invalid input.
import { base58 } from "@scure/base";

/** Longer than any instruction data that fits a transaction (1,232 bytes); bounds the work for hostile input. */
const CHARACTERS_MAX = 1_700;
const ADDRESS_BYTES = 32;

export const encodeBase58 = (bytes: Uint8Array): string => base58.encode(bytes);

export function decodeBase58(text: string): Uint8Array | null {
  if (text.length > CHARACTERS_MAX) return null;
  try {
    return base58.decode(text);
  } catch {
    return null;
  }
}

export function isAddress(text: string): boolean {
  return text.length >= ADDRESS_BYTES && text.length <= 44 && decodeBase58(text)?.length === ADDRESS_BYTES;
}
