// One step of one endpoint: catch up, check that it may be sent and paid for, post the next request, and record the
// outcome. A step never throws because of an endpoint; it leaves it with more to do, sleeping, or idle.
import type { Chains } from "../../contract/chains.ts";
import { WEBHOOK_PRICE } from "../../contract/webhooks.ts";
import { freshUuid } from "../../kit/ids.ts";
import type { Kit } from "../../kit/kit.ts";
import { LATENCY_BOUNDS_SECONDS } from "../../kit/metrics.ts";
import type { StoredDelivery } from "../store/money/webhook-deliveries.ts";
import type { StoredWebhook } from "../store/money/webhooks.ts";
import type { Commits } from "./commits.ts";
import { countOf, type Deliverable, isPaper } from "./deliverable.ts";
import { adopt, type Endpoint, nextEvents } from "./endpoint.ts";
import { eventsMessage, type WebhookMessage } from "./message.ts";
import type { ReadPage } from "./pages.ts";
import type { Post, Posted } from "./post.ts";
import { signedHeaders } from "./signing.ts";
import type { AccountStanding, Standings } from "./standings.ts";
import { type SettledWebhook, settle, unpaidBlocks } from "./state.ts";

export interface StepParts extends Pick<Kit, "clock" | "metrics"> {
  chains: Chains;
  post: Post;
  commits: Commits;
  standings: Standings;
  readPage: ReadPage;
  /** The same of an account's own log of paper follows; false when nothing was there. */
  readPaper(endpoint: Endpoint): Promise<boolean>;
  epoch(): string;
  newest(): number;
  /** The endpoint has everything up to the tail's newest position and is matched live from here on. */
  goLive(endpoint: Endpoint): void;
  /** Removes alerts that were undone meanwhile from the queue of an endpoint that is behind. */
  leaveOutUndone(endpoint: Endpoint): void;
  /** The endpoint starts over, or is another node's. */
  begun(endpoint: Endpoint): void;
}

export type DeliveryStep = (endpoint: Endpoint) => Promise<void>;

/** Slower than this is slow: such an endpoint shares its places with those that fail. */
const SLOW_MS = 2_000;
/** How soon a webhook that waits for credits or a plan checks again, if no hint arrives first. */
const LOOK_AGAIN_MS = 300_000;
/** Events of a delayed feed that are due within this time of each other leave together. */
const GATHER_MS = 50;

export function createStep(parts: StepParts): DeliveryStep {
  const { clock, standings } = parts;
  const write = createWrite(parts);
  const send = createSend(parts, write);

  /** Whether the next request can be paid; else the endpoint waits. */
  const isPaid = async (endpoint: Endpoint, events: number, standing: AccountStanding): Promise<boolean> => {
    const { webhook } = endpoint;
    const blocksAfter = Math.ceil((webhook.delivered + events) / WEBHOOK_PRICE.events);
    if (webhook.paidBlocks >= blocksAfter) return true;
    if (!(await standings.canPay(webhook.accountId))) return wait(endpoint, "credits", standing);
    if (unpaidBlocks(webhook) === 0) return true;
    // It was delivered while the last credits were spent elsewhere: that is paid first.
    await write(endpoint, { apply: (row) => ({ webhook: { ...row, waitingFor: null }, gaveUp: false }) });
    return unpaidBlocks(endpoint.webhook) === 0 || wait(endpoint, "credits", standing);
  };

  const wait = async (
    endpoint: Endpoint,
    reason: "credits" | "plan",
    standing: AccountStanding | null,
  ): Promise<false> => {
    const now = clock.now();
    endpoint.sleepUntil = Math.min(
      now + LOOK_AGAIN_MS,
      Math.max(now, standing?.nextChangeAt ?? Number.POSITIVE_INFINITY),
    );
    if (endpoint.webhook.waitingFor !== reason)
      await write(endpoint, { apply: (row) => ({ webhook: { ...row, waitingFor: reason }, gaveUp: false }) });
    return false;
  };

  /** A position of a log that is no more: it continues from the end of the new one, and says so. */
  const rebase = (endpoint: Endpoint): Promise<void> =>
    write(endpoint, {
      apply: (row) => {
        const gap = JSON.stringify({ fromSeq: null, toSeq: null });
        const there = { epoch: parts.epoch(), position: parts.newest(), pendingTo: null, gap };
        if (row.epoch === there.epoch) return { webhook: row, gaveUp: false };
        return { webhook: { ...row, ...there, generation: row.generation + 1 }, gaveUp: false };
      },
    });

  return async (endpoint) => {
    const { webhook } = endpoint;
    const isOfPaper = isPaper(webhook);
    if (!isOfPaper && webhook.epoch !== parts.epoch()) return rebase(endpoint);
    if (isOfPaper && endpoint.ready.length === 0 && !(await parts.readPaper(endpoint)))
      return parts.goLive(endpoint);
    if (!isOfPaper && endpoint.ready.length === 0 && !endpoint.isLive) {
      if (endpoint.coveredTo < parts.newest()) await parts.readPage(endpoint);
      if (endpoint.coveredTo >= parts.newest()) parts.goLive(endpoint);
    }
    parts.leaveOutUndone(endpoint);
    if (endpoint.ready.length === 0) return;
    const standing = await standings.of(webhook.accountId);
    if (!standing?.included.has(webhook.id)) return void (await wait(endpoint, "plan", standing));
    // A follow's orders already have its account's delay.
    const delayMs = isOfPaper ? 0 : standing.delayMs;
    const events = nextEvents(endpoint, delayMs, clock.now());
    const [first] = endpoint.ready;
    if (events.length === 0 && first)
      endpoint.sleepUntil = Math.max(first.capturedAt + delayMs, clock.now() + GATHER_MS);
    if (events.length === 0 || !(await isPaid(endpoint, countOf(events), standing))) return;
    if (endpoint.cut.signal.aborted || endpoint.webhook.generation !== webhook.generation) return;
    await send(endpoint, events);
  };
}

