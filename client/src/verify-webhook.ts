// Verifies a webhook's request: it was signed with the endpoint's secret, and recently. The rules are those of Standard
// Webhooks; the body must be the text exactly as received, since JSON that is parsed and serialized again has another
// signature.
import { CrowdtapeError } from "./api-error.ts";

export interface ReceivedWebhook {
  /** As shown once when the webhook was created: whsec_… */
  secret: string;
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  body: string;
  /** How old, or how far ahead, a request may be; five minutes by default. */
  toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = "whsec_";

/** The request's JSON; throws a CrowdtapeError named WebhookRefused for one that can't be trusted. */
export async function verifyWebhook(received: ReceivedWebhook): Promise<unknown> {
  const { secret, headers, body, toleranceSeconds = TOLERANCE_SECONDS } = received;
  const header = (name: string): string =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (id === "" || !/^\d{1,12}$/.test(timestamp)) throw refused("The request is not a signed webhook.");
  if (ageSeconds > toleranceSeconds)
    throw refused("The request was signed too long ago, or the clock here is wrong.");
  const key = await crypto.subtle.importKey(
    "raw",
    bytesOf(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  // During a secret's rotation there are two signatures.
  for (const each of header("webhook-signature").split(" "))
    if (each.startsWith("v1,") && (await crypto.subtle.verify("HMAC", key, bytesOf(each.slice(3)), signed)))
      return JSON.parse(body);
  throw refused("The signature is not of this secret and body.");
}

const refused = (message: string) => new CrowdtapeError("WebhookRefused", message);

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
