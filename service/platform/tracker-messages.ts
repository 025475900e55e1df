// What the service and the tracker that it started say to each other, over the channel between parent and child. Questions
// about traders and tokens go over the platform protocol, as to any other platform.
import type { DatabaseLocation } from "../../database/open.ts";
import type { Tracker } from "../../tracker/open.ts";
import type { ReadChain } from "../api/services.ts";
import type { Config } from "../config.ts";

/** The first message to the child: everything it needs, so that no secret is in an environment that it didn't come from. */
export interface TrackerTask {
  tracker: Config["tracker"];
  location: DatabaseLocation;
  logLevel: Config["logLevel"];
}

export const STOP_TRACKER = "stop";

/** What the child says: where it answers, and then, again and again, how it is. */
export type TrackerReport =
  | { kind: "listening"; url: string }
  | { kind: "state"; chains: ReadChain[]; metrics: string };

export const chainsOf = (tracker: Pick<Tracker, "status">): ReadChain[] =>
  tracker.status().map(({ chain, status: { lagMs, reason } }) => ({ chain, lagMs, reason }));
