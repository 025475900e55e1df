// Keeps every trader's open positions: those never captured first, then those in doubt, then those captured longest
// ago. Each trader is marked when captured, so a sweep continues where it stopped and holders can tell their coverage.

import type { Clock } from "../../../kit/clock.ts";
import { createPace } from "../../../kit/pace.ts";
import { nextTurn } from "../../../kit/turn.ts";
import { HOUR_MS } from "../../../kit/units.ts";
import type { WorkQueue } from "../../../kit/work-queue.ts";
import type { TraderCapture } from "../../store/captured/captures.ts";
import { type AnsweredPosition, keepPositions } from "../../store/captured/keep-positions.ts";
import type { Store } from "../../store/store.ts";
import type { TradesPage, Upstream } from "../../upstream/port.ts";
import { answered, type Keeper } from "../keeper.ts";

/**
 * Traders whose answers are stored in one transaction: some dozen rows, a millisecond. What waits for the disk outlives the collector's young generation, and of eight traders that was 10 MB more of a first start.
 */
const SLICE = 2;
/** Traders read in one turn of the event loop: a platform in this process takes about a millisecond for each. */
const ASKED_A_TURN = 4;
/** Between rounds, when there may be new traders. */
const REST_MS = 15_000;
/** Events keep known positions in sync; this repairs what events do not report, such as prices. */
const CAPTURED_AGAIN_AFTER_MS = HOUR_MS;
const DEADLINE_MS = 10_000;

export function positionsKeeper(options: {
  upstream: Upstream;
  store: Store;
  clock: Clock;
  tradersPerSecond: number;
  /** Resolves when the directory has been read once, so that there are traders to sweep. */
  ready(signal: AbortSignal): Promise<void>;
  /** A position that we have as open but upstream no longer lists as open, or one that changed during the read. */
  onDoubt(tradeId: string): void;
  /** These are stored now, in the state of that time or later. */
  onSettled(tradeIds: Iterable<string>, askedAt: number): void;
  /** Traders that events have put in doubt. */
  unswept: WorkQueue<number>;
}): Keeper {
  const { upstream, store, clock } = options;
  const pace = createPace(clock, options.tradersPerSecond, ASKED_A_TURN);

  const captureSlice = async (userIds: string[], signal: AbortSignal) => {
    const answers: AnsweredPosition[] = [];
    const captures: TraderCapture[] = [];
    const capturedAt = clock.now();
    for (const userId of userIds) {
      await pace.turn(signal);
      if (signal.aborted) return;
      const askedAt = clock.now();
      const page = answered(
        await upstream.trades(userId, { sort: "recent" }, { deadlineMs: DEADLINE_MS, signal }),
      );
      if (page) {
        for (const position of [...page.open, ...page.closed]) answers.push({ position, askedAt });
        await doubtClosed(userId, page);
      }
      captures.push({
        userId,
        capturedAt,
        openComplete: page !== undefined,
        closedTotal: page?.closedTotal ?? null,
      });
    }
    await nextTurn();
    // Marked after it is stored: a crash in between captures these traders once more.
    const unsettled = new Set(await keepPositions(store.positions, answers));
    await store.captures.saveMany(captures);
    const tradeIds = answers.map(({ position }) => position.tradeId);
    options.onSettled(
      tradeIds.filter((tradeId) => !unsettled.has(tradeId)),
      capturedAt,
    );
    for (const tradeId of unsettled) options.onDoubt(tradeId);
    for (const userId of userIds) {
      const since = options.unswept.get(userId);
      if (since !== undefined && since <= capturedAt) options.unswept.remove(userId);
    }
    await nextTurn();
  };

  const doubtClosed = async (userId: string, page: TradesPage) => {
    const listed = new Set([...page.open, ...page.closed].map((position) => position.tradeId));
    for (const tradeId of await store.positions.openTradeIds(userId)) {
      if (!listed.has(tradeId)) options.onDoubt(tradeId);
    }
  };

  const takeSlice = (): string[] => {
    const userIds: string[] = [];
    for (let next = options.unswept.take(); next; next = options.unswept.take()) {
      userIds.push(next.key);
      if (userIds.length === SLICE) break;
    }
    return userIds;
  };

  return {
    name: "positions",
    restMs: REST_MS,
    async round(signal) {
      await options.ready(signal);
      for (let after = ""; !signal.aborted; ) {
        const userIds = await store.captures.missing(after, SLICE);
        const last = userIds.at(-1);
        if (last === undefined) break;
        await captureSlice(userIds, signal);
        after = last;
      }
      while (!signal.aborted && options.unswept.size() > 0) {
        const userIds = takeSlice();
        try {
          await captureSlice(userIds, signal);
        } finally {
          for (const _ of userIds) options.unswept.done();
        }
      }
      // Doubts of live reads, on whichever node they were made.
      for (let doubted = await store.captures.doubted(SLICE); doubted.length > 0 && !signal.aborted; ) {
        await captureSlice(doubted, signal);
        doubted = await store.captures.doubted(SLICE);
      }
      while (!signal.aborted) {
        const before = clock.now() - CAPTURED_AGAIN_AFTER_MS;
        const due = (await store.captures.oldest(SLICE)).filter((capture) => capture.capturedAt < before);
        if (due.length === 0) return;
        await captureSlice(
          due.map((capture) => capture.userId),
          signal,
        );
      }
    },
  };
}
