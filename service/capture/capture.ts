// Capture: follows upstream into the log while this node holds the writer's lease, keeps everything derived from the log
// in sync with it, and keeps the directory, boards and open positions fresh. A node without the lease is a standby.

import { freshUuid } from "../../kit/ids.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLatch } from "../../kit/latch.ts";
import type { Capabilities } from "../../protocol/capabilities.ts";
import { FEEDS } from "../../protocol/shapes/event.ts";
import type { Bus } from "../bus/port.ts";
import type { Store } from "../store/store.ts";
import type { Upstream } from "../upstream/port.ts";
import type { RetentionDays } from "./keepers/retention.ts";
import { keepLease, WRITER_TERMS } from "./lease-keeper.ts";
import { createMeters } from "./meters.ts";
import { createQuestions } from "./questions.ts";
import { type CaptureRates, ratesOf } from "./rates.ts";
import { createSeen, type SeenSubjects } from "./seen.ts";
import { type CaptureStatus, type KeeperStatus, lagOf, newFeedStatuses } from "./status.ts";
import { createWakers } from "./wakers.ts";
import { createWriter, type TermStatus } from "./writer.ts";

export interface CaptureParts extends Kit {
  upstream: Upstream;
  store: Store;
  bus: Bus;
  settings: { retentionDays: RetentionDays; rates?: CaptureRates };
}

export interface Capture {
  /** Returns at once; taking the lease, or standing by for it, continues in the background. */
  start(): void;
  /** Resolves when nothing more will be written and the lease is released. */
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
  const held: TermStatus = { term: null, derivedSeq: 0, historyLeft: 0 };

  const directoryRead = createLatch();
  const questions = createQuestions({
    upstream,
    store,
    clock,
    log,
    random,
    directoryRead: directoryRead.wait,
    onTrader: (trader) => seen.learn(trader),
  });
  const seen: SeenSubjects = createSeen({
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
      running = keepLease({
        leases: store.leases,
        terms: WRITER_TERMS,
        holder,
        clock,
        log,
        signal: stopping.signal,
        work: write,
      });
    },
    async stop() {
      stopping.abort();
      unwatch();
      await running;
    },
    status,
  };
}
