// When a live read on some node lost a race for one of a trader's positions: whoever captures asks again.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "007-doubts",
  statements: () => [
    "ALTER TABLE trader_capture ADD COLUMN doubted_at BIGINT",
    "CREATE INDEX trader_capture_doubt ON trader_capture (doubted_at) WHERE doubted_at IS NOT NULL",
  ],
};
