// One provider's JSON-RPC endpoint over HTTP. A batch comes back whole and in order, or fails as a whole; each call in it
// has a result or the node's refusal. Nothing it sends is trusted to be JSON, complete or small.
import type { Clock } from "../../kit/clock.ts";
import { RpcRefused, RpcUnavailable } from "./errors.ts";
import { createRpcPace, type PaceLimits } from "./pace.ts";

export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

/** What one call came to, and who answered it. */
export type RpcReply = { host: string } & ({ result: unknown } | { refused: RpcRefused });

export interface ProviderOptions extends PaceLimits {
  url: string;
  /** Calls in one HTTP request. */
  batchMax: number;
  timeoutMs: number;
  clock: Clock;
}

export interface Provider {
  host: string;
  send(calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcReply[]>;
}

/** A block's logs of a busy chain are some megabytes; anything near this bound is a mistake or an attack. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const REASON_CHARS_MAX = 200;

export function createProvider(options: ProviderOptions): Provider {
  const { host } = new URL(options.url);
  const pace = createRpcPace(options, options.clock, host);
  let lastId = 0;

  const sendOne = (calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcReply[]> =>
    pace.run(
      calls.length,
      async () => {
        const requests = calls.map(({ method, params }) => {
          lastId += 1;
          return { jsonrpc: "2.0", id: lastId, method, params };
        });
        const answer = await post(options, host, requests.length === 1 ? requests[0] : requests, signal);
        const byId = new Map(
          (Array.isArray(answer) ? answer : [answer]).map((one) => [(one as { id?: unknown })?.id, one]),
        );
        return requests.map(({ id, method }) => replyOf(byId.get(id), method, host));
      },
      signal,
    );

  return {
    host,
    async send(calls, signal) {
      const replies: RpcReply[] = [];
      for (let start = 0; start < calls.length; start += options.batchMax)
        replies.push(...(await sendOne(calls.slice(start, start + options.batchMax), signal)));
      return replies;
    },
  };
}

async function post(
  { url, timeoutMs }: ProviderOptions,
  host: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    status = response.status;
    if (status === 429) throw new RpcUnavailable(host, "is over its rate limit", retryAfterOf(response));
    if (Number(response.headers.get("content-length") ?? 0) > ANSWER_BYTES_MAX)
      throw new RpcUnavailable(host, "sent an answer that is too large");
    text = await response.text();
  } catch (problem) {
    if (problem instanceof RpcUnavailable) throw problem;
    // The runtime's own message may quote the URL, and with it a key.
    throw new RpcUnavailable(
      host,
      timeout.aborted ? `did not answer within ${timeoutMs} ms` : "is unreachable",
    );
  }
  if (text.length > ANSWER_BYTES_MAX) throw new RpcUnavailable(host, "sent an answer that is too large");
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcUnavailable(host, `answered ${status} without JSON`);
  }
}

function replyOf(answer: unknown, method: string, host: string): RpcReply {
  if (typeof answer !== "object" || answer === null)
    throw new RpcUnavailable(host, `left ${method} unanswered`);
  const { result, error } = answer as { result?: unknown; error?: { code?: unknown; message?: unknown } };
  if (error !== undefined && error !== null) {
    const reason = String(error.message ?? "no reason given").slice(0, REASON_CHARS_MAX);
    const code = typeof error.code === "number" ? error.code : 0;
    return { host, refused: new RpcRefused(method, code, reason, host) };
  }
  if (result === undefined)
    throw new RpcUnavailable(host, `answered ${method} with neither result nor error`);
  return { host, result };
}

/** The header gives seconds or a date; without it, null. */
function retryAfterOf(response: Response): number | null {
  const text = response.headers.get("retry-after");
  if (text === null) return null;
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, RETRY_AFTER_SECONDS_MAX) * 1_000 : null;
}

/** A provider that asks for more is tried again all the same: its clock or its day's quota may be reset earlier. */
const RETRY_AFTER_SECONDS_MAX = 300;
