// What returned invoices need to be exact in every order: how many credits a return took from prepaid ones, and whether
// a dispute was won since.
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "031-returns",
  statements: () => [
    "ALTER TABLE card_invoice ADD COLUMN taken BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE card_invoice ADD COLUMN won BIGINT NOT NULL DEFAULT 0",
    "DROP INDEX card_invoice_unsettled",
    `CREATE INDEX card_invoice_unsettled ON card_invoice (at)
      WHERE (state = 'paid' AND granted = 0) OR (state IN ('refunded', 'disputed') AND granted = 1 AND returned = 0) OR won = 1`,
  ],
};
