// Asks upstream, one at a time and at a named pace, about what the events left open: a position, a trader, a token.
// An answer is saved; a subject that does not exist is forgotten; a failure is tried again, a few times, later. So is
// an answer that settled nothing, because something newer was known when it came.

import { createBackoff } from "../../kit/backoff.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createPace } from "../../kit/pace.ts";
import type { Random } from "../../kit/random.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { WorkQueue } from "../../kit/work-queue.ts";
import type { Call, Outcome } from "../upstream/port.ts";

/** Enough to sit out a restart of upstream with the waits below; the sweeps find what is given up. */
const TRIES = 6;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
/** Background questions may take longer than a client would wait. */
const ASK_DEADLINE_MS = 10_000;
/** A few milliseconds of an in-process platform's time. */
const ASKED_TOGETHER = 4;

export interface Asking<Item, Answer> {
  subject: string;
  queue: WorkQueue<Item>;
  clock: Clock;
  log: Log;
  random: Random;
  perSecond: number;
  ask(item: Item, call: Call): Promise<Outcome<Answer>>;
  /** So many answers are saved together, so that they share a commit. Those that wait meanwhile are held in memory. */
  savedTogether: number;
  /** May return the keys of those that have to be asked for again. */
  save(answers: Answer[]): Promise<readonly string[] | undefined>;
}

/** Runs until the signal aborts. */
export async function askLater<Item, Answer>(
  asking: Asking<Item, Answer>,
  signal: AbortSignal,
): Promise<void> {
  const { queue, clock, log, subject } = asking;
  const pace = createPace(clock, asking.perSecond, ASKED_TOGETHER);
  const backoff = createBackoff(asking.random, FIRST_RETRY_MS, LONGEST_RETRY_MS);
  const tries = new Map<string, number>();
  let ready: { key: string; item: Item; answer: Answer }[] = [];

  while (!signal.aborted) {
    const next = queue.take();
    if (!next) {
      if (ready.length > 0) await flush();
      else await queue.waiting(signal);
      continue;
    }
    await pace.turn(signal);
    if (signal.aborted) return;
    const outcome = await asking.ask(next.item, { deadlineMs: ASK_DEADLINE_MS, signal });
    if (outcome.kind === "found") {
      backoff.reset();
      ready.push({ ...next, answer: outcome.value });
    } else if (outcome.kind === "notFound" || outcome.kind === "unsupported") {
      tries.delete(next.key);
      queue.done();
    } else if (!signal.aborted) {
      again(next.key, next.item);
      queue.done();
      await clock.sleep(backoff.nextMs(), signal);
    }
    if (ready.length >= asking.savedTogether) await flush();
  }

  async function flush(): Promise<void> {
    const batch = ready;
    ready = [];
    await nextTurn();
    try {
      const unsettled = new Set(await asking.save(batch.map(({ answer }) => answer)));
      for (const { key, item } of batch) {
        if (unsettled.has(key)) again(key, item);
        else tries.delete(key);
        queue.done();
      }
    } catch (error) {
      log.warn("answers from upstream could not be saved", { subject, error });
      // Not counted as a try: upstream did answer, and the store comes back.
      for (const { key, item } of batch) {
        if (queue.get(key) === undefined) queue.add(key, item);
        queue.done();
      }
      await clock.sleep(backoff.nextMs(), signal);
    }
  }

  function again(key: string, item: Item): void {
    // It was asked for anew meanwhile, and that doubt is the younger one.
    if (queue.get(key) !== undefined) return;
    const tried = (tries.get(key) ?? 0) + 1;
    if (tried < TRIES && queue.add(key, item)) tries.set(key, tried);
    else tries.delete(key);
  }
}
