// A keeper does one round of upkeep, then rests. A round that fails is retried with backoff, and no keeper waits for
// another. All end when the lease does, and resume from their own saved marks.

import type { Kit } from "../../kit/kit.ts";
import { LOOP_DONE, runLoop } from "../../kit/loop.ts";
import { LeaseLost } from "../store/captured/lease.ts";
import type { Outcome } from "../upstream/port.ts";
import type { KeeperStatus } from "./status.ts";

const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 60_000;
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

export interface KeeperParts extends Pick<Kit, "clock" | "log" | "random"> {
  status: KeeperStatus;
}

/** Runs until the signal aborts or the lease is lost. */
export function runKeeper(keeper: Keeper, parts: KeeperParts, signal: AbortSignal): Promise<void> {
  const { clock, log, random, status } = parts;
  return runLoop(
    {
      clock,
      log,
      backoff: { firstMs: RETRY_MS_MIN, msMax: RETRY_MS_MAX, random },
      isFatal: (error) => error instanceof LeaseLost,
      failure(error) {
        status.failures += 1;
        const why = error instanceof NotAnswered ? error.message : error;
        log.warn("upkeep did not finish", { keeper: keeper.name, why });
      },
      async round(aborted) {
        await keeper.round(aborted);
        if (aborted.aborted) return LOOP_DONE;
        status.rounds += 1;
        status.lastDoneAt = clock.now();
        return keeper.restMs * (1 + REST_SPREAD * random.next());
      },
    },
    signal,
  );
}
