// Browsers subscribed to Web Push: their push service's address, what they follow, and their position in the log. Each
// change takes the next revision, one at a time, so that the delivering node reads changes after a revision and misses none.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "009-push",
  statements: () => [
    `CREATE TABLE push_subscription (
      id TEXT PRIMARY KEY,
      endpoint TEXT NOT NULL,
      p256dh TEXT NOT NULL,
      auth TEXT NOT NULL,
      server_key TEXT NOT NULL,
      subject TEXT NOT NULL,
      wish TEXT NOT NULL,
      epoch TEXT NOT NULL,
      position BIGINT NOT NULL,
      wait_until BIGINT NOT NULL,
      renewed_at BIGINT NOT NULL,
      ended_at BIGINT,
      revision BIGINT NOT NULL
    )`,
    "CREATE UNIQUE INDEX push_subscription_changed ON push_subscription (revision)",
    "CREATE INDEX push_subscription_of ON push_subscription (subject) WHERE ended_at IS NULL",
    "CREATE TABLE push_revision (name TEXT PRIMARY KEY, revision BIGINT NOT NULL)",
    "INSERT INTO push_revision (name, revision) VALUES ('push', 0)",
  ],
};
