// The last good boards and leaderboards, whole, with the time they were captured: what is served when upstream does
// not answer. An older capture never replaces a newer one.

import type { Database } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import type { Board, BoardName } from "../../model/board.ts";
import type { LeaderboardRow, PnlWindow } from "../../model/trader.ts";

export interface Leaderboard {
  asOf: number;
  rows: LeaderboardRow[];
}

export interface Snapshot<T> {
  value: T;
  capturedAt: number;
}

export interface SnapshotStore<Name extends string, T> {
  save(name: Name, value: T, capturedAt: number): Promise<void>;
  find(name: Name): Promise<Snapshot<T> | null>;
}

export type BoardStore = SnapshotStore<BoardName, Board>;
export type LeaderboardStore = SnapshotStore<PnlWindow, Leaderboard>;

export const boardStore = (db: Database): BoardStore => snapshotStore(db, "board");
export const leaderboardStore = (db: Database): LeaderboardStore => snapshotStore(db, "leaderboard");

function snapshotStore<Name extends string, T>(db: Database, kind: string): SnapshotStore<Name, T> {
  return {
    async save(name, value, capturedAt) {
      await db.write((tx) =>
        tx.run(
          sql`INSERT INTO snapshot (name, captured_at, body)
            VALUES (${`${kind}:${name}`}, ${capturedAt}, ${JSON.stringify(value)})
            ON CONFLICT (name) DO UPDATE SET captured_at = excluded.captured_at, body = excluded.body
            WHERE snapshot.captured_at <= excluded.captured_at`,
        ),
      );
    },
    async find(name) {
      const row = await db.read.one<{ captured_at: number; body: string }>(
        sql`SELECT captured_at, body FROM snapshot WHERE name = ${`${kind}:${name}`}`,
      );
      return row && { value: JSON.parse(row.body), capturedAt: row.captured_at };
    },
  };
}
