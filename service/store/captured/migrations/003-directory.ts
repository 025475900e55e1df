// Traders and tokens. A handle belongs to one trader at a time; a former one is kept until somebody else takes it.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "003-directory",
  statements: () => [
    `CREATE TABLE trader (
      user_id TEXT PRIMARY KEY,
      handle_key TEXT NOT NULL,
      version BIGINT NOT NULL,
      captured_at BIGINT NOT NULL,
      body TEXT NOT NULL
    )`,
    "CREATE INDEX trader_version ON trader (version)",
    `CREATE TABLE trader_handle (
      handle_key TEXT PRIMARY KEY,
      user_id TEXT NOT NULL,
      is_current INTEGER NOT NULL
    )`,
    "CREATE INDEX trader_handle_user ON trader_handle (user_id)",
    `CREATE TABLE token (
      address_key TEXT NOT NULL,
      network_id BIGINT NOT NULL,
      version BIGINT NOT NULL,
      captured_at BIGINT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (address_key, network_id)
    )`,
    "CREATE INDEX token_version ON token (version)",
    "CREATE TABLE directory_version (name TEXT PRIMARY KEY, version BIGINT NOT NULL)",
    "INSERT INTO directory_version (name, version) VALUES ('trader', 0), ('token', 0)",
  ],
};
