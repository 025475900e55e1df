// Deletes expired data a little at a time: each chunk is a short transaction with a pause after
// it, so that writing the log never waits for it. On PostgreSQL the log and fills are dropped by whole months instead, once all
// of a month has expired, and coming months are created ahead.

import type { Clock } from "../../../kit/clock.ts";
import { DAY_MS, HOUR_MS } from "../../../kit/units.ts";
import { pruneFollows } from "../../store/money/follows.ts";
import { pruneReplays } from "../../store/money/replays.ts";
import type { Store } from "../../store/store.ts";
import type { Keeper } from "../keeper.ts";

const REST_MS = HOUR_MS;
/** A few milliseconds of deleting from a large log and its indexes; five hundred were forty. */
const CHUNK = 100;
/** Several times as long as a chunk, so that pruning uses the smaller part of a second. */
const PAUSE_MS = 20;

/** Replays that accounts asked for and follows that were stopped, as their description says; each may have hundreds of rows of orders. */
const REPLAY_DAYS = 30;
const REPLAYS_PRUNED_MAX = 4;

export interface RetentionDays {
  log: number;
  fills: number;
  tape: number;
}

export function retentionKeeper(options: {
  store: Store;
  clock: Clock;
  retentionDays: RetentionDays;
  onPruned(kind: string, rows: number): void;
}): Keeper {
  const { store, clock, retentionDays } = options;
  const kinds: { kind: string; days: number; prune: (before: number) => Promise<number> }[] = [
    { kind: "log", days: retentionDays.log, prune: (before) => store.log.prune(before, CHUNK) },
    { kind: "fills", days: retentionDays.fills, prune: (before) => store.fills.prune(before, CHUNK) },
    { kind: "transfers", days: retentionDays.fills, prune: (before) => store.transfers.prune(before, CHUNK) },
    { kind: "positions", days: retentionDays.fills, prune: (before) => store.positions.prune(before, CHUNK) },
    { kind: "theses", days: retentionDays.fills, prune: (before) => store.theses.prune(before, CHUNK) },
    { kind: "marks", days: retentionDays.fills, prune: (before) => store.marks.prune(before, CHUNK) },
    { kind: "tape", days: retentionDays.tape, prune: (before) => store.tape.prune(before, CHUNK) },
    {
      kind: "replays",
      days: REPLAY_DAYS,
      prune: (before) => store.database.write((tx) => pruneReplays(tx, before, REPLAYS_PRUNED_MAX)),
    },
    {
      kind: "follows",
      days: REPLAY_DAYS,
      prune: (before) => store.database.write((tx) => pruneFollows(tx, before)),
    },
    ...(["1m", "1h", "1d"] as const).map((length) => ({
      kind: "candles",
      days: retentionDays.fills,
      prune: (before: number) => store.candles.prune(length, before, CHUNK),
    })),
  ];
  return {
    name: "retention",
    restMs: REST_MS,
    async round(signal) {
      await store.prepare();
      for (const { kind, days, prune } of kinds) {
        const before = clock.now() - days * DAY_MS;
        for (let more = true; more && !signal.aborted; ) {
          const rows = await prune(before);
          if (rows > 0) options.onPruned(kind, rows);
          more = rows > 0;
          if (more) await clock.sleep(PAUSE_MS, signal);
        }
      }
    },
  };
}
