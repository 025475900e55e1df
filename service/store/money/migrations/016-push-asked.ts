// Where in the log a browser asked for Web Push: what was before that is not taken back from it.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "016-push-asked",
  statements: () => ["ALTER TABLE push_subscription ADD COLUMN asked_after BIGINT NOT NULL DEFAULT 0"],
};
