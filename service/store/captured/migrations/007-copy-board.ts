// Which traders were worth following: those replayed in the background, and the results by window.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "007-copy-board",
  statements: () => [
    `CREATE TABLE copy_board_trader (
      user_id TEXT PRIMARY KEY,
      entered_at BIGINT NOT NULL,
      due_at BIGINT NOT NULL,
      as_of BIGINT
    )`,
    "CREATE INDEX copy_board_due ON copy_board_trader (due_at, user_id)",
    `CREATE TABLE copy_board_row (
      window_name TEXT NOT NULL,
      user_id TEXT NOT NULL,
      has_enough INTEGER NOT NULL,
      low_usd DOUBLE PRECISION NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (window_name, user_id)
    )`,
    "CREATE INDEX copy_board_rank ON copy_board_row (window_name, has_enough DESC, low_usd DESC, user_id)",
  ],
};
