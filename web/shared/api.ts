// The page's own calls. Without a key they carry the visitor's cookie to the paths that take it; with a key, which never
// leaves this tab, they are ordinary metered calls. An expired cookie is renewed once, in silence.
import type { ErrorBody } from "../../contract/errors.ts";
import { now } from "./clock.ts";
import type { Loaded, VisitorMode } from "./data.ts";

/** Where visitors' calls go: the contract's paths behind this. */
export const VISITOR_PREFIX = "/page-data";
/** No form and no foreign page can send this without a preflight, which is refused. */
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

export class CallFailed extends Error {
  constructor(
    readonly status: number,
    readonly body: Partial<ErrorBody>,
  ) {
    super(body.message ?? (status === 0 ? "No answer. Are you offline?" : `The server answered ${status}.`));
  }
}

export interface CallOptions {
  method?: string;
  body?: unknown;
  key?: string | null;
  signal?: AbortSignal;
}

/** A call that needs the tab's key, or works by the cookie. */
export async function call(path: string, mode: VisitorMode, options: CallOptions = {}): Promise<Loaded> {
  const key = options.key === undefined ? keyOfTab() : options.key;
  const answer = await send(path, mode, key, options);
  if (answer.status !== 401 || key !== null || mode !== "open") return answer;
  await fetch(`${VISITOR_PREFIX}/visit`, { method: "POST", headers: { [PAGE_HEADER]: "1" } });
  return send(path, mode, key, options);
}

async function send(
  path: string,
  mode: VisitorMode,
  key: string | null,
  options: CallOptions,
): Promise<Loaded> {
  const headers: Record<string, string> = {};
  if (key !== null) headers.authorization = `Bearer ${key}`;
  else if (mode === "open") headers[PAGE_HEADER] = "1";
  if (options.body !== undefined) headers["content-type"] = "application/json";
  const url = key === null && mode === "open" ? `${VISITOR_PREFIX}${path}` : path;
  const at = now();
  try {
    const response = await fetch(url, {
      method: options.method ?? "GET",
      headers,
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    return { status: response.status, body: await response.json().catch(() => ({})), at };
  } catch (problem) {
    if (options.signal?.aborted) throw problem;
    return { status: 0, body: {}, at };
  }
}

export function failureOf({ status, body }: Loaded): CallFailed | null {
  return status >= 200 && status < 300 ? null : new CallFailed(status, body as Partial<ErrorBody>);
}
