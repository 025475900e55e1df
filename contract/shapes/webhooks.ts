// Outgoing webhooks: an endpoint as its owner sees it, the log of deliveries, and the body of a delivery.
import { z } from "zod";
import { Alert } from "./activity.ts";
import { PaperOrder } from "./follows.ts";
import { RetractFrame } from "./frames.ts";
import * as leaf from "./leaves.ts";
import { shape } from "./shape.ts";

export const WEBHOOK_FORMATS = ["json", "discord", "telegram"] as const;
export const WEBHOOK_STATUSES = ["active", "paused"] as const;
const PAUSE_REASONS = ["owner", "gone", "failing", "operator"] as const;
const WAIT_REASONS = ["credits", "plan"] as const;
export const DELIVERY_OUTCOMES = [
  "delivered",
  "refused",
  "redirected",
  "gone",
  "timeout",
  "unreachable",
  "address_refused",
] as const;

const webhookFields = {
  id: leaf.text("The webhook's id.", "whk_8Zk2mQ4f0a9c"),
  name: leaf.text("What its owner calls it.", "big buys").nullable(),
  url: leaf.text("Where events are posted.", "https://hooks.example/crowdtape"),
  format: leaf.oneOf("What the body is written for.", WEBHOOK_FORMATS),
  chatId: leaf.nullInSample(leaf.text("The Telegram chat, with format=telegram.", "-1001234567890")),
  batch: leaf.count("How many events one request holds at most.", 1),
  filters: z.record(z.string(), z.union([z.string(), z.number()])).meta({
    description: "The filter as parsed; several values of one are separated by commas.",
    examples: [{ type: "buy", minUsd: 500 }],
  }),
  paper: leaf.flag("Whether it gets your paper follows' orders, and no alerts.", false),
  status: leaf.oneOf("Whether it is being delivered to.", WEBHOOK_STATUSES),
  pausedBecause: leaf.nullInSample(
    leaf.oneOf(
      "Why it is paused: its owner asked, it answered 410, it failed for three days, or the operator stopped it; null while active.",
      PAUSE_REASONS,
    ),
  ),
  waitingFor: leaf.nullInSample(
    leaf.oneOf(
      "What an active webhook waits for: credits, or a plan that includes it; it continues where it stopped.",
      WAIT_REASONS,
    ),
  ),
  position: leaf.text(
    "Everything that matches up to here was delivered: `<epoch>.<seq>`, as on the feed; `paper.<paperSeq>` with `paper`.",
    "5f1c2a9e-7b1d-4a55-9a51-0c6f0c0a7e11.48211",
  ),
  delivered: leaf.count("Events delivered since it was made; retractions are free and not counted.", 1250),
  failures: leaf.count("Attempts in a row that failed.", 0),
  failingSince: leaf.nullInSample(leaf.time("When the first of those was; null while all is well.")),
  nextAttemptAt: leaf.nullInSample(leaf.time("When it is tried again after a failure; null otherwise.")),
  previousSecretUntil: leaf.nullInSample(
    leaf.time("Until when deliveries are also signed with the secret before; null otherwise."),
  ),
  delaySeconds: leaf.count("How late the feed is for this account.", 0),
  createdAt: leaf.time("When it was made."),
};

export const Webhook = shape(
  "Webhook",
  "An endpoint that events are posted to, without its secret.",
  webhookFields,
);

export const WebhooksAnswer = shape("WebhooksAnswer", "The account's webhooks.", {
  count: leaf.count("How many webhooks follow.", 1),
  limit: leaf.count("How many the plan includes.", 10),
  webhooks: z.array(Webhook).describe("Oldest first."),
});

export const NewWebhookAnswer = shape("NewWebhookAnswer", "A webhook with its secret, shown once.", {
  secret: leaf.text(
    "What deliveries are signed with. It is shown this once.",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  ),
  ...webhookFields,
});

export const DeletedWebhookAnswer = shape("DeletedWebhookAnswer", "A webhook that is no more.", {
  id: leaf.text("The webhook's id.", "whk_8Zk2mQ4f0a9c"),
  deletedAt: leaf.time("When it was deleted."),
});

