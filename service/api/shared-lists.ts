// A list that is read once and sliced for every caller: callers who request ten rows and a hundred see the same list as of
// the same moment, and upstream is called once.
import type { Clock } from "../../kit/clock.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";
import type { Call } from "../upstream/port.ts";

export interface SharedList<T> {
  value: T;
  capturedAt: number;
  /** Read live from upstream; otherwise the last good captured one. */
  isLive: boolean;
}

export interface SharedLists<Name extends string, T> {
  /** `freshSeconds` is the list's remaining TTL, so that no cached slice outlives it. */
  read(name: Name, call: Call): Promise<{ list: SharedList<T>; freshSeconds: number }>;
}

/** A fallback is rechecked soon, so that a recovered upstream is noticed. */
const STAND_IN_MS = 5_000;

export function createSharedLists<Name extends string, T>(
  clock: Clock,
  freshMs: number,
  /** Its call stands for all waiting callers. */
  read: (name: Name, call: Call) => Promise<SharedList<T>>,
): SharedLists<Name, T> {
  const kept = new Map<Name, { list: SharedList<T>; freshUntil: number }>();
  const flights = createSingleFlight();
  const renew = async (name: Name, call: Call) => {
    const list = await read(name, call);
    const renewed = { list, freshUntil: clock.now() + (list.isLive ? freshMs : STAND_IN_MS) };
    // An interrupted read may have returned a fallback instead of the real result.
    if (!call.signal?.aborted) kept.set(name, renewed);
    return renewed;
  };
  return {
    async read(name, call) {
      const known = kept.get(name);
      const renewed = (signal: AbortSignal) => renew(name, { deadlineMs: call.deadlineMs, signal });
      const { list, freshUntil } =
        known && known.freshUntil > clock.now() ? known : await flights.run(name, renewed, call.signal);
      return { list, freshSeconds: Math.max(0, freshUntil - clock.now()) / 1_000 };
    },
  };
}
