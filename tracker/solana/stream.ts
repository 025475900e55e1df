// Follows the watched wallets through one gRPC stream. It tells where to look right away and saves the calls for the
// transactions it brings; it never proves that nothing was missed: histories are listed, and all of them after a gap.
import type { SubscribeUpdate } from "@triton-one/yellowstone-grpc";
import type { Kit } from "../../kit/kit.ts";
import { runLoop } from "../../kit/loop.ts";
import { SECOND_MS } from "../../kit/units.ts";
import { SOLANA_CHAIN_ID, type WatchList } from "../chain.ts";
import type { NewsListener } from "../reader.ts";
import { type GeyserStream, type GrpcEndpoint, openGeyser } from "./geyser.ts";
import type { Streamed } from "./streamed.ts";

export interface SolanaStreamOptions extends Pick<Kit, "clock" | "log" | "random"> {
  endpoint: GrpcEndpoint;
  watch: WatchList;
  streamed: Streamed;
  reader: NewsListener;
  /** With more wallets, every slot wakes the reader: blocks are read then. */
  walletsMax: number;
  /** Without a slot for this long, the stream counts as dead, whatever else it sends. */
  silenceMsMax: number;
}

export interface SolanaStream {
  start(): void;
  stop(): void;
  /** Whether news would arrive now. */
  isHearing(): boolean;
}

/** Pings go out every 10 s: load balancers on the way close connections that are silent for a minute. */
const ROUNDS_PER_SILENCE = 3;
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 30 * SECOND_MS;
/** gRPC's status for an unreachable server. */
const UNAVAILABLE = 14;

export function createSolanaStream(options: SolanaStreamOptions): SolanaStream {
  const { clock, log, random, watch, streamed, reader, silenceMsMax } = options;
  const roundMs = silenceMsMax / ROUNDS_PER_SILENCE;
  let stopped = new AbortController();
  let stopListening = () => {};
  let stream: GeyserStream | null = null;
  let openedAt = 0;
  let heardAt = 0;
  let pings = 0;
  /** The newest slot received: a new connection starts there. */
  let lastSlot: number | null = null;
  /** Where this connection has to start for nothing to be missed; null once that is settled. */
  let awaited: number | null = null;

  const isTooMany = () => watch.wallets(SOLANA_CHAIN_ID).size > options.walletsMax;
  const accounts = () => (isTooMany() ? [] : [...watch.wallets(SOLANA_CHAIN_ID)]);

  const hearSlot = (slot: number) => {
    heardAt = clock.now();
    // The server started later than asked: what lies in between is found by looking.
    if (awaited !== null && slot > awaited) reader.wake();
    awaited = null;
    lastSlot = Math.max(lastSlot ?? 0, slot);
    if (isTooMany()) reader.wake();
  };

  const hear = (update: SubscribeUpdate) => {
    if (update.slot) hearSlot(Number(update.slot.slot));
    if (update.ping) stream?.ping(++pings);
    if (!update.transaction) return;
    const wallets = streamed.note(update.transaction, watch.wallets(SOLANA_CHAIN_ID));
    if (wallets.length > 0) reader.wake(wallets);
  };

  /** Resolves when the connection has ended. */
  const connect = async (works: () => void): Promise<void> => {
    const fromSlot = lastSlot;
    let hasHeard = false;
    openedAt = clock.now();
    // The first connection has nothing to resume from: every wallet is looked at.
    awaited = fromSlot ?? 0;
    const ended = Promise.withResolvers<Error | null>();
    stream = await openGeyser(options.endpoint, {
      onUpdate(update) {
        if (update.slot && !hasHeard) {
          hasHeard = true;
          works();
        }
        hear(update);
      },
      onEnd: ended.resolve,
    });
    if (stopped.signal.aborted) stream.close();
    else stream.ask({ accounts: accounts(), fromSlot });
    const error = await ended.promise;
    stream = null;
    reader.lost();
    // A server that would not start there, or sends nothing from there, is asked to start now, and the rest is looked up.
    if (!hasHeard && codeOf(error) !== UNAVAILABLE) lastSlot = null;
    throw error ?? new Error("the stream ended");
  };

  const stayConnected = {
    failure: (error: unknown) =>
      log.warn("the solana stream is not connected; polling meanwhile", { error: String(error) }),
    backoff: { firstMs: RETRY_MS_MIN, msMax: RETRY_MS_MAX, random },
    clock,
    log,
    round: (_: AbortSignal, works: () => void) => connect(works),
  };
  const watchSilence = {
    failure: "could not check for a silent stream",
    first: "later" as const,
    everyMs: roundMs,
    clock,
    log,
    round() {
      if (clock.now() - Math.max(heardAt, openedAt) > silenceMsMax) stream?.close();
      else stream?.ping(++pings);
    },
  };

  return {
    start() {
      stopped = new AbortController();
      heardAt = clock.now();
      stopListening = watch.onChange(() => stream?.ask({ accounts: accounts(), fromSlot: null }));
      void runLoop(stayConnected, stopped.signal);
      void runLoop(watchSilence, stopped.signal);
    },
    stop() {
      stopped.abort();
      stopListening();
      stream?.close();
    },
    // A connected server that sends no slots won't send trades either.
    isHearing: () => stream !== null && clock.now() - heardAt <= silenceMsMax,
  };
}

function codeOf(error: Error | null): unknown {
  return (error as { code?: unknown } | null)?.code;
}
