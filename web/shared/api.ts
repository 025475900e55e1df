// The page's calls, through the SDK. Without a key they send the visitor's cookie to the paths that accept it; with a key,
// which never leaves this tab, they are ordinary metered calls. An expired cookie is renewed once, silently.
import { ApiError, ConnectionFailed } from "../../client/src/api-error.ts";
import { type ClientOptions, type Crowdtape, createClient } from "../../client/src/client.ts";
import type { ErrorBody } from "../../client/src/generated.ts";
import { now } from "./clock.ts";
import type { Loaded, VisitorMode } from "./data.ts";

/** Prefix of visitors' calls: the contract's paths follow it. */
export const VISITOR_PREFIX = "/page-data";
/** No form and no cross-origin page can send this header without a preflight, which is refused. */
export const PAGE_HEADER = "x-crowdtape-page";

const KEY_STORED = "crowdtape-key";

export function keyOfTab(): string | null {
  try {
    return sessionStorage.getItem(KEY_STORED) || null;
  } catch {
    return null;
  }
}

export function keepKey(key: string | null): void {
  try {
    if (key === null) sessionStorage.removeItem(KEY_STORED);
    else sessionStorage.setItem(KEY_STORED, key);
  } catch {
    // Without storage the key lives as long as the page.
  }
}

/** A client of this page's own server: with the key, or as a visitor where visitors may read. */
export function pageClient(mode: VisitorMode, key: string | null, options: ClientOptions = {}): Crowdtape {
  return createClient({
    server: location.origin,
    // A page shows a failure at once and retries by itself.
    retries: 0,
    ...(key === null ? {} : { key }),
    ...(key === null && mode === "open" ? { fetch: fetchAsVisitor } : {}),
    ...options,
  });
}

async function fetchAsVisitor(url: string, init: RequestInit): Promise<Response> {
  const send = (path: string, more: RequestInit) =>
    fetch(`${VISITOR_PREFIX}${path}`, { ...more, headers: { ...more.headers, [PAGE_HEADER]: "1" } });
  const path = url.slice(location.origin.length);
  const answer = await send(path, init);
  if (answer.status !== 401) return answer;
  await send("/visit", { method: "POST" });
  return send(path, init);
}

/** A call to one of this site's own routes, outside the API. */
export async function callSite(method: string, path: string, body: unknown): Promise<Loaded> {
  const at = now();
  const headers = { "content-type": "application/json" };
  try {
    const init = { method, headers, body: JSON.stringify(body) };
    const answer = await fetchAsVisitor(`${location.origin}${path}`, init);
    return { status: answer.status, body: await answer.json().catch(() => ({})), at };
  } catch {
    return { status: 0, body: {}, at };
  }
}

interface PageCall {
  method?: string;
  body?: unknown;
  /** Defaults to the tab's own; null calls as a visitor. */
  key?: string | null;
  signal?: AbortSignal;
}

/** One client per key: an unchanged answer costs nothing the second time. */
const clients = new Map<string, Crowdtape>();

function clientOf(mode: VisitorMode, key: string | null): Crowdtape {
  const name = `${mode} ${key ?? ""}`;
  const client = clients.get(name) ?? pageClient(mode, key);
  clients.set(name, client);
  return client;
}

/** Makes any call by its path, refused or not; throws only when aborted. */
export async function call(path: string, mode: VisitorMode, options: PageCall = {}): Promise<Loaded> {
  const { method = "GET", body, key = keyOfTab(), signal } = options;
  const at = now();
  try {
    const sent = clientOf(mode, key).send(method, path, body, signal ? { signal } : {});
    const { body: answer, receipt } = await sent;
    return { status: receipt.notModified ? 200 : receipt.status, body: answer, at };
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof ApiError) return { status: error.status, body: error.body, at };
    const status = error instanceof ConnectionFailed ? (error.status ?? 0) : 0;
    return { status, body: error instanceof TypeError ? { message: error.message } : {}, at };
  }
}

/** Why an answer has no body. */
export interface Failure {
  /** 0 when there was no response. */
  status: number;
  /** From the service's closed list; undefined when something else responded. */
  code?: ErrorBody["error"] | undefined;
  message: string;
  /** The values that the invalid parameter accepts. */
  allowed?: readonly string[] | undefined;
  retryAfterSeconds?: number | undefined;
}

/** Whether a retry can help: no response, rate-limited, or a server error. */
export const canRecover = ({ status }: Failure): boolean => status === 0 || status === 429 || status >= 500;

export function failureOf({ status, body }: Loaded): Failure | null {
  if (status >= 200 && status < 300) return null;
  const { error: code, message, allowed, retryAfterSeconds } = body as Partial<ErrorBody>;
  return {
    status,
    code,
    allowed,
    retryAfterSeconds,
    message: message ?? (status === 0 ? "No answer. Are you offline?" : `The server answered ${status}.`),
  };
}
