// One message to one browser's push service, and what its answer means for the browser.
import { PUSH, type Pushed } from "../../../contract/push.ts";
import type { Clock } from "../../../kit/clock.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { Post } from "../post.ts";
import { nextMessage, type PushBrowser } from "./browser.ts";
import { ENCRYPTED_MORE_BYTES, encryptFor } from "./encrypt.ts";
import type { Authorize } from "./vapid.ts";

export interface SendParts {
  clock: Clock;
  post: Post;
  authorize: Authorize;
}

/** `over`: the push service does not know it any more, or has failed for too long. */
export type PushOutcome = "delivered" | "failed" | "over";

/** A push service that accepts nothing for this long has lost the browser. */
const FAILING_MS_MAX = 3 * DAY_MS;

export async function sendNext(
  { clock, post, authorize }: SendParts,
  browser: PushBrowser,
  signal: AbortSignal,
): Promise<PushOutcome> {
  const message = nextMessage(browser);
  if (message === null) return "delivered";
  const { row } = browser;
  const body = await encryptFor(row, textOf(message.pushed, message.upTo));
  const headers = {
    authorization: await authorize(row.endpoint),
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
    ttl: String(PUSH.ttlSeconds),
    urgency: "normal",
  };
  const { outcome, status, retryAfterMs } = await post(row.endpoint, { headers, body }, signal);
  if (outcome === "delivered") {
    browser.ready.splice(0, message.taken);
    if (message.pushed.kind === "many") browser.more = 0;
    // The row may be another by now: its browser renewed it.
    browser.row.position = Math.max(browser.row.position, message.upTo);
    browser.failingSince = null;
    browser.backoff.reset();
    return "delivered";
  }
  if (status === 404 || status === 410) return "over";
  browser.failingSince ??= clock.now();
  const waitMs = Math.ceil(Math.max(retryAfterMs, browser.backoff.nextMs()));
  browser.row.waitUntil = Math.ceil(clock.now()) + waitMs;
  return clock.now() - browser.failingSince > FAILING_MS_MAX ? "over" : "failed";
}

/** Within push services' limit, whatever a platform calls its tokens. */
function textOf(pushed: Pushed, seq: number): string {
  const text = JSON.stringify(pushed);
  if (Buffer.byteLength(text) <= PUSH.bytesMax - ENCRYPTED_MORE_BYTES) return text;
  return JSON.stringify({ kind: "many", count: 1, seq } satisfies Pushed);
}
