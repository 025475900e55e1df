// Requests in flight, per caller: a bound on what one caller can occupy, whatever its rate. Each node counts its own;
// where nodes share Redis, a request is also checked against the other nodes' reported counts, see rate-redis.ts.

export interface InFlight {
  /** Takes a place, or returns false. */
  enter(subject: string, max: number): Flights | null;
  of(subject: string): Flights;
}

/** A subject's requests in flight. */
export interface Flights {
  /** Those that took a place. */
  open: number;
  /** Those for which another node's count is asked first. */
  arriving: number;
}

/** Idle subjects are dropped when there are this many, or twice as many as active ones. */
const SWEPT_FROM = 1_024;

export function createInFlight(): InFlight {
  // A subject keeps its entry between requests: removing and re-adding it each time would be the expensive part.
  const flights = new Map<string, Flights>();
  let sweptAt = SWEPT_FROM;
  const sweep = () => {
    for (const [subject, { open, arriving }] of flights) if (open + arriving === 0) flights.delete(subject);
    sweptAt = Math.max(SWEPT_FROM, 2 * flights.size);
  };
  const of = (subject: string): Flights => {
    let own = flights.get(subject);
    if (!own) {
      if (flights.size >= sweptAt) sweep();
      own = { open: 0, arriving: 0 };
      flights.set(subject, own);
    }
    return own;
  };
  return {
    enter(subject, max) {
      const own = of(subject);
      if (own.open >= max) return null;
      own.open += 1;
      return own;
    },
    of,
  };
}
