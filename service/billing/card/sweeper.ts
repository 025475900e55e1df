// Looks from time to time for what a crash left undone and for plans that are to end. The database says what is due, so
// any number of nodes may look.
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
