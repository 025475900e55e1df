// Last good boards and leaderboards, and candles at the three lengths that the others are made of.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "006-market",
  statements: () => [
    "CREATE TABLE snapshot (name TEXT PRIMARY KEY, captured_at BIGINT NOT NULL, body TEXT NOT NULL)",
    `CREATE TABLE candle (
      token_key TEXT NOT NULL,
      network_id BIGINT NOT NULL,
      length_ms BIGINT NOT NULL,
      opens_at BIGINT NOT NULL,
      open DOUBLE PRECISION NOT NULL,
      high DOUBLE PRECISION NOT NULL,
      low DOUBLE PRECISION NOT NULL,
      close DOUBLE PRECISION NOT NULL,
      buy_usd DOUBLE PRECISION NOT NULL,
      sell_usd DOUBLE PRECISION NOT NULL,
      trades BIGINT NOT NULL,
      first_at BIGINT NOT NULL,
      last_at BIGINT NOT NULL,
      PRIMARY KEY (token_key, network_id, length_ms, opens_at)
    )`,
    "CREATE INDEX candle_age ON candle (length_ms, opens_at)",
  ],
};
