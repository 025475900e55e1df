// What the holder of the lease does, for as long as it holds it: one follower for each feed, the deriver, the loops that
// ask open questions, and the keepers. Each runs by itself; one that fails is started again, and a lost lease ends all.

import { createBackoff } from "../../kit/backoff.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createPace } from "../../kit/pace.ts";
import type { Random } from "../../kit/random.ts";
import type { Capabilities } from "../../protocol/capabilities.ts";
import type { Bus } from "../bus/port.ts";
import { FEEDS, type Feed, type LogEvent } from "../model/event.ts";
import type { Lease } from "../store/captured/lease.ts";
import { LeaseLost } from "../store/captured/lease.ts";
import type { Refusal } from "../store/captured/progress.ts";
import type { Store } from "../store/store.ts";
import type { Upstream } from "../upstream/port.ts";
import { type Backfilling, backfill, beginWithNews } from "./backfill.ts";
import type { CaptureRates } from "./capture.ts";
import { createPastDeriver, deriveAlong } from "./deriver.ts";
import { follow } from "./follow.ts";
import { createJointAppend } from "./joint-append.ts";
import { type Keeper, runKeeper } from "./keeper.ts";
import { boardsKeeper } from "./keepers/boards.ts";
import { directoryKeeper } from "./keepers/directory.ts";
import { positionsKeeper } from "./keepers/positions.ts";
import { type RetentionDays, retentionKeeper } from "./keepers/retention.ts";
import { thesesKeeper } from "./keepers/theses.ts";
import type { Meters } from "./meters.ts";
import type { Moment } from "./moment.ts";
import type { Questions } from "./questions.ts";
import type { Seen } from "./seen.ts";
import { type FeedStatus, type KeeperStatus, lagOf } from "./status.ts";
import type { Wakers } from "./wakers.ts";

/** Enough to hold a trade, unless there was none for long; little enough to read in a few milliseconds. */
const RECALLED = 500;
const FIRST_RESTART_MS = 500;
const LONGEST_RESTART_MS = 10_000;
const DECLARATION_DEADLINE_MS = 10_000;

/** What the present term has come to, for the status. */
export interface Held {
  term: number | null;
  derivedSeq: number;
  historyLeft: number;
}

export interface WriterParts {
  upstream: Upstream;
  store: Store;
  bus: Bus;
  clock: Clock;
  log: Log;
  random: Random;
  settings: { retentionDays: RetentionDays };
  rates(declared: Capabilities): CaptureRates;
  feeds: Record<Feed, FeedStatus>;
  keepers: KeeperStatus[];
  held: Held;
  questions: Questions;
  seen: Seen;
  wakers: Wakers;
  meters: Meters;
  directoryRead: Moment;
}

type Loop = { name: string; run: (signal: AbortSignal) => Promise<void> };

/** The work of one term: ends soon after the signal aborts or the lease turns out to be lost. */
export function createWriter(parts: WriterParts): (lease: Lease, signal: AbortSignal) => Promise<void> {
  const { store, clock, log, random, held, questions } = parts;
  return async (lease, signal) => {
    held.term = lease.term;
    const over = new AbortController();
    const end = () => over.abort();
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    try {
      const declared = await declaration(parts, over.signal);
      if (!declared) return;
      await store.progress.adopt(declared.source);
      const past = backfillingOf(parts, declared, lease);
      await beginWithNews(past, feedsOf(declared), over.signal);
      const { epoch, seq } = await store.log.head();
      await recall(parts, seq);
      const loops = [
        ...loopsOf(parts, { declared, lease, epoch, headSeq: seq }),
        { name: "read history", run: (ended: AbortSignal) => backfill(past, ended) },
      ];
      await Promise.all(loops.map((loop) => keepRunning(loop, over.signal)));
    } finally {
      signal.removeEventListener("abort", end);
      questions.clear();
      held.term = null;
    }

    async function keepRunning(loop: Loop, ended: AbortSignal): Promise<void> {
      const backoff = createBackoff(random, FIRST_RESTART_MS, LONGEST_RESTART_MS);
      while (!ended.aborted) {
        try {
          await loop.run(ended);
          return;
        } catch (error) {
          if (error instanceof LeaseLost) return end();
          log.error("a part of capture failed and is started again", { loop: loop.name, error });
          await clock.sleep(backoff.nextMs(), ended);
        }
      }
    }
  };
}

