// Feed positions belong to the platform that gave them, so that a store can follow another platform and come back. What
// was saved before belongs to whoever is followed next: there was only one.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "009-sources",
  statements: () => [
    `CREATE TABLE feed_progress_by_source (
      source TEXT NOT NULL,
      feed TEXT NOT NULL,
      position BIGINT NOT NULL,
      saved_at BIGINT NOT NULL,
      PRIMARY KEY (source, feed)
    )`,
    `INSERT INTO feed_progress_by_source (source, feed, position, saved_at)
      SELECT '', feed, position, saved_at FROM feed_progress`,
    "DROP TABLE feed_progress",
    "ALTER TABLE feed_progress_by_source RENAME TO feed_progress",
    `CREATE TABLE feed_gap_by_source (
      source TEXT NOT NULL,
      feed TEXT NOT NULL,
      from_position BIGINT NOT NULL,
      to_position BIGINT NOT NULL,
      seq BIGINT NOT NULL,
      found_at BIGINT NOT NULL,
      PRIMARY KEY (source, feed, from_position)
    )`,
    `INSERT INTO feed_gap_by_source (source, feed, from_position, to_position, seq, found_at)
      SELECT '', feed, from_position, to_position, seq, found_at FROM feed_gap`,
    "DROP TABLE feed_gap",
    "ALTER TABLE feed_gap_by_source RENAME TO feed_gap",
  ],
};
