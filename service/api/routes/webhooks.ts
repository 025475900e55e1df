// The caller's webhooks: created, read, paused, replayed and tested. All free; deliveries are charged as they happen.
import { fault } from "../../../contract/errors.ts";
import { PLANS } from "../../../contract/plans.ts";
import type { Routes } from "../../../contract/routes.ts";
import { Webhook, WebhookDelivery } from "../../../contract/shapes/webhooks.ts";
import { WEBHOOK } from "../../../contract/webhooks.ts";
import type { KeyCaller } from "../../access/access.ts";
import { filterFromQuery } from "../../feed/filter-input.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { badCursor } from "../cursor.ts";
import { iso, isoOrNull } from "../present/common.ts";
import { presentAs } from "../present/same-fields.ts";
import type { Services } from "../services.ts";
import type { DeliveryView, WebhookView } from "../webhook-port.ts";

type WebhookRouteId =
  | "createWebhook"
  | "listWebhooks"
  | "getWebhook"
  | "updateWebhook"
  | "deleteWebhook"
  | "rotateWebhookSecret"
  | "testWebhook"
  | "listWebhookDeliveries"
  | "replayWebhook";

export function webhookRoutes({ webhooks, chains }: Pick<Services, "webhooks" | "chains">): {
  [Id in WebhookRouteId]: Handler<Routes[Id]>;
} {
  return {
    async createWebhook({ body }, call) {
      const { url, name, format, chatId, batch, paper, ...filter } = body;
      const made = await webhooks.create(keyOf(call), {
        url,
        name: name ?? null,
        format,
        chatId: chatId ?? null,
        batch,
        paper,
        filter: filterFromQuery("alerts", filter, chains),
      });
      return { body: { secret: made.secret, ...presentWebhook(made.webhook, call) } };
    },

    async listWebhooks(_input, call) {
      const { accountId, plan } = keyOf(call);
      const rows = (await webhooks.list(accountId)).map((webhook) => presentWebhook(webhook, call));
      return { body: { count: rows.length, limit: PLANS[plan].webhooks, webhooks: rows } };
    },

    async getWebhook({ params }, call) {
      const webhook = await webhooks.get(keyOf(call).accountId, params.webhookId);
      return { body: presentWebhook(webhook, call) };
    },

    async updateWebhook({ params, body }, call) {
      const { status, name, url } = body;
      const change = {
        ...(status === undefined ? {} : { status }),
        ...(name === undefined ? {} : { name }),
        ...(url === undefined ? {} : { url }),
      };
      const webhook = await webhooks.update(keyOf(call).accountId, params.webhookId, change);
      return { body: presentWebhook(webhook, call) };
    },

    async deleteWebhook({ params }, call) {
      const { deletedAt } = await webhooks.remove(keyOf(call).accountId, params.webhookId);
      return { body: { id: params.webhookId, deletedAt: iso(deletedAt) } };
    },

    async rotateWebhookSecret({ params }, call) {
      const { webhook, secret } = await webhooks.rotate(keyOf(call).accountId, params.webhookId);
      return { body: { secret, ...presentWebhook(webhook, call) } };
    },

    async testWebhook({ params }, call) {
      const delivery = await webhooks.test(keyOf(call).accountId, params.webhookId);
      const ok = delivery.outcome === "delivered";
      return { body: { ok, delivery: { ...presentDelivery(delivery), kind: "test" } } };
    },

    async listWebhookDeliveries({ params, query }, call) {
      const cursor = query.cursor === undefined ? null : readCursor(query.cursor);
      const { limit } = query;
      const { accountId } = keyOf(call);
      const { deliveries, next } = await webhooks.deliveries(accountId, params.webhookId, { limit, cursor });
      return {
        body: {
          count: deliveries.length,
          deliveries: deliveries.map(presentDelivery),
          nextCursor: next && `${next.value}.${next.id}`,
          keptDays: WEBHOOK.deliveriesKeptDays,
        },
      };
    },

    async replayWebhook({ params, body }, call) {
      const from = readPosition(body.position);
      const webhook = await webhooks.replay(keyOf(call).accountId, params.webhookId, from);
      return { body: presentWebhook(webhook, call) };
    },
  };
}

function keyOf(call: RouteCall): KeyCaller {
  if (call.caller.kind === "key") return call.caller;
  throw fault("unauthorized", "This call needs a key.");
}

function readCursor(text: string): { value: number; id: string } | null {
  if (text === "start") return null;
  const parts = /^(\d{1,15})\.([A-Za-z0-9-]{1,64})$/.exec(text);
  if (!parts?.[1] || !parts[2]) throw badCursor("cursor");
  return { value: Number(parts[1]), id: parts[2] };
}

function readPosition(text: string): "start" | "latest" | { epoch: string; seq: number } {
  if (text === "start" || text === "latest") return text;
  const dot = text.lastIndexOf(".");
  return { epoch: text.slice(0, dot), seq: Number(text.slice(dot + 1)) };
}

function presentWebhook(webhook: WebhookView, call: RouteCall) {
  return presentAs(Webhook, webhook, {
    failingSince: isoOrNull(webhook.failingSince),
    nextAttemptAt: isoOrNull(webhook.nextAttemptAt),
    previousSecretUntil: isoOrNull(webhook.previousSecretUntil),
    delaySeconds: Math.round(call.delayMs / 1_000),
    createdAt: iso(webhook.createdAt),
  });
}

const presentDelivery = (delivery: DeliveryView) =>
  presentAs(WebhookDelivery, delivery, { at: iso(delivery.at) });
