// The effect of an attempt on a webhook, as a pure function of its row: how far it got, whether and when it is retried, when
// it is paused, and which hundreds of events must be paid for. Nothing here uses the clock, randomness or the store.

import { WEBHOOK, WEBHOOK_PRICE } from "../../contract/webhooks.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { StoredWebhook } from "../store/money/webhooks.ts";
import type { Posted } from "./post.ts";

export interface DeliveryAttempt {
  webhookId: string;
  /** Of the row that the attempt was made for. */
  generation: number;
  fromSeq: number;
  toSeq: number;
  events: number;
  at: number;
  posted: Posted;
}

/** The first wait after a failure; each is twice the one before. */
const FIRST_WAIT_MS = 5_000;
/** So an endpoint that was down for a day gets a delivery within hours of its return. */
const WAIT_MS_MAX = 3 * HOUR_MS;
/** Half of a wait is certain, the other half chance: endpoints that fell together are not tried together. */
const CERTAIN_SHARE = 0.5;

/** `chance` is in [0, 1). */
export function retryWaitMs(failures: number, chance: number, retryAfterMs: number): number {
  const wholeMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(Math.max(0, failures - 1), 30), WAIT_MS_MAX);
  return Math.round(Math.max(retryAfterMs, wholeMs * (CERTAIN_SHARE + (1 - CERTAIN_SHARE) * chance)));
}

/** How many hundreds of events were begun and not paid. */
export function unpaidBlocks(webhook: Pick<StoredWebhook, "delivered" | "paidBlocks">): number {
  return Math.max(0, Math.ceil(webhook.delivered / WEBHOOK_PRICE.events) - webhook.paidBlocks);
}

export interface SettledWebhook {
  webhook: StoredWebhook;
  /** It was given up just now. */
  gaveUp: boolean;
}

export function settle(webhook: StoredWebhook, attempt: DeliveryAttempt, chance: number): SettledWebhook {
  const isDelivered = attempt.posted.outcome === "delivered";
  // Delivered events are paid for even if the owner changed the webhook meanwhile.
  const counted = isDelivered
    ? { ...webhook, delivered: webhook.delivered + attempt.events }
    : { ...webhook };
  if (webhook.generation !== attempt.generation || webhook.status !== "active")
    return { webhook: counted, gaveUp: false };
  if (isDelivered) return { webhook: { ...counted, ...AT_EASE, position: attempt.toSeq }, gaveUp: false };
  return failed(counted, attempt, chance);
}

const AT_EASE = {
  failures: 0,
  failingSince: null,
  nextTryAt: 0,
  pendingTo: null,
  gap: null,
  waitingFor: null,
} as const;

function failed(
  webhook: StoredWebhook,
  { at, toSeq, posted }: DeliveryAttempt,
  chance: number,
): SettledWebhook {
  const failures = webhook.failures + 1;
  const failingSince = webhook.failingSince ?? at;
  const failing = { ...webhook, failures, failingSince, pendingTo: toSeq };
  const endedAt = at + posted.durationMs;
  const paused = (pausedBecause: "gone" | "failing") => ({
    ...failing,
    status: "paused" as const,
    pausedBecause,
    nextTryAt: 0,
    generation: webhook.generation + 1,
  });
  if (posted.outcome === "gone") return { webhook: paused("gone"), gaveUp: false };
  const giveUpAt = failingSince + WEBHOOK.retryDays * DAY_MS;
  if (endedAt >= giveUpAt) return { webhook: paused("failing"), gaveUp: true };
  // The last attempt is made when the time is up, not hours before.
  const nextTryAt = Math.min(giveUpAt, endedAt + retryWaitMs(failures, chance, posted.retryAfterMs));
  return { webhook: { ...failing, nextTryAt }, gaveUp: false };
}
