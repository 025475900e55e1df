// Follows our own log and keeps fills, candles, positions and theses in sync with it. Every write is idempotent and the
// cursor is saved after it, so a crash anywhere repeats a little and counts nothing twice.

import type { Kit } from "../../kit/kit.ts";
import { runLoop } from "../../kit/loop.ts";
import { rest } from "../../kit/pace.ts";
import { nextTurn } from "../../kit/turn.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import type { AppItem, ChainTradeItem, FeedEvent } from "../../protocol/shapes/event.ts";
import type { Position } from "../../protocol/shapes/position.ts";
import type { Token } from "../../protocol/shapes/token.ts";
import type { LogEvent } from "../model/event.ts";
import { captureTimes } from "../store/captured/capture-times.ts";
import type { Lease } from "../store/captured/lease.ts";
import { savePositions } from "../store/captured/positions.ts";
import { retractFills } from "../store/captured/retract-fills.ts";
import type { Store } from "../store/store.ts";
import { applyFill, applyTrade } from "./apply-fill.ts";
import { type ChainPlaces, createChainPlaces } from "./chain-places.ts";
import { type Derived, derive, type PositionChange } from "./derive.ts";
import type { SeenSubjects } from "./seen.ts";

/** How much is repeated after a crash at most, against a commit less for each batch. */
const SAVE_EVERY_MS = 1_000;
/** Older events arrive in bulk, after a first start or a break, and mostly of a few traders each. */
const NEW_MS = 10 * MINUTE_MS;
/** The chain is ahead of the app by seconds: this many positions of the log reach back far enough at start. */
const LOOK_BACK = 5_000;
/** A writer's question is answered or given up this long after the event that raised it. */
const DOUBT_LASTS_MS = 2 * MINUTE_MS;

export interface Deriving extends Pick<Kit, "clock" | "log"> {
  store: Store;
  lease: Lease;
  seen: SeenSubjects;
  /** The most events worked on without a pause. */
  batch: number;
  catchUpShare: number;
  /** Resolves when the log may have moved past the position, or the signal aborts. */
  moved(seq: number, signal: AbortSignal): Promise<void>;
  onDerived(seq: number): void;
  /** Ask upstream for the current state of this position. */
  onDoubt(tradeId: string): void;
  /** A position of this trader is unknown, and the event about it is not new: one sweep finds all of them. */
  onUnswept(userId: string): void;
  onThesis(token: Token): void;
}

/** Runs until the signal aborts. */
export async function deriveAlong(deriving: Deriving, signal: AbortSignal): Promise<void> {
  const { store, lease, clock, log } = deriving;
  const places = createChainPlaces();
  let seq = await store.progress.derivedSeq();
  let savedSeq = seq;
  let savedAt = clock.now();
  const past = await store.log.readAfter(Math.max(0, seq - LOOK_BACK), { limit: LOOK_BACK, upTo: seq });
  for (const event of past) {
    if (event.kind === "retract") places.retract(event.retractedEventId);
    else places.note(event);
  }
  // The previous writer's questions were lost with it, while its saved cursor was already past their events.
  const openSince = (past.at(-1)?.capturedAt ?? 0) - DOUBT_LASTS_MS;
  const asked = past.filter((event) => event.capturedAt >= openSince);
  const { changes, doubtful } = derive(asked, places, await earlierOf(store, asked, places));
  await changePositions(deriving, changes);
  for (const tradeId of doubtful) deriving.onDoubt(tradeId);
  deriving.onDerived(seq);

  const save = async () => {
    if (savedSeq !== seq) await store.progress.saveDerivedSeq(lease, seq, clock.now());
    savedSeq = seq;
    savedAt = clock.now();
  };
  const deriveOn = async () => {
    const events = await store.log.readAfter(seq, { limit: deriving.batch });
    const last = events.at(-1);
    if (!last) {
      await save();
      await deriving.moved(seq, signal);
      return;
    }
    const beganAt = clock.now();
    await nextTurn();
    await deriveBatch(deriving, derive(events, places, await earlierOf(store, events, places)));
    seq = last.seq;
    deriving.onDerived(seq);
    if (clock.now() - savedAt >= SAVE_EVERY_MS) await save();
    await rest(clock, clock.now() - beganAt, deriving.catchUpShare, signal);
  };
  const failure = "what follows from the log was not derived";
  await runLoop({ failure, isFatal: () => true, everyMs: 0, clock, log, round: deriveOn }, signal);
  await save();
}

