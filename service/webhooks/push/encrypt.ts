// A message that only one browser can read (RFC 8291): a key agreed on with the browser's own, used once, and AES-128-GCM in one
// record (RFC 8188). A push service carries it and learns nothing but its length.
import { secureBytes } from "../../../kit/random.ts";

/** As a browser gives them. */
export interface BrowserKeys {
  p256dh: string;
  auth: string;
}

/** Generated per message and never reused. */
export interface MessageSecrets {
  pair: CryptoKeyPair;
  salt: Uint8Array<ArrayBuffer>;
}

const CURVE = { name: "ECDH", namedCurve: "P-256" } as const;
const SALT_BYTES = 16;
const RECORD_BYTES = 4_096;
/** Says that this record is the last one. */
const LAST_RECORD = 2;
/** The salt, the record's size, the key's length, the key, and what GCM and the mark above add. */
export const ENCRYPTED_MORE_BYTES = SALT_BYTES + 4 + 1 + 65 + 16 + 1;

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
const encoded = (text: string) => new TextEncoder().encode(text);

async function freshSecrets(): Promise<MessageSecrets> {
  const pair = (await crypto.subtle.generateKey(CURVE, true, ["deriveBits"])) as CryptoKeyPair;
  return { pair, salt: new Uint8Array(secureBytes(SALT_BYTES)) };
}

/** Rejects when the browser's key is no point of the curve. */
export const readBrowserKey = (p256dh: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytesOf(p256dh), CURVE, true, []);

export async function encryptFor(
  { p256dh, auth }: BrowserKeys,
  message: string,
  secrets?: MessageSecrets,
): Promise<Uint8Array<ArrayBuffer>> {
  const { pair, salt } = secrets ?? (await freshSecrets());
  const browserKey = await readBrowserKey(p256dh);
  const own = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: browserKey }, pair.privateKey, 256);
  const info = Buffer.concat([encoded("WebPush: info\0"), bytesOf(p256dh), own]);
  const keying = await expand(new Uint8Array(shared), bytesOf(auth), info, 32);
  const secret = await expand(keying, salt, encoded("Content-Encoding: aes128gcm\0"), 16);
  const nonce = await expand(keying, salt, encoded("Content-Encoding: nonce\0"), 12);
  const key = await crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["encrypt"]);
  const record = Buffer.concat([encoded(message), new Uint8Array([LAST_RECORD])]);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, record);
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, RECORD_BYTES);
  return new Uint8Array(
    Buffer.concat([salt, size, new Uint8Array([own.length]), own, new Uint8Array(sealed)]),
  );
}

async function expand(
  from: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  bytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", from, "HKDF", false, ["deriveBits"]);
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, bytes * 8),
  );
}
