// The key pair that identifies a server to push services (VAPID, RFC 8292), in the settings' format: a P-256 point and its
// private number, both base64url.
import { createECDH } from "node:crypto";

export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const CURVE = "prime256v1";
const PRIVATE_BYTES = 32;

export function makeVapidKeys(): VapidKeys {
  const pair = createECDH(CURVE);
  const publicKey = pair.generateKeys("base64url");
  // Leading zeros are omitted from the number.
  const bytes = Buffer.alloc(PRIVATE_BYTES);
  const own = pair.getPrivateKey();
  own.copy(bytes, PRIVATE_BYTES - own.length);
  return { publicKey, privateKey: bytes.toString("base64url") };
}

/** Whether the two keys match. */
export function isVapidPair({ publicKey, privateKey }: VapidKeys): boolean {
  try {
    const pair = createECDH(CURVE);
    pair.setPrivateKey(Buffer.from(privateKey, "base64url"));
    return pair.getPublicKey("base64url") === publicKey;
  } catch {
    return false;
  }
}
