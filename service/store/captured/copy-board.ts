// Which traders were worth following, as computed in the background: the traders to replay, when each is due next, and the
// results by window. All of it can be recomputed; two nodes that do so write the same.
import { insertMany, type Queries } from "../../../database/database.ts";
import { list, sql } from "../../../database/sql.ts";
import { chunksOf } from "../../../kit/chunks.ts";
import type { Repository } from "../repository.ts";
import { codec } from "./bodies.ts";

/** The result of a follower under the standard terms. */
export interface CopyBoardFigures {
  pnlUsd: number;
  roi: number | null;
  low90Usd: number;
  high90Usd: number;
  verdict: "copyable" | "fades" | "not_copyable" | "too_few";
  doubts: ("roundTrips" | "coverage" | "chance")[];
  orders: number;
  roundTrips: number;
  /** How many of the orders were priced by the tape. */
  covered: number;
}

export interface CopyBoardRow extends CopyBoardFigures {
  userId: string;
  asOf: number;
}

export interface CopyBoardStanding {
  /** Traders that the board covers. */
  traders: number;
  /** How many of them were replayed. */
  replayed: number;
  /** When the list of traders was last read; null before the first time. */
  enteredAt: number | null;
}

const BODY = codec<CopyBoardRow>("copy board row", ["userId", "asOf", "verdict"]);
const IDS_A_WRITE = 250;

/** Rows with enough data first; then by the lower bound. */
async function rankedRows(queries: Queries, window: string, limit: number): Promise<CopyBoardRow[]> {
  const rows = await queries.all<{ body: string }>(
    sql`SELECT body FROM copy_board_row WHERE window_name = ${window}
      ORDER BY has_enough DESC, low_usd DESC, user_id LIMIT ${limit}`,
  );
  return rows.map(({ body }) => BODY.decode(body));
}

async function standing(queries: Queries): Promise<CopyBoardStanding> {
  const row = await queries.one<{ traders: number; replayed: number; entered_at: number | null }>(
    sql`SELECT COUNT(*) AS traders, COUNT(as_of) AS replayed, MAX(entered_at) AS entered_at FROM copy_board_trader`,
  );
  return { traders: row?.traders ?? 0, replayed: row?.replayed ?? 0, enteredAt: row?.entered_at ?? null };
}

/** The trader who is longest overdue; null when no trader is due. */
async function nextDue(queries: Queries, at: number): Promise<string | null> {
  const row = await queries.one<{ user_id: string }>(
    sql`SELECT user_id FROM copy_board_trader WHERE due_at <= ${at} ORDER BY due_at, user_id LIMIT 1`,
  );
  return row?.user_id ?? null;
}

/** New traders are due immediately, in this order. */
async function enterTraders(tx: Queries, userIds: readonly string[], at: number): Promise<void> {
  for (const part of chunksOf([...new Set(userIds)], IDS_A_WRITE))
    await insertMany(
      tx,
      "copy_board_trader",
      part.map((userId) => ({ userId, enteredAt: at, dueAt: at, asOf: null })),
      "ON CONFLICT (user_id) DO UPDATE SET entered_at = excluded.entered_at",
    );
}

/** Forgets some of the traders who were not entered again; returns how many. */
async function dropTraders(tx: Queries, enteredBefore: number, limit: number): Promise<number> {
  const gone = await tx.all<{ user_id: string }>(
    sql`SELECT user_id FROM copy_board_trader WHERE entered_at < ${enteredBefore} ORDER BY user_id LIMIT ${limit}`,
  );
  if (gone.length === 0) return 0;
  const ids = list(gone.map(({ user_id }) => user_id));
  await tx.run(sql`DELETE FROM copy_board_row WHERE user_id IN (${ids})`);
  await tx.run(sql`DELETE FROM copy_board_trader WHERE user_id IN (${ids})`);
  return gone.length;
}

/** Saves the results of a trader's replays; a window in which nothing was copied has no row. */
async function saveAppraisals(
  tx: Queries,
  { userId, asOf, dueAt }: { userId: string; asOf: number; dueAt: number },
  windows: Readonly<Record<string, CopyBoardFigures | null>>,
): Promise<void> {
  const kept = await tx.run(
    sql`UPDATE copy_board_trader SET as_of = ${asOf}, due_at = ${dueAt} WHERE user_id = ${userId}`,
  );
  await tx.run(sql`DELETE FROM copy_board_row WHERE user_id = ${userId}`);
  if (kept === 0) return;
  const rows = Object.entries(windows).flatMap(([window, found]) => {
    if (found === null) return [];
    const body = BODY.encode({ ...found, userId, asOf });
    return { windowName: window, userId, hasEnough: hasEnough(found) ? 1 : 0, lowUsd: found.low90Usd, body };
  });
  await insertMany(tx, "copy_board_row", rows);
}

/** A trader who could not be replayed is tried again later. */
async function postpone(tx: Queries, userId: string, dueAt: number): Promise<void> {
  await tx.run(sql`UPDATE copy_board_trader SET due_at = ${dueAt} WHERE user_id = ${userId}`);
}

/** An interval that contains zero says little; one from few round trips or guessed prices says nothing. */
const hasEnough = ({ doubts }: CopyBoardFigures): boolean =>
  !doubts.includes("roundTrips") && !doubts.includes("coverage");

export const copyBoard = {
  reads: { ranked: rankedRows, standing, nextDue },
  writes: { enter: enterTraders, drop: dropTraders, save: saveAppraisals, postpone },
} satisfies Repository;
