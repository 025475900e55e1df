// A webhook in the memory of the node that works it: what of the log is ready to be sent to it, in order, and up to where that
// is everything. Whether an endpoint is live or behind, its row's position is the truth; this is only what comes next.
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
    /** Live: every new event is matched against it as it comes, or, of paper, a hint wakes it. Else it reads its log in pages. */
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
    /** Its account changed during the step that is under way: what that step learned of the account may be old. */
    isAccountChanged: false,
    /** It failed or was slow the last time; such ones may not take every place. */
    isPoorly: webhook.failures > 0,
    /** Nothing new is begun: its shard is being handed over. */
    isWindingDown: false,
    /** Ends what is under way: the webhook is another node's now. */
    cut: new AbortController(),
  };
}

export type Endpoint = ReturnType<typeof endpointOf>;

/** What an owner may change while a delivery is under way. */
const SETTINGS = ["name", "url", "secret", "oldSecret", "oldSecretUntil", "revision"] as const;

/**
 * Takes over a row that was read. A row of the same generation may be older than what this node wrote since, so only its
 * settings count; one of a later generation is what its owner wants, and all of it counts. Says whether it starts over.
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
