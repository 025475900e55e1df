// Answers cached as bytes: serialised once, sent many times. Concurrent misses for the same key share one computation,
// and a stale entry is still served while a single refresh runs.
import type { CacheRule } from "../../contract/route.ts";
import type { Clock } from "../../kit/clock.ts";
import { createLru } from "../../kit/lru.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";
import type { RouteAnswer } from "./answer.ts";

/** Headers shared by repeated sends of one answer, while they are valid: copying is cheaper than rebuilding. */
export interface SharedHeaders {
  cost: number;
  maxAgeSeconds: number;
  ratePolicy: string | null;
  /** Whether it includes the remaining credits. */
  hasKey: boolean;
  isGzip: boolean;
  values: Headers;
}

/** Enough for every board, leaderboard and some thousand hot traders at 20 KB each; counted in bytes, because a caller can
 * request thousands of answers ten times as large. An answer is held twice: as bytes to process, and as a blob to send. */
const CAPACITY_BYTES = 64 * 1_024 * 1_024;
/** The overhead of an entry beyond its bytes. */
const ENTRY_BYTES = 1_024;

type CachedWork = (signal: AbortSignal) => Promise<RouteAnswer<unknown>>;

/** Its signal is created only when there is work: a hit doesn't need one. */
type WaitingCaller = Pick<Request, "signal">;

export interface ByteCache {
  /** `key` names the route and its whole input. The work's signal aborts when all waiting callers have disconnected. */
  read(key: string, rule: CacheRule, work: CachedWork, caller: WaitingCaller): Packed | Promise<Packed>;
  clear(): void;
}

export function createByteCache(
  clock: Clock,
  onRefreshFailed: (key: string, error: unknown) => void,
): ByteCache {
  const entries = createLru<string, Packed>(
    CAPACITY_BYTES,
    ({ bytes }) => 2 * bytes.byteLength + ENTRY_BYTES,
  );
  const flights = createSingleFlight();

  const refresh = (key: string, rule: CacheRule, work: CachedWork, caller?: AbortSignal) =>
    flights.run(
      key,
      async (signal) => {
        const packed = pack(await work(signal), rule, clock.now());
        // An interrupted read may have returned a fallback instead of the real result.
        if (packed.staleUntil > clock.now() && !signal.aborted) entries.set(key, packed);
        return packed;
      },
      caller,
    );

  return {
    read(key, rule, work, caller) {
      const kept = entries.get(key);
      const now = clock.now();
      if (kept && now < kept.freshUntil) return kept;
      if (kept && now < kept.staleUntil) {
        // The refresh serves later callers, so no caller cancels it.
        refresh(key, rule, work).catch((error) => onRefreshFailed(key, error));
        return kept;
      }
      return refresh(key, rule, work, caller.signal);
    },
    clear: () => entries.clear(),
  };
}

const encoder = new TextEncoder();

export function pack(answer: RouteAnswer<unknown>, rule: CacheRule, now: number) {
  const bytes = encoder.encode(answer.instead?.text ?? JSON.stringify(answer.body));
  const fresh = rule.kind === "shared" ? (answer.freshSeconds ?? rule.freshSeconds) * 1_000 : 0;
  // A miss, or a captured fallback, must not outlive its short TTL.
  const stale =
    rule.kind === "shared" &&
    (answer.mayBeStale ?? answer.freshSeconds === undefined) &&
    answer.found !== false;
  return {
    bytes,
    /** The same bytes, sendable repeatedly without a copy each time; created on the second send. */
    body: null as Blob | null,
    isSent: false,
    /** Created when a client first accepts it. */
    gzip: null as Blob | null,
    /** Created on the first send, and again when something in it changes. */
    headers: null as SharedHeaders | null,
    /** Sent in place of the bytes; null except for files. */
    file: answer.file ?? null,
    etag: `"${answer.file?.sha256 ?? Bun.hash(bytes).toString(36)}"`,
    /** null for JSON. */
    contentType: answer.instead?.contentType ?? null,
    isAccepted: answer.isAccepted ?? false,
    units: answer.units ?? 1,
    found: answer.found ?? true,
    free: answer.free ?? false,
    freshUntil: answer.found === false ? now : now + fresh,
    staleUntil: answer.found === false ? now : now + fresh + (stale ? rule.staleSeconds * 1_000 : 0),
  };
}

/** An answer ready to send. */
export type Packed = ReturnType<typeof pack>;
