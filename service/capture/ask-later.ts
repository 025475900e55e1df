// Asks upstream, one at a time and rate-limited, about what the events left open: a position, a trader, a token.
// An answer is saved; a subject that does not exist is dropped; a failure is retried later, a few times. So is
// an answer that settled nothing, because something newer was known by the time it arrived.

import { createBackoff } from "../../kit/backoff.ts";
import type { Kit } from "../../kit/kit.ts";
import { runLoop } from "../../kit/loop.ts";
import { createPace } from "../../kit/pace.ts";
import { nextTurn } from "../../kit/turn.ts";
import type { WorkQueue } from "../../kit/work-queue.ts";
import type { Call, Outcome } from "../upstream/port.ts";

/** Enough to outlast a restart of upstream with the waits below; sweeps find anything given up. */
const TRIES = 6;
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 30_000;
/** Background questions may take longer than a client would wait. */
const ASK_DEADLINE_MS = 10_000;
/** A few milliseconds of an in-process platform's time. */
const ASKED_TOGETHER = 4;

export interface AskLaterParts<Item, Answer> extends Pick<Kit, "clock" | "log" | "random"> {
  subject: string;
  queue: WorkQueue<Item>;
  perSecond: number;
  ask(item: Item, call: Call): Promise<Outcome<Answer>>;
  /** This many answers are saved together, so that they share a commit. Waiting ones are held in memory. */
  savedTogether: number;
  /** May return the keys of those that have to be retried. */
  save(answers: Answer[]): Promise<readonly string[] | undefined>;
}

/** Runs until the signal aborts. */
export function askLater<Item, Answer>(
  asking: AskLaterParts<Item, Answer>,
  signal: AbortSignal,
): Promise<void> {
  const { queue, clock, log, subject } = asking;
  const pace = createPace(clock, asking.perSecond, ASKED_TOGETHER);
  const backoff = createBackoff(asking.random, RETRY_MS_MIN, RETRY_MS_MAX);
  const tries = new Map<string, number>();
  let ready: { key: string; item: Item; answer: Answer }[] = [];

  return runLoop(
    { failure: `${subject} could not be asked for`, isFatal: () => true, clock, log, round },
    signal,
  );

  /** Resolves to how long to rest before the next question. */
  async function round(): Promise<number> {
    const next = queue.take();
    if (!next) {
      if (ready.length > 0) return flush();
      await queue.waiting(signal);
      return 0;
    }
    await pace.turn(signal);
    if (signal.aborted) return 0;
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
      return backoff.nextMs();
    }
    return ready.length >= asking.savedTogether ? flush() : 0;
  }

  async function flush(): Promise<number> {
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
      return 0;
    } catch (error) {
      log.warn("answers from upstream could not be saved", { subject, error });
      // Not counted as an attempt: upstream did answer, and the store will recover.
      for (const { key, item } of batch) {
        if (queue.get(key) === undefined) queue.add(key, item);
        queue.done();
      }
      return backoff.nextMs();
    }
  }

  function again(key: string, item: Item): void {
    // It was queued again meanwhile, and that request is newer.
    if (queue.get(key) !== undefined) return;
    const tried = (tries.get(key) ?? 0) + 1;
    if (tried < TRIES && queue.add(key, item)) tries.set(key, tried);
    else tries.delete(key);
  }
}
