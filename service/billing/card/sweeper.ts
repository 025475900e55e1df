// Periodically finishes work left by a crash and ends plans that are due. The database decides what is due, so
// any number of nodes may run it.
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import { createLoop, type Loop } from "../../../kit/loop.ts";

export type Sweeper = Pick<Loop, "start" | "stop">;

/** A plan ends up to this late; two indexed reads. */
const EVERY_MS = 15_000;

export function createSweeper(parts: { sweep(): Promise<void>; clock: Clock; log: Log }): Sweeper {
  const { sweep, clock, log } = parts;
  return createLoop({ failure: "card payments were not swept", everyMs: EVERY_MS, clock, log, round: sweep });
}
