// One provider's JSON-RPC endpoint over HTTP. Several calls return complete and in order, or fail as a whole; each has a result
// or the node's refusal. Calls that are rate limited or broken in the middle of a batch are retried, the rest is kept; the
// limits per request and per second are learned. Nothing it sends is trusted to be JSON, complete or small.
import { type Backoff, createBackoff } from "../../kit/backoff.ts";
import type { Kit } from "../../kit/kit.ts";
import { RpcRefused, RpcUnavailable, statedLimit } from "./errors.ts";
import { createLearnedLimit } from "./learned-limit.ts";
import { createRpcPace, type PaceLimits } from "./pace.ts";

export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

/** One call's outcome, and the host that answered it. */
export type RpcReply = { host: string } & ({ result: unknown } | { refused: RpcRefused });

export interface ProviderOptions extends PaceLimits, Pick<Kit, "clock" | "random"> {
  url: string;
  /** Calls in one HTTP request. */
  batchMax: number;
  timeoutMs: number;
  /** The first pause after a rate limit; doubled with each further one. */
  pauseMsMin: number;
}

export interface Provider {
  host: string;
  send(calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcReply[]>;
  /** Its limits, as learned so far. */
  limits(): ProviderLimits;
}

export interface ProviderLimits {
  batch: number;
  callsPerSecond: number;
}

/** A busy chain's logs for one block are some megabytes; anything near this limit is a mistake or an attack. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const REASON_CHARS_MAX = 200;
const PAUSE_MS_MAX = 10_000;
/** The request itself was too large for the provider, or it does not support batches. */
const TOO_LARGE = Symbol("too large");

/** The provider refused the batch as a whole. */
class BatchRefused {
  constructor(readonly reason: string) {}
}

export function createProvider(options: ProviderOptions): Provider {
  const { clock } = options;
  const { host } = new URL(options.url);
  const pace = createRpcPace(options, clock, host);
  const batch = createLearnedLimit(options.batchMax, clock);
  const backoff: Backoff = createBackoff(options.random, options.pauseMsMin, PAUSE_MS_MAX);
  let lastId = 0;

  const sendOne = (
    calls: readonly RpcCall[],
    signal?: AbortSignal,
  ): Promise<(RpcReply | RpcUnavailable)[] | BatchRefused> =>
    pace.run(
      calls.length,
      async () => {
        const requests = calls.map(({ method, params }) => {
          lastId += 1;
          return { jsonrpc: "2.0", id: lastId, method, params };
        });
        const answer = await post(options, host, requests.length === 1 ? requests[0] : requests, signal);
        if (requests.length > 1) {
          const refused = batchRefusal(answer, host);
          if (refused) return refused;
        }
        const byId = new Map(
          (Array.isArray(answer) ? answer : [answer]).map((one) => [(one as { id?: unknown })?.id, one]),
        );
        return requests.map(({ id, method }) =>
          answer === TOO_LARGE
            ? { host, refused: new RpcRefused(method, 413, "the request is too large", host, "filter") }
            : replyOf(byId.get(id), method, host),
        );
      },
      signal,
    );

  /** As much as it takes at once. Calls to be retried are returned as errors. */
  const sendSome = async (
    calls: readonly RpcCall[],
    signal?: AbortSignal,
  ): Promise<(RpcReply | RpcUnavailable)[]> => {
    for (;;) {
      const some = calls.slice(0, batch.current());
      try {
        const answered = await sendOne(some, signal);
        if (!(answered instanceof BatchRefused)) return answered;
        batch.refused(some.length, statedLimit(answered.reason, some.length));
      } catch (error) {
        // It may count each call in a batch, or need longer for each of them.
        if (error instanceof RpcUnavailable && some.length > 1 && error.kind !== "transient")
          batch.strained(some.length);
        if (error instanceof RpcUnavailable && error.kind === "rate") pace.slower();
        throw error;
      }
    }
  };

  const learn = (asked: number, failed: readonly { error: RpcUnavailable }[]): void => {
    if (failed.length === 0) {
      batch.accepted(asked);
      backoff.reset();
      return;
    }
    if (failed.some(({ error }) => error.kind === "rate")) {
      pace.slower();
      if (asked > 1) batch.strained(asked);
    }
    pace.rest(backoff.nextMs());
  };

  return {
    host,
    limits: () => ({ batch: batch.current(), callsPerSecond: pace.callsPerSecond() }),
    async send(calls, signal) {
      const replies: RpcReply[] = [];
      let open = calls.map((call, at) => ({ call, at }));
      while (open.length > 0) {
        const answered = await sendSome(
          open.map(({ call }) => call),
          signal,
        );
        const failed = answered.flatMap((one, index) => {
          const asked = open[index];
          if (!asked) return [];
          if (one instanceof RpcUnavailable) return [{ ...asked, error: one }];
          replies[asked.at] = one;
          return [];
        });
        const rest = open.slice(answered.length);
        learn(answered.length, failed);
        const [first] = failed;
        if (failed.length < answered.length || !first) {
          open = [...failed, ...rest];
          continue;
        }
        // None of these made progress. If others did, the calls are to blame; otherwise another provider is the better choice.
        const isOverLimit = failed.some(({ error }) => error.refused === null);
        if (isOverLimit || replies.length === 0) throw first.error;
        for (const { at, error } of failed) if (error.refused) replies[at] = { host, refused: error.refused };
        open = rest;
      }
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
    if (status === 413) return TOO_LARGE;
    if (status === 429) throw new RpcUnavailable(host, OVER_LIMIT, "rate", retryAfterOf(response));
    if (Number(response.headers.get("content-length") ?? 0) > ANSWER_BYTES_MAX) throw tooLarge(host);
    text = await response.text();
  } catch (error) {
    if (error instanceof RpcUnavailable) throw error;
    // The runtime's own message may quote the URL, and with it a key.
    throw timeout.aborted
      ? new RpcUnavailable(host, `did not answer within ${timeoutMs} ms`, "timeout")
      : new RpcUnavailable(host, "is unreachable");
  }
  if (text.length > ANSWER_BYTES_MAX) throw tooLarge(host);
  try {
    return JSON.parse(text);
  } catch {
    if (Array.isArray(body) && BATCH_STATUSES.has(status)) return TOO_LARGE;
    throw new RpcUnavailable(host, `answered ${status} without JSON`);
  }
}

const OVER_LIMIT = "is over its rate limit";
/** How servers without batch support respond to one. */
const BATCH_STATUSES = new Set([400, 404, 405, 422]);
const tooLarge = (host: string) => new RpcUnavailable(host, "sent an answer that is too large", "size");

/** A single error instead of a list refuses the batch, unless it is about rate or node; so does one that says so. */
function batchRefusal(answer: unknown, host: string): BatchRefused | null {
  if (answer === TOO_LARGE) return new BatchRefused("");
  const isList = Array.isArray(answer);
  if (!isList && !(answer as { error?: unknown } | null)?.error) return null;
  for (const one of isList ? answer : [answer]) {
    const reply = replyOf(one, "a batch", host);
    if (reply instanceof RpcUnavailable && !isList) throw reply;
    if (reply instanceof RpcUnavailable || !("refused" in reply)) continue;
    if (!isList || reply.refused.kind === "batch") return new BatchRefused(reply.refused.reason);
  }
  return null;
}

/** An error that only means "later" is not an answer: the HTTP status may be 200, and other calls may have results. */
function replyOf(answer: unknown, method: string, host: string): RpcReply | RpcUnavailable {
  if (typeof answer !== "object" || answer === null)
    return new RpcUnavailable(host, `left ${method} unanswered`);
  const { result, error } = answer as { result?: unknown; error?: { code?: unknown; message?: unknown } };
  if (error !== undefined && error !== null) {
    const reason = String(error.message ?? "no reason given").slice(0, REASON_CHARS_MAX);
    const code = typeof error.code === "number" ? error.code : 0;
    const refused = new RpcRefused(method, code, reason, host);
    if (refused.kind === "rate") return new RpcUnavailable(host, OVER_LIMIT, "rate");
    if (refused.kind === "transient")
      return new RpcUnavailable(host, `failed at ${method}: ${reason}`, "transient", null, refused);
    return { host, refused };
  }
  if (result === undefined)
    return new RpcUnavailable(host, `answered ${method} with neither result nor error`);
  return { host, result };
}

/** The header holds seconds or a date; null unless it holds seconds. */
function retryAfterOf(response: Response): number | null {
  const text = response.headers.get("retry-after");
  if (text === null) return null;
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, RETRY_AFTER_SECONDS_MAX) * 1_000 : null;
}

/** A provider that asks for longer is retried anyway: its clock or its daily quota may reset earlier. */
const RETRY_AFTER_SECONDS_MAX = 300;
