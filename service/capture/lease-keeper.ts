// Holds a lease while it can, and runs its work exactly while it does. A standby writer polls often enough
// to take over within 5 s of the holder's death; a holder whose store does not respond stops before anyone else starts. A holder
// whose thread was blocked past the expiry checks before it gives up: the term fences every append, so a lease that expired while
// no other node took it continues, and a node without a standby never loses its term to its own load.
import type { Kit } from "../../kit/kit.ts";
import { LOOP_DONE, runLoop } from "../../kit/loop.ts";
import { within } from "../../kit/timeout.ts";
import type { Lease, LeaseStore } from "../store/captured/lease.ts";

export const WRITER_LEASE = "log-writer";
/** How long the writer's lease lasts without renewal: with the standby's poll and a slow database this stays below 5 s. */
export const LEASE_MS = 3_500;

export interface LeaseTerms {
  name: string;
  /** For the log: what a node does that holds it. */
  does: string;
  lengthMs: number;
  /** Three tries fit into a lease, so one lost answer does not end it. */
  renewEveryMs: number;
  /** The length and this make the longest time without a holder after a death. */
  standbyPollMs: number;
}

export const WRITER_TERMS: LeaseTerms = {
  name: WRITER_LEASE,
  does: "writes the log",
  lengthMs: LEASE_MS,
  renewEveryMs: 1_000,
  standbyPollMs: 500,
};

/** A holder stops this long before its lease ends: room for clocks that differ a little. */
const STOP_EARLY_MS = 500;
/** A timer that fires this late means that the thread was blocked, not that the store was silent. */
const HELD_THREAD_MS = 250;
/** How long the store then has to answer. The lease may have expired, and is still ours unless another node took it. */
const LATE_ANSWER_MS = 1_000;

export interface LeaseKeeping extends Pick<Kit, "clock" | "log"> {
  leases: LeaseStore;
  terms: LeaseTerms;
  holder: string;
  signal: AbortSignal;
  /** Started for each term; must end soon after its signal aborts. Ending earlier gives the lease up. */
  work: (lease: Lease, signal: AbortSignal) => Promise<void>;
}

/** Runs until the signal aborts. Never rejects: a store that does not answer is retried. */
export function keepLease({ leases, terms, holder, clock, log, signal, work }: LeaseKeeping): Promise<void> {
  const { name, does, lengthMs, renewEveryMs } = terms;
  const failure = `store did not answer about the lease ${name}`;
  return runLoop({ clock, log, failure, everyMs: terms.standbyPollMs, round: holdOnce }, signal);

  /** One term, if the lease is free. */
  async function holdOnce(): Promise<void> {
    const askedAt = clock.now();
    const lease = await leases.acquire(name, holder, lengthMs);
    if (lease === null) return;
    log.info(`this node ${does}`, { term: lease.term });
    const over = new AbortController();
    const ended = AbortSignal.any([signal, over.signal]);
    const working = work(lease, ended)
      .catch((error) => log.error(`the work of the lease ${name} failed`, { error }))
      .finally(() => over.abort());
    const lost = await renewUntil(lease, askedAt + lengthMs - STOP_EARLY_MS, ended);
    over.abort();
    await working;
    const { term } = lease;
    if (lost === null) log.info(`this node no longer ${does}`, { term, why: "its work ended" });
    else log.warn(`this node no longer ${does}`, { term, ...lost });
    // Once the work has ended nothing more is written, so a standby need not wait for the expiry.
    await leases.release(lease);
  }

  /** Returns when the lease is no longer ours, with the reason, or when the signal aborts, with null. */
  async function renewUntil(lease: Lease, until: number, ended: AbortSignal): Promise<LostTerm | null> {
    let heldUntil = until;
    let dueAt = 0;
    let lost: LostTerm | null = null;
    const untilDue = () => {
      dueAt = Math.min(clock.now() + renewEveryMs, heldUntil);
      return dueAt - clock.now();
    };
    const renew = async (): Promise<number | typeof LOOP_DONE> => {
      const askedAt = clock.now();
      const lateMs = askedAt - dueAt;
      const renewing = leases.renew(lease, lengthMs).then(
        (next) => (next === null ? "taken" : "held"),
        () => "unknown",
      );
      const answerBy = lateMs < HELD_THREAD_MS ? heldUntil : Math.max(heldUntil, askedAt + LATE_ANSWER_MS);
      const answer = await answerInTime(renewing, answerBy);
      if (answer === "held") heldUntil = askedAt + lengthMs - STOP_EARLY_MS;
      else if (answer === "taken") lost = { why: "another node took the lease", lateMs };
      else if (clock.now() >= heldUntil) lost = { why: "the store did not answer in time", lateMs };
      return lost === null ? untilDue() : LOOP_DONE;
    };
    await runLoop({ clock, log, failure, first: "later", everyMs: untilDue(), round: renew }, ended);
    return lost;
  }

  /** A store that does not answer must not keep us writing past our lease; a blocked thread may not have read its answer yet. */
  async function answerInTime(answer: Promise<string>, until: number): Promise<string> {
    const heard = await within(clock, until - clock.now(), answer, () => null);
    if (heard !== null) return heard;
    const wasHeld = clock.now() - until >= HELD_THREAD_MS;
    return wasHeld ? answerInTime(answer, clock.now() + LATE_ANSWER_MS) : "unknown";
  }
}

interface LostTerm {
  why: string;
  /** How much later than intended the last renewal was sent: the thread was blocked. */
  lateMs: number;
}
