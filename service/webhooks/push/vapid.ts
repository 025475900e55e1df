// Authenticates us to a push service (VAPID, RFC 8292): a token signed by the server's key, for one push service, for half a day.
import type { Clock } from "../../../kit/clock.ts";
import { createLru } from "../../../kit/lru.ts";
import { HOUR_MS } from "../../../kit/units.ts";
import type { VapidKeys } from "../../../kit/vapid-keys.ts";

export interface Vapid extends VapidKeys {
  /** Where a push service's operator can reach ours: mailto: or https:. */
  subject: string;
}

/** Push services take tokens of a day at most. */
const TOKEN_LIFE_MS = 12 * HOUR_MS;
/** How long one is reused, so that none expires in transit. */
const TOKEN_USED_MS = TOKEN_LIFE_MS / 2;
/** There are a handful of push services; a browser can name any. */
const ORIGINS_MAX = 200;

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The Authorization header for an endpoint. */
export type Authorize = (endpoint: string) => Promise<string>;

export function createAuthorize({ publicKey, privateKey, subject }: Vapid, clock: Clock): Authorize {
  const tokens = createLru<string, { text: string; until: number }>(ORIGINS_MAX);
  const point = Buffer.from(publicKey, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
    d: privateKey,
  };
  let key: Promise<CryptoKey> | null = null;
  const sign = async (origin: string) => {
    key ??= crypto.subtle.importKey("jwk", jwk, { name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
    const exp = Math.floor((clock.now() + TOKEN_LIFE_MS) / 1_000);
    const text = `${encoded({ typ: "JWT", alg: "ES256" })}.${encoded({ aud: origin, exp, sub: subject })}`;
    const how = { name: "ECDSA", hash: "SHA-256" };
    const signature = await crypto.subtle.sign(how, await key, new TextEncoder().encode(text));
    return `${text}.${Buffer.from(signature).toString("base64url")}`;
  };
  return async (endpoint) => {
    const { origin } = new URL(endpoint);
    let token = tokens.get(origin);
    if (!token || token.until <= clock.now()) {
      token = { text: await sign(origin), until: clock.now() + TOKEN_USED_MS };
      tokens.set(origin, token);
    }
    return `vapid t=${token.text}, k=${publicKey}`;
  };
}
