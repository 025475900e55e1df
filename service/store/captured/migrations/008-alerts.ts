// Which events are alerts is written with each, not read off the name of a feed; the indexes that pages use hold
// alerts only. History that capture reads after the fact is marked too: it is in the log, and no news.
import type { Migration } from "../../../../database/migrate.ts";

const PAGED: readonly (readonly [string, string])[] = [
  ["log_event_actor", "actor, seq"],
  ["log_event_token", "token_key, seq"],
  ["log_event_kind_network", "kind, network_id, seq"],
  ["log_event_kind", "kind, seq"],
  ["log_event_network", "network_id, seq"],
];

export const migration: Migration = {
  id: "008-alerts",
  statements: () => [
    "ALTER TABLE log_event ADD COLUMN alert INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE log_event ADD COLUMN history INTEGER NOT NULL DEFAULT 0",
    // Of a log from before this nothing is known to be history.
    "ALTER TABLE log_head ADD COLUMN began_at BIGINT NOT NULL DEFAULT 0",
    // What was appended before this column was there: only the chain's events were no alerts.
    "UPDATE log_event SET alert = 0 WHERE feed = 'chain'",
    ...PAGED.flatMap(([name, columns]) => [
      `DROP INDEX ${name}`,
      `CREATE INDEX ${name} ON log_event (${columns}) WHERE alert = 1`,
    ]),
    "DROP INDEX log_event_notification",
    `CREATE INDEX log_event_notification ON log_event (notification_type, seq)
      WHERE notification_type IS NOT NULL`,
  ],
};
