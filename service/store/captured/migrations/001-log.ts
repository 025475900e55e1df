// The log and its head. Chain events are read by position only, so the indexes that pages use leave them out. Every
// index costs the writer a page or more per event; handles and symbols are found through the actors and tokens they
// stand for instead of through indexes of their own.

import { monthlyKey, rowKey } from "../../../../database/column-types.ts";
import type { Migration } from "../../../../database/migrate.ts";
import { byMonth, outermost } from "../../../../database/partitions.ts";
import { LOG_EVENT } from "../months.ts";

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
      seq ${dialect === "sqlite" ? rowKey(dialect) : "BIGINT NOT NULL"},
      event_id TEXT NOT NULL${dialect === "sqlite" ? " UNIQUE" : ""},
      feed TEXT NOT NULL,
      kind TEXT NOT NULL,
      at BIGINT NOT NULL,
      captured_at BIGINT NOT NULL,
      actor TEXT,
      handle_key TEXT,
      token_key TEXT,
      symbol_key TEXT,
      network_id BIGINT,
      notification_type TEXT,
      body TEXT NOT NULL${monthlyKey(dialect, "captured_at, seq")}
    ) ${byMonth(dialect, LOG_EVENT)}`,
    ...(dialect === "sqlite" ? ["CREATE INDEX log_event_captured ON log_event (captured_at, seq)"] : []),
    "CREATE INDEX log_event_actor ON log_event (actor, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_token ON log_event (token_key, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_kind_network ON log_event (kind, network_id, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_kind ON log_event (kind, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_network ON log_event (network_id, seq) WHERE feed <> 'chain'",
    "CREATE INDEX log_event_notification ON log_event (notification_type, seq) WHERE feed = 'push'",
    ...outermost(dialect, LOG_EVENT),
    `CREATE TABLE log_alias (
      kind TEXT NOT NULL,
      alias TEXT NOT NULL,
      stands_for TEXT NOT NULL,
      PRIMARY KEY (kind, alias, stands_for)
    )`,
  ],
};
