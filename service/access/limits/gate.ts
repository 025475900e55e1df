// Enforces callers' rates, concurrent requests and sockets. Everything it admits is
// released when that ends; releasing twice is safe.
import { Fault, fault } from "../../../contract/errors.ts";
import type { AccessRule } from "../../../contract/route.ts";
import { after, type MaybePromise } from "../../../kit/maybe-promise.ts";
import { addressSubject } from "../identity/address.ts";
import type { Caller } from "../identity/caller.ts";
import { allowanceOf, requestsPerMinuteOf, socketsMaxOf } from "./allowance.ts";
import { createInFlight, type Flights } from "./in-flight.ts";
import { type RateLimiter, type RateStanding, type RateVerdict, standingOf, wholeSeconds } from "./rate.ts";

/** A refusal that includes the caller's rate status, for the headers of its answer. */
export class RateRefusal extends Fault {
  constructor(
    readonly rate: RateStanding,
    message: string,
    retryAfterMs: number,
  ) {
    super("rate_limited", message, { retryAfterSeconds: wholeSeconds(retryAfterMs) });
  }
}

/** One request's place among its caller's in-flight requests. */
export class RequestPlace {
  private given = false;

  constructor(private readonly flights: Flights) {}

  /** Safe to call twice. */
  release(): void {
    if (this.given) return;
    this.given = true;
    this.flights.open -= 1;
  }
}

export interface CallerGate {
  /** The caller's rate status, without counting anything: for the headers of a refusal. */
  standing(caller: Caller): MaybePromise<RateStanding>;
  /** Counts the request, or throws a RateRefusal. On open routes it counts by address, separately from the caller's minute. */
  pace(caller: Caller, rule?: AccessRule): MaybePromise<RateStanding>;
  /** Counts a request from an unknown caller, by address; throws a RateRefusal when there were too many. */
  paceRefused(address: string): MaybePromise<void>;
  /** Takes one of the caller's in-flight places, or throws 429; it is released when the request ends. */
  enter(caller: Caller): RequestPlace;
  /** Takes one of the caller's sockets, or throws 429; call the result when it closes. */
  openSocket(caller: Caller): MaybePromise<() => void>;
}

/** Health checks every second from a few places, and no flood. */
const OPEN_PER_MINUTE_MAX = 300;
/** A client with a wrong key notices long before; a program that tries out keys is stopped. */
const REFUSED_PER_MINUTE_MAX = 300;

export function createGate(rate: RateLimiter): CallerGate {
  const inFlight = createInFlight();
  /** Against a bucket that belongs to neither a caller nor its plan. */
  const paceBucket = (bucket: string, max: number): MaybePromise<void> =>
    after(rate.take(bucket, max, 1), (verdict) => {
      if (!verdict.allowed)
        throw new RateRefusal(
          standingOf(verdict),
          `More than ${max} requests within a minute.`,
          verdict.resetMs,
        );
    });
  return {
    standing(caller) {
      const allowance = allowanceOf(caller);
      return after(rate.take(allowance.subject, requestsPerMinuteOf(allowance), 0), standingOf);
    },
    paceRefused: (address) => paceBucket(`refused:${addressSubject(address)}`, REFUSED_PER_MINUTE_MAX),
    pace(caller, rule) {
      const { subject, limit, ownLimit, inFlightMax } = allowanceOf(caller);
      const flights = inFlight.of(subject);
      const flight = { here: flights.open + flights.arriving + 1, max: inFlightMax, flights };
      const judge = (verdict: RateVerdict): RateStanding => {
        const standing = standingOf(verdict);
        if (verdict.allowed || rule === "open") return standing;
        const sentence = verdict.crowded
          ? crowdedSentence(flight.max)
          : `More than ${verdict.limit} requests within a minute.`;
        throw new RateRefusal(standing, sentence, verdict.resetMs);
      };
      if (rule !== "open" && ownLimit === null)
        return after(arrive(flights, rate.take(subject, limit, 1, flight)), judge);
      if (rule !== "open" && caller.kind === "key" && ownLimit !== null)
        return after(rate.take(caller.ownSubject, ownLimit, 1), (own) => {
          if (!own.allowed) return judge(own);
          return after(arrive(flights, rate.take(subject, limit, 1, flight)), (all) =>
            judge(all.allowed && own.remaining < all.remaining ? own : all),
          );
        });
      // Open to everyone but still limited: counted separately, so that it never uses up a caller's own minute.
      return after(paceBucket(`open:${caller.subject}`, OPEN_PER_MINUTE_MAX), () =>
        after(rate.take(subject, limit, 0), judge),
      );
    },
    enter(caller) {
      const { subject, inFlightMax } = allowanceOf(caller);
      const flights = inFlight.enter(subject, inFlightMax);
      if (!flights) throw fault("rate_limited", crowdedSentence(inFlightMax), { retryAfterSeconds: 1 });
      return new RequestPlace(flights);
    },
    openSocket(caller) {
      const max = socketsMaxOf(caller);
      return after(rate.openSocket(caller.subject, max), (opened) => {
        if (!opened) throw fault("rate_limited", `At most ${max} sockets at once.`, { retryAfterSeconds: 1 });
        return once(() => rate.closeSocket(caller.subject));
      });
    },
  };
}

/** A request that waits for an answer counts as in flight meanwhile. */
function arrive<T>(flights: Flights, verdict: MaybePromise<T>): MaybePromise<T> {
  if (!(verdict instanceof Promise)) return verdict;
  flights.arriving += 1;
  return verdict.finally(() => {
    flights.arriving -= 1;
  });
}

function crowdedSentence(max: number): string {
  return `More than ${max} requests at the same moment.`;
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
