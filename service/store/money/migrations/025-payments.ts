// Stablecoin payments: what was asked for and how far it is, every transfer that was ever seen for one with what
// became of it, and how far each address has been read. Amounts are text: a token's may be any 64-bit number.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "025-payments",
  statements: () => [
    `CREATE TABLE payment (
      payment_id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      plan TEXT NOT NULL,
      credits BIGINT NOT NULL,
      amount_atomic TEXT NOT NULL,
      symbol TEXT NOT NULL,
      mint TEXT NOT NULL,
      decimals BIGINT NOT NULL,
      network TEXT NOT NULL,
      recipient TEXT NOT NULL,
      reference TEXT NOT NULL UNIQUE,
      memo TEXT NOT NULL,
      test BIGINT NOT NULL,
      status TEXT NOT NULL,
      paid_atomic TEXT NOT NULL,
      paid_in_time_atomic TEXT NOT NULL,
      converted_atomic TEXT NOT NULL,
      plan_granted BIGINT NOT NULL,
      signature TEXT,
      credited_at BIGINT,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      next_check_at BIGINT,
      failures BIGINT NOT NULL
    )`,
    "CREATE INDEX payment_account ON payment (account_id, created_at)",
    "CREATE INDEX payment_due ON payment (test, next_check_at) WHERE next_check_at IS NOT NULL",
    `CREATE TABLE payment_transfer (
      signature TEXT NOT NULL,
      payment_id TEXT NOT NULL,
      verdict TEXT NOT NULL,
      mint TEXT,
      amount_atomic TEXT NOT NULL,
      slot BIGINT NOT NULL,
      chain_at BIGINT,
      first_seen_at BIGINT NOT NULL,
      decided_at BIGINT,
      PRIMARY KEY (signature, payment_id)
    )`,
    "CREATE INDEX payment_transfer_payment ON payment_transfer (payment_id, first_seen_at)",
    "CREATE INDEX payment_transfer_verdict ON payment_transfer (verdict, first_seen_at)",
    // The last line of defence: whatever the code believes, no signature pays twice.
    "CREATE UNIQUE INDEX payment_transfer_once ON payment_transfer (signature) WHERE verdict = 'credited'",
    `CREATE TABLE payment_scan (
      address TEXT PRIMARY KEY,
      since BIGINT NOT NULL,
      cursor TEXT,
      walk_until TEXT,
      walk_before TEXT,
      walk_newest TEXT,
      swept_at BIGINT NOT NULL
    )`,
  ],
};
