// Base58 as Solana writes keys and signatures, and fresh ones of both. Decoding refuses what encoding would not have
// written, so a text that passes is an address and has one spelling.
import { generateKeyPairSync } from "node:crypto";
import { base58 } from "@scure/base";
import { secureBytes } from "../../../kit/random.ts";

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** 32 bytes never need more characters than this, nor 64 more than twice as many. */
const ADDRESS_CHARACTERS = 44;
const SIGNATURE_CHARACTERS = 88;

/** Whether a text is base58 of exactly this many bytes. */
function isBase58(text: string, bytes: number, characters: number): boolean {
  if (text.length === 0 || text.length > characters) return false;
  try {
    return base58.decode(text).length === bytes;
  } catch {
    return false;
  }
}

export function isAddress(text: string): boolean {
  return isBase58(text, ADDRESS_BYTES, ADDRESS_CHARACTERS);
}

export function isSignature(text: string): boolean {
  return isBase58(text, SIGNATURE_BYTES, SIGNATURE_CHARACTERS);
}

/** A public key whose private half is forgotten at once: a reference never signs. */
export function freshPublicKey(): string {
  const { publicKey } = generateKeyPairSync("ed25519");
  return base58.encode(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"));
}

export function freshSignature(): string {
  return base58.encode(secureBytes(SIGNATURE_BYTES));
}
