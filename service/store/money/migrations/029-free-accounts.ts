// One free account for each mailbox, and how often a form was used by whom. Who used it is kept as a hash.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "029-free-accounts",
  statements: () => [
    `CREATE TABLE free_account (
      mailbox TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE form_use (
      subject TEXT PRIMARY KEY,
      window_start BIGINT NOT NULL,
      used BIGINT NOT NULL
    )`,
    "CREATE INDEX form_use_window ON form_use (window_start)",
  ],
};
