// Card checkouts: what was asked for, every invoice that was ever paid, refused or given back for one, and every
// notice that came. Nothing here is deleted: money leaves a trace.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "027-checkouts",
  statements: () => [
    `CREATE TABLE card_checkout (
      checkout_id TEXT PRIMARY KEY,
      provider TEXT NOT NULL,
      session_id TEXT UNIQUE,
      plan TEXT NOT NULL,
      email TEXT,
      status TEXT NOT NULL CHECK (status IN ('open', 'processing', 'paid', 'failed', 'expired', 'returned')),
      account_id TEXT,
      own_account BIGINT NOT NULL,
      customer_id TEXT,
      subscription_id TEXT UNIQUE,
      subscription_state TEXT CHECK (subscription_state IN ('active', 'past_due', 'ending', 'ended')),
      subscription_at BIGINT NOT NULL,
      next_plan TEXT,
      ends_at BIGINT,
      key_id TEXT,
      key_claimed_at BIGINT,
      key_shown_at BIGINT,
      created_at BIGINT NOT NULL,
      paid_at BIGINT
    )`,
    "CREATE INDEX card_checkout_account ON card_checkout (account_id) WHERE account_id IS NOT NULL",
    "CREATE INDEX card_checkout_ending ON card_checkout (ends_at) WHERE ends_at IS NOT NULL",
    "CREATE INDEX card_checkout_created ON card_checkout (created_at)",
    `CREATE TABLE card_invoice (
      invoice_id TEXT PRIMARY KEY,
      checkout_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('month', 'prepaid')),
      first BIGINT NOT NULL,
      plan TEXT NOT NULL,
      credits BIGINT NOT NULL,
      amount_cents BIGINT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('paid', 'failed', 'refunded', 'disputed')),
      granted BIGINT NOT NULL,
      returned BIGINT NOT NULL,
      kept_months BIGINT,
      at BIGINT NOT NULL,
      paid_at BIGINT
    )`,
    "CREATE INDEX card_invoice_checkout ON card_invoice (checkout_id, at)",
    "CREATE INDEX card_invoice_unsettled ON card_invoice (at) WHERE (state = 'paid' AND granted = 0) OR (state IN ('refunded', 'disputed') AND granted = 1 AND returned = 0)",
    `CREATE TABLE card_event (
      event_id TEXT PRIMARY KEY,
      type TEXT NOT NULL,
      at BIGINT NOT NULL,
      received_at BIGINT NOT NULL,
      outcome TEXT
    )`,
    "CREATE INDEX card_event_received ON card_event (received_at)",
  ],
};
