// One request, with everything around it: the key in a header, the budget, the ETag, a deadline, and retries depending on the
// refusal. A call that may have been charged is never retried, unless it is free or has an idempotency key.
import { ApiError, ConnectionFailed, type CrowdtapeError } from "./api-error.ts";
import { type Budget, both, createBudget } from "./budget.ts";
import { ERRORS } from "./errors.ts";
import { createEtags } from "./etags.ts";
import type { ErrorBody } from "./generated.ts";
import type { Addressed, CallOptions } from "./operation.ts";
import { backoffMs, systemTime, type Time } from "./time.ts";

export interface TransportOptions {
  /** The service's URL, such as https://api.example.com. */
  server?: string;
  /** The API key. Some calls work without one. */
  key?: string;
  /** The most credits that this client may spend, over all its calls. */
  maxCredits?: number;
  /** The number of retries; 4 by default, 0 for none. */
  retries?: number;
  /** The timeout of one attempt. */
  timeoutMs?: number;
  /** Whether to retry a metered call without a response, although it may have been charged. */
  retryUnanswered?: boolean;
  /** Called with the receipt of every answer. */
  onReceipt?: (receipt: Receipt) => void;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  time?: Time;
}

/** An answer's cost and other header values. */
export interface Receipt {
  path: string;
  status: number;
  cost: number;
  /** Credits left; null without a key. */
  remaining: number | null;
  requestId: string | null;
  /** Unchanged since it was cached here, and free. */
  notModified: boolean;
  headers: Headers;
}

export interface Answer {
  body: unknown;
  receipt: Receipt;
}

/** The transport's view of a request. */
export interface Sent extends Addressed {
  /** Its maximum cost, as far as known. */
  credits: number;
  /** Known to cost nothing. */
  isFree: boolean;
  /** The cost of the first attempt, read from the answer that a later one got in its place. */
  costOf?: (body: unknown) => number;
}

export interface Transport {
  server: string;
  hasKey: boolean;
  send(request: Sent, options?: CallOptions, budget?: Budget): Promise<Answer>;
  spent(): number;
  remaining(): number | null;
}

const SERVER = "http://127.0.0.1:8080";
const RETRIES = 4;
/** Longer than any deadline of the service's own reads. */
const TIMEOUT_MS = 30_000;
const BACKOFF_BASE_MS = 250;
const BACKOFF_MS_MAX = 8_000;
/** A longer Retry-After is left to the caller: the error contains it. */
const WAIT_MS_MAX = 60_000;

