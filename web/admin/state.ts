// Shared by the operator's pages: the tab's key, the caller's identity according to the service, and calls.
import { signal } from "@preact/signals";
import { PAGE_HEADER } from "../shared/api.ts";
import { ADMIN_DATA, type AdminPlace, type OverviewAnswer } from "./answers.ts";

const KEY_STORED = "crowdtape-admin-key";

export const overview = signal<OverviewAnswer | null>(null);
export const said = signal<string | null>(null);
let key: string | null = null;

class AdminRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Reads without a body, changes with one; a refusal throws. */
export async function ask<Body>(
  place: AdminPlace,
  query: Record<string, string> = {},
  body?: unknown,
): Promise<Body> {
  const search = new URLSearchParams(query).toString();
  const answer = await fetch(`${ADMIN_DATA}/${place}${search === "" ? "" : `?${search}`}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      [PAGE_HEADER]: "1",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read = (await answer.json()) as Body & { message?: string };
  if (!answer.ok)
    throw new AdminRefusal(answer.status, read.message ?? `The server answered ${answer.status}.`);
  return read;
}

export async function refresh(): Promise<void> {
  overview.value = await ask<OverviewAnswer>("overview");
}

/** Runs an action and shows why it failed, if it did. */
export async function attempt(work: () => Promise<unknown>): Promise<void> {
  said.value = null;
  try {
    await work();
  } catch (error) {
    said.value = error instanceof Error ? error.message : "No answer.";
    if (error instanceof AdminRefusal && error.status === 401) forget();
  }
}

export async function signIn(secret: string): Promise<void> {
  key = secret;
  await attempt(async () => {
    await refresh();
    store(secret);
  });
}

export function forget(): void {
  key = null;
  overview.value = null;
  store(null);
}

/** Uses this tab's key; without one a proxy may have let us through, and if not, no error is shown. */
export async function restore(): Promise<void> {
  const kept = stored();
  if (kept !== null) return signIn(kept);
  await refresh().catch(() => undefined);
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(KEY_STORED);
  } catch {
    return null;
  }
}

function store(secret: string | null): void {
  try {
    if (secret === null) sessionStorage.removeItem(KEY_STORED);
    else sessionStorage.setItem(KEY_STORED, secret);
  } catch {
    // Without storage the key lasts as long as the page.
  }
}
