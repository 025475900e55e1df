// Finds who traded in a transaction: people paste its hash from a block explorer.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "005-fill-transactions",
  statements: () => ["CREATE INDEX fill_transaction ON fill (tx_hash, at, swap_id)"],
};
