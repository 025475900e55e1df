// Paper follows: an account copies a trader without money. A follow is a position in the log with the state of its fold;
// its events go to a short log of its account.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "008-follows",
  statements: () => [
    `CREATE TABLE follow (
      follow_id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      cap_of TEXT,
      user_id TEXT NOT NULL,
      handle TEXT NOT NULL,
      status TEXT NOT NULL,
      waiting_for TEXT,
      note TEXT,
      holder TEXT NOT NULL,
      held_until BIGINT NOT NULL,
      version BIGINT NOT NULL,
      epoch TEXT NOT NULL,
      position BIGINT NOT NULL,
      orders BIGINT NOT NULL,
      paid_blocks BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      stopped_at BIGINT,
      terms TEXT NOT NULL,
      state TEXT NOT NULL
    )`,
    "CREATE INDEX follow_account ON follow (account_id, created_at)",
    "CREATE INDEX follow_free ON follow (held_until) WHERE status = 'active'",
    "CREATE INDEX follow_stopped ON follow (stopped_at) WHERE status = 'stopped'",
    `CREATE TABLE paper_head (
      account_id TEXT PRIMARY KEY,
      seq BIGINT NOT NULL
    )`,
    `CREATE TABLE paper_event (
      account_id TEXT NOT NULL,
      seq BIGINT NOT NULL,
      follow_id TEXT NOT NULL,
      number BIGINT NOT NULL,
      booked_at BIGINT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (account_id, seq)
    )`,
    "CREATE UNIQUE INDEX paper_event_order ON paper_event (follow_id, number)",
  ],
};