/** What the platform can do, asked until it says so; null when the term ended first. */
async function declaration(parts: WriterParts, signal: AbortSignal): Promise<Capabilities | null> {
  const { upstream, clock, log, random } = parts;
  const backoff = createBackoff(random, FIRST_RESTART_MS, LONGEST_RESTART_MS);
  while (!signal.aborted) {
    const outcome = await upstream.capabilities({ deadlineMs: DECLARATION_DEADLINE_MS, signal });
    if (outcome.kind === "found") return outcome.value;
    if (signal.aborted) return null;
    if (backoff.failures() === 0) log.warn("the platform does not say what it can do", { why: outcome.kind });
    await clock.sleep(backoff.nextMs(), signal);
  }
  return null;
}

/** What the status tells should not start over with each holder of the lease. */
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

function feedsOf(declared: Capabilities): Feed[] {
  return FEEDS.filter((feed) => declared.feeds.includes(feed));
}

function backfillingOf(parts: WriterParts, declared: Capabilities, lease: Lease): Backfilling {
  const { upstream, store, clock, random, seen, questions } = parts;
  const { batch, page, catchUpShare } = parts.rates(declared);
  return {
    ...{ source: declared.source, upstream, log: store.log, lease, clock, random, batch, page, catchUpShare },
    logger: parts.log.with({ term: lease.term }),
    onLeft: (items) => {
      parts.held.historyLeft = items;
    },
    derive: createPastDeriver({
      ...{ store, clock, seen },
      onDoubt: questions.askTrade,
      onUnswept: questions.askSweep,
      onThesis: questions.askTheses,
    }),
  };
}

function loopsOf(parts: WriterParts, { declared, lease, epoch, headSeq }: Term): Loop[] {
  const { store, clock, held, questions, seen, meters } = parts;
  const rates = parts.rates(declared);
  const { batch, catchUpShare } = rates;
  const { source } = declared;
  const log = parts.log.with({ term: lease.term });
  const feeds = feedsOf(declared);
  const joint = createJointAppend({ source, log: store.log, lease, clock, logger: log, batch }, feeds);
  const moves = createMoves(headSeq);

  const onStored = (feed: Feed, appended: LogEvent[], refusals: readonly Refusal[]) => {
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
  const followers = feeds.map((feed): Loop => {
    const run = async (signal: AbortSignal) =>
      follow(
        {
          ...{ feed, clock, joint, batch, catchUpShare, logger: log },
          ...{
            upstream: parts.upstream,
            random: parts.random,
            wakers: parts.wakers,
            status: parts.feeds[feed],
          },
          from: await store.progress.position(feed, source),
          onStored: (appended, refusals) => onStored(feed, appended, refusals),
        },
        signal,
      );
    return { name: `follow ${feed}`, run };
  });
  const derive: Loop = {
    name: "derive",
    run: (signal) =>
      deriveAlong(
        {
          ...{ store, lease, clock, seen, batch, catchUpShare },
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
    ...questions.loops(rates.questionsPerSecond),
    ...keeperLoops(parts, declared, rates, log),
  ];
}

function keeperLoops(
  parts: WriterParts,
  { questions: answered }: Capabilities,
  rates: CaptureRates,
  log: Log,
): Loop[] {
  const { upstream, store, clock, random, questions } = parts;
  const { tradersPerSecond } = rates;
  // One pace for all lists, so that a start does not read them all at once.
  const pages = createPace(clock, rates.pagesPerSecond);
  const shared = { upstream, store, clock };
  const keepers: Keeper[] = [
    boardsKeeper({ ...shared, pages }),
    directoryKeeper({
      ...{ ...shared, pages, onToken: questions.tokenTold },
      onTrader: (trader) => {
        parts.seen.learn(trader);
        questions.traderTold(trader);
      },
      onRead: parts.directoryRead.come,
    }),
    positionsKeeper({
      ...{ ...shared, tradersPerSecond, ready: parts.directoryRead.came },
      onDoubt: questions.askTrade,
      onTold: questions.settled,
      unswept: questions.unswept,
    }),
    ...(answered.includes("theses") ? [thesesKeeper({ ...shared, pages })] : []),
    retentionKeeper({
      ...{ store, clock, retentionDays: parts.settings.retentionDays },
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
  let head = headSeq;
  let wake: (() => void) | null = null;
  return {
    to(seq: number) {
      head = Math.max(head, seq);
      wake?.();
    },
    /** Resolves when the head is past the position, or the signal aborts. */
    past: (seq: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (head > seq || signal.aborted) return resolve();
        const finish = () => {
          wake = null;
          signal.removeEventListener("abort", finish);
          resolve();
        };
        wake = finish;
        signal.addEventListener("abort", finish, { once: true });
      }),
  };
}
