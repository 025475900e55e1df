// The tape read from the platform, packed by token and hour, and its total size in bytes: a sum over all rows would get
// slower with every row.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "004-tape",
  statements: () => [
    `CREATE TABLE tape_hour (
      token_key TEXT NOT NULL,
      network_id BIGINT NOT NULL,
      hour BIGINT NOT NULL,
      read_at BIGINT NOT NULL,
      bytes BIGINT NOT NULL,
      covered TEXT NOT NULL,
      ticks TEXT NOT NULL,
      PRIMARY KEY (token_key, network_id, hour)
    )`,
    "CREATE INDEX tape_hour_age ON tape_hour (hour)",
    "CREATE TABLE tape_size (id INTEGER PRIMARY KEY CHECK (id = 1), bytes BIGINT NOT NULL)",
  ],
};
