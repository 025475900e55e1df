// Retractions of events that are not in the log yet: such an event is hidden when it arrives.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "014-retracted-ahead",
  statements: () => [
    "CREATE TABLE log_retracted_ahead (event_id TEXT PRIMARY KEY, noted BIGINT NOT NULL)",
    "CREATE INDEX log_retracted_ahead_noted ON log_retracted_ahead (noted)",
  ],
};
