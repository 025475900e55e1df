// Outgoing webhooks: endpoints with their place in the log, the shards that nodes share them out by, and what was sent.
// A shard's row is its claim (holder, term, expiry) and counts the changes to its endpoints, so that whoever holds it
// finds out about them with one read.
import type { Migration } from "../../../../database/migrate.ts";
import { WEBHOOK_SHARDS } from "../webhook-shards.ts";

export const migration: Migration = {
  id: "040-webhooks",
  statements: () => [
    `CREATE TABLE webhook (
      id TEXT PRIMARY KEY,
      shard BIGINT NOT NULL,
      account_id TEXT NOT NULL REFERENCES account (id),
      key_id TEXT NOT NULL,
      cap_of TEXT,
      name TEXT,
      url TEXT NOT NULL,
      format TEXT NOT NULL,
      chat_id TEXT,
      batch BIGINT NOT NULL,
      filters TEXT NOT NULL,
      filter TEXT NOT NULL,
      secret TEXT NOT NULL,
      old_secret TEXT,
      old_secret_until BIGINT,
      status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'deleted')),
      paused_because TEXT CHECK (paused_because IN ('owner', 'gone', 'failing')),
      waiting_for TEXT CHECK (waiting_for IN ('credits', 'plan')),
      epoch TEXT NOT NULL,
      position BIGINT NOT NULL,
      pending_to BIGINT,
      gap TEXT,
      delivered BIGINT NOT NULL,
      paid_blocks BIGINT NOT NULL,
      failures BIGINT NOT NULL,
      failing_since BIGINT,
      next_try_at BIGINT NOT NULL,
      generation BIGINT NOT NULL,
      revision BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    "CREATE INDEX webhook_of_account ON webhook (account_id, created_at, id)",
    "CREATE INDEX webhook_of_shard ON webhook (shard, revision)",
    `CREATE TABLE webhook_shard (
      shard BIGINT PRIMARY KEY,
      holder TEXT NOT NULL,
      term BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      revision BIGINT NOT NULL
    )`,
    `INSERT INTO webhook_shard (shard, holder, term, expires_at, revision) VALUES
      ${Array.from({ length: WEBHOOK_SHARDS }, (_, shard) => `(${shard}, '', 0, 0, 0)`).join(", ")}`,
    "CREATE TABLE webhook_node (holder TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)",
    `CREATE TABLE webhook_delivery (
      delivery_id TEXT PRIMARY KEY,
      webhook_id TEXT NOT NULL,
      at BIGINT NOT NULL,
      kind TEXT NOT NULL,
      message_id TEXT NOT NULL,
      attempt BIGINT NOT NULL,
      events BIGINT NOT NULL,
      from_seq BIGINT,
      to_seq BIGINT,
      outcome TEXT NOT NULL,
      status BIGINT,
      duration_ms BIGINT NOT NULL,
      note TEXT
    )`,
    "CREATE INDEX webhook_delivery_of ON webhook_delivery (webhook_id, at, delivery_id)",
    "CREATE INDEX webhook_delivery_at ON webhook_delivery (at)",
  ],
};
