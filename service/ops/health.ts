// Whether this process is alive and whether it should get traffic. Liveness means only that the event loop runs; readiness
// depends on checks that have a timeout and run at most once a second, however many ask. A process is not ready before it
// listens, although its probes may have a separate port; once it drains, it is never ready again.
import type { Clock } from "../../kit/clock.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";
import { within } from "../../kit/timeout.ts";

export interface HealthCheck {
  name: string;
  /** Whether a fault here keeps traffic away; otherwise it is only reported. */
  gates: boolean;
  /** Null when all is well, otherwise a description for the operator, without secrets. */
  look(): Promise<string | null> | string | null;
}

export interface Readiness {
  ready: boolean;
  /** Why it is not ready. */
  reasons: string[];
  checks: Record<string, string>;
}

export interface Health {
  live(): { ok: true; uptimeSeconds: number };
  ready(): Promise<Readiness>;
  /** Whether no gating check has a fault; unlike readiness, it may be true while the process starts or drains. */
  isWell(): Promise<boolean>;
  /** The process listens: from now on it may be ready. */
  open(): void;
  /** From now on it is not ready; the process continues to answer. */
  drain(): void;
}

/** A load balancer's own timeout is often two or three seconds. */
const CHECK_TIMEOUT_MS = 1_500;
/** Many balancers, their nodes and people ask at once; the store is checked once. */
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
    // The error may contain addresses: it goes to the log, and the response only says that the check failed.
    .catch(() => `${check.name} does not answer`);
  return within(
    clock,
    CHECK_TIMEOUT_MS,
    looked,
    () => `${check.name} did not answer within ${CHECK_TIMEOUT_MS} ms`,
  );
}
