// The store: opened, migrated, and one part per noun. Nothing outside this folder writes SQL.

import type { Database } from "../../database/database.ts";
import { type DatabaseLocation, openDatabase } from "../../database/open.ts";
import { makeMonthsAhead } from "../../database/partitions.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { type ActivityStore, activityStore } from "./captured/activity.ts";
import { type CandleStore, candleStore } from "./captured/candles.ts";
import { type CaptureStore, captureStore } from "./captured/captures.ts";
import { type FillStore, fillStore } from "./captured/fills.ts";
import { type LeaseStore, leaseStore } from "./captured/lease.ts";
import { type LogStore, logStore } from "./captured/log.ts";
import { type PositionStore, positionStore } from "./captured/positions.ts";
import { type ProgressStore, progressStore } from "./captured/progress.ts";
import {
  type BoardStore,
  boardStore,
  type LeaderboardStore,
  leaderboardStore,
} from "./captured/snapshots.ts";
import { type ThesisStore, thesisStore } from "./captured/theses.ts";
import { type TokenStore, tokenStore } from "./captured/tokens.ts";
import { type TraderStore, traderStore } from "./captured/traders.ts";
import { type TransferStore, transferStore } from "./captured/transfers.ts";
import { migrateStore } from "./migrations.ts";
import { openReplica, type Replica } from "./replica.ts";

export interface Store {
  /** For the parts that own money: a charge and its ledger rows share one transaction. */
  database: Database;
  log: LogStore;
  progress: ProgressStore;
  leases: LeaseStore;
  traders: TraderStore;
  tokens: TokenStore;
  captures: CaptureStore;
  positions: PositionStore;
  fills: FillStore;
  transfers: TransferStore;
  theses: ThesisStore;
  boards: BoardStore;
  leaderboards: LeaderboardStore;
  candles: CandleStore;
  activity: ActivityStore;
  /** Makes room for the months to come, where tables are kept by month. To be called now and then. */
  prepare(): Promise<void>;
  /** Whether history comes from the replica just now; null without one. */
  replica(): ReturnType<Replica["state"]> | null;
  close(): Promise<void>;
}

export interface StoreOptions {
  location: DatabaseLocation;
  /** A streaming replica of a PostgreSQL primary, for history: never for balances, keys, leases or the log's end. */
  replicaUrl?: string | null;
  clock: Clock;
  log: Log;
}

export async function openStore({ location, replicaUrl, clock, log }: StoreOptions): Promise<Store> {
  const database = await openDatabase(location);
  let replica: Replica | null = null;
  const close = async () => {
    await replica?.close();
    await database.close();
  };
  try {
    const applied = await migrateStore(database, clock.now());
    if (applied.length > 0) log.info("The database's schema was brought up to date.", { applied });
    const prepare = () => makeMonthsAhead(database, clock.now());
    await prepare();
    if (replicaUrl) replica = await openReplica({ url: replicaUrl, primary: database, clock, log });
    const historyOf = () => replica?.historyOf(database) ?? database;
    const trades = historyOf();
    return {
      database,
      log: await logStore(database, replica?.logUpTo),
      progress: progressStore(database),
      leases: leaseStore(database, clock),
      traders: traderStore(database),
      tokens: tokenStore(database),
      captures: captureStore(database),
      positions: positionStore(trades),
      fills: fillStore(trades),
      transfers: transferStore(trades),
      theses: thesisStore(historyOf()),
      boards: boardStore(database),
      leaderboards: leaderboardStore(database),
      candles: candleStore(trades),
      activity: activityStore(trades),
      prepare,
      replica: () => replica?.state() ?? null,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
