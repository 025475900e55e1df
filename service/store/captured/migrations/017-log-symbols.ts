// The log's alerts by symbol. Anyone can create tokens with any symbol, so a symbol is one run: with a run per token, the
// number of runs was unbounded.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "017-log-symbols",
  statements: () => ["CREATE INDEX log_event_symbol ON log_event (symbol_key, seq) WHERE alert = 1"],
};
