// Capture: follows upstream into the log while this node holds the writer's lease, keeps everything derived from the log
// in step with it, and keeps the directory, boards and open positions fresh. A node without the lease stands by.

import type { Clock } from "../../kit/clock.ts";
import { freshUuid } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { Metrics } from "../../kit/metrics.ts";
import type { Random } from "../../kit/random.ts";
import type { Capabilities } from "../../protocol/capabilities.ts";
import type { Bus } from "../bus/port.ts";
import { FEEDS } from "../model/event.ts";
import type { Store } from "../store/store.ts";
import type { Upstream } from "../upstream/port.ts";
import type { RetentionDays } from "./keepers/retention.ts";
import { keepLease } from "./lease-keeper.ts";
import { createMeters } from "./meters.ts";
import { createMoment } from "./moment.ts";
import { createQuestions } from "./questions.ts";
import { createSeen, type Seen } from "./seen.ts";
import { type CaptureStatus, type KeeperStatus, lagOf, newFeedStatuses } from "./status.ts";
import { createWakers } from "./wakers.ts";
import { createWriter, type Held } from "./writer.ts";

/** How hard upstream and this process may be worked in the background. */
export interface CaptureRates {
  /** Single questions (a position, a trader, a token), for each kind. */
  questionsPerSecond: number;
  /** Traders whose positions are swept. */
  tradersPerSecond: number;
  /** Pages of the directory, boards and lists. */
  pagesPerSecond: number;
  /** The most events in one transaction. SQLite writes on the thread that also serves, so it gets few at a time. */
  batch: number;
  /** Items of a feed's past that are read at once. */
  page: number;
  /** The share of time that catching up with a backlog may take. */
  catchUpShare: number;
}

/** Without a platform's word: as many as it would hardly notice. */
const QUESTIONS_PER_SECOND = 250;

/**
 * What a platform in this process can tell again at any time is read a little at a time: what waits to be stored outlives
 * the collector's young generation, and pages of eighty were some 10 MB more of a first start.
 */
const PAGE_OF_SHARED = 16;

/** What the platform declared it can bear. On a thread that also serves, catching up gets the smaller half. */
function ratesOf({ askRatePerSecond, sweep }: Capabilities): CaptureRates {
  return {
    questionsPerSecond: askRatePerSecond ?? QUESTIONS_PER_SECOND,
    tradersPerSecond: sweep.tradersPerSecond,
    pagesPerSecond: sweep.pagesPerSecond,
    batch: sweep.batch,
    page: sweep.sharesProcess ? Math.min(sweep.batch, PAGE_OF_SHARED) : sweep.batch,
    catchUpShare: sweep.sharesProcess ? 0.5 : 0.9,
  };
}

export interface CaptureParts {
  upstream: Upstream;
  store: Store;
  bus: Bus;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  random: Random;
  settings: { retentionDays: RetentionDays; rates?: CaptureRates };
}

export interface Capture {
  /** Returns at once; taking the lease, or standing by for it, goes on in the background. */
  start(): void;
  /** Resolves when nothing more will be written and the lease is given back. */
  stop(): Promise<void>;
  status(): CaptureStatus;
}

export function createCapture(parts: CaptureParts): Capture {
  const { upstream, store, clock, random, settings } = parts;
  const log = parts.log.with({ part: "capture" });
  const rates = (declared: Capabilities) => settings.rates ?? ratesOf(declared);
  const holder = freshUuid();
  const feeds = newFeedStatuses();
  const keepers: KeeperStatus[] = [];
  const held: Held = { term: null, derivedSeq: 0, historyLeft: 0 };

  const directoryRead = createMoment();
  const questions = createQuestions({
    upstream,
    store,
    clock,
    log,
    random,
    directoryRead: directoryRead.came,
    onTrader: (trader) => seen.learn(trader),
  });
  const seen: Seen = createSeen({
    traders: store.traders,
    tokens: store.tokens,
    onTrader: questions.askTrader,
    onToken: questions.askToken,
  });
  const status = (): CaptureStatus => ({
    writing: held.term !== null,
    holder,
    term: held.term,
    feeds: FEEDS.map((feed) => ({ ...feeds[feed], lag: lagOf(feeds[feed]) })),
    derivedSeq: held.derivedSeq,
    historyLeft: held.historyLeft,
    waiting: questions.waiting(),
    turnedAway: questions.turnedAway(),
    keepers: keepers.map((keeper) => ({ ...keeper })),
  });
  const wakers = createWakers(clock);
  const meters = createMeters(parts.metrics, status);
  const write = createWriter({
    ...parts,
    log,
    rates,
    feeds,
    keepers,
    held,
    questions,
    seen,
    wakers,
    meters,
    directoryRead,
  });

  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let unwatch = () => {};
  return {
    start() {
      if (running) return;
      unwatch = upstream.watch(wakers.moved);
      running = keepLease({ leases: store.leases, holder, clock, log, signal: stopping.signal, work: write });
    },
    async stop() {
      stopping.abort();
      unwatch();
      await running;
    },
    status,
  };
}
