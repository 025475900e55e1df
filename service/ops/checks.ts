// The readiness checks. The store must answer and accept writes: otherwise no call can be charged, so none is answered.
// Upstream must have been reached once: a node that never reached it has nothing to serve, but one that lost it continues
// with captured data. A capture node must write or stand by for a node that does. Redis is reported and never gates:
// without it a node counts limits and polls on its own.

import { StoreUnavailable } from "../../database/errors.ts";
import type { Clock } from "../../kit/clock.ts";
import { within } from "../../kit/timeout.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import type { Bus } from "../bus/port.ts";
import type { LeaseStore } from "../store/captured/lease.ts";
import type { Store } from "../store/store.ts";
import type { HealthCheck } from "./health.ts";

export function storeCheck(store: Pick<Store, "log">): HealthCheck {
  return {
    name: "store",
    gates: true,
    async look() {
      await store.log.head();
      return null;
    },
  };
}

const WRITE_CHECK = "write-check";
/** Shorter than a check's timeout: being slow or too busy for one more write is load, not a fault. */
const WRITE_WAIT_MS = 1_000;

/** Reads succeed on a full disk, so this writes a row, the same one on all nodes. */
export function writesCheck(leases: Pick<LeaseStore, "acquire">, clock: Clock): HealthCheck {
  return {
    name: "writes",
    gates: true,
    look: () => {
      const written = leases.acquire(WRITE_CHECK, WRITE_CHECK, 0).then(() => null, faultOf);
      return within(clock, WRITE_WAIT_MS, written, () => null);
    },
  };
}

function faultOf(error: unknown): string | null {
  const reason = error instanceof StoreUnavailable ? error.reason : null;
  if (reason === "busy") return null;
  return `the store takes no writes${reason === "disk" ? ": its disk is full or failing" : ""}`;
}

/** `known`: whether upstream answers now, or some of its data was captured before. */
export function upstreamCheck(known: () => Promise<boolean>): HealthCheck {
  let wasKnown = false;
  return {
    name: "upstream",
    gates: true,
    async look() {
      wasKnown ||= await known();
      return wasKnown ? null : "upstream has never answered, and nothing of it was captured";
    },
  };
}

export interface CaptureCheckParts {
  leases: Pick<LeaseStore, "current">;
  leaseName: string;
  clock: Clock;
  writing(): boolean;
}

export function captureCheck({ leases, leaseName, clock, writing }: CaptureCheckParts): HealthCheck {
  return {
    name: "capture",
    gates: true,
    async look() {
      if (writing()) return null;
      const lease = await leases.current(leaseName);
      return lease && lease.expiresAt > clock.now() ? null : "no node writes the log";
    },
  };
}

export function busCheck(bus: Pick<Bus, "state">): HealthCheck {
  return {
    name: "bus",
    gates: false,
    look: () => (bus.state() === "up" ? null : "Redis is away: limits and polling are this node's own"),
  };
}

/** A lag of more than this is late on any chain. */
const LATE_MS = MINUTE_MS;

interface ChainLag {
  chain: string;
  lagMs: number | null;
  reason: string | null;
}

/** Reported and never gates: data read earlier can be served. */
export function chainsCheck(readChains: (() => ChainLag[]) | null): HealthCheck[] {
  if (!readChains) return [];
  const look = (): string | null => {
    const late = readChains().filter(({ lagMs, reason }) => (lagMs ?? (reason ? Infinity : 0)) > LATE_MS);
    const words = late.map(({ chain, lagMs, reason }) => {
      const behind = lagMs === null ? "is not read yet" : `is ${Math.round(lagMs / 1_000)} s behind`;
      return `${chain} ${behind}: ${reason ?? "catching up"}`;
    });
    return words.length > 0 ? words.join("; ") : null;
  };
  return [{ name: "chains", gates: false, look }];
}
