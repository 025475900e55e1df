// How often the fills of each UTC day have changed: the job that writes days to files checks which ones to redo.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "011-day-changes",
  statements: () => [
    `CREATE TABLE day_change (
      day BIGINT PRIMARY KEY,
      changes BIGINT NOT NULL,
      closed BIGINT NOT NULL
    )`,
  ],
};
