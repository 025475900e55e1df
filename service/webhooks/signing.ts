// Secrets and signatures as Standard Webhooks specifies. While a secret is being rotated, requests carry one
// signature with each.
import { createHmac } from "node:crypto";
import { secureBytes } from "../../kit/random.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 24;

export function mintSecret(): string {
  return PREFIX + Buffer.from(secureBytes(SECRET_BYTES)).toString("base64");
}

interface Secrets {
  secret: string;
  oldSecret: string | null;
  oldSecretUntil: number | null;
}

export function signedHeaders(
  secrets: Secrets,
  message: { id: string; body: string },
  now: number,
): Record<string, string> {
  const seconds = Math.floor(now / 1_000);
  const isRotating = secrets.oldSecret !== null && now < (secrets.oldSecretUntil ?? 0);
  const valid = [secrets.secret, ...(isRotating ? [secrets.oldSecret as string] : [])];
  return {
    "content-type": "application/json",
    "webhook-id": message.id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": valid
      .map((secret) => signature(secret, `${message.id}.${seconds}.${message.body}`))
      .join(" "),
  };
}

function signature(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}
