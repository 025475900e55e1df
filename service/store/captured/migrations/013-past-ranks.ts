// Hourly leaderboard ranks, so that a later board can show who rose and who fell.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "013-past-ranks",
  statements: () => [
    `CREATE TABLE past_ranks (
      window_name TEXT NOT NULL,
      hour BIGINT NOT NULL,
      source TEXT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (window_name, hour)
    )`,
  ],
};
