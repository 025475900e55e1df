// Accounts and keys. No bucket can be below zero and no capped key above its cap, whatever a program does.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "020-accounts",
  statements: () => [
    `CREATE TABLE account (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL,
      plan TEXT NOT NULL,
      anchor_at BIGINT NOT NULL,
      period_start BIGINT NOT NULL,
      period_end BIGINT NOT NULL,
      paid_until BIGINT,
      grace_ms BIGINT NOT NULL,
      next_change_at BIGINT NOT NULL,
      monthly_remaining BIGINT NOT NULL CHECK (monthly_remaining >= 0),
      prepaid_remaining BIGINT NOT NULL CHECK (prepaid_remaining >= 0),
      resolutions_remaining BIGINT NOT NULL CHECK (resolutions_remaining >= 0),
      created_at BIGINT NOT NULL
    )`,
    "CREATE INDEX account_email ON account (email, created_at)",
    `CREATE TABLE api_key (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES account (id),
      secret_hash TEXT NOT NULL UNIQUE,
      name TEXT,
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      hint TEXT NOT NULL,
      lineage TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      monthly_cap BIGINT CHECK (monthly_cap >= 0),
      cap_used BIGINT NOT NULL CHECK (cap_used >= 0 AND (monthly_cap IS NULL OR cap_used <= monthly_cap)),
      cap_period_start BIGINT NOT NULL,
      requests_per_minute BIGINT CHECK (requests_per_minute > 0),
      ends_at BIGINT,
      ended_by TEXT CHECK (ended_by IN ('revoked', 'rotated'))
    )`,
    "CREATE INDEX api_key_account ON api_key (account_id, created_at)",
    "CREATE INDEX api_key_lineage ON api_key (lineage)",
    "CREATE INDEX api_key_created ON api_key (created_at)",
  ],
};
