// The money behind a quote of the price endpoint. It is unknown for stored quotes, and the endpoint is asked for them again
// within a minute.
import type { Migration } from "../../../database/migrate.ts";

export const migration: Migration = {
  id: "003-quote-depth",
  statements: () => [
    "DELETE FROM tracker_quote",
    "ALTER TABLE tracker_quote ADD COLUMN depth_usd DOUBLE PRECISION NOT NULL DEFAULT 0",
  ],
};
