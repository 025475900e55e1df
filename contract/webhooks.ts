// The guarantees of outgoing webhooks: their signatures, retries, price and limits, in one place for the routes, the
// documents and the delivery code.
import type { Json, JsonSchemas } from "./json-schema.ts";
import { sampleOf } from "./sample.ts";
import { WebhookPayload } from "./shapes/webhooks.ts";

export const WEBHOOK = {
  /** Events in one request, the same as in one read of /v2/alerts. */
  batchMax: 100,
  /** Lines per chat message, where messages have a maximum length. */
  messageBatchMax: 10,
  /** An endpoint has this long for its complete response. */
  timeoutSeconds: 10,
  /** Attempts continue for this long, then the webhook is paused. */
  retryDays: 3,
  /** For this long after a rotation, requests are also signed with the previous secret. */
  oldSecretHours: 24,
  deliveriesKeptDays: 7,
} as const;

/** The same as a read of /v2/alerts, which returns up to a hundred. */
export const WEBHOOK_PRICE = { credits: 125, events: 100 } as const;

/** The name of its charges in usage by route. */
export const WEBHOOK_CHARGE = "deliverWebhook";

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

/** The `webhooks` section of the OpenAPI document. */
export function webhooksSection(schemas: JsonSchemas): Json {
  const schema = schemas.of(WebhookPayload);
  return {
    alerts: {
      post: {
        operationId: "receiveAlerts",
        tags: ["Webhooks"],
        summary: "Alerts, posted to your endpoint",
        description:
          "Sent to each webhook made with POST /v2/webhooks, at least once and in the order of the log, by the rules of " +
          "Standard Webhooks: verify the signature before you read the body. Redirects are not followed. An alert that a re-org undid " +
          "after you were sent it is followed by a body of type retract, free; one that you were not sent by then is left out.",
        security: [],
        parameters: [
          header(
            "webhook-id",
            "The same in every attempt: the event's eventId, or its id on a push; in a batch made of its positions; of a retraction `retract_` and the eventId that it names.",
            "7c0f6a52-4b1e-5d7a-9f3e-2a6d81c4e5b0",
          ),
          header("webhook-timestamp", "When this attempt was made, in seconds since 1970.", "1773500966"),
          header(
            "webhook-signature",
            "One or more of `v1,<base64>`, separated by spaces: HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`.",
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
          ),
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema, example: sampleOf(schema, schemas.components) } },
        },
        responses: {
          "2XX": { description: `Taken. It has to come within ${WEBHOOK.timeoutSeconds} seconds.` },
          "410": { description: "Nobody wants these any more: the webhook is paused." },
          default: {
            description: `Anything else is tried again, with growing delays, for ${WEBHOOK.retryDays} days.`,
          },
        },
      },
    },
  };
}
