// The lease holder's work: one follower per feed, the deriver, the tasks that ask open
// questions, and the keepers. They run independently; one that fails is restarted, and a lost lease ends all of them.

import type { Kit } from "../../kit/kit.ts";
import { createLatch, type Latch } from "../../kit/latch.ts";
import type { Log } from "../../kit/log.ts";
import { LOOP_DONE, runLoop } from "../../kit/loop.ts";
import { createPace } from "../../kit/pace.ts";
import type { Capabilities } from "../../protocol/capabilities.ts";
import { FEEDS, type FeedName } from "../../protocol/shapes/event.ts";
import type { Bus } from "../bus/port.ts";
import type { LogEvent } from "../model/event.ts";
import type { Lease } from "../store/captured/lease.ts";
import { LeaseLost } from "../store/captured/lease.ts";
import type { Refusal } from "../store/captured/progress.ts";
import type { Store } from "../store/store.ts";
import type { Upstream } from "../upstream/port.ts";
import { type Backfilling, backfill, beginWithNews } from "./backfill.ts";
import { createPastDeriver, deriveAlong } from "./deriver.ts";
import { follow } from "./follow.ts";
import { createJointAppend } from "./joint-append.ts";
import { type Keeper, runKeeper } from "./keeper.ts";
import { boardsKeeper } from "./keepers/boards.ts";
import { directoryKeeper } from "./keepers/directory.ts";
import { positionsKeeper } from "./keepers/positions.ts";
import { ranksKeeper } from "./keepers/ranks.ts";
import { type RetentionDays, retentionKeeper } from "./keepers/retention.ts";
import { thesesKeeper } from "./keepers/theses.ts";
import type { CaptureMeters } from "./meters.ts";
import type { CaptureTask, Questions } from "./questions.ts";
import type { CaptureRates } from "./rates.ts";
import type { SeenSubjects } from "./seen.ts";
import { type FeedStatus, type KeeperStatus, lagOf } from "./status.ts";
import type { Wakers } from "./wakers.ts";

/** Likely to include the last trade, and read in a few milliseconds. */
const RECALLED = 500;
const RESTART_MS_MIN = 500;
const RESTART_MS_MAX = 10_000;
const DECLARATION_DEADLINE_MS = 10_000;

/** How far the present term is, for the status. */
export interface TermStatus {
  term: number | null;
  derivedSeq: number;
  historyLeft: number;
}

export interface WriterParts extends Pick<Kit, "clock" | "log" | "random"> {
  upstream: Upstream;
  store: Store;
  bus: Bus;
  settings: { retentionDays: RetentionDays };
  rates(declared: Capabilities): CaptureRates;
  feeds: Record<FeedName, FeedStatus>;
  keepers: KeeperStatus[];
  held: TermStatus;
  questions: Questions;
  seen: SeenSubjects;
  wakers: Wakers;
  meters: CaptureMeters;
  directoryRead: Latch;
}

/** The work of one term: ends soon after the signal aborts or the lease turns out to be lost. */
export function createWriter(parts: WriterParts): (lease: Lease, signal: AbortSignal) => Promise<void> {
  const { store, held, questions } = parts;
  return async (lease, signal) => {
    held.term = lease.term;
    const lost = new AbortController();
    const ended = AbortSignal.any([signal, lost.signal]);
    try {
      const declared = await declaration(parts, ended);
      if (!declared) return;
      const past = backfillingOf(parts, declared, lease);
      await beginWithNews(past, feedsOf(declared), ended);
      const { epoch, seq } = await store.log.head();
      await recall(parts, seq);
      const tasks = [
        ...tasksOf(parts, { declared, lease, epoch, headSeq: seq }),
        { name: "read history", run: (aborted: AbortSignal) => backfill(past, aborted) },
      ];
      // The lease is all that a task may fail for; without it the others have to end too.
      await Promise.all(tasks.map((task) => keepRunning(parts, task, ended).catch(() => lost.abort())));
    } finally {
      questions.clear();
      held.term = null;
    }
  };
}

