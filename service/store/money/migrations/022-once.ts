// Things that happen once: stream tickets, and answers kept for a repeated Idempotency-Key.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "022-once",
  statements: () => [
    `CREATE TABLE stream_ticket (
      ticket_hash TEXT PRIMARY KEY,
      key_id TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
    "CREATE INDEX stream_ticket_expiry ON stream_ticket (expires_at)",
    "CREATE INDEX stream_ticket_key ON stream_ticket (key_id)",
    `CREATE TABLE idempotent_answer (
      id TEXT PRIMARY KEY,
      body_hash TEXT NOT NULL,
      holder TEXT NOT NULL,
      held_until BIGINT NOT NULL,
      status BIGINT,
      answer TEXT,
      expires_at BIGINT NOT NULL
    )`,
    "CREATE INDEX idempotent_answer_expiry ON idempotent_answer (expires_at)",
  ],
};
