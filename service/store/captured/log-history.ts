// The log's past. A new log reserves as many positions below its first live event as there is history to read, and
// history then fills them from the top down. So live events never wait for history, positions and times have the same
// order, and a reader that continues from a position above never sees a row appear behind it.
import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import type { FeedEvent, FeedName } from "../../../protocol/shapes/event.ts";
import { holdLease, type Lease } from "./lease.ts";
import { type Refusal, saveProgress, skipDerived } from "./progress.ts";

type HeldLease = Pick<Lease, "name" | "term">;

/** A feed's extent when the log begins: positions from `oldest` to `newest`. */
export interface FeedExtent {
  feed: FeedName;
  oldest: number;
  newest: number;
}

/** The unread part of a feed's past, from `next` down to `oldest`. */
export interface HistoryLeft {
  feed: FeedName;
  next: number;
  oldest: number;
}

export interface HistoryBatch {
  source: string;
  /** In the order they happened; all of them before the last stored batch. */
  events: readonly FeedEvent[];
  /** The feeds' next positions; one below `oldest` means that the feed is read to its beginning. */
  left: readonly HistoryLeft[];
  refusals: readonly Refusal[];
}

export async function historyLeft(queries: Queries, source?: string): Promise<HistoryLeft[]> {
  const rows = await queries.all<HistoryLeft & { source: string }>(
    sql`SELECT source, feed, next_position AS "next", oldest_position AS "oldest" FROM log_history ORDER BY feed`,
  );
  return rows
    .filter((row) => source === undefined || row.source === source)
    .map(({ feed, next, oldest }) => ({ feed, next, oldest }));
}

/** Starts an empty log after this much history. False, and a no-op, when it has already begun. */
export async function beginAfterHistory(
  tx: Queries,
  lease: HeldLease,
  { source, extents, at }: { source: string; extents: readonly FeedExtent[]; at: number },
): Promise<boolean> {
  await holdLease(tx, lease);
  const kept = extents.reduce((sum, { oldest, newest }) => sum + Math.max(0, newest - oldest + 1), 0);
  const begun = await tx.run(
    sql`UPDATE log_head SET seq = ${kept}, first_seq = ${kept + 1}, captured_at = ${at} WHERE id = 1 AND seq = 0`,
  );
  if (begun === 0) return false;
  for (const { feed, oldest, newest } of extents) {
    if (newest < oldest) continue;
    await tx.run(
      sql`INSERT INTO log_history (source, feed, next_position, oldest_position)
        VALUES (${source}, ${feed}, ${newest}, ${oldest})`,
    );
  }
  const positions = extents.map(({ feed, newest }) => ({ source, feed, position: newest }));
  await saveProgress(tx, { positions, gaps: [], refusals: [] }, at, kept);
  await skipDerived(tx, kept, at);
  return true;
}

/** Where the next batch of history ends, and its latest allowed capture time. */
export async function nextOfHistory(
  tx: Queries,
  lease: HeldLease,
): Promise<{ lastSeq: number; capturedBy: number }> {
  await holdLease(tx, lease);
  const head = await tx.one<{ firstSeq: number; capturedAt: number }>(
    sql`SELECT first_seq AS "firstSeq", captured_at AS "capturedAt" FROM log_head WHERE id = 1`,
  );
  if (!head) throw new Error("The log has no head.");
  const above = await tx.one<{ capturedAt: number }>(
    sql`SELECT captured_at AS "capturedAt" FROM log_event WHERE seq >= ${head.firstSeq} ORDER BY seq LIMIT 1`,
  );
  return { lastSeq: head.firstSeq - 1, capturedBy: above?.capturedAt ?? head.capturedAt };
}

/** After a batch was stored: where history continues. Drops a feed that is read to its beginning. */
export async function saveHistory(
  tx: Queries,
  { source, left, refusals }: HistoryBatch,
  firstSeq: number,
  at: number,
): Promise<void> {
  await tx.run(sql`UPDATE log_head SET first_seq = ${firstSeq} WHERE id = 1`);
  for (const { feed, next, oldest } of left) {
    await tx.run(
      next < oldest
        ? sql`DELETE FROM log_history WHERE source = ${source} AND feed = ${feed}`
        : sql`UPDATE log_history SET next_position = ${next} WHERE source = ${source} AND feed = ${feed}`,
    );
  }
  await saveProgress(tx, { positions: [], gaps: [], refusals }, at, firstSeq);
}
