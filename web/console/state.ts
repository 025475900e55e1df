// What the console's parts share: the tab's key, what the service says of it, and how to ask with it.
import { signal } from "@preact/signals";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { CallFailed, call, failureOf, keepKey, keyOfTab } from "../shared/api.ts";

export type Me = AnswerOf<Routes["getMe"]>;
export type Usage = AnswerOf<Routes["getUsage"]>;
export type Keys = AnswerOf<Routes["listKeys"]>;
export type NewKey = AnswerOf<Routes["createKey"]>;
export type Payments = AnswerOf<Routes["listPayments"]>;
export type Webhooks = AnswerOf<Routes["listWebhooks"]>;
export type NewWebhook = AnswerOf<Routes["createWebhook"]>;
export type TestedWebhook = AnswerOf<Routes["testWebhook"]>;
export type WebhookDeliveries = AnswerOf<Routes["listWebhookDeliveries"]>;

export const key = signal<string | null>(null);
export const me = signal<Me | null>(null);
export const problem = signal<string | null>(null);

/** With the tab's key; a refusal is thrown. */
export async function ask<Body>(
  path: string,
  options: { method?: string; body?: unknown } = {},
): Promise<Body> {
  const loaded = await call(path, "key", { ...options, key: key.value });
  const failure = failureOf(loaded);
  if (failure) throw failure;
  return loaded.body as Body;
}

export async function refresh(): Promise<void> {
  try {
    me.value = await ask<Me>("/v2/me");
    problem.value = null;
  } catch (failure) {
    problem.value = failure instanceof Error ? failure.message : "No answer.";
    if (failure instanceof CallFailed && failure.status === 401) signOut();
  }
}

export async function signIn(secret: string): Promise<void> {
  key.value = secret;
  await refresh();
  if (me.value !== null) keepKey(secret);
}

export function signOut(): void {
  key.value = null;
  me.value = null;
  keepKey(null);
}

/** A key that was given before a reload is still there. */
export async function restore(): Promise<void> {
  const kept = keyOfTab();
  if (kept !== null) await signIn(kept);
}
