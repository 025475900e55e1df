// How far capture has read each feed. A position is saved in the transaction that appends the events, so after
// any crash capture continues exactly where the log ends. Gaps and refused items are kept for the operator.

import type { Queries } from "../../../database/database.ts";
import { raw, sql } from "../../../database/sql.ts";
import type { FeedName } from "../../../protocol/shapes/event.ts";
import type { Repository } from "../repository.ts";
import { holdLease, type Lease } from "./lease.ts";

export interface FeedGap {
  /** The platform whose positions these are. */
  source: string;
  feed: FeedName;
  /** The first and last upstream positions that were never read. */
  fromPosition: number;
  toPosition: number;
}

export interface RecordedGap extends FeedGap {
  /** The log's position when the gap was found: none of the missing events belong before it. */
  seq: number;
  foundAt: number;
}

export interface Refusal {
  feed: FeedName;
  reason: string;
  sample: string;
}

export interface RefusalReport {
  reason: string;
  refused: number;
  lastAt: number;
  /** Newest first. */
  samples: { feed: FeedName; sample: string; refusedAt: number }[];
}

// Enough to see a pattern in upstream's malformed items, and a fixed cost when it sends nothing else.
const SAMPLES_PER_REASON_MAX = 20;
const SAMPLE_LENGTH_MAX = 2_000;

/** Not a feed of a platform: the reader that follows our own log. */
const DERIVED = "derived";
const OWN_LOG = "";

/** The last position read from this source, or from the most recent one; null when this feed was never read. */
async function feedPosition(queries: Queries, feed: FeedName, source?: string): Promise<number | null> {
  const ofSource = source === undefined ? raw("") : sql`AND source = ${source}`;
  const row = await queries.one<{ position: number }>(
    sql`SELECT position FROM feed_progress WHERE feed = ${feed} ${ofSource}
      ORDER BY saved_at DESC, position DESC LIMIT 1`,
  );
  return row?.position ?? null;
}

/** The log position up to which fills, positions and theses were derived; initially 0. */
async function derivedSeq(queries: Queries): Promise<number> {
  const row = await queries.one<{ position: number }>(
    sql`SELECT position FROM feed_progress WHERE feed = ${DERIVED}`,
  );
  return row?.position ?? 0;
}

/** Refused unless the lease is still held. */
async function saveDerivedSeq(
  tx: Queries,
  lease: Pick<Lease, "name" | "term">,
  seq: number,
  at: number,
): Promise<void> {
  await holdLease(tx, lease);
  await savePosition(tx, OWN_LOG, DERIVED, seq, at);
}

/** Part of the transaction in which the log begins: the positions reserved for history are derived as it is read. */
export async function skipDerived(tx: Queries, seq: number, at: number): Promise<void> {
  await savePosition(tx, OWN_LOG, DERIVED, seq, at);
}

/** Newest first. */
function feedGaps(queries: Queries, limit: number): Promise<RecordedGap[]> {
  return queries.all<RecordedGap>(
    sql`SELECT source, feed, from_position AS "fromPosition", to_position AS "toPosition", seq,
        found_at AS "foundAt" FROM feed_gap ORDER BY found_at DESC, from_position DESC LIMIT ${limit}`,
  );
}

async function refusalReports(queries: Queries): Promise<RefusalReport[]> {
  const counts = await queries.all<{ reason: string; refused: number; lastAt: number }>(
    sql`SELECT reason, refused, last_at AS "lastAt" FROM refusal_count ORDER BY refused DESC, reason`,
  );
  const samples = await queries.all<{ reason: string; feed: FeedName; sample: string; refusedAt: number }>(
    sql`SELECT reason, feed, sample, refused_at AS "refusedAt" FROM refusal_sample
      ORDER BY refused_at DESC, slot DESC`,
  );
  return counts.map((count) => ({
    ...count,
    samples: samples
      .filter((sample) => sample.reason === count.reason)
      .map(({ feed, sample, refusedAt }) => ({ feed, sample, refusedAt })),
  }));
}

export const progress = {
  reads: { position: feedPosition, derivedSeq, gaps: feedGaps, refusals: refusalReports },
  writes: { saveDerivedSeq },
} satisfies Repository;

export interface ProgressUpdate {
  positions: readonly { source: string; feed: FeedName; position: number }[];
  gaps: readonly FeedGap[];
  refusals: readonly Refusal[];
}

/** Part of the log's append transaction. */
export async function saveProgress(
  tx: Queries,
  update: ProgressUpdate,
  at: number,
  seq: number,
): Promise<void> {
  for (const { source, feed, position } of update.positions)
    await savePosition(tx, source, feed, position, at);
  for (const gap of update.gaps) {
    await tx.run(
      sql`INSERT INTO feed_gap (source, feed, from_position, to_position, seq, found_at)
        VALUES (${gap.source}, ${gap.feed}, ${gap.fromPosition}, ${gap.toPosition}, ${seq}, ${at})
        ON CONFLICT (source, feed, from_position) DO UPDATE SET to_position = excluded.to_position`,
    );
  }
  for (const refusal of update.refusals) await saveRefusal(tx, refusal, at);
}

async function savePosition(
  tx: Queries,
  source: string,
  feed: FeedName | typeof DERIVED,
  position: number,
  at: number,
): Promise<void> {
  await tx.run(
    sql`INSERT INTO feed_progress (source, feed, position, saved_at)
      VALUES (${source}, ${feed}, ${position}, ${at})
      ON CONFLICT (source, feed) DO UPDATE SET position = excluded.position, saved_at = excluded.saved_at`,
  );
}

async function saveRefusal(tx: Queries, refusal: Refusal, at: number): Promise<void> {
  const count = await tx.one<{ refused: number }>(
    sql`INSERT INTO refusal_count (reason, refused, last_at) VALUES (${refusal.reason}, 1, ${at})
      ON CONFLICT (reason) DO UPDATE SET refused = refusal_count.refused + 1, last_at = excluded.last_at
      RETURNING refused`,
  );
  const slot = ((count?.refused ?? 1) - 1) % SAMPLES_PER_REASON_MAX;
  await tx.run(
    sql`INSERT INTO refusal_sample (reason, slot, feed, sample, refused_at)
      VALUES (${refusal.reason}, ${slot}, ${refusal.feed}, ${refusal.sample.slice(0, SAMPLE_LENGTH_MAX)}, ${at})
      ON CONFLICT (reason, slot) DO UPDATE SET
        feed = excluded.feed, sample = excluded.sample, refused_at = excluded.refused_at`,
  );
}
