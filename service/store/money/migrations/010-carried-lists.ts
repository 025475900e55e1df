// Lists being transferred from the explorer to a chat.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "010-carried-lists",
  statements: () => [
    "CREATE TABLE carried_list (code TEXT PRIMARY KEY, body TEXT NOT NULL, created_at BIGINT NOT NULL)",
    "CREATE INDEX carried_list_age ON carried_list (created_at)",
  ],
};
