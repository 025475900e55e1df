// Outgoing webhooks: the feed, posted to the caller's endpoint. Managing them is free; deliveries are charged.
import { z } from "zod";
import { ALERT_FILTER, MIN_USD_MAX } from "../filters.ts";
import {
  cursor,
  formed,
  jsonFlag,
  jsonNumber,
  jsonWhole,
  limit,
  oneOf,
  ownName,
  parameter,
} from "../parts.ts";
import { defineRoute, FREE, NO_CACHE } from "../route.ts";
import {
  DeletedWebhookAnswer,
  NewWebhookAnswer,
  WEBHOOK_FORMATS,
  WEBHOOK_STATUSES,
  Webhook,
  WebhookDeliveriesAnswer,
  WebhooksAnswer,
  WebhookTestAnswer,
} from "../shapes/webhooks.ts";
import { WEBHOOK, WEBHOOK_PRICE } from "../webhooks.ts";

const own = { access: "key", price: FREE, cache: NO_CACHE, tag: "Webhooks" } as const;

/** Longer than any real endpoint's URL. */
const URL_LENGTH_MAX = 2_000;

const endpointUrl = parameter(
  z
    .string()
    .max(URL_LENGTH_MAX)
    .regex(/^https?:\/\/[^\s]+$/i),
  {
    must: `must be an https URL of at most ${URL_LENGTH_MAX} characters`,
    description: "Where to post events: https, on a public address, without a user name or password in it.",
    schema: { type: "string", format: "uri", maxLength: URL_LENGTH_MAX },
  },
);

const { minUsd: _, ...textFilter } = ALERT_FILTER;

const filter = {
  ...textFilter,
  minUsd: jsonNumber(0, MIN_USD_MAX, "Only fills of at least this many dollars.").optional(),
};

const FILTERS = Object.keys(filter) as (keyof typeof filter)[];

export const createWebhook = defineRoute({
  ...own,
  id: "createWebhook",
  method: "POST",
  path: "/v2/webhooks",
  summary: "Make a webhook",
  description:
    "Posts every alert that matches to your endpoint, from now on, at least once and in order. The fields are the filter of " +
    "/v2/alerts; with `paper` it gets your paper follows' orders instead. Requests are signed as Standard Webhooks specifies; the answer contains the secret, which is shown only once. " +
    `Deliveries cost ${WEBHOOK_PRICE.credits} credits for each ${WEBHOOK_PRICE.events} events; failed attempts and tests are free. ` +
    `An endpoint has ${WEBHOOK.timeoutSeconds} seconds to answer with a 2xx; after ${WEBHOOK.retryDays} days of failures it is paused and you get a mail.`,
  body: z
    .strictObject({
      url: endpointUrl,
      name: ownName().optional(),
      format: oneOf(
        WEBHOOK_FORMATS,
        "`json` for programs, or a readable message for a `discord` webhook or `telegram`'s sendMessage.",
      ).default("json"),
      chatId: formed(
        /^(-?\d{1,20}|@\w{3,64})$/,
        "must be a chat's number, or @ and a channel's name",
        "The Telegram chat to write to, with `format` telegram.",
      ).optional(),
      batch: jsonWhole(
        1,
        WEBHOOK.batchMax,
        "Up to this many events in one request, if that many are waiting; 1 sends each separately.",
      ).default(1),
      paper: jsonFlag(
        "Send your paper follows' orders instead of alerts, filled or skipped. It takes no filter.",
      ).default(false),
      ...filter,
    })
    .refine(({ paper, ...body }) => !paper || FILTERS.every((name) => body[name] === undefined), {
      path: ["paper"],
      message: "paper takes no filter: all of your paper follows' orders are sent.",
    })
    .refine((body) => body.format === "json" || body.batch <= WEBHOOK.messageBatchMax, {
      path: ["batch"],
      message: `batch must be at most ${WEBHOOK.messageBatchMax} for a message that people read.`,
    })
    .refine((body) => body.format !== "telegram" || body.chatId !== undefined, {
      path: ["chatId"],
      message: "chatId is missing: a Telegram message needs a chat.",
    }),
  status: 201,
  errors: ["plan_required", "unknown_filter"],
  answer: NewWebhookAnswer,
  example: { body: { url: "https://hooks.example/crowdtape", name: "big buys", type: "buy", minUsd: 500 } },
});

