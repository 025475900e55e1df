// How often the fills of each UTC day have changed: what closes days into files asks which of them to look at again.
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
