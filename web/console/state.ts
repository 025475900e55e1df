// Shared by the console's parts: the tab's key, the service's answer about it, and calls with it.
import { signal } from "@preact/signals";
import { ApiError } from "../../client/src/api-error.ts";
import type { Crowdtape } from "../../client/src/client.ts";
import { Unauthorized } from "../../client/src/errors.ts";
import type { MeAnswer } from "../../client/src/generated.ts";
import { keepKey, keyOfTab, pageClient } from "../shared/api.ts";

export const key = signal<string | null>(null);
export const me = signal<MeAnswer | null>(null);
export const error = signal<string | null>(null);

let opened: { key: string | null; client: Crowdtape } | null = null;

/** The service as the tab's key sees it; a refusal throws. */
export function service(): Crowdtape {
  if (opened?.key !== key.value) opened = { key: key.value, client: pageClient("key", key.value) };
  return (opened as { client: Crowdtape }).client;
}

/** The message of a refusal, without the code and the request id that the SDK adds for logs. */
export const sentenceOf = (failure: unknown): string =>
  failure instanceof ApiError
    ? failure.body.message
    : failure instanceof Error
      ? failure.message
      : "No answer.";

export async function refresh(): Promise<void> {
  try {
    me.value = await service().getMe();
    error.value = null;
  } catch (failure) {
    error.value = sentenceOf(failure);
    if (failure instanceof Unauthorized) signOut();
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

/** A key that was entered before a reload is still there. */
export async function restore(): Promise<void> {
  const kept = keyOfTab();
  if (kept !== null) await signIn(kept);
}
