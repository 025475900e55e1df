// The handlers' port to webhook storage and delivery; injected by the composition root.
import type { AnswerOf, BodyOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import type { KeyCaller } from "../access/access.ts";
import type { WrittenFilter } from "../feed/filter-input.ts";

type Shown = AnswerOf<Routes["getWebhook"]>;
type ShownDelivery = AnswerOf<Routes["listWebhookDeliveries"]>["deliveries"][number];
type WebhookBody = BodyOf<Routes["createWebhook"]>;

/** The wire's webhook, before its times are formatted and its caller's delay is known: epoch milliseconds. */
export interface WebhookView
  extends Omit<
    Shown,
    "failingSince" | "nextAttemptAt" | "previousSecretUntil" | "delaySeconds" | "createdAt"
  > {
  failingSince: number | null;
  nextAttemptAt: number | null;
  previousSecretUntil: number | null;
  createdAt: number;
}

export interface DeliveryView extends Omit<ShownDelivery, "at"> {
  at: number;
}

export interface WebhookDraft
  extends Pick<WebhookBody, "url" | "format" | "batch" | "paper">,
    Pick<WebhookView, "name" | "chatId"> {
  filter: WrittenFilter;
}

/** The only time a secret is seen. */
export interface WithSecret {
  webhook: WebhookView;
  secret: string;
}

/** Limited to the caller's account: another account's webhook is treated as nonexistent. */
export interface WebhookPort {
  create(caller: KeyCaller, wanted: WebhookDraft): Promise<WithSecret>;
  list(accountId: string): Promise<WebhookView[]>;
  get(accountId: string, id: string): Promise<WebhookView>;
  update(
    accountId: string,
    id: string,
    change: { status?: WebhookView["status"]; name?: string; url?: string },
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
