// The deepest trade of a token in each span of a day, so that a pool with much money in it counts however many trades follow in
// thinner ones. And next to what a quote takes of the last trades, which pool each was in; SQLite reads the table all the same unless
// the index names its own condition's column.
import type { Migration } from "../../../database/migrate.ts";

/** Part of the index: it stays what it is. */
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
