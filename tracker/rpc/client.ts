// All providers of one chain behind one call. The first healthy one answers; one that fails is paused and the next takes over,
// so a call fails only when every provider did. If one lacks something, the others are asked for it. Calls and errors are
// counted per chain.
import { type Backoff, createBackoff } from "../../kit/backoff.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Metrics } from "../../kit/metrics.ts";
import { type RefusalKind, RpcRefused, RpcUnavailable, type UnavailableKind } from "./errors.ts";
import {
  createProvider,
  type Provider,
  type ProviderLimits,
  type RpcCall,
  type RpcReply,
} from "./provider.ts";

export interface RpcClientOptions extends Pick<Kit, "clock" | "random"> {
  /** The chain's name, for metrics. */
  chain: string;
  urls: readonly string[];
  metrics: RpcMetrics;
  callsPerSecondMax?: number;
  concurrencyMax?: number;
  batchMax?: number;
  timeoutMs?: number;
  /** How long a provider is paused after its first failure; doubled with each further one. */
  pauseMsMin?: number;
}

export interface RpcCaller {
  /** One call's result; throws `RpcRefused` or `RpcUnavailable`. */
  call(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
  /** Several calls answered by one provider, so that they are consistent with each other. */
  batch(calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcReply[]>;
}

export interface RpcClient extends RpcCaller {
  /** The number of providers. */
  providers: number;
  /** Each healthy provider separately, without fallback to the others. */
  each(): RpcCaller[];
  /** The same call to every provider, to compare them; providers that fail are left out. */
  ask(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<Opinion[]>;
  /** Pauses this provider for a while: its answer contradicts the chain. */
  distrust(host: string): void;
  /** The host that will be asked next, for limits that differ between providers. */
  preferred(): string;
  /** The state of each provider. */
  health(): ProviderHealth[];
}

export interface ProviderHealth extends ProviderLimits {
  host: string;
  /** How much longer it is paused. */
  pausedMs: number;
  /** Its last error; null once it has answered. */
  error: string | null;
}

export interface Opinion {
  host: string;
  result: unknown;
}

export interface RpcMetrics {
  calls(chain: string, count: number): void;
  failure(chain: string, kind: RefusalKind | UnavailableKind | "distrusted"): void;
}

export function createRpcMetrics(metrics: Metrics): RpcMetrics {
  const calls = metrics.counter("crowdtape_tracker_rpc_calls_total", "Calls made to chain nodes.");
  const failures = metrics.counter(
    "crowdtape_tracker_rpc_failures_total",
    "Calls to chain nodes that failed, by kind.",
  );
  return {
    calls: (chain, count) => calls.of({ chain }).add(count),
    failure: (chain, kind) => failures.of({ chain, kind }).add(),
  };
}

/** Rates that public endpoints tolerate. */
const DEFAULTS = { callsPerSecondMax: 25, concurrencyMax: 4, batchMax: 50, timeoutMs: 15_000 };
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 60_000;

interface Seat {
  provider: Provider;
  pausedUntil: number;
  backoff: Backoff;
  error: string | null;
}

/** If one provider does not have it, another may. */
const LACKING: ReadonlySet<RefusalKind> = new Set(["pruned", "unsupported"]);

export function createRpcClient(options: RpcClientOptions): RpcClient {
  const { chain, clock, metrics } = options;
  const seats = options.urls.map(
    (url): Seat => ({
      provider: createProvider({
        ...DEFAULTS,
        ...defined(options),
        pauseMsMin: options.pauseMsMin ?? PAUSE_MS_MIN,
        random: options.random,
        url,
        clock,
      }),
      pausedUntil: 0,
      error: null,
      backoff: createBackoff(options.random, options.pauseMsMin ?? PAUSE_MS_MIN, PAUSE_MS_MAX),
    }),
  );
  if (seats.length === 0) throw new Error(`no RPC URL for ${chain}`);

  const pause = (seat: Seat, askedMs: number | null): void => {
    seat.pausedUntil = clock.now() + Math.max(seat.backoff.nextMs(), askedMs ?? 0);
  };

  const sendTo = async (seat: Seat, calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcReply[]> => {
    metrics.calls(chain, calls.length);
    try {
      const replies = await seat.provider.send(calls, signal);
      seat.backoff.reset();
      seat.error = null;
      for (const reply of replies) if ("refused" in reply) metrics.failure(chain, reply.refused.kind);
      return replies;
    } catch (error) {
      if (signal?.aborted) throw error;
      if (error instanceof RpcUnavailable) {
        metrics.failure(chain, error.kind);
        seat.error = error.message;
        pause(seat, error.retryAfterMs);
      }
      throw error;
    }
  };

  /** Healthy ones in the configured order; without any, the one whose pause ends first. */
  const inOrder = (): Seat[] => {
    const now = clock.now();
    const healthy = seats.filter((seat) => seat.pausedUntil <= now);
    return healthy.length > 0 ? healthy : seats.toSorted((a, b) => a.pausedUntil - b.pausedUntil).slice(0, 1);
  };

  const batch = async (calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcReply[]> => {
    if (calls.length === 0) return [];
    let last: unknown;
    for (const seat of inOrder()) {
      const waitMs = seat.pausedUntil - clock.now();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      signal?.throwIfAborted();
      try {
        return await completed(seat, calls, await sendTo(seat, calls, signal), signal);
      } catch (error) {
        if (!(error instanceof RpcUnavailable)) throw error;
        last = error;
      }
    }
    throw last;
  };

  /** Asks the other healthy providers for what this one does not have. */
  const completed = async (
    first: Seat,
    calls: readonly RpcCall[],
    replies: RpcReply[],
    signal?: AbortSignal,
  ): Promise<RpcReply[]> => {
    const lacks = (reply: RpcReply | undefined) =>
      reply && "refused" in reply && LACKING.has(reply.refused.kind);
    for (const seat of seats) {
      const open = [...calls.keys()].filter((at) => lacks(replies[at]));
      if (open.length === 0) return replies;
      if (seat === first || seat.pausedUntil > clock.now()) continue;
      try {
        const asked = open.flatMap((at) => calls[at] ?? []);
        for (const [index, reply] of (await sendTo(seat, asked, signal)).entries())
          if ("result" in reply) replies[open[index] ?? -1] = reply;
      } catch (error) {
        if (!(error instanceof RpcUnavailable)) throw error;
      }
    }
    return replies;
  };

  return {
    providers: seats.length,
    each: () =>
      seats
        .filter((seat) => seat.pausedUntil <= clock.now())
        .map((seat) => callerOf((calls, signal) => sendTo(seat, calls, signal))),
    preferred: () => inOrder()[0]?.provider.host ?? "",
    health: () =>
      seats.map(({ provider, pausedUntil, error }) => ({
        host: provider.host,
        ...provider.limits(),
        pausedMs: Math.max(0, pausedUntil - clock.now()),
        error,
      })),
    ...callerOf(batch),
    async ask(method, params, signal) {
      const settled = await Promise.allSettled(
        seats.map(async (seat) => {
          const [reply] = await sendTo(seat, [{ method, params }], signal);
          return { host: seat.provider.host, reply };
        }),
      );
      return settled.flatMap((one) =>
        one.status === "fulfilled" && one.value.reply && "result" in one.value.reply
          ? [{ host: one.value.host, result: one.value.reply.result }]
          : [],
      );
    },
    distrust(host) {
      metrics.failure(chain, "distrusted");
      for (const seat of seats)
        if (seat.provider.host === host) pause(seat, seats.length > 1 ? DISTRUST_MS : null);
    },
  };
}

function callerOf(batch: RpcCaller["batch"]): RpcCaller {
  return {
    batch,
    async call(method, params, signal) {
      const [reply] = await batch([{ method, params }], signal);
      if (!reply) throw new RpcRefused(method, 0, "no reply", "the provider");
      if ("refused" in reply) throw reply.refused;
      return reply.result;
    },
  };
}

/** Long enough that a node on a wrong fork is not asked again with every block. */
const DISTRUST_MS = 30_000;

/** Unset options must not override the defaults. */
const defined = ({ callsPerSecondMax, concurrencyMax, batchMax, timeoutMs }: RpcClientOptions) =>
  Object.fromEntries(
    Object.entries({ callsPerSecondMax, concurrencyMax, batchMax, timeoutMs }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as Partial<typeof DEFAULTS>;
