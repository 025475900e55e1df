// The store: opened, migrated, with a handle to each repository. Nothing outside this folder writes SQL.

import { type DatabaseLocation, openDatabase } from "../../database/open.ts";
import { makeMonthsAhead } from "../../database/partitions.ts";
import { openReplica, type Replica } from "../../database/replica.ts";
import { raw } from "../../database/sql.ts";
import type { Kit } from "../../kit/kit.ts";
import { activity } from "./captured/activity.ts";
import { candles } from "./captured/candles.ts";
import { captures } from "./captured/captures.ts";
import { copyBoard } from "./captured/copy-board.ts";
import { dayChanges } from "./captured/day-changes.ts";
import { days } from "./captured/days.ts";
import { fills } from "./captured/fills.ts";
import { leasesOf } from "./captured/lease.ts";
import { openLog } from "./captured/log.ts";
import { marks } from "./captured/marks.ts";
import { pastRanks } from "./captured/past-ranks.ts";
import { positions } from "./captured/positions.ts";
import { progress } from "./captured/progress.ts";
import { boards, leaderboards } from "./captured/snapshots.ts";
import { tape } from "./captured/tape.ts";
import { theses } from "./captured/theses.ts";
import { tokens } from "./captured/tokens.ts";
import { traders } from "./captured/traders.ts";
import { transfers } from "./captured/transfers.ts";
import { verdicts } from "./captured/verdicts.ts";
import { migrateStore } from "./migrations.ts";
import { MONTHLY } from "./months.ts";
import { bind } from "./repository.ts";

export type Store = Awaited<ReturnType<typeof openStore>>;

export interface StoreOptions extends Pick<Kit, "clock" | "log"> {
  location: DatabaseLocation;
  /** A streaming replica of a PostgreSQL primary, for history: never for balances, keys, leases or the log's end. */
  replicaUrl?: string | null;
}

/**
 * Data captured alongside the log can be captured again from the log and from upstream, and reaches the disk in write
 * order: no caller waits for its flush, which takes longer than the write.
 */
const CAPTURED = { flushAside: true };

/** The end of the log: its pages are read from a replica only up to there. */
const LOG_MARK = raw("SELECT seq FROM log_head WHERE id = 1");

export async function openStore({ location, replicaUrl, clock, log }: StoreOptions) {
  const database = await openDatabase(location);
  let replica: Replica | null = null;
  const close = async () => {
    await replica?.close();
    await database.close();
  };
  try {
    const applied = await migrateStore(database, clock.now());
    if (applied.length > 0) log.info("The database's schema was brought up to date.", { applied });
    const prepare = () => makeMonthsAhead(database, MONTHLY, clock.now());
    await prepare();
    if (replicaUrl)
      replica = await openReplica({ url: replicaUrl, primary: database, mark: LOG_MARK, clock, log });
    const historyOf = () => replica?.historyOf(database) ?? database;
    const trades = historyOf();
    return {
      /** For the parts that own money: a charge and its ledger rows share one transaction. */
      database,
      log: await openLog(database, clock.now(), replica?.upTo),
      leases: leasesOf(database, clock),
      progress: bind(database, progress, CAPTURED),
      traders: bind(database, traders, CAPTURED),
      tokens: bind(database, tokens, CAPTURED),
      verdicts: bind(database, verdicts),
      captures: bind(database, captures, CAPTURED),
      positions: bind(trades, positions, CAPTURED),
      fills: bind(trades, fills, CAPTURED),
      transfers: bind(trades, transfers, CAPTURED),
      theses: bind(historyOf(), theses, CAPTURED),
      tape: bind(database, tape, CAPTURED),
      copyBoard: bind(database, copyBoard, CAPTURED),
      boards: bind(database, boards, CAPTURED),
      leaderboards: bind(database, leaderboards, CAPTURED),
      pastRanks: bind(database, pastRanks, CAPTURED),
      candles: bind(trades, candles, CAPTURED),
      marks: bind(database, marks, CAPTURED),
      days: bind(historyOf(), days),
      dayChanges: bind(database, dayChanges, CAPTURED),
      activity: bind(trades, activity, CAPTURED),
      /** Creates the coming months of tables partitioned by month. Call it now and then. */
      prepare,
      /** Whether history currently comes from the replica; null without one. */
      replica: () => replica?.state() ?? null,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