/** Stores data derived from events before the log began, which are read from the newest down. */
export function createPastDeriver(
  deriving: Pick<Deriving, "store" | "clock" | "seen" | "onDoubt" | "onUnswept" | "onThesis">,
): (events: readonly FeedEvent[]) => Promise<void> {
  const places = createChainPlaces();
  return (events) => {
    const derived = derive(events, places);
    places.forgetTrades();
    return deriveBatch(deriving, derived);
  };
}

async function deriveBatch(
  deriving: Pick<Deriving, "store" | "clock" | "seen" | "onDoubt" | "onUnswept" | "onThesis">,
  derived: Derived,
): Promise<void> {
  const { store, clock, seen } = deriving;
  // First, because the same swap may be in another block again.
  const { retracted } = derived;
  if (retracted.length > 0) await store.database.write((tx) => retractFills(tx, retracted));
  if (derived.fills.length > 0) await store.fills.save(derived.fills, { provisional: true });
  await nextTurn();
  await changePositions(deriving, derived.changes);
  // Booked at the time of the app, seconds after they were made, or undone; upstream knows better.
  for (const tradeId of derived.doubtful) deriving.onDoubt(tradeId);
  if (derived.theses.length > 0) await store.theses.saveNew(derived.theses, clock.now());
  for (const thesis of derived.theses) deriving.onThesis(thesis.token);
  if (derived.traders.size + derived.tokens.size > 0) await seen.look(derived.traders, derived.tokens);
}

/** Retracted by these events and not among the latest trades. */
async function earlierOf(store: Store, events: readonly LogEvent[], places: ChainPlaces) {
  const earlier = new Map<string, ChainTradeItem | AppItem>();
  for (const event of events) {
    if (event.kind !== "retract" || places.trade(event.retractedEventId)) continue;
    const found = await store.log.find(event.retractedEventId);
    if (found?.kind === "trade" || found?.feed === "app") earlier.set(found.eventId, found);
  }
  return earlier;
}

async function changePositions(
  deriving: Pick<Deriving, "store" | "clock" | "onDoubt" | "onUnswept">,
  changes: PositionChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const { positions } = deriving.store;
  const capturedAt = deriving.clock.now();
  const ids = [...new Set(changes.map((change) => change.tradeId))];
  // First: a change between the two reads shows as a different time, and is detected when we write.
  const knownAt = await captureTimes(deriving.store.database.read, ids);
  const known = new Map((await positions.byIds(ids)).map((position) => [position.tradeId, position]));
  const changed = new Map<string, Position>();
  const doubtful = new Set<string>();
  const unswept = new Set<string>();
  for (const { tradeId, event, hasFigures, at, capturedAt: heardAt } of changes) {
    const position = known.get(tradeId);
    if (!position && event.userId !== null && event.at < capturedAt - NEW_MS) {
      unswept.add(event.userId);
      continue;
    }
    if (position && hasFigures && !doubtful.has(tradeId)) {
      const applied =
        event.feed === "app"
          ? applyFill(position, event, at)
          : applyTrade(position, event, { at, capturedAt: heardAt, knownAt: knownAt.get(tradeId) ?? 0 });
      if (applied.kind === "included") continue;
      if (applied.kind === "applied") {
        known.set(tradeId, applied.position);
        changed.set(tradeId, applied.position);
        continue;
      }
    }
    doubtful.add(tradeId);
  }
  for (const tradeId of await saveChanged(deriving.store, [...changed.values()], { capturedAt, knownAt }))
    doubtful.add(tradeId);
  for (const tradeId of doubtful) deriving.onDoubt(tradeId);
  for (const userId of unswept) deriving.onUnswept(userId);
}

/**
 * Unless upstream answered about them while the events were applied: that answer may have settled a question, and our version of the
 * position from before it would reopen it unnoticed. Returns those, which have to be requested.
 */
async function saveChanged(
  store: Store,
  changed: readonly Position[],
  { capturedAt, knownAt }: { capturedAt: number; knownAt: ReadonlyMap<string, number> },
): Promise<string[]> {
  if (changed.length === 0) return [];
  return store.database.write(async (tx) => {
    // In order, as all writers lock them.
    const ids = changed.map(({ tradeId }) => tradeId).sort();
    const answeredAt = await captureTimes(tx, ids, { lock: true });
    const isAsRead = ({ tradeId }: Position) => answeredAt.get(tradeId) === knownAt.get(tradeId);
    await savePositions(tx, changed.filter(isAsRead), capturedAt);
    return changed.filter((position) => !isAsRead(position)).map(({ tradeId }) => tradeId);
  });
}
