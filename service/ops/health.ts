// Whether this process lives and whether it should get traffic. Living means only that the process turns; readiness
// rests on checks that are bounded in time and looked at no more than once a second, however many ask. A process is not ready
// before it listens, though its probes may be asked on a port of their own; once it drains, it is never ready again.
import type { Clock } from "../../kit/clock.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";
import { within } from "../../kit/timeout.ts";

export interface HealthCheck {
  name: string;
  /** Whether a fault here keeps traffic away; otherwise it is only reported. */
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
  /** Whether no gating check has a fault; unlike readiness, also while it starts or drains. */
  isWell(): Promise<boolean>;
  /** It listens: from now on it may be ready. */
  open(): void;
  /** From now on not ready; the process continues answering. */
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
  draining: ["this process is shutting down"],
} as const;

export function createHealth({ clock, checks }: { clock: Clock; checks: readonly HealthCheck[] }): Health {
  const startedAt = clock.now();
  const flights = createSingleFlight();
  let stage: "starting" | "open" | "draining" = "starting";
  let kept: { found: [HealthCheck, string | null][]; at: number } | null = null;

  const look = async () => {
    if (kept && clock.now() - kept.at < KEPT_MS) return kept.found;
    return flights.run("look", async () => {
      const found = await Promise.all(
        checks.map(async (check) => [check, await inTime(clock, check)] as [HealthCheck, string | null]),
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
    async isWell() {
      return (await look()).every(([check, fault]) => fault === null || !check.gates);
    },
    open() {
      if (stage === "starting") stage = "open";
    },
    drain() {
      stage = "draining";
    },
  };
}

function inTime(clock: Clock, check: HealthCheck): Promise<string | null> {
  const looked = Promise.resolve()
    .then(() => check.look())
    // What was thrown may name addresses: it goes to the log, and only that the check failed is shown.
    .catch(() => `${check.name} does not answer`);
  return within(
    clock,
    CHECK_TIMEOUT_MS,
    looked,
    () => `${check.name} did not answer within ${CHECK_TIMEOUT_MS} ms`,
  );
}
