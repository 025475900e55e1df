// Mail to send, kept until it is sent, and the links in it, known by their hash only: a link's secret is made at the
// moment it is sent and is never kept.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "028-mail",
  statements: () => [
    `CREATE TABLE mail (
      mail_id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      recipient TEXT NOT NULL,
      data TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('waiting', 'sent', 'dropped', 'failed')),
      attempts BIGINT NOT NULL,
      next_try_at BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      done_at BIGINT
    )`,
    "CREATE INDEX mail_due ON mail (next_try_at) WHERE status = 'waiting'",
    "CREATE INDEX mail_done ON mail (done_at) WHERE done_at IS NOT NULL",
    `CREATE TABLE mail_link (
      token_hash TEXT PRIMARY KEY,
      email TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      used_at BIGINT
    )`,
    "CREATE INDEX mail_link_expiry ON mail_link (expires_at)",
  ],
};
