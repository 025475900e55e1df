// Answers kept as bytes: serialised once, sent many times. Misses that ask the same share one piece of work, and a
// stale entry continues being served while one caller's worth of work refreshes it.
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
  /** Whether it tells what remains. */
  hasKey: boolean;
  isGzip: boolean;
  values: Headers;
}

/** Enough for every board, leaderboard and some thousand hot traders at 20 KB each; counted in bytes, because a caller can
 * ask for thousands of answers that are ten times as large. An answer is held twice: to be worked on, and to be sent. */
const CAPACITY_BYTES = 64 * 1_024 * 1_024;
/** What an entry takes in addition to its bytes. */
const ENTRY_BYTES = 1_024;

type CachedWork = (signal: AbortSignal) => Promise<RouteAnswer<unknown>>;

/** Its signal is created only when there is work: a hit needs none. */
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
        // It is for later callers, so no caller cancels it.
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
    /** The same to send again and again without a copy of it for each; made when it is sent for the second time. */
    body: null as Blob | null,
    isSent: false,
    /** Made when a client first accepts it. */
    gzip: null as Blob | null,
    /** Made when it is first sent, and again when something in it changes. */
    headers: null as SharedHeaders | null,
    /** Sent in place of the bytes; null but for files. */
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

/** An answer as it is sent. */
export type Packed = ReturnType<typeof pack>;
