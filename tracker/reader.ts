// The skeleton of every chain reader: looks again and again, wakes early, backs off after a failure, stops cleanly, and says
// where it is and why it is late. What a look does is the chain's own business.
import { createBackoff } from "../kit/backoff.ts";
import type { Kit } from "../kit/kit.ts";
import { createLoop } from "../kit/loop.ts";
import type { BackfillRequest, ChainReader, ReaderStatus, Sink, WatchList } from "./chain.ts";
import type { ReaderMetrics } from "./reader-metrics.ts";
import type { RpcClient } from "./rpc/client.ts";
import { reasonOf } from "./rpc/errors.ts";

/** What every reader is given. */
export interface ChainReaderParts extends Omit<Kit, "metrics"> {
  rpc: RpcClient;
  /** News is heard here; without it, the chain is looked at from time to time. */
  webSocketUrl: string | null;
  sink: Sink;
  watch: WatchList;
  metrics: ReaderMetrics;
}

/** What differs from chain to chain. */
export interface ChainFollower {
  /** Looks at everything that may have changed. Answers how long to rest. */
  look(): Promise<number>;
  /** A look failed: what the sink kept is the truth, what this process thought it had written may not be. */
  failed(error: unknown): void;
  place(): Omit<ReaderStatus, "error" | "reason">;
  backfill(request: BackfillRequest): Promise<void>;
  /** Notes what the next look is about; false when it is about nothing that is watched. */
  wake?(wallets: readonly string[] | undefined): boolean;
}

/** Who hears a chain's news. */
export interface NewsListener extends Pick<ChainReader, "wake"> {
  /** Nothing is heard from now on: it has to look by itself. */
  lost(): void;
}

export interface FollowOptions {
  parts: Pick<ChainReaderParts, "clock" | "log" | "random" | "metrics" | "watch">;
  follower: ChainFollower;
  /** Aborted when the reader stops: whatever is asked or waited for ends. */
  stopping: AbortController;
  /** The rest after failures in a row. */
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
    // What a failed look would have found is not known: the chain continued since the last one that did not fail.
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
