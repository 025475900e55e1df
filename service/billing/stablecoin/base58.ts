// Base58 as Solana writes keys and signatures, and fresh ones of both. Decoding refuses what encoding would not have
// written, so a text that passes is an address and has one spelling.
import { generateKeyPairSync } from "node:crypto";
import { secureBytes } from "../../../kit/random.ts";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** 32 bytes never need more characters than this, nor 64 more than twice as many. */
const ADDRESS_CHARACTERS = 44;
const SIGNATURE_CHARACTERS = 88;

export function base58(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  let text = "";
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** Whether a text is base58 of exactly so many bytes. */
function isBase58(text: string, bytes: number, characters: number): boolean {
  if (text.length === 0 || text.length > characters) return false;
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return false;
    value = value * 58n + BigInt(digit);
  }
  let length = 0;
  for (let rest = value; rest > 0n; rest >>= 8n) length++;
  for (let at = 0; text.charAt(at) === "1"; at++) length++;
  return length === bytes;
}

export function isAddress(text: string): boolean {
  return isBase58(text, ADDRESS_BYTES, ADDRESS_CHARACTERS);
}

export function isSignature(text: string): boolean {
  return isBase58(text, SIGNATURE_BYTES, SIGNATURE_CHARACTERS);
}

/** A public key whose private half is forgotten at once: nobody signs for a reference. */
export function freshPublicKey(): string {
  const { publicKey } = generateKeyPairSync("ed25519");
  return base58(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"));
}

export function freshSignature(): string {
  return base58(secureBytes(SIGNATURE_BYTES));
}
