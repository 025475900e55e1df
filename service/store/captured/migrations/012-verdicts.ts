// The operator's verdicts on tokens: spam or not, overriding the platform. A withdrawn verdict stays as a row
// without one, so that nodes that follow by version see the change.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "012-verdicts",
  statements: () => [
    `CREATE TABLE token_verdict (
      address_key TEXT NOT NULL,
      network_id BIGINT NOT NULL,
      verdict TEXT CHECK (verdict IN ('spam', 'fine')),
      judged_by TEXT NOT NULL,
      judged_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      PRIMARY KEY (address_key, network_id)
    )`,
    "CREATE INDEX token_verdict_version ON token_verdict (version)",
    "INSERT INTO directory_version (name, version) VALUES ('verdict', 0)",
  ],
};
