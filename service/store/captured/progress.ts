// How far capture has read each feed. A position is saved in the transaction that appends what was read, so after
// any crash capture goes on exactly where the log ends. What was missed or refused is kept for the operator.

import type { Database, Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import type { Feed } from "../../model/event.ts";
import { holdLease, type Lease } from "./lease.ts";

export interface FeedGap {
  feed: Feed;
  /** The first and last upstream positions that were never read. */
  fromPosition: number;
  toPosition: number;
}

export interface RecordedGap extends FeedGap {
  /** The log's position when the gap was found: nothing of it comes before. */
  seq: number;
  foundAt: number;
}

export interface Refusal {
  feed: Feed;
  reason: string;
  sample: string;
}

export interface RefusalReport {
  reason: string;
  refused: number;
  lastAt: number;
  /** Newest first. */
  samples: { feed: Feed; sample: string; refusedAt: number }[];
}

export interface ProgressStore {
  /** The last position read, or null when this feed was never read. */
  position(feed: Feed): Promise<number | null>;
  /** How far along the log fills, positions and theses follow it; 0 at first. */
  derivedSeq(): Promise<number>;
  /** Refused unless the lease is still held. */
  saveDerivedSeq(lease: Pick<Lease, "name" | "term">, seq: number, at: number): Promise<void>;
  /** Newest first. */
  gaps(limit: number): Promise<RecordedGap[]>;
  refusals(): Promise<RefusalReport[]>;
}

// Enough to see a pattern in what upstream sends wrongly, and a fixed cost when it sends nothing else.
const SAMPLES_A_REASON = 20;
const SAMPLE_CHARACTERS = 2_000;

/** Not a feed of upstream: the reader that follows our own log. */
const DERIVED = "derived";

export function progressStore(db: Database): ProgressStore {
  return {
    async position(feed) {
      const row = await db.read.one<{ position: number }>(
        sql`SELECT position FROM feed_progress WHERE feed = ${feed}`,
      );
      return row?.position ?? null;
    },
    async derivedSeq() {
      const row = await db.read.one<{ position: number }>(
        sql`SELECT position FROM feed_progress WHERE feed = ${DERIVED}`,
      );
      return row?.position ?? 0;
    },
    saveDerivedSeq: (lease, seq, at) =>
      db.write(async (tx) => {
        await holdLease(tx, lease);
        await savePosition(tx, DERIVED, seq, at);
      }),
    gaps: (limit) =>
      db.read.all<RecordedGap>(
        sql`SELECT feed, from_position AS "fromPosition", to_position AS "toPosition", seq, found_at AS "foundAt"
          FROM feed_gap ORDER BY found_at DESC, from_position DESC LIMIT ${limit}`,
      ),
    async refusals() {
      const counts = await db.read.all<{ reason: string; refused: number; lastAt: number }>(
        sql`SELECT reason, refused, last_at AS "lastAt" FROM refusal_count ORDER BY refused DESC, reason`,
      );
      const samples = await db.read.all<{ reason: string; feed: Feed; sample: string; refusedAt: number }>(
        sql`SELECT reason, feed, sample, refused_at AS "refusedAt" FROM refusal_sample
          ORDER BY refused_at DESC, slot DESC`,
      );
      return counts.map((count) => ({
        ...count,
        samples: samples
          .filter((sample) => sample.reason === count.reason)
          .map(({ feed, sample, refusedAt }) => ({ feed, sample, refusedAt })),
      }));
    },
  };
}

export interface ProgressUpdate {
  positions: readonly { feed: Feed; position: number }[];
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
  for (const { feed, position } of update.positions) await savePosition(tx, feed, position, at);
  for (const gap of update.gaps) {
    await tx.run(
      sql`INSERT INTO feed_gap (feed, from_position, to_position, seq, found_at)
        VALUES (${gap.feed}, ${gap.fromPosition}, ${gap.toPosition}, ${seq}, ${at})
        ON CONFLICT (feed, from_position) DO UPDATE SET to_position = excluded.to_position`,
    );
  }
  for (const refusal of update.refusals) await saveRefusal(tx, refusal, at);
}

async function savePosition(
  tx: Queries,
  feed: Feed | typeof DERIVED,
  position: number,
  at: number,
): Promise<void> {
  await tx.run(
    sql`INSERT INTO feed_progress (feed, position, saved_at) VALUES (${feed}, ${position}, ${at})
      ON CONFLICT (feed) DO UPDATE SET position = excluded.position, saved_at = excluded.saved_at`,
  );
}

async function saveRefusal(tx: Queries, refusal: Refusal, at: number): Promise<void> {
  const count = await tx.one<{ refused: number }>(
    sql`INSERT INTO refusal_count (reason, refused, last_at) VALUES (${refusal.reason}, 1, ${at})
      ON CONFLICT (reason) DO UPDATE SET refused = refusal_count.refused + 1, last_at = excluded.last_at
      RETURNING refused`,
  );
  const slot = ((count?.refused ?? 1) - 1) % SAMPLES_A_REASON;
  await tx.run(
    sql`INSERT INTO refusal_sample (reason, slot, feed, sample, refused_at)
      VALUES (${refusal.reason}, ${slot}, ${refusal.feed}, ${refusal.sample.slice(0, SAMPLE_CHARACTERS)}, ${at})
      ON CONFLICT (reason, slot) DO UPDATE SET
        feed = excluded.feed, sample = excluded.sample, refused_at = excluded.refused_at`,
  );
}
