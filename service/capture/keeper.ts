// A keeper does one round of upkeep, then rests. A round that fails is tried again after a growing wait; one keeper's
// trouble is never another's. All end when the lease does, and begin again where their own marks say.

import { createBackoff } from "../../kit/backoff.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Random } from "../../kit/random.ts";
import { LeaseLost } from "../store/captured/lease.ts";
import type { Outcome } from "../upstream/port.ts";
import type { KeeperStatus } from "./status.ts";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** Rounds of many nodes and many keepers drift apart by up to this share of their rest. */
const REST_SPREAD = 0.1;

export interface Keeper {
  name: string;
  restMs: number;
  round(signal: AbortSignal): Promise<void>;
}

/** Ends a round early: upstream did not answer well. */
export class NotAnswered extends Error {
  override readonly name = "NotAnswered";
}

/** The value, undefined when upstream knows no such subject or no such question, or an early end of the round. */
export function answered<T>(outcome: Outcome<T>): T | undefined {
  if (outcome.kind === "found") return outcome.value;
  if (outcome.kind === "notFound" || outcome.kind === "unsupported") return undefined;
  throw new NotAnswered(outcome.kind === "failed" ? outcome.reason : outcome.kind);
}

export interface KeeperParts {
  clock: Clock;
  log: Log;
  random: Random;
  status: KeeperStatus;
}

/** Runs until the signal aborts. */
export async function runKeeper(keeper: Keeper, parts: KeeperParts, signal: AbortSignal): Promise<void> {
  const { clock, log, random, status } = parts;
  const backoff = createBackoff(random, FIRST_RETRY_MS, LONGEST_RETRY_MS);
  while (!signal.aborted) {
    try {
      await keeper.round(signal);
      if (signal.aborted) return;
      status.rounds += 1;
      status.lastDoneAt = clock.now();
      backoff.reset();
      await clock.sleep(keeper.restMs * (1 + REST_SPREAD * random.next()), signal);
    } catch (error) {
      if (signal.aborted || error instanceof LeaseLost) return;
      status.failures += 1;
      const why = error instanceof NotAnswered ? error.message : error;
      log.warn("upkeep did not finish", { keeper: keeper.name, why });
      await clock.sleep(backoff.nextMs(), signal);
    }
  }
}
