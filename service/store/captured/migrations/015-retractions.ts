// The log's retractions by position, for readers that later go over a stretch of it: they are rare among its rows.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "015-retractions",
  statements: () => ["CREATE INDEX log_event_retract ON log_event (kind, seq) WHERE kind = 'retract'"],
};
