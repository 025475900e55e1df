// Positions with the columns they are filtered and sorted by, fills, transfers, and which traders were captured.

import { monthlyKey } from "../../../../database/column-types.ts";
import type { Migration } from "../../../../database/migrate.ts";
import { byMonth, outermost } from "../../../../database/partitions.ts";
import { FILL } from "../months.ts";

export const migration: Migration = {
  id: "004-positions",
  statements: (dialect) => [
    `CREATE TABLE position (
      trade_id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL,
      network_id BIGINT NOT NULL,
      token_key TEXT NOT NULL,
      status TEXT NOT NULL,
      held_amount DOUBLE PRECISION NOT NULL,
      value_usd DOUBLE PRECISION NOT NULL,
      pnl_usd DOUBLE PRECISION NOT NULL,
      last_activity_at BIGINT NOT NULL,
      captured_at BIGINT NOT NULL,
      body TEXT NOT NULL
    )`,
    "CREATE INDEX position_user_recent ON position (user_id, last_activity_at, trade_id)",
    "CREATE INDEX position_user_status ON position (user_id, status, last_activity_at, trade_id)",
    "CREATE INDEX position_user_pnl ON position (user_id, pnl_usd, trade_id)",
    "CREATE INDEX position_user_value ON position (user_id, value_usd, trade_id)",
    `CREATE INDEX position_token_open ON position (token_key, network_id, user_id, held_amount)
      WHERE status = 'open'`,
    "CREATE INDEX position_closed ON position (last_activity_at) WHERE status = 'closed'",
    `CREATE TABLE trader_capture (
      user_id TEXT PRIMARY KEY,
      captured_at BIGINT NOT NULL,
      open_complete INTEGER NOT NULL,
      closed_total BIGINT
    )`,
    "CREATE INDEX trader_capture_age ON trader_capture (captured_at)",
    `CREATE TABLE fill (
      swap_id TEXT ${dialect === "sqlite" ? "PRIMARY KEY" : "NOT NULL"},
      trade_id TEXT NOT NULL,
      tx_hash TEXT NOT NULL,
      user_id TEXT NOT NULL,
      network_id BIGINT NOT NULL,
      token_key TEXT NOT NULL,
      side TEXT NOT NULL,
      at BIGINT NOT NULL,
      usd DOUBLE PRECISION NOT NULL,
      price_usd DOUBLE PRECISION NOT NULL,
      provisional INTEGER NOT NULL,
      body TEXT NOT NULL${monthlyKey(dialect, "at, swap_id")}
    ) ${byMonth(dialect, FILL)}`,
    "CREATE INDEX fill_user ON fill (user_id, at, swap_id)",
    "CREATE INDEX fill_trade ON fill (trade_id, at, swap_id)",
    "CREATE INDEX fill_token ON fill (token_key, network_id, at, swap_id)",
    ...(dialect === "sqlite" ? ["CREATE INDEX fill_at ON fill (at, swap_id)"] : []),
    ...outermost(dialect, FILL),
    `CREATE TABLE transfer (
      transfer_id TEXT PRIMARY KEY,
      trade_id TEXT NOT NULL,
      at BIGINT NOT NULL,
      body TEXT NOT NULL
    )`,
    "CREATE INDEX transfer_trade ON transfer (trade_id, at, transfer_id)",
    "CREATE INDEX transfer_at ON transfer (at)",
  ],
};
