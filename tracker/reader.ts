// The skeleton of every chain reader: it looks in a loop, wakes early, backs off after a failure, stops cleanly, and reports
// where it is and why it is late. The chain decides what a look does.
import { createBackoff } from "../kit/backoff.ts";
import type { Kit } from "../kit/kit.ts";
import { createLoop } from "../kit/loop.ts";
import type { BackfillRequest, ChainReader, ReaderStatus, Sink, WatchList } from "./chain.ts";
import type { ReaderMetrics } from "./reader-metrics.ts";
import type { RpcClient } from "./rpc/client.ts";
import { reasonOf } from "./rpc/errors.ts";

/** Common to all readers. */
export interface ChainReaderParts extends Omit<Kit, "metrics"> {
  rpc: RpcClient;
  /** News arrives here; without it, the chain is polled. */
  webSocketUrl: string | null;
  sink: Sink;
  watch: WatchList;
  metrics: ReaderMetrics;
}

/** The chain-specific part. */
export interface ChainFollower {
  /** Looks at everything that may have changed. Returns how long to rest. */
  look(): Promise<number>;
  /** A look failed: trust what the sink stored, not what this process thinks it wrote. */
  failed(error: unknown): void;
  place(): Omit<ReaderStatus, "error" | "reason">;
  backfill(request: BackfillRequest): Promise<void>;
  /** Notes what the next look should cover; false when nothing watched is affected. */
  wake?(wallets: readonly string[] | undefined): boolean;
}

/** Receives a chain's news. */
export interface NewsListener extends Pick<ChainReader, "wake"> {
  /** The news source is gone: the reader has to poll. */
  lost(): void;
}

export interface FollowOptions {
  parts: Pick<ChainReaderParts, "clock" | "log" | "random" | "metrics" | "watch">;
  follower: ChainFollower;
  /** Aborted when the reader stops: cancels every pending request and wait. */
  stopping: AbortController;
  /** The bounds of the backoff after consecutive failures. */
  pauseMsMin: number;
  pauseMsMax: number;
  socket(reader: NewsListener): { start(): void; stop(): void } | null;
}

export function followChain(options: FollowOptions): ChainReader {
  const { parts, follower, stopping } = options;
  const { clock, log, metrics, random, watch } = parts;
  const backoff = createBackoff(random, options.pauseMsMin, options.pauseMsMax);
  let failure: unknown = null;
  let lookedAt = clock.now();

  const status = (): ReaderStatus => {
    const place = follower.place();
    // We don't know what a failed look would have found: the chain has moved on since the last successful one.
    const unseenMs = failure === null ? 0 : clock.now() - lookedAt;
    return {
      ...place,
      lagMs: place.lagMs === null ? null : place.lagMs + unseenMs,
      error: failure === null ? null : failure instanceof Error ? failure.message : String(failure),
      reason: failure === null ? null : reasonOf(failure),
    };
  };

  const round = async (): Promise<number> => {
    try {
      const restMs = await follower.look();
      failure = null;
      lookedAt = clock.now();
      backoff.reset();
      metrics.lag(status().lagMs);
      return restMs;
    } catch (error) {
      if (stopping.signal.aborted) return 0;
      failure = error;
      metrics.error();
      metrics.lag(status().lagMs);
      follower.failed(error);
      return backoff.nextMs();
    }
  };
  const loop = createLoop({ failure: "chain reader failed", everyMs: options.pauseMsMax, clock, log, round });
  const wake = (wallets?: readonly string[]): void => {
    if (follower.wake?.(wallets) !== false) loop.wake();
  };
  const socket = options.socket({ wake, lost: loop.wake });
  let stopListening = () => {};

  return {
    start() {
      stopListening = watch.onChange(() => loop.wake());
      socket?.start();
      loop.start();
    },
    async stop() {
      stopListening();
      stopping.abort();
      socket?.stop();
      await loop.stop();
    },
    wake,
    status,
    backfill: (request) => follower.backfill(request),
  };
}
