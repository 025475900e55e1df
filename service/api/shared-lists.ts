// A list that is read once and cut for everybody: callers who ask for ten rows and for a hundred see the same list of the
// same moment, and upstream is asked for it once.
import type { Clock } from "../../kit/clock.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";
import type { Call } from "../upstream/port.ts";

export interface SharedList<T> {
  value: T;
  capturedAt: number;
  /** Read from upstream just now; else the last good one that was captured. */
  isLive: boolean;
}

export interface SharedLists<Name extends string, T> {
  /** `freshSeconds` is what is left of the list's life, so that no cached cut of it outlives it. */
  read(name: Name, call: Call): Promise<{ list: SharedList<T>; freshSeconds: number }>;
}

/** A stand-in is looked at again soon, so that a recovered upstream is noticed. */
const STAND_IN_MS = 5_000;

export function createSharedLists<Name extends string, T>(
  clock: Clock,
  freshMs: number,
  /** Its call is that of all who wait. */
  read: (name: Name, call: Call) => Promise<SharedList<T>>,
): SharedLists<Name, T> {
  const kept = new Map<Name, { list: SharedList<T>; freshUntil: number }>();
  const flights = createSingleFlight();
  const renew = async (name: Name, call: Call) => {
    const list = await read(name, call);
    const renewed = { list, freshUntil: clock.now() + (list.isLive ? freshMs : STAND_IN_MS) };
    // What was cut short may be a stand-in for what would have been found.
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