export function createTransport(options: TransportOptions = {}): Transport {
  const server = (options.server ?? SERVER).replace(/\/+$/, "");
  const { key, retries = RETRIES, timeoutMs = TIMEOUT_MS, time = systemTime } = options;
  // Refused here, because a runtime's own error message would repeat the key.
  if (key !== undefined && !/^[\x21-\x7e]{1,256}$/.test(key))
    throw new TypeError("The key has a wrong form.");
  const call = options.fetch ?? ((url, init) => fetch(url, init));
  const whole = createBudget(options.maxCredits);
  const etags = createEtags();
  let remaining: number | null = null;

  const receive = async (request: Sent, headers: Record<string, string>, signal: AbortSignal) => {
    const response = await call(server + request.path, {
      method: request.method,
      headers,
      signal,
      cache: "no-store",
      redirect: "error",
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    return { response, text: await response.text() };
  };

  /** One attempt: returns an answer or throws a refusal. */
  const attempt = async (
    request: Sent,
    idempotencyKey: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Answer> => {
    const kept = request.method === "GET" ? etags.find(request.path) : undefined;
    const headers = {
      accept: "application/json",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }),
      ...(kept ? { "if-none-match": kept.etag } : {}),
    };
    const { response, text } = await withDeadline(timeoutMs, signal, (each) =>
      receive(request, headers, each),
    );
    const receipt = receiptOf(request.path, response);
    remaining = receipt.remaining ?? remaining;
    options.onReceipt?.(receipt);
    if (receipt.notModified && kept) return { body: JSON.parse(kept.text), receipt };
    if (!response.ok) throw refusalOf(response, text, receipt);
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    const etag = response.headers.get("etag");
    if (etag && isJson && request.method === "GET") etags.keep(request.path, { etag, text });
    return { body: isJson ? parsed(text) : text, receipt };
  };

  const mayRepeat = (request: Sent, error: unknown): boolean => {
    if (error instanceof ApiError) return (error.retryable || isUnderWay(error)) && error.cost === 0;
    if (!(error instanceof ConnectionFailed)) return false;
    // A gateway that responds 429 or 503 did not forward the request.
    if (error.status === 429 || error.status === 503) return true;
    // Deleting an already revoked key would be refused.
    const harmless = request.isFree && request.method !== "DELETE";
    return harmless || options.retryUnanswered === true;
  };

  return {
    server,
    hasKey: key !== undefined,
    spent: whole.spent,
    remaining: () => remaining,
    async send(request, callOptions = {}, budget) {
      const { signal, maxCredits } = callOptions;
      const own = budget ?? (maxCredits === undefined ? null : createBudget(maxCredits));
      const settle = (own ? both(own, whole) : whole).reserve(request.credits);
      const idempotencyKey = request.method === "POST" ? (callOptions.idempotencyKey ?? freshKey()) : null;
      let cost = 0;
      try {
        for (let tried = 0; ; tried++) {
          try {
            const answer = await attempt(request, idempotencyKey, signal);
            cost = tried > 0 && request.costOf ? request.costOf(answer.body) : answer.receipt.cost;
            return answer;
          } catch (error) {
            if (error instanceof ApiError) cost = error.cost;
            const delayMs = Math.max(
              retryAfterMs(error, time),
              backoffMs(time, tried, BACKOFF_BASE_MS, BACKOFF_MS_MAX),
            );
            if (tried >= retries || delayMs > WAIT_MS_MAX || !mayRepeat(request, error)) throw error;
            await time.sleep(delayMs, signal);
          }
        }
      } finally {
        settle(cost);
      }
    },
  };
}

/** The first attempt, whose answer was lost, is still running; its answer will be this one's. */
const isUnderWay = (error: ApiError) => error.code === "conflict" && error.retryAfterSeconds !== null;

const countOf = (headers: Headers, name: string) => {
  const text = headers.get(name);
  return text === null ? null : Number(text);
};

function receiptOf(path: string, { status, headers }: Response): Receipt {
  return {
    path,
    status,
    headers,
    cost: countOf(headers, "x-credits-cost") ?? 0,
    remaining: countOf(headers, "x-credits-remaining"),
    requestId: headers.get("x-request-id"),
    notModified: status === 304,
  };
}

function refusalOf(response: Response, text: string, { cost }: Receipt): CrowdtapeError {
  const retryAfter = countOf(response.headers, "retry-after");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {}
  if (typeof body === "object" && body !== null && "error" in body && "requestId" in body) {
    const known = body as ErrorBody;
    return new (ERRORS[known.error] ?? ApiError)(known, cost, retryAfter);
  }
  return new ConnectionFailed(
    `Something answered ${response.status}, but not this service.`,
    response.status,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConnectionFailed("The answer was cut off, or is not JSON.");
  }
}

/** The stated time, and up to a fifth more, so that clients with the same delay do not all retry at once. */
function retryAfterMs(error: unknown, time: Time): number {
  const seconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return seconds * 1_000 * (1 + time.random() / 5);
}

async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const end = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  signal?.addEventListener("abort", end, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    signal?.throwIfAborted();
    const why = controller.signal.aborted
      ? `No answer came within ${timeoutMs} ms.`
      : "The server can't be reached.";
    throw new ConnectionFailed(why, null, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
