// The log position at which a browser subscribed to Web Push: events before it are not retracted from it.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "016-push-asked",
  statements: () => ["ALTER TABLE push_subscription ADD COLUMN asked_after BIGINT NOT NULL DEFAULT 0"],
};
