// A webhook in its node's memory: which part of the log is ready to be sent to it, in order, and up to where that
// is complete. Whether an endpoint is live or behind, its row's position is authoritative; this is only what to send next.
import type { FeedFilter } from "../feed/filter.ts";
import type { StoredWebhook } from "../store/money/webhooks.ts";
import { type Deliverable, ofOneKind } from "./deliverable.ts";
import type { WebhookMessage } from "./message.ts";

export function endpointOf(webhook: StoredWebhook, term: number) {
  return {
    webhook,
    /** Under which its shard is held. */
    term,
    filter: JSON.parse(webhook.filter) as FeedFilter,
    /** Matching events after the row's position, oldest first. */
    ready: [] as Deliverable[],
    /** Live: every new event is matched against it on arrival, or, for paper, a hint wakes it. Otherwise it reads its log in pages. */
    isLive: false,
    /** Up to here everything that matches is ready or sent; live, that was so when it became live. */
    coveredTo: webhook.position,
    /** Undone alerts that it was not sent, until their retractions are passed. */
    leftOut: new Set<string>(),
    /** No page was read for it here: the node before may have ended in the middle of a request. */
    isFresh: true,
    /** The request that is tried again. */
    pending: null as { fromSeq: number; toSeq: number; message: WebhookMessage } | null,
    /** Nothing is to be done for it before. */
    sleepUntil: webhook.nextTryAt,
    isBusy: false,
    /** Its account changed during the current step: that step's view of the account may be stale. */
    isAccountChanged: false,
    /** It failed or was slow the last time; such ones may not take every place. */
    isPoorly: webhook.failures > 0,
    /** Nothing new is begun: its shard is being handed over. */
    isWindingDown: false,
    /** Aborts in-flight work: the webhook belongs to another node now. */
    cut: new AbortController(),
  };
}

export type Endpoint = ReturnType<typeof endpointOf>;

/** What an owner may change while a delivery is in flight. */
const SETTINGS = ["name", "url", "secret", "oldSecret", "oldSecretUntil", "revision"] as const;

/**
 * Applies a row that was read. A row of the same generation may be older than this node's own writes, so only its
 * settings count; one of a later generation is an owner's change, and all of it counts. Returns whether it starts over.
 */
export function adopt(endpoint: Endpoint, row: StoredWebhook): boolean {
  if (row.generation <= endpoint.webhook.generation) {
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, row[name]]));
    endpoint.webhook = { ...endpoint.webhook, ...settings };
    return false;
  }
  const fresh = endpointOf(row, endpoint.term);
  const { isBusy, isAccountChanged, isWindingDown, cut, isLive } = endpoint;
  Object.assign(endpoint, fresh, { isBusy, isAccountChanged, isWindingDown, cut, isLive });
  return true;
}

/** The events of the next request: those that are due, up to a batch, or again those of the request that failed. */
export function nextEvents(endpoint: Endpoint, delayMs: number, now: number): Deliverable[] {
  const { ready, webhook } = endpoint;
  const due = delayMs === 0 ? ready : ready.filter(({ capturedAt }) => capturedAt + delayMs <= now);
  const { pendingTo } = webhook;
  const again = pendingTo === null ? [] : due.filter(({ seq }) => seq <= pendingTo);
  return ofOneKind((again.length > 0 ? again : due).slice(0, webhook.batch));
}
