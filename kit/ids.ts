// Ids. New ones come from secure randomness; derived ones are the same for the same input, so that two
// nodes, or one node twice, give the same thing the same id.
import { randomBytes } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function freshUuid(): string {
  return crypto.randomUUID();
}

/** A version 5-shaped UUID of the given parts. */
export function derivedUuid(...parts: (string | number)[]): string {
  // In one call: a hash object for each takes three times as long, and a backfill needs several ids for each fill.
  const hex = Bun.CryptoHasher.hash("sha1", parts.join("\u0000"), "hex");
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Characters of a request id: 96 bits. */
const REQUEST_ID_LENGTH = 16;
/** Drawn in bulk: requesting randomness is the slowest part of making an id. */
const IDS_DRAWN = 256;

let drawn = "";
let used = 0;

export function freshRequestId(): string {
  if (used === drawn.length) {
    drawn = randomBytes((IDS_DRAWN * REQUEST_ID_LENGTH * 6) / 8).toString("base64url");
    used = 0;
  }
  used += REQUEST_ID_LENGTH;
  return `req_${drawn.slice(used - REQUEST_ID_LENGTH, used)}`;
}
