// Indexes a token's deepest trade in each span of a day, so that a pool with much money in it counts however many trades follow
// in thinner ones. Also adds the pool to the index of last trades that quotes use; SQLite still reads the table unless the
// index includes the column of its own condition.
import type { Migration } from "../../../database/migrate.ts";

/** Part of the index: must not change. */
const DEPTH_SPAN_MS = 10_800_000;

export const migration: Migration = {
  id: "002-deep-trades",
  statements: () => [
    "DROP INDEX tracker_price_time",
    `CREATE INDEX tracker_price_time ON tracker_price
      (chain_id, token, time_ms, height, place, price_usd, depth_usd, own, pool, doubt)
      WHERE doubt IS NULL AND price_usd IS NOT NULL`,
    `CREATE INDEX tracker_price_depth ON tracker_price
      (chain_id, token, own, (time_ms / ${DEPTH_SPAN_MS}), depth_usd, time_ms, height, place)
      WHERE doubt IS NULL AND price_usd IS NOT NULL`,
  ],
};
