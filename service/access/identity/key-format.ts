// The form of a key: `ct_live_` or `ct_test_`, 34 random base62 characters and 6 that check them. A mistyped key is
// recognised without asking the store, and only its SHA-256 and its first characters are ever stored.
import { createHash } from "node:crypto";
import { BASE62, secureBase62 } from "../../../kit/base62.ts";

export type KeyMode = "live" | "test";

/** 34 base62 characters carry 202 bits: no one guesses one, and no two are ever alike. */
const RANDOM_CHARACTERS = 34;
/** 62^6 is more than 2^32, so six characters hold a full CRC-32. */
const CHECKSUM_CHARACTERS = 6;
/** `ct_live_` and four more, and the last four: an owner can tell keys apart, and 160 unknown bits stay unknown. */
const HINT_FIRST_CHARACTERS = 12;
const HINT_LAST_CHARACTERS = 4;

const SHAPE = /^ct_(?:live|test)_[0-9A-Za-z]{40}$/;

/** Six base62 characters of the CRC-32 of a text. */
function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

export function mintSecret(mode: KeyMode): string {
  const body = `ct_${mode}_${secureBase62(RANDOM_CHARACTERS)}`;
  return body + checksum(body);
}

export function looksValid(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_CHARACTERS);
  return text.endsWith(checksum(body));
}

export function hashOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function hintOf(secret: string): string {
  return `${secret.slice(0, HINT_FIRST_CHARACTERS)}…${secret.slice(-HINT_LAST_CHARACTERS)}`;
}
