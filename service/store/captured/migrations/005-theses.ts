// Theses with every order they are listed in, and which tokens' theses were captured.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "005-theses",
  statements: () => [
    `CREATE TABLE thesis (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL,
      network_id BIGINT NOT NULL,
      token_key TEXT NOT NULL,
      likes BIGINT NOT NULL,
      token_rank BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      captured_at BIGINT NOT NULL,
      body TEXT NOT NULL
    )`,
    "CREATE INDEX thesis_recent ON thesis (created_at, id)",
    "CREATE INDEX thesis_network_recent ON thesis (network_id, created_at, id)",
    "CREATE INDEX thesis_token_recent ON thesis (token_key, created_at, id)",
    "CREATE INDEX thesis_token_likes ON thesis (token_key, likes, id)",
    "CREATE INDEX thesis_token_rank ON thesis (token_key, token_rank, id)",
    "CREATE INDEX thesis_user_recent ON thesis (user_id, created_at, id)",
    "CREATE INDEX thesis_user_likes ON thesis (user_id, likes, id)",
    "CREATE INDEX thesis_user_token ON thesis (user_id, token_key, created_at, id)",
    `CREATE TABLE thesis_capture (
      token_key TEXT NOT NULL,
      network_id BIGINT NOT NULL,
      captured_at BIGINT NOT NULL,
      complete INTEGER NOT NULL,
      PRIMARY KEY (token_key, network_id)
    )`,
  ],
};
