// The log's alerts by symbol. Anyone can make tokens of any symbol, so a symbol is a run of its own: a run for each of its
// tokens had no bound.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "017-log-symbols",
  statements: () => ["CREATE INDEX log_event_symbol ON log_event (symbol_key, seq) WHERE alert = 1"],
};
