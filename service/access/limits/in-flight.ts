// Requests at the same moment, per caller: a bound on what one caller can occupy, whatever its rate. Each node counts its own;
// where nodes share Redis, a request is also held against what the others said they have, see rate-redis.ts.

export interface InFlight {
  /** Takes a place, or says no. */
  enter(subject: string, max: number): Flights | null;
  of(subject: string): number;
}

/** A subject's requests under way. */
export interface Flights {
  open: number;
}

/** Subjects without a request under way are let go when there are this many, or twice those that have one. */
const SWEPT_FROM = 1_024;

export function createInFlight(): InFlight {
  // A subject keeps its entry between requests: to take it out and put it in again for each is the dearer part.
  const flights = new Map<string, Flights>();
  let sweptAt = SWEPT_FROM;
  const sweep = () => {
    for (const [subject, { open }] of flights) if (open === 0) flights.delete(subject);
    sweptAt = Math.max(SWEPT_FROM, 2 * flights.size);
  };
  return {
    enter(subject, max) {
      let own = flights.get(subject);
      if (!own) {
        if (flights.size >= sweptAt) sweep();
        own = { open: 0 };
        flights.set(subject, own);
      }
      if (own.open >= max) return null;
      own.open += 1;
      return own;
    },
    of: (subject) => flights.get(subject)?.open ?? 0,
  };
}
