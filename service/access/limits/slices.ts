// A node's slices of its callers' minutes. What it takes from Redis it spends by itself, and accounts for within a second:
// with the next slice, or by giving the rest back. Redis counts a slice from the moment it is accounted for, which is never
// before it was spent, so no minute over all nodes ever holds more than the limit.
import type { Clock } from "../../../kit/clock.ts";
import { type Flight, type RateVerdict, WINDOW_MS } from "./rate.ts";
import { TAKE } from "./rate-scripts.ts";
import type { RedisLink } from "./redis-link.ts";

export interface Slices {
  /** From what this node holds, at once; undefined when Redis has to be asked. */
  spend(subject: string, limit: number, flight: Flight | undefined): RateVerdict | undefined;
  /** Asks for a slice and spends one of it; with cost 0 only looks. Null when Redis is away. */
  take(subject: string, limit: number, cost: 0 | 1, flight: Flight | undefined): Promise<RateVerdict | null>;
  /** So many are still under way here. */
  left(subject: string, here: number): void;
  /** Accounts for everything, then stops. */
  close(): Promise<void>;
}

/** A slice is for a second's requests; with the rounds of accounting, what is not used is back within one. */
const SLICE_MS = 700;
const ROUND_EVERY_MS = 250;
/** Longer than a node takes to account for a slice even when it stalls; past this the whole of it counts as used. */
const SLICE_LEASE_MS = 3_000;
/** What a node said of its requests under way holds for so long; one that died is forgotten after it. */
const FLIGHT_LEASE_MS = 5_000;
/** It is said again well before. */
const FLIGHT_TRUSTED_MS = FLIGHT_LEASE_MS - 2_000;
const SLICE_MAX = 2_000;
/** Of what is left, so that several nodes can hold slices, and that the last ones go one by one. */
const SHARE = 8;
/** Active callers of one node: those that rest are forgotten with their last round. */
const SUBJECTS_MAX = 100_000;

interface Held {
  limit: number;
  /** Of the slice: to spend, and spent. */
  left: number;
  used: number;
  until: number;
  /** Of the window, beyond the slice. */
  remaining: number;
  resetsAt: number;
  /** Requests that may be under way here, how many there are, and how many there were at most since the last time asked. */
  places: number;
  placesUntil: number;
  flightMax: number;
  here: number;
  peak: number;
  askedAt: number;
  asking: Promise<unknown> | null;
  /** Requests in the second that runs, and in the one before. */
  second: number;
  count: number;
  before: number;
}

export function createSlices(parts: {
  link: RedisLink;
  clock: Clock;
  nodeId: string;
  time(): string;
}): Slices {
  const { link, clock, nodeId, time } = parts;
  const subjects = new Map<string, Held>();

  const heldOf = (subject: string): Held => {
    let held = subjects.get(subject);
    if (!held) {
      if (subjects.size >= SUBJECTS_MAX) void round();
      held = idle();
      subjects.set(subject, held);
    }
    return held;
  };

  const ask = async (subject: string, held: Held, limit: number, wanted: number, flight?: Flight) => {
    const now = clock.now();
    // From here on the old slice is not spent: Redis forgets it with this question.
    const { used } = held;
    Object.assign(held, { limit, left: 0, used: 0, askedAt: now });
    const needed = flight?.here ?? held.here;
    const more = Math.max(0, held.peak - needed) + 1;
    held.peak = needed;
    if (flight) held.flightMax = flight.max;
    const answer = await link.ask(
      TAKE,
      ["rate", "rate-sum", "rate-slices", "flight"].map((name) => `crowdtape:${name}:${subject}`),
      [
        ...[limit, WINDOW_MS, wanted, used, time(), nodeId, SLICE_LEASE_MS, SHARE],
        ...[needed, wanted > 0 ? more : 0, held.flightMax, FLIGHT_LEASE_MS],
      ],
    );
    if (!answer) return null;
    const [granted = 0, remaining = 0, resetMs = 0, places = 0, crowded = 0] = answer;
    // One alone counted when it was granted.
    if (granted > 1) Object.assign(held, { left: granted, until: now + SLICE_MS });
    Object.assign(held, { remaining, resetsAt: now + resetMs });
    if (held.flightMax > 0) Object.assign(held, { places, placesUntil: now + FLIGHT_TRUSTED_MS });
    return { granted, remaining, resetMs, isCrowded: crowded === 1 };
  };

  const spend = (held: Held, limit: number, flight?: Flight): RateVerdict | undefined => {
    const now = clock.now();
    if (held.left < 1 || now >= held.until || held.limit !== limit) return undefined;
    if (flight && (flight.here > held.places || now >= held.placesUntil)) return undefined;
    held.left -= 1;
    held.used += 1;
    if (flight && flight.here > held.peak) held.peak = flight.here;
    const remaining = held.remaining + held.left;
    return { allowed: true, limit, remaining, resetMs: Math.max(0, held.resetsAt - now) };
  };

  /** Accounts for slices that were not asked about for a while, and lowers what was said of requests under way. */
  const round = async (all = false): Promise<void> => {
    const now = clock.now();
    const told: Promise<unknown>[] = [];
    for (const [subject, held] of subjects) {
      if (held.asking || (!all && now - held.askedAt < SLICE_MS)) continue;
      if (held.left > 0 || held.used > 0 || held.places > held.here) {
        if (all) held.here = 0;
        told.push(ask(subject, held, held.limit, 0));
      } else if (held.here === 0) subjects.delete(subject);
    }
    await Promise.all(told);
  };
  const rounds = setInterval(() => void round(), ROUND_EVERY_MS);
  rounds.unref();

  return {
    spend(subject, limit, flight) {
      const held = heldOf(subject);
      countDemand(held, clock.now());
      return spend(held, limit, flight);
    },
    async take(subject, limit, cost, flight) {
      const held = heldOf(subject);
      // Those who come while Redis is asked share what it grants; one by one, they ask side by side.
      while (cost === 1 && held.asking) {
        await held.asking;
        const verdict = spend(held, limit, flight);
        if (verdict) return verdict;
      }
      const wanted = cost === 0 ? 0 : Math.min(SLICE_MAX, Math.max(held.count, held.before, 1));
      const asked = ask(subject, held, limit, wanted, flight);
      if (wanted > 1) held.asking = asked.finally(() => (held.asking = null));
      const answer = await asked;
      if (!answer) return null;
      const { granted, remaining, resetMs, isCrowded } = answer;
      if (granted > 1) return spend(held, limit, flight) ?? this.take(subject, limit, cost, flight);
      const verdict = { allowed: cost === 0 || granted === 1, limit, remaining, resetMs };
      return isCrowded ? { ...verdict, crowded: true } : verdict;
    },
    left(subject, here) {
      const held = subjects.get(subject);
      if (held) held.here = here;
    },
    async close() {
      clearInterval(rounds);
      await round(true);
    },
  };
}

/** Per second of this node: what the next slice is for. */
function countDemand(held: Held, now: number): void {
  const second = Math.floor(now / 1_000);
  if (second !== held.second) {
    held.before = second === held.second + 1 ? held.count : 0;
    held.second = second;
    held.count = 0;
  }
  held.count += 1;
}

function idle(): Held {
  return {
    ...{ limit: 0, left: 0, used: 0, until: 0, remaining: 0, resetsAt: 0 },
    ...{ places: 0, placesUntil: 0, flightMax: 0, here: 0, peak: 0, askedAt: 0, asking: null },
    ...{ second: 0, count: 0, before: 0 },
  };
}
