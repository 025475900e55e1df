// Secrets that all nodes of one store share and that no operator needs to set, such as what visitors' cookies are signed
// with.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "035-shared-secret",
  statements: () => [
    "CREATE TABLE shared_secret (name TEXT PRIMARY KEY, value TEXT NOT NULL, created_at BIGINT NOT NULL)",
  ],
};
