// What capture remembers about itself: leases, how far it has read each feed, what it missed, what it refused.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "002-capture",
  statements: () => [
    `CREATE TABLE lease (
      name TEXT PRIMARY KEY,
      holder TEXT NOT NULL,
      term BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
    `CREATE TABLE feed_progress (
      feed TEXT PRIMARY KEY,
      position BIGINT NOT NULL,
      saved_at BIGINT NOT NULL
    )`,
    `CREATE TABLE feed_gap (
      feed TEXT NOT NULL,
      from_position BIGINT NOT NULL,
      to_position BIGINT NOT NULL,
      seq BIGINT NOT NULL,
      found_at BIGINT NOT NULL,
      PRIMARY KEY (feed, from_position)
    )`,
    "CREATE TABLE refusal_count (reason TEXT PRIMARY KEY, refused BIGINT NOT NULL, last_at BIGINT NOT NULL)",
    `CREATE TABLE refusal_sample (
      reason TEXT NOT NULL,
      slot BIGINT NOT NULL,
      feed TEXT NOT NULL,
      sample TEXT NOT NULL,
      refused_at BIGINT NOT NULL,
      PRIMARY KEY (reason, slot)
    )`,
  ],
};
