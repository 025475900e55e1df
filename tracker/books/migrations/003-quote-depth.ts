// What money stood behind a quote of the price endpoint. Nobody knows it of those that are kept, and within a minute the endpoint
// is asked for them again.
import type { Migration } from "../../../database/migrate.ts";

export const migration: Migration = {
  id: "003-quote-depth",
  statements: () => [
    "DELETE FROM tracker_quote",
    "ALTER TABLE tracker_quote ADD COLUMN depth_usd DOUBLE PRECISION NOT NULL DEFAULT 0",
  ],
};