type WriteEndpoint = (
  endpoint: Endpoint,
  change: { apply(row: StoredWebhook, chance: number): SettledWebhook; delivery?: StoredDelivery },
) => Promise<void>;

/** Writes a change of the endpoint's row, and takes over the row as it is then. */
export function createWrite({ commits, begun }: Pick<StepParts, "commits" | "begun">): WriteEndpoint {
  return async (endpoint, { apply, delivery }) => {
    const { webhook, term } = endpoint;
    const row = await commits.write({ webhook, term, apply, delivery: delivery ?? null });
    if (row === null) {
      endpoint.cut.abort();
      return begun(endpoint);
    }
    if (row.generation === endpoint.webhook.generation) endpoint.webhook = row;
    else if (adopt(endpoint, row)) begun(endpoint);
  };
}

function createSend(
  parts: StepParts,
  write: WriteEndpoint,
): (endpoint: Endpoint, events: Deliverable[]) => Promise<void> {
  const { clock, metrics, post } = parts;
  const outcomes = metrics.counter("crowdtape_webhook_deliveries_total", "Webhook requests, by outcome.");
  const seconds = metrics.histogram(
    "crowdtape_webhook_delivery_seconds",
    "Time an endpoint took to answer.",
    [...LATENCY_BOUNDS_SECONDS, 10],
  );
  return async (endpoint, events) => {
    const { webhook, cut } = endpoint;
    const message = messageOf(endpoint, events, parts);
    const at = clock.now();
    const posted = await post(
      webhook.url,
      { headers: signedHeaders(webhook, message, at), body: message.body },
      cut.signal,
    );
    // Its outcome is unknown, and another node will send it.
    if (cut.signal.aborted) return;
    outcomes.of({ outcome: posted.outcome }).add();
    seconds.observe(posted.durationMs / 1_000);
    endpoint.isPoorly = posted.outcome !== "delivered" || posted.durationMs > SLOW_MS;
    const [fromSeq, toSeq] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0];
    const { generation } = webhook;
    const attempt = {
      webhookId: webhook.id,
      generation,
      fromSeq,
      toSeq,
      events: countOf(events),
      at,
      posted,
    };
    const isOwn = () => endpoint.webhook.generation === generation;
    // Removed before the row is written: new events are appended meanwhile.
    if (posted.outcome === "delivered" && isOwn()) drop(endpoint, toSeq);
    await write(endpoint, {
      apply: (row, chance) => settle(row, attempt, chance),
      delivery: deliveryOf(webhook, message, { ...attempt, events: events.length }, webhook.failures + 1),
    });
    if (isOwn()) endpoint.sleepUntil = endpoint.webhook.nextTryAt;
  };
}

function drop(endpoint: Endpoint, upTo: number): void {
  endpoint.pending = null;
  endpoint.ready = endpoint.ready.filter(({ seq }) => seq > upTo);
}

/** The body of a request that is tried again is the one it had. */
function messageOf(
  endpoint: Endpoint,
  events: readonly Deliverable[],
  { chains, clock }: StepParts,
): WebhookMessage {
  const [fromSeq, toSeq] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0];
  const { pending } = endpoint;
  if (pending?.fromSeq === fromSeq && pending.toSeq === toSeq) return pending.message;
  const message = eventsMessage(endpoint.webhook, events, chains, clock.now());
  endpoint.pending = { fromSeq, toSeq, message };
  return message;
}

function deliveryOf(
  webhook: Pick<StoredWebhook, "id">,
  message: WebhookMessage,
  attempt: { fromSeq: number; toSeq: number; events: number; at: number; posted: Posted },
  number: number,
): StoredDelivery {
  const { posted, fromSeq, toSeq, events, at } = attempt;
  return {
    deliveryId: freshUuid(),
    webhookId: webhook.id,
    at,
    kind: "events",
    messageId: message.id,
    attempt: number,
    events,
    fromSeq,
    toSeq,
    outcome: posted.outcome,
    status: posted.status,
    durationMs: posted.durationMs,
    note: posted.note,
  };
}
