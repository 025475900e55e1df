// Holds the writer's lease while it can, and runs the writer's work exactly while it does. A standby asks often enough
// to take over within 5 s of the holder's death; a holder that could not renew in time stops before anyone else starts.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Lease, LeaseStore } from "../store/captured/lease.ts";

export const WRITER_LEASE = "log-writer";
/** How long a lease lasts without renewal: with the standby's poll and a slow database this stays below 5 s. */
export const LEASE_MS = 3_500;
/** Three tries fit into a lease, so one lost answer does not end it. */
const RENEW_EVERY_MS = 1_000;
/** LEASE_MS and this make the longest time without a writer after a death. */
const STANDBY_POLL_MS = 500;
/** A holder stops by itself this long before its lease ends: room for clocks that differ a little. */
const STOP_EARLY_MS = 500;

export interface LeaseKeeping {
  leases: LeaseStore;
  holder: string;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Started for each term; must end soon after its signal aborts. Ending earlier gives the lease up. */
  work: (lease: Lease, signal: AbortSignal) => Promise<void>;
}

/** Runs until the signal aborts. Never rejects: a store that does not answer is asked again. */
export async function keepLease({ leases, holder, clock, log, signal, work }: LeaseKeeping): Promise<void> {
  while (!signal.aborted) {
    const askedAt = clock.now();
    const lease = await orNull(leases.acquire(WRITER_LEASE, holder, LEASE_MS), log);
    if (lease === null) {
      await clock.sleep(STANDBY_POLL_MS, signal);
      continue;
    }
    log.info("this node writes the log", { term: lease.term });
    const over = new AbortController();
    const giveUp = () => over.abort();
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
    const working = work(lease, over.signal)
      .catch((error) => log.error("the writer failed", { error }))
      .finally(giveUp);
    await renewUntil(lease, askedAt + LEASE_MS - STOP_EARLY_MS, over.signal);
    giveUp();
    await working;
    signal.removeEventListener("abort", giveUp);
    log.info("this node no longer writes the log", { term: lease.term });
    // Once the work has ended nothing more is written, so a standby need not wait for the expiry.
    await orNull(leases.release(lease), log);
    if (!signal.aborted) await clock.sleep(STANDBY_POLL_MS, signal);
  }

  /** Returns when the lease is no longer ours, or the signal aborts. */
  async function renewUntil(lease: Lease, until: number, ended: AbortSignal): Promise<void> {
    let heldUntil = until;
    while (!ended.aborted && clock.now() < heldUntil) {
      await clock.sleep(Math.min(RENEW_EVERY_MS, heldUntil - clock.now()), ended);
      if (ended.aborted) return;
      const askedAt = clock.now();
      // A store that does not answer must not keep us writing past our time.
      const renewed = await Promise.race([
        leases.renew(lease, LEASE_MS).then(
          (next) => (next === null ? "lost" : "held"),
          () => "unknown",
        ),
        clock.sleep(Math.max(0, heldUntil - askedAt), ended).then(() => "unknown"),
      ]);
      if (renewed === "lost")
        return log.warn("the writer's lease passed to another node", { term: lease.term });
      if (renewed === "held") heldUntil = askedAt + LEASE_MS - STOP_EARLY_MS;
    }
  }
}

async function orNull<T>(answer: Promise<T>, log: Log): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    log.warn("the store did not answer about the writer's lease", { error });
    return null;
  }
}