const deliveryFields = {
  at: leaf.time("When the request was sent."),
  kind: leaf.oneOf("Whether it held events or was a test.", ["events", "test"]),
  messageId: leaf.text("Its webhook-id header.", "7c0f6a52-4b1e-5d7a-9f3e-2a6d81c4e5b0"),
  attempt: leaf.count("Which attempt at these events it was, from 1 on.", 1),
  events: leaf.count("How many events it held.", 1),
  fromSeq: leaf.count("The first one's place in the log; null in a test.", 48211).nullable(),
  toSeq: leaf.count("The last one's place in the log; null in a test.", 48211).nullable(),
  outcome: leaf.oneOf("What became of it.", DELIVERY_OUTCOMES),
  status: leaf.count("The HTTP status of the answer; null when there was none.", 200).nullable(),
  durationMs: leaf.count("How long it took.", 84),
  note: leaf.note("What went wrong; null if nothing did."),
};

export const WebhookDelivery = shape(
  "WebhookDelivery",
  "One request to an endpoint and its outcome.",
  deliveryFields,
);

export const WebhookDeliveriesAnswer = shape(
  "WebhookDeliveriesAnswer",
  "Deliveries to a webhook, newest first.",
  {
    count: leaf.count("How many deliveries follow.", 1),
    deliveries: z.array(WebhookDelivery).describe("Newest first."),
    nextCursor: leaf.nextCursor("Pass it back as cursor for older rows; null at the end."),
    keptDays: leaf.count("How long deliveries are kept.", 7),
  },
);

export const WebhookTestAnswer = shape("WebhookTestAnswer", "What became of a test.", {
  ok: leaf.flag("Whether the endpoint took it.", true),
  delivery: z.strictObject({ ...deliveryFields, kind: leaf.oneOf("A test.", ["test"]) }),
});

const Gap = shape("WebhookGap", "Part of the log that was gone before it could be delivered.", {
  fromSeq: leaf.count("The first place that is missing; null when the log was rebuilt.", 40001).nullable(),
  toSeq: leaf.count("The last place that is missing; null when the log was rebuilt.", 48000).nullable(),
  note: leaf.text("What to do about it.", "The log no longer reaches back to where this webhook stopped."),
});

const BookedOrder = shape("BookedOrder", "What one of your paper follows booked.", {
  paperSeq: leaf.count("Its position in the log of your paper follows; it only grows.", 17),
  followId: leaf.text("The follow.", "flw_8Zk2mQ4f0a9cX1"),
  handle: leaf.handle("Who is followed."),
  userId: leaf.userId("The same, by id."),
  order: PaperOrder,
});
export type ServedBooking = z.output<typeof BookedOrder>;

const WebhookRetraction = RetractFrame.omit({ type: true, replay: true }).meta({
  id: "WebhookRetraction",
  description: "An alert that a re-org undid, as in the `retract` frame of /ws/alerts.",
});
export type ServedRetraction = z.output<typeof WebhookRetraction>;

/** The body sent to an endpoint with format=json. */
export const WebhookPayload = shape("WebhookPayload", "The body of a delivery with format=json.", {
  type: leaf.oneOf(
    "alerts: alerts that match the filter. retract: alerts among those that a re-org undid. paper: your paper follows' orders. test: you asked for it.",
    ["alerts", "retract", "paper", "test"],
  ),
  timestamp: leaf.time("When the body was made; an attempt that is repeated has the same body."),
  data: z.strictObject({
    webhookId: leaf.text("Which of your webhooks this is.", "whk_8Zk2mQ4f0a9c"),
    epoch: leaf.text(
      "The log's epoch; `paper` for that of your paper follows.",
      "5f1c2a9e-7b1d-4a55-9a51-0c6f0c0a7e11",
    ),
    count: leaf.count("How many alerts, retractions or orders follow: one, or up to the webhook's batch.", 1),
    alerts: z
      .array(Alert)
      .describe("Oldest first, each as on /v2/alerts. Deduplicate by eventId, or by seq on a push."),
    retractions: z
      .array(WebhookRetraction)
      .optional()
      .describe(
        "Oldest first, only with type retract, whose alerts are empty. Each names by its eventId an alert that you were sent; ignore one that you don't know.",
      ),
    orders: z
      .array(BookedOrder)
      .optional()
      .describe("Oldest first, only with type paper. Deduplicate by paperSeq."),
    gap: Gap.nullable().meta({ examples: [null] }),
  }),
});