export const listWebhooks = defineRoute({
  ...own,
  id: "listWebhooks",
  path: "/v2/webhooks",
  summary: "The account's webhooks",
  description:
    "Each with its state: its position in the log, whether it is failing, and what it is waiting for.",
  answer: WebhooksAnswer,
  example: {},
});

const webhookId = z.strictObject({
  webhookId: formed(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -", "The webhook's id."),
});
const byId = { ...own, params: webhookId, errors: ["not_found"] } as const;
const example = { params: { webhookId: "{webhookId}" } };

export const getWebhook = defineRoute({
  ...byId,
  id: "getWebhook",
  path: "/v2/webhooks/{webhookId}",
  summary: "One webhook",
  description: "Its settings and its state.",
  answer: Webhook,
  example,
});

export const updateWebhook = defineRoute({
  ...byId,
  id: "updateWebhook",
  method: "PATCH",
  path: "/v2/webhooks/{webhookId}",
  errors: ["not_found", "conflict"],
  summary: "Pause, resume or change a webhook",
  description:
    "Resuming continues where it stopped, with its failures reset; a replay from `latest` skips events in between. " +
    "One that the operator stopped can't be resumed: a 409.",
  body: z.strictObject({
    status: oneOf(WEBHOOK_STATUSES, "`paused` stops deliveries, `active` continues with them.").optional(),
    name: ownName().optional(),
    url: endpointUrl.optional(),
  }),
  answer: Webhook,
  example: { ...example, body: { status: "paused" } },
});

export const deleteWebhook = defineRoute({
  ...byId,
  id: "deleteWebhook",
  method: "DELETE",
  path: "/v2/webhooks/{webhookId}",
  summary: "Delete a webhook",
  description: "Nothing more is sent to it, and its delivery log is deleted.",
  answer: DeletedWebhookAnswer,
  example,
});

export const rotateWebhookSecret = defineRoute({
  ...byId,
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/v2/webhooks/{webhookId}/rotate",
  summary: "Replace a webhook's secret",
  description: `The answer contains the new secret, which is shown only once. For ${WEBHOOK.oldSecretHours} hours deliveries carry a signature with each.`,
  status: 201,
  answer: NewWebhookAnswer,
  example,
});

export const testWebhook = defineRoute({
  ...byId,
  id: "testWebhook",
  method: "POST",
  path: "/v2/webhooks/{webhookId}/test",
  summary: "Send a test",
  description:
    "Posts a signed test body at once, even to a paused webhook, and answers with the outcome. Free, and not retried.",
  answer: WebhookTestAnswer,
  example,
});

export const listWebhookDeliveries = defineRoute({
  ...byId,
  id: "listWebhookDeliveries",
  path: "/v2/webhooks/{webhookId}/deliveries",
  summary: "Deliveries to a webhook",
  description: `Every attempt of the last ${WEBHOOK.deliveriesKeptDays} days with its status and duration, newest first.`,
  query: z.strictObject({
    limit: limit(1, 100, 50),
    cursor: cursor("An earlier answer's `nextCursor`, or `start` for the newest.").optional(),
  }),
  answer: WebhookDeliveriesAnswer,
  example: { ...example, query: { limit: "10" } },
});

export const replayWebhook = defineRoute({
  ...byId,
  id: "replayWebhook",
  method: "POST",
  path: "/v2/webhooks/{webhookId}/replay",
  summary: "Continue from another position",
  description:
    "Delivers matching events after this position, as far back as the log reaches, then continues live. Events delivered before are delivered, and charged, again.",
  body: z.strictObject({
    position: formed(
      /^(start|latest|[A-Za-z0-9-]{1,64}\.(0|[1-9][0-9]{0,15}))$/,
      "must be start, latest, or an epoch and a seq separated by a dot",
      "`start` for the oldest event, `latest` to skip waiting events, or `<epoch>.<seq>` for later events; `paper.<paperSeq>` with `paper`.",
    ),
  }),
  answer: Webhook,
  example: { ...example, body: { position: "latest" } },
});