/** Runs a task until it is done. A failed one is restarted; only a lost lease rejects. */
function keepRunning({ clock, log, random }: WriterParts, task: CaptureTask, ended: AbortSignal) {
  return runLoop(
    {
      clock,
      log,
      backoff: { firstMs: RESTART_MS_MIN, msMax: RESTART_MS_MAX, random },
      failure: (error) => log.error("capture task failed, restarting it", { task: task.name, error }),
      isFatal: (error) => error instanceof LeaseLost,
      async round(signal) {
        await task.run(signal);
        return LOOP_DONE;
      },
    },
    ended,
  );
}

/** The platform's capabilities, retried until it answers; null when the term ended first. */
async function declaration(parts: WriterParts, ended: AbortSignal): Promise<Capabilities | null> {
  const { upstream, clock, log, random } = parts;
  let declared: Capabilities | null = null;
  await runLoop(
    {
      clock,
      log,
      backoff: { firstMs: RESTART_MS_MIN, msMax: RESTART_MS_MAX, random },
      failure: "platform does not declare its capabilities",
      async round(signal) {
        const outcome = await upstream.capabilities({ deadlineMs: DECLARATION_DEADLINE_MS, signal });
        if (outcome.kind !== "found") throw new Error(outcome.kind);
        declared = outcome.value;
        return LOOP_DONE;
      },
    },
    ended,
  );
  return declared;
}

/** Restores the status, so that it does not reset with each new lease holder. */
async function recall({ store, feeds }: WriterParts, headSeq: number): Promise<void> {
  const gaps = await store.progress.gaps(RECALLED);
  for (const feed of FEEDS) feeds[feed].gaps = gaps.filter((gap) => gap.feed === feed).length;
  for (const feed of ["app", "push"] as const) {
    const [newest] = (await store.log.page({ feed, limit: 1 })).events;
    if (newest) feeds[feed].lastEventAt = newest.at;
  }
  const recent = { limit: RECALLED, feeds: ["chain"] as const };
  const trades = await store.log.readAfter(Math.max(0, headSeq - RECALLED), recent);
  feeds.chain.lastEventAt = trades.at(-1)?.at ?? null;
}

interface Term {
  declared: Capabilities;
  lease: Lease;
  epoch: string;
  headSeq: number;
}

function feedsOf(declared: Capabilities): FeedName[] {
  return FEEDS.filter((feed) => declared.feeds.includes(feed));
}

function backfillingOf(parts: WriterParts, declared: Capabilities, lease: Lease): Backfilling {
  const { upstream, store, clock, random, seen, questions } = parts;
  const { batch, page, catchUpShare } = parts.rates(declared);
  return {
    source: declared.source,
    upstream,
    log: store.log,
    lease,
    clock,
    random,
    batch,
    page,
    catchUpShare,
    logger: parts.log.with({ term: lease.term }),
    onLeft: (items) => {
      parts.held.historyLeft = items;
    },
    derive: createPastDeriver({
      store,
      clock,
      seen,
      onDoubt: questions.askTrade,
      onUnswept: questions.askSweep,
      onThesis: questions.askTheses,
    }),
  };
}

