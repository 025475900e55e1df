// Browsers that asked for Web Push: where their push service is, what they follow, and how far in the log they are. A change
// takes the next revision, one at a time, so that the node that delivers reads changes after a number and misses none.
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
