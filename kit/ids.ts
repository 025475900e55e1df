// Ids. Fresh ones come from secure randomness; derived ones are the same for the same input, so that two
// nodes, or one node twice, name the same thing alike.
import { createHash, randomBytes } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function freshUuid(): string {
  return crypto.randomUUID();
}

/** A version 5-shaped UUID of the given parts. */
export function derivedUuid(...parts: (string | number)[]): string {
  const digest = createHash("sha1").update(parts.join("\u0000")).digest();
  digest[6] = ((digest[6] as number) & 0x0f) | 0x50;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  const hex = digest.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Characters of a request id: 96 bits. */
const REQUEST_ID_LENGTH = 16;
/** Drawn at once: to ask for randomness takes longer than all else about an id. */
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
