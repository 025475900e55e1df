// Requests at the same moment, per caller: a bound on what one caller can occupy, whatever its rate. Each node counts its own;
// where nodes share Redis, a request is also held against what the others said they have, see rate-redis.ts.

export interface InFlight {
  enter(subject: string, max: number): boolean;
  /** Returns how many are left. */
  leave(subject: string): number;
  of(subject: string): number;
  subjects(): number;
}

export function createInFlight(): InFlight {
  // Bounded by the server's open connections: a subject without a request under way has no entry.
  const counts = new Map<string, number>();
  return {
    enter(subject, max) {
      const open = counts.get(subject) ?? 0;
      if (open >= max) return false;
      counts.set(subject, open + 1);
      return true;
    },
    leave(subject) {
      const open = counts.get(subject) ?? 0;
      if (open <= 1) counts.delete(subject);
      else counts.set(subject, open - 1);
      return Math.max(0, open - 1);
    },
    of: (subject) => counts.get(subject) ?? 0,
    subjects: () => counts.size,
  };
}
