// The progress of a rollup that is written in several transactions: accounts up to `sliced_through` are rolled up below
// `sliced_below`, all others below `rolled_below`. Between rollups `sliced_through` is empty, below any account's id.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "003-rollup-slices",
  statements: () => [
    "ALTER TABLE ledger_state ADD COLUMN sliced_below BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE ledger_state ADD COLUMN sliced_through TEXT NOT NULL DEFAULT ''",
  ],
};
