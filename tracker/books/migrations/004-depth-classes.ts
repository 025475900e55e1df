// The newest trades of a token in pools of each size, instead of the deepest ones of each three hours: so what a deep pool said is
// found however long ago that was, and however many trades followed in thinner ones. By height, which is the same order as by time: with
// the time in it SQLite takes the other index, which has all columns, and reads all of the thinner pools' trades.
import type { Migration } from "../../../database/migrate.ts";

/** Twice as deep is one class up. Part of the index: it stays what it is. */
export const DEPTH_CLASS = "FLOOR(LN(depth_usd + 1) / LN(2))";

export const migration: Migration = {
  id: "004-depth-classes",
  statements: () => [
    "DROP INDEX tracker_price_depth",
    `CREATE INDEX tracker_price_class ON tracker_price
      (chain_id, token, own, (${DEPTH_CLASS}), height, place)
      WHERE doubt IS NULL AND price_usd IS NOT NULL`,
  ],
};
