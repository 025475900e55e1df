// Replays running in this process. Each periodically saves its progress to the store, stops when it was cancelled there or
// here, and is charged in the transaction that makes its answer readable: a failed, cancelled or interrupted one costs nothing.
import { Fault, fault } from "../../../contract/errors.ts";
import { ROUTES } from "../../../contract/routes.ts";
import type { Database } from "../../../database/database.ts";
import type { Kit } from "../../../kit/kit.ts";
import { runLoop } from "../../../kit/loop.ts";
import { nextTurn } from "../../../kit/turn.ts";
import type { Access } from "../../access/access.ts";
import type { KeyCaller } from "../../access/identity/caller.ts";
import {
  beatReplay,
  cancelReplay,
  failReplay,
  finishReplay,
  type HeldReplay,
  type ReplayName,
  saveOrderPages,
} from "../../store/money/replays.ts";
import type { OnProgress } from "./follow.ts";

export interface JobResult {
  answer: string;
  /** Its price in credits. */
  cost: number;
  orders: number;
  /** The text of each page of orders, generated one at a time. */
  pages: Iterable<string>;
}

export interface ReplayJob {
  name: HeldReplay;
  caller: KeyCaller;
  requestId: string;
  work(onProgress: OnProgress, signal: AbortSignal): Promise<JobResult>;
}

export interface ReplayJobs {
  /** Takes a slot here and returns its release; throws when this process or the account has no free slot. */
  enter(accountId: string): () => void;
  /** Runs it to completion; rejects with the reason if it ended early. */
  run(job: ReplayJob): Promise<{ cost: number }>;
  cancel(name: ReplayName): Promise<void>;
  close(): Promise<void>;
}

interface JobsParts extends Pick<Kit, "clock" | "log"> {
  database: Database;
  access: Pick<Access, "within">;
}

/** They all share one thread: more would only take longer each. */
const RUNNING_MAX = 8;
/** Keeps one account from blocking the others. */
export const RUNNING_PER_ACCOUNT_MAX = 2;
const BEAT_MS = 1_000;
/** Pages of orders per transaction: some hundred kilobytes. */
const PAGES_A_WRITE = 8;

class Cancelled extends Error {
  override readonly name = "Cancelled";
}

const keyOf = ({ accountId, replayId }: ReplayName) => `${accountId} ${replayId}`;

export function createReplayJobs({ database, access, clock, log }: JobsParts): ReplayJobs {
  /** The account of each slot in use. */
  const places: string[] = [];
  const running = new Map<string, { stop: AbortController; ended: Promise<unknown> }>();

  /** Runs until stopped: also by the store, when the replay is no longer ours. */
  const beat = (name: HeldReplay, stop: AbortController, progress: () => number) =>
    runLoop(
      {
        failure: "a replay could not say how far it came",
        everyMs: BEAT_MS,
        first: "later",
        clock,
        log,
        async round() {
          const isOurs = await database.write((tx) => beatReplay(tx, name, progress(), clock.now()));
          if (!isOurs) stop.abort();
        },
      },
      stop.signal,
    );

  const savePages = async (name: HeldReplay, pages: Iterable<string>, check: () => void) => {
    let first = 0;
    let waiting: string[] = [];
    const save = async () => {
      check();
      await database.write((tx) => saveOrderPages(tx, name, first, waiting));
      first += waiting.length;
      waiting = [];
      await nextTurn();
    };
    for (const page of pages) {
      waiting.push(page);
      if (waiting.length >= PAGES_A_WRITE) await save();
    }
    if (waiting.length > 0) await save();
  };

  const finish = async ({ name, caller, requestId }: ReplayJob, { answer, orders, cost }: JobResult) => {
    const at = clock.now();
    const order = {
      requestId,
      accountId: caller.accountId,
      keyId: caller.keyId,
      routeId: ROUTES.createReplay.id,
      credits: cost,
      resolutions: 0,
      at,
      capOf: caller.key.monthlyCap === null ? null : caller.key.lineage,
    };
    await access.within.prepare(at);
    const charged = await database.write(async (tx) => {
      if (!(await finishReplay(tx, name, { answer, orders, credits: cost }, at))) throw new Cancelled();
      const made = await access.within.charge(tx, [order]);
      const refused = made.results[0]?.refused;
      // A failed charge rolls back what was written.
      if (refused)
        throw fault(
          refused,
          `This replay costs ${cost} credits, which were spent on something else while it ran.`,
        );
      return made;
    });
    access.within.keep(charged);
  };

  const workThrough = async (job: ReplayJob, stop: AbortController): Promise<{ cost: number }> => {
    let progress = 0;
    const beating = beat(job.name, stop, () => progress);
    const onProgress: OnProgress = (share) => {
      if (stop.signal.aborted) throw new Cancelled();
      progress = Math.floor(share * 100);
    };
    try {
      // A read that others are waiting for continues without it.
      const result = await Promise.race([job.work(onProgress, stop.signal), cancelled(stop.signal)]);
      await savePages(job.name, result.pages, () => onProgress(1));
      await finish(job, result);
      return { cost: result.cost };
    } catch (error) {
      await giveUp(job.name, error);
      throw error instanceof Cancelled ? fault("conflict", "This replay was cancelled.") : error;
    } finally {
      stop.abort();
      await beating;
    }
  };

  /** If the store is down, the missing heartbeat marks it as failed. */
  const giveUp = async (name: HeldReplay, error: unknown) => {
    const note = `It failed and cost nothing: ${sentenceOf(error)} Ask for it again.`;
    if (!(error instanceof Cancelled))
      await database.write((tx) => failReplay(tx, name, note)).catch(() => undefined);
  };

  return {
    enter(accountId) {
      if (places.filter((taken) => taken === accountId).length >= RUNNING_PER_ACCOUNT_MAX)
        throw tooManyOfAccount();
      if (places.length >= RUNNING_MAX)
        throw fault(
          "unavailable",
          "This server is running as many replays as it can. Try again shortly; this was free.",
        );
      places.push(accountId);
      return () => void places.splice(places.indexOf(accountId), 1);
    },
    run(job) {
      const stop = new AbortController();
      const ended = workThrough(job, stop).finally(() => running.delete(keyOf(job.name)));
      running.set(keyOf(job.name), { stop, ended });
      ended.catch((error: unknown) =>
        log.debug("a replay ended without an answer", { reason: sentenceOf(error) }),
      );
      return ended;
    },
    async cancel(name) {
      await database.write((tx) => cancelReplay(tx, name));
      const job = running.get(keyOf(name));
      job?.stop.abort();
      await job?.ended.catch(() => undefined);
    },
    async close() {
      const jobs = [...running.values()];
      for (const { stop } of jobs) stop.abort();
      await Promise.allSettled(jobs.map(({ ended }) => ended));
    },
  };
}

const cancelled = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(new Cancelled()), { once: true }),
  );

export const tooManyOfAccount = () =>
  fault(
    "rate_limited",
    `An account may have ${RUNNING_PER_ACCOUNT_MAX} running replays. Wait for one, or cancel it.`,
    { retryAfterSeconds: 1 },
  );

/** Shows only messages written for people. */
const sentenceOf = (error: unknown): string =>
  error instanceof Fault ? error.message : "Something broke on our side.";
