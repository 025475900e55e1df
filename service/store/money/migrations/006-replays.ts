// Replays requested by accounts: their status, their results, and their orders, a hundred per row.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "006-replays",
  statements: () => [
    `CREATE TABLE replay (
      account_id TEXT NOT NULL,
      replay_id TEXT NOT NULL,
      status TEXT NOT NULL,
      holder TEXT NOT NULL,
      beat_at BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      progress BIGINT NOT NULL,
      credits BIGINT NOT NULL,
      orders BIGINT NOT NULL,
      question TEXT NOT NULL,
      answer TEXT,
      note TEXT,
      PRIMARY KEY (account_id, replay_id)
    )`,
    "CREATE INDEX replay_age ON replay (created_at)",
    `CREATE TABLE replay_orders (
      account_id TEXT NOT NULL,
      replay_id TEXT NOT NULL,
      page BIGINT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (account_id, replay_id, page)
    )`,
  ],
};
