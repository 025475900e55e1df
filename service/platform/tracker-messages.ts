// The messages between the service and the tracker it started, over the parent-child channel. Questions about traders and
// tokens go over the platform protocol, as with any other platform.
import type { DatabaseLocation } from "../../database/open.ts";
import type { Tracker } from "../../tracker/open.ts";
import type { ReadChain } from "../api/services.ts";
import type { Config } from "../config.ts";

/** The first message to the child: everything it needs, so that no secret is copied into another environment. */
export interface TrackerTask {
  tracker: Config["tracker"];
  location: DatabaseLocation;
  logLevel: Config["logLevel"];
}

export const STOP_TRACKER = "stop";

/** The child's messages: where it listens, and then its state, periodically. */
export type TrackerReport =
  | { kind: "listening"; url: string }
  | { kind: "state"; chains: ReadChain[]; metrics: string };

export const chainsOf = (tracker: Pick<Tracker, "status">): ReadChain[] =>
  tracker.status().map(({ chain, status: { lagMs, reason } }) => ({ chain, lagMs, reason }));
