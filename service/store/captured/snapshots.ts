// The last good boards and leaderboards, complete, with their capture times: served when upstream does not answer. An
// older capture never replaces a newer one.

import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import type { Board, BoardName } from "../../../protocol/shapes/board.ts";
import type { LeaderboardRow, PnlWindow } from "../../../protocol/shapes/trader.ts";
import type { Repository } from "../repository.ts";
import { type Codec, codec } from "./bodies.ts";

export interface Leaderboard {
  asOf: number;
  rows: LeaderboardRow[];
}

export interface Snapshot<T> {
  value: T;
  capturedAt: number;
}

const BOARD = codec<Board>("board", ["rows"]);
const LEADERBOARD = codec<Leaderboard>("leaderboard", ["asOf", "rows"]);

async function save(tx: Queries, name: string, body: string, capturedAt: number): Promise<void> {
  await tx.run(
    sql`INSERT INTO snapshot (name, captured_at, body) VALUES (${name}, ${capturedAt}, ${body})
      ON CONFLICT (name) DO UPDATE SET captured_at = excluded.captured_at, body = excluded.body
      WHERE snapshot.captured_at <= excluded.captured_at`,
  );
}

async function find<T>(queries: Queries, name: string, body: Codec<T>): Promise<Snapshot<T> | null> {
  const row = await queries.one<{ captured_at: number; body: string }>(
    sql`SELECT captured_at, body FROM snapshot WHERE name = ${name}`,
  );
  return row && { value: body.decode(row.body), capturedAt: row.captured_at };
}

function saveBoard(tx: Queries, name: BoardName, board: Board, capturedAt: number): Promise<void> {
  return save(tx, `board:${name}`, BOARD.encode(board), capturedAt);
}

function findBoard(queries: Queries, name: BoardName): Promise<Snapshot<Board> | null> {
  return find(queries, `board:${name}`, BOARD);
}

function saveLeaderboard(
  tx: Queries,
  window: PnlWindow,
  leaderboard: Leaderboard,
  capturedAt: number,
): Promise<void> {
  return save(tx, `leaderboard:${window}`, LEADERBOARD.encode(leaderboard), capturedAt);
}

function findLeaderboard(queries: Queries, window: PnlWindow): Promise<Snapshot<Leaderboard> | null> {
  return find(queries, `leaderboard:${window}`, LEADERBOARD);
}

export const boards = { reads: { find: findBoard }, writes: { save: saveBoard } } satisfies Repository;
export const leaderboards = {
  reads: { find: findLeaderboard },
  writes: { save: saveLeaderboard },
} satisfies Repository;
