// Indexes a token's newest trades in pools of each size, instead of the deepest ones of each three hours: a deep pool's price
// is found however old it is, and however many trades followed in thinner ones. By height, which sorts like time: with the time
// in it SQLite picks the other index, which has all columns, and reads all of the thinner pools' trades.
import type { Migration } from "../../../database/migrate.ts";

/** Twice as deep is one class up. Part of the index: must not change. */
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
