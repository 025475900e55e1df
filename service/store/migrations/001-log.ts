// The log and its head. Chain events are read by position only, so the indexes that pages use leave them out.
import type { Migration } from "../migrate.ts";
import { rowKey } from "./types.ts";

export const migration: Migration = {
  id: "001-log",
  statements: (dialect) => [
    `CREATE TABLE log_head (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch TEXT NOT NULL,
      seq BIGINT NOT NULL,
      captured_at BIGINT NOT NULL
    )`,
    `CREATE TABLE log_event (
      seq ${rowKey(dialect)},
      event_id TEXT NOT NULL UNIQUE,
      feed TEXT NOT NULL,
      kind TEXT NOT NULL,
      at BIGINT NOT NULL,
      captured_at BIGINT NOT NULL,
      user_id TEXT,
      handle_key TEXT,
      token_key TEXT,
      symbol_key TEXT,
      network_id BIGINT,
      notification_type TEXT,
      body TEXT NOT NULL
    )`,
    "CREATE INDEX log_event_captured ON log_event (captured_at, seq)",
    "CREATE INDEX log_event_user ON log_event (user_id, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_handle ON log_event (handle_key, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_token ON log_event (token_key, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_symbol ON log_event (symbol_key, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_kind_network ON log_event (kind, network_id, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_kind ON log_event (kind, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_network ON log_event (network_id, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_notification ON log_event (notification_type, seq) WHERE feed = 'push'",
  ],
};