function tasksOf(parts: WriterParts, { declared, lease, epoch, headSeq }: Term): CaptureTask[] {
  const { store, clock, held, questions, seen, meters } = parts;
  const rates = parts.rates(declared);
  const { batch, catchUpShare } = rates;
  const { source } = declared;
  const log = parts.log.with({ term: lease.term });
  const feeds = feedsOf(declared);
  const joint = createJointAppend({ source, log: store.log, lease, clock, logger: log, batch }, feeds);
  const moves = createMoves(headSeq);

  const onStored = (feed: FeedName, appended: LogEvent[], refusals: readonly Refusal[]) => {
    const status = parts.feeds[feed];
    for (const { reason } of refusals) {
      status.refused[reason] = (status.refused[reason] ?? 0) + 1;
      meters.refused(feed, reason);
    }
    meters.stored(feed, appended.length, lagOf(status) ?? 0);
    const seq = appended.at(-1)?.seq;
    if (seq === undefined) return;
    parts.bus.announce({ kind: "moved", epoch, seq });
    moves.to(seq);
  };
  const followers = feeds.map((feed): CaptureTask => {
    const run = async (signal: AbortSignal) =>
      follow(
        {
          feed,
          clock,
          joint,
          batch,
          catchUpShare,
          logger: log,
          upstream: parts.upstream,
          random: parts.random,
          wakers: parts.wakers,
          status: parts.feeds[feed],
          from: await store.progress.position(feed, source),
          onStored: (appended, refusals) => onStored(feed, appended, refusals),
        },
        signal,
      );
    return { name: `follow ${feed}`, run };
  });
  const derive: CaptureTask = {
    name: "derive",
    run: (signal) =>
      deriveAlong(
        {
          store,
          lease,
          clock,
          log: parts.log,
          seen,
          batch,
          catchUpShare,
          moved: moves.past,
          onDerived: (seq) => {
            held.derivedSeq = seq;
          },
          onDoubt: questions.askTrade,
          onUnswept: questions.askSweep,
          onThesis: questions.askTheses,
        },
        signal,
      ),
  };
  return [
    ...followers,
    derive,
    ...questions.tasks(rates.questionsPerSecond),
    ...keeperTasks(parts, declared, rates, log),
  ];
}

function keeperTasks(
  parts: WriterParts,
  { questions: answered, source }: Capabilities,
  rates: CaptureRates,
  log: Log,
): CaptureTask[] {
  const { upstream, store, clock, random, questions } = parts;
  const { tradersPerSecond } = rates;
  // One pace for all lists, so that a start does not read them all at once.
  const pages = createPace(clock, rates.pagesPerSecond);
  const shared = { upstream, store, clock };
  const keepers: Keeper[] = [
    boardsKeeper({ ...shared, pages }),
    ranksKeeper({ ...shared, pages, source }),
    directoryKeeper({
      ...shared,
      pages,
      onToken: questions.tokenKnown,
      onTrader: (trader) => {
        parts.seen.learn(trader);
        questions.traderKnown(trader);
      },
      onRead: parts.directoryRead.open,
    }),
    positionsKeeper({
      ...shared,
      tradersPerSecond,
      ready: parts.directoryRead.wait,
      onDoubt: questions.askTrade,
      onSettled: questions.settled,
      unswept: questions.unswept,
    }),
    ...(answered.includes("theses") ? [thesesKeeper({ ...shared, pages })] : []),
    retentionKeeper({
      store,
      clock,
      retentionDays: parts.settings.retentionDays,
      onPruned: parts.meters.pruned,
    }),
  ];
  return keepers.map((keeper) => {
    const known = parts.keepers.find((candidate) => candidate.name === keeper.name);
    const status = known ?? { name: keeper.name, lastDoneAt: null, rounds: 0, failures: 0 };
    if (!known) parts.keepers.push(status);
    return {
      name: `keep ${keeper.name}`,
      run: (signal: AbortSignal) => runKeeper(keeper, { clock, log, random, status }, signal),
    };
  });
}

/** Where the log's head is, for the deriver that follows it. */
function createMoves(headSeq: number) {
  const moved = createLatch();
  let head = headSeq;
  return {
    to(seq: number) {
      head = Math.max(head, seq);
      moved.open();
    },
    /** Resolves when the head is past the position, or the signal aborts. */
    async past(seq: number, signal: AbortSignal): Promise<void> {
      if (head > seq) return;
      moved.close();
      await moved.wait(signal);
    },
  };
}
