// What happened before the log began is read behind the news, from the newest down: how far, and the lowest position given.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "010-history",
  statements: () => [
    "ALTER TABLE log_head ADD COLUMN first_seq BIGINT NOT NULL DEFAULT 1",
    `CREATE TABLE log_history (
      source TEXT NOT NULL,
      feed TEXT NOT NULL,
      next_position BIGINT NOT NULL,
      oldest_position BIGINT NOT NULL,
      PRIMARY KEY (source, feed)
    )`,
  ],
};
