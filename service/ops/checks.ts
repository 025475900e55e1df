// What readiness looks at. The store must answer. Upstream must have been known once: a node that never met it has
// nothing to serve, but one that lost it goes on with what was captured. A capture node must write or stand by for a
// node that does. Redis is told of and never gates: without it a node limits and polls by itself.

import type { Clock } from "../../kit/clock.ts";
import type { Bus } from "../bus/port.ts";
import type { LeaseStore } from "../store/captured/lease.ts";
import type { Store } from "../store/store.ts";
import type { Check } from "./health.ts";

export function storeCheck(store: Pick<Store, "log">): Check {
  return {
    name: "store",
    gates: true,
    async look() {
      await store.log.head();
      return null;
    },
  };
}

/** `known`: whether upstream answers now, or something of it was captured before. */
export function upstreamCheck(known: () => Promise<boolean>): Check {
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

export function captureCheck({ leases, leaseName, clock, writing }: CaptureCheckParts): Check {
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

export function busCheck(bus: Pick<Bus, "state">): Check {
  return {
    name: "bus",
    gates: false,
    look: () => (bus.state() === "up" ? null : "Redis is away: limits and polling are this node's own"),
  };
}
