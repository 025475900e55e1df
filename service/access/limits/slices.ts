// A node's slices of its callers' minutes, and of their in-flight limits. What it takes from Redis it spends
// locally and reports with the next slice. Redis never counts a request as earlier than it was, so no minute over all
// nodes exceeds the limit, nor do requests in flight. Idle quota is returned within a second, and
// at once when another node runs short, so no caller is refused for long because of unused quota.
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import { createLoop } from "../../../kit/loop.ts";
import { CallerSlice, SLICE_MS } from "./caller-slice.ts";
import { type Flight, type RateVerdict, WINDOW_MS } from "./rate.ts";
import { SHORT, TAKE } from "./rate-scripts.ts";
import type { SharedScripts } from "./shared-scripts.ts";

export interface Slices {
  /** From what this node holds, at once; undefined when Redis has to be asked. */
  spend(subject: string, limit: number, flight: Flight | undefined): RateVerdict | undefined;
  /** Asks for a slice and spends one of it; with cost 0 only looks. Null when Redis is down. */
  take(subject: string, limit: number, cost: 0 | 1, flight: Flight | undefined): Promise<RateVerdict | null>;
  /** Reports everything, then stops. */
  close(): Promise<void>;
}

/** Together with the rounds, quota idle for this long is returned within a second. */
const REST_MS = 700;
const ROUND_EVERY_MS = 250;
/** Longer than a node takes to report a slice even when it stalls; past this all of it counts as used. */
const SLICE_LEASE_MS = SLICE_MS + 3_000;
/** A node's report of its in-flight requests is valid for this long; a dead node's expires after it. */
const FLIGHT_LEASE_MS = 5_000;
/** It is renewed well before. */
const FLIGHT_TRUSTED_MS = FLIGHT_LEASE_MS - 2_000;
const SLICE_MAX = 5_000;
/** Share of what is left, so that several nodes can hold slices, and that the last requests are granted one by one. */
const SHARE = 8;
/** Active callers of one node: idle ones are dropped with their last round. */
const SUBJECTS_MAX = 100_000;

const keyOf = (name: string) => `crowdtape:${name}`;
const keysOf = (subject: string) => [
  ...["rate", "rate-sum", "rate-slices", "flight"].map((name) => `${keyOf(name)}:${subject}`),
  keyOf("rate-short"),
];

export function createSlices(parts: {
  scripts: SharedScripts;
  clock: Clock;
  log: Log;
  nodeId: string;
  time(): string;
}): Slices {
  const { scripts, clock, log, nodeId, time } = parts;
  const subjects = new Map<string, CallerSlice>();

  const heldOf = (subject: string): CallerSlice => {
    let held = subjects.get(subject);
    if (!held) {
      if (subjects.size >= SUBJECTS_MAX) void round();
      held = new CallerSlice();
      subjects.set(subject, held);
    }
    return held;
  };

  const ask = async (subject: string, held: CallerSlice, limit: number, wanted: number, needed: number) => {
    const now = clock.now();
    held.limit = limit;
    held.askedAt = now;
    const ahead = held.ahead(needed);
    const answer = await scripts.ask(TAKE, keysOf(subject), [
      limit,
      WINDOW_MS,
      wanted,
      held.account(now),
      time(),
      nodeId,
      SLICE_LEASE_MS,
      SHARE,
      needed,
      wanted > 1 ? ahead : 0,
      held.flightMax,
      FLIGHT_LEASE_MS,
      subject,
    ]);
    if (!answer) return null;
    const [granted = 0, remaining = 0, resetMs = 0, places = 0, crowded = 0] = answer.map(Number);
    // One alone counted when it was granted.
    if (granted > 1) Object.assign(held, { left: granted, until: now + SLICE_MS, spentAt: now });
    Object.assign(held, { remaining, resetsAt: now + resetMs });
    if (held.flightMax > 0) Object.assign(held, { places, placesUntil: now + FLIGHT_TRUSTED_MS });
    return { granted, remaining, resetMs, isCrowded: crowded === 1 };
  };
  const giveBack = (subject: string, held: CallerSlice) => ask(subject, held, held.limit, 0, held.underWay());

  /** Reports idle or expired slices, and renews the in-flight counts. */
  const round = async (): Promise<void> => {
    const now = clock.now();
    const sent: Promise<unknown>[] = [];
    for (const [subject, held] of subjects) {
      if (held.asking || now - held.askedAt < REST_MS) continue;
      const isResting = now - held.spentAt >= REST_MS;
      const isOwed = isResting && (held.isSpare() || held.runs.length > 0);
      const isUnderWay = held.underWay() > 0;
      if (isOwed || (isUnderWay && now >= held.placesUntil)) sent.push(giveBack(subject, held));
      else if (isResting && !isUnderWay) subjects.delete(subject);
    }
    await Promise.all(sent);
  };
  /** Returns at once what other nodes were refused. */
  const help = async (): Promise<void> => {
    if (subjects.size === 0) return;
    const short = await scripts.ask(SHORT, [keyOf("rate-short")], [time()]);
    for (const subject of short ?? []) {
      const held = subjects.get(String(subject));
      if (held && !held.asking && held.isSpare()) await giveBack(String(subject), held);
    }
  };
  const rounds = createLoop({
    failure: "slices of rate limits were not given back",
    everyMs: ROUND_EVERY_MS,
    first: "later",
    clock,
    log,
    // Not awaited: a slow Redis must not delay checking the others.
    round() {
      void round();
      void help();
    },
  });
  rounds.start();

  return {
    spend(subject, limit, flight) {
      const held = heldOf(subject);
      const now = clock.now();
      held.countDemand(now);
      return held.spend(now, limit, flight);
    },
    async take(subject, limit, cost, flight) {
      const held = heldOf(subject);
      // Callers that arrive while Redis is being asked share the grant; single steps are asked for concurrently.
      while (cost === 1 && held.asking) {
        await held.asking;
        const verdict = held.spend(clock.now(), limit, flight);
        if (verdict) return verdict;
      }
      if (flight) held.see(flight);
      const wanted = cost === 0 ? 0 : Math.min(SLICE_MAX, held.demand());
      const asked = ask(subject, held, limit, wanted, flight?.here ?? held.underWay());
      if (wanted > 1) held.asking = asked.finally(() => (held.asking = null));
      const answer = await asked;
      if (!answer) return null;
      const { granted, remaining, resetMs, isCrowded } = answer;
      if (granted > 1)
        return held.spend(clock.now(), limit, flight) ?? this.take(subject, limit, cost, flight);
      const verdict = { allowed: cost === 0 || granted === 1, limit, remaining, resetMs };
      return isCrowded ? { ...verdict, crowded: true } : verdict;
    },
    async close() {
      await rounds.stop();
      await Promise.all([...subjects].map(([subject, held]) => ask(subject, held, held.limit, 0, 0)));
    },
  };
}
