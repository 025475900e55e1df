// Whether this process lives and whether it should get traffic. Living means only that the process turns; readiness
// rests on checks that are bounded in time and looked at no more than once a second, whoever asks. A process is not ready
// before it listens, though its probes may be asked on a port of their own; once it drains, it is never ready again.
import type { Clock } from "../../kit/clock.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";

export interface Check {
  name: string;
  /** Whether a fault here keeps traffic away; otherwise it is only told. */
  gates: boolean;
  /** Null when all is well, else what is wrong, in words for an operator and without secrets. */
  look(): Promise<string | null> | string | null;
}

export interface Readiness {
  ready: boolean;
  /** Why not. */
  reasons: string[];
  checks: Record<string, string>;
}

export interface Health {
  live(): { ok: true; uptimeSeconds: number };
  ready(): Promise<Readiness>;
  /** It listens: from now on it may be ready. */
  open(): void;
  /** From now on not ready; the process goes on answering. */
  drain(): void;
}

/** A load balancer's own patience is often two or three seconds. */
const CHECK_TIMEOUT_MS = 1_500;
/** Many balancers, nodes of one and people ask at once; the store is asked once. */
const KEPT_MS = 1_000;
const WELL = "ok";
const NOT_YET_OR_NO_MORE = {
  starting: ["this process is starting"],
  open: [],
  draining: ["this process is going away"],
} as const;

export function createHealth({ clock, checks }: { clock: Clock; checks: readonly Check[] }): Health {
  const startedAt = clock.now();
  const flights = createSingleFlight();
  let stage: "starting" | "open" | "draining" = "starting";
  let kept: { found: [Check, string | null][]; at: number } | null = null;

  const look = async () => {
    if (kept && clock.now() - kept.at < KEPT_MS) return kept.found;
    return flights.run("look", async () => {
      const found = await Promise.all(
        checks.map(async (check) => [check, await inTime(check)] as [Check, string | null]),
      );
      kept = { found, at: clock.now() };
      return found;
    });
  };

  return {
    live: () => ({ ok: true, uptimeSeconds: Math.floor((clock.now() - startedAt) / 1_000) }),
    async ready() {
      const found = await look();
      const faults = found.flatMap(([check, fault]) => (check.gates && fault !== null ? [fault] : []));
      const reasons = [...NOT_YET_OR_NO_MORE[stage], ...faults];
      return {
        ready: reasons.length === 0,
        reasons,
        checks: Object.fromEntries(found.map(([check, fault]) => [check.name, fault ?? WELL])),
      };
    },
    open() {
      if (stage === "starting") stage = "open";
    },
    drain() {
      stage = "draining";
    },
  };
}

function inTime(check: Check): Promise<string | null> {
  return new Promise((resolve) => {
    const late = `${check.name} did not answer within ${CHECK_TIMEOUT_MS} ms`;
    const timer = setTimeout(() => resolve(late), CHECK_TIMEOUT_MS);
    Promise.resolve()
      .then(() => check.look())
      // What was thrown may name addresses; that it failed is all that is told here, the log has the rest.
      .catch(() => `${check.name} does not answer`)
      .then(resolve)
      .finally(() => clearTimeout(timer));
  });
}
