// A platform server as an upstream. Every call ends by its deadline whatever the server does; each kind of call has its
// own breaker, so that a failing one does not stop the others; retries are few and budgeted.
import { type Breaker, type BreakerState, createBreaker, type Permit } from "../../kit/breaker.ts";
import { createGate } from "../../kit/gate.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Metrics } from "../../kit/metrics.ts";
import { pathOf, readBaseUrl } from "./address.ts";
import { type AskParameters, type CallName, type Decoder, decoded } from "./ask.ts";
import { byDeadline } from "./deadline.ts";
import { createFeedHints } from "./feed-hints.ts";
import { get, type HttpAttempt } from "./http.ts";
import { createMeters } from "./meters.ts";
import type { Call, Outcome, Upstream } from "./port.ts";
import { createRetryBudget } from "./retry.ts";
import { upstreamOver } from "./upstream.ts";

/** Reads for the API. With a few milliseconds per answer, these allow thousands a second. */
const READS_MAX = 32;
const READS_WAITING_MAX = 512;
/** Capture has its own lane: three feeds and the directory, never queued behind a burst of reads. */
const CAPTURE_READS_MAX = 8;
const CAPTURE_READS_WAITING_MAX = 32;
const CAPTURE_CALLS: ReadonlySet<CallName> = new Set(["feed", "users", "tokens", "status"]);

const RETRY_PAUSE_MS = 50;
/** A retry is made only if the first attempt failed within this share of the deadline. */
const RETRY_WITHIN_SHARE = 1 / 3;
/**
 * Bun resends a GET on its own when its pooled connection dies, outside our budget. After a connection failed, none are
 * pooled for a while, so that a server that keeps dropping them does not get every request twice.
 */
const FRESH_CONNECTIONS_MS = 10_000;
/** A call given less time than this has a hurried caller; its timeout says nothing about the server. */
const LEAST_BLAMED_MS = 250;

const BREAKER = {
  windowCalls: 50,
  windowMs: 30_000,
  leastCalls: 10,
  failureShare: 0.5,
  restMs: 1_000,
  restMsMax: 15_000,
};

export interface RemoteOptions extends Pick<Kit, "clock" | "log" | "random"> {
  /** A function if the server may move, such as one restarted on another port. */
  baseUrl: string | (() => string);
  metrics?: Metrics;
  /** How often feeds are polled when no hint arrives. */
  pollMs?: number;
}

export function remoteUpstream(options: RemoteOptions): Upstream {
  const { clock, random } = options;
  const log = options.log.with({ part: "upstream" });
  const { baseUrl } = options;
  const fixed = readBaseUrl(typeof baseUrl === "string" ? baseUrl : baseUrl());
  const { headers } = fixed;
  const base = () => (typeof baseUrl === "string" ? fixed.base : readBaseUrl(baseUrl()).base);
  const gates = {
    reads: createGate(READS_MAX, READS_WAITING_MAX),
    capture: createGate(CAPTURE_READS_MAX, CAPTURE_READS_WAITING_MAX),
  };
  const breakers = new Map<CallName, Breaker>();
  const budget = createRetryBudget();
  const meters = createMeters(options.metrics);
  const closed = new AbortController();
  let freshConnectionsUntil = 0;
  const hints = createFeedHints({
    url: () => `${base().replace(/^http/, "ws")}/api/live`,
    headers,
    clock,
    random,
    log,
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
  });

  const breakerOf = (name: CallName): Breaker => {
    const known = breakers.get(name);
    if (known) return known;
    const onChange = (state: BreakerState) => {
      meters.breaker(name, state);
      log.warn("an upstream call's breaker changed", { call: name, state });
    };
    const breaker = createBreaker({ ...BREAKER, clock, random, onChange });
    breakers.set(name, breaker);
    return breaker;
  };

  const tryOnce = async (url: string, signal: AbortSignal): Promise<HttpAttempt> => {
    const keepalive = clock.now() >= freshConnectionsUntil;
    const answer = await get(url, { headers, signal, keepalive });
    if (answer.kind === "failed" && answer.reason === "unreachable" && !signal.aborted)
      freshConnectionsUntil = clock.now() + FRESH_CONNECTIONS_MS;
    return answer;
  };
  /** One attempt, and perhaps a retry. */
  const attempt = async (
    name: CallName,
    url: string,
    call: Call,
    signal: AbortSignal,
  ): Promise<HttpAttempt> => {
    const startedAt = clock.now();
    budget.request();
    const first = await tryOnce(url, signal);
    const isFast = clock.now() - startedAt < call.deadlineMs * RETRY_WITHIN_SHARE;
    if (!first.retryable || !isFast || signal.aborted || !budget.spend()) return first;
    await clock.sleep(RETRY_PAUSE_MS * (0.5 + random.next()), signal);
    if (signal.aborted) return first;
    meters.retried(name);
    return await tryOnce(url, signal);
  };

  const send = async <T>(
    name: CallName,
    parameters: AskParameters,
    call: Call,
    decode: Decoder<T>,
    signal: AbortSignal,
  ): Promise<Outcome<T>> => {
    const path = pathOf(name, parameters);
    if (path === null) return { kind: "notFound" };
    const askedAt = clock.now();
    const leave = await (CAPTURE_CALLS.has(name) ? gates.capture : gates.reads).enter(signal);
    if (leave === "gone") return { kind: "timedOut" };
    if (leave === "busy") return { kind: "failed", reason: "busy" };
    try {
      const permit = breakerOf(name).admit();
      if (!permit) return { kind: "failed", reason: "paused" };
      // Judged by the time left, not by the time elapsed: a blocked thread must not blame the server.
      const givenMs = call.deadlineMs - (clock.now() - askedAt);
      const answer = await attempt(name, base() + path, call, signal);
      const outcome = outcomeOf(answer, decode, signal, (error) =>
        log.error("a decoder failed", { call: name, error }),
      );
      judge(permit, outcome, call.signal?.aborted === true || givenMs < LEAST_BLAMED_MS);
      return outcome;
    } finally {
      leave();
    }
  };

  return upstreamOver({
    name: "remote",
    ask: async (name, parameters, call, decode) => {
      const startedAt = clock.now();
      const outcome = await byDeadline(clock, call, closed.signal, (signal) =>
        send(name, parameters, call, decode, signal),
      );
      meters.answered(name, outcome, clock.now() - startedAt);
      return outcome;
    },
    onDropped: (name) => meters.dropped(name),
    watch: (onMove) => hints.watch(onMove),
    close: async () => {
      hints.close();
      closed.abort();
    },
  });
}

function outcomeOf<T>(
  answer: HttpAttempt,
  decode: Decoder<T>,
  signal: AbortSignal,
  onUnexpected: (error: unknown) => void,
): Outcome<T> {
  if (answer.kind === "found") return decoded(answer.value, decode, onUnexpected);
  if (answer.kind === "failed") {
    // An aborted request fails like an unreachable one; the abort is the real reason.
    return signal.aborted ? { kind: "timedOut" } : { kind: "failed", reason: answer.reason };
  }
  return answer;
}

/** Reports to the breaker what an outcome says about the server's health. */
function judge(permit: Permit, outcome: Outcome<unknown>, isHurried: boolean): void {
  if (outcome.kind === "timedOut" && isHurried) permit.abandoned();
  else if (outcome.kind === "timedOut") permit.failed();
  else if (outcome.kind === "failed" && outcome.reason !== "refused") permit.failed();
  else permit.succeeded();
}
