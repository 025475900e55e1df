// What the handlers ask of whoever keeps and delivers webhooks; the composition root hands it in.
import type { DELIVERY_OUTCOMES, WEBHOOK_FORMATS } from "../../contract/shapes/webhooks.ts";
import type { KeyCaller } from "../access/access.ts";
import type { WrittenFilter } from "../feed/filter-input.ts";

/** A webhook without its secret. Times are epoch milliseconds. */
export interface WebhookView {
  id: string;
  name: string | null;
  url: string;
  format: (typeof WEBHOOK_FORMATS)[number];
  chatId: string | null;
  batch: number;
  filters: Record<string, string | number>;
  status: "active" | "paused";
  pausedBecause: "owner" | "gone" | "failing" | null;
  waitingFor: "credits" | "plan" | null;
  position: string;
  delivered: number;
  failures: number;
  failingSince: number | null;
  nextAttemptAt: number | null;
  previousSecretUntil: number | null;
  createdAt: number;
}

export interface DeliveryView {
  at: number;
  kind: "events" | "test";
  messageId: string;
  attempt: number;
  events: number;
  fromSeq: number | null;
  toSeq: number | null;
  outcome: (typeof DELIVERY_OUTCOMES)[number];
  status: number | null;
  durationMs: number;
  note: string | null;
}

export interface NewWebhook {
  url: string;
  name: string | null;
  format: WebhookView["format"];
  chatId: string | null;
  batch: number;
  filter: WrittenFilter;
}

/** The only time a secret is seen. */
export interface WithSecret {
  webhook: WebhookView;
  secret: string;
}

/** Everything is the caller's account's: another account's webhook is as if it did not exist. */
export interface Webhooks {
  create(caller: KeyCaller, wanted: NewWebhook): Promise<WithSecret>;
  list(accountId: string): Promise<WebhookView[]>;
  get(accountId: string, id: string): Promise<WebhookView>;
  update(
    accountId: string,
    id: string,
    change: { status?: "active" | "paused"; name?: string; url?: string },
  ): Promise<WebhookView>;
  remove(accountId: string, id: string): Promise<{ deletedAt: number }>;
  rotate(accountId: string, id: string): Promise<WithSecret>;
  test(accountId: string, id: string): Promise<DeliveryView>;
  deliveries(
    accountId: string,
    id: string,
    page: { limit: number; cursor: { value: number; id: string } | null },
  ): Promise<{ deliveries: DeliveryView[]; next: { value: number; id: string } | null }>;
  replay(
    accountId: string,
    id: string,
    from: "start" | "latest" | { epoch: string; seq: number },
  ): Promise<WebhookView>;
}
