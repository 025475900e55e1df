// The tracker's own tables, with a record of their own: they may share a database with the service's. Amounts are the
// chain's raw integers as text; the price that was used is in the same row.
import type { Migration, SchemaOwner } from "../../database/migrate.ts";
import { tape } from "../tape/migration.ts";
import { coinBalances } from "./coin-balances.ts";
import { launches } from "./launches.ts";
import { verdicts } from "./verdicts.ts";

const books: Migration = {
  id: "001-books",
  statements: () => [
    "CREATE TABLE tracker_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE tracker_cursor (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    `CREATE TABLE tracker_trader (
      user_id TEXT PRIMARY KEY,
      handle TEXT NOT NULL,
      display_name TEXT NOT NULL,
      former_handles TEXT NOT NULL,
      added_at BIGINT NOT NULL,
      removed_at BIGINT
    )`,
    "CREATE TABLE tracker_handle (handle_key TEXT PRIMARY KEY, user_id TEXT NOT NULL)",
    `CREATE TABLE tracker_wallet (
      address TEXT PRIMARY KEY,
      family TEXT NOT NULL,
      user_id TEXT NOT NULL,
      place BIGINT NOT NULL,
      added_at BIGINT NOT NULL
    )`,
    `CREATE TABLE tracker_block (
      chain_id BIGINT NOT NULL,
      hash TEXT NOT NULL,
      height BIGINT NOT NULL,
      time_ms BIGINT NOT NULL,
      coin_usd DOUBLE PRECISION,
      coin_by TEXT,
      coin_as_of BIGINT,
      PRIMARY KEY (chain_id, hash)
    )`,
    "CREATE INDEX tracker_block_height ON tracker_block (chain_id, height)",
    "CREATE INDEX tracker_block_waiting ON tracker_block (time_ms) WHERE coin_usd IS NULL",
    "CREATE TABLE tracker_final (chain_id BIGINT PRIMARY KEY, height BIGINT NOT NULL)",
    `CREATE TABLE tracker_move (
      chain_id BIGINT NOT NULL,
      block_hash TEXT NOT NULL,
      height BIGINT NOT NULL,
      time_ms BIGINT NOT NULL,
      tx_hash TEXT NOT NULL,
      tx_index BIGINT NOT NULL,
      wallet TEXT NOT NULL,
      user_id TEXT NOT NULL,
      token TEXT NOT NULL,
      came_in BIGINT NOT NULL,
      leg BIGINT NOT NULL,
      amount_raw TEXT NOT NULL,
      kind TEXT NOT NULL,
      value_usd DOUBLE PRECISION,
      price_usd DOUBLE PRECISION,
      priced_by TEXT,
      depth_usd DOUBLE PRECISION,
      fee_raw TEXT NOT NULL,
      fee_usd DOUBLE PRECISION,
      counterparty TEXT,
      PRIMARY KEY (chain_id, block_hash, wallet, tx_hash, token, came_in)
    )`,
    "CREATE INDEX tracker_move_user ON tracker_move (user_id, chain_id, token, height)",
    "CREATE INDEX tracker_move_block ON tracker_move (chain_id, block_hash)",
    "CREATE INDEX tracker_move_token ON tracker_move (chain_id, token, time_ms)",
    "CREATE INDEX tracker_move_tx ON tracker_move (tx_hash)",
    `CREATE TABLE tracker_price (
      chain_id BIGINT NOT NULL,
      token TEXT NOT NULL,
      height BIGINT NOT NULL,
      place BIGINT NOT NULL,
      block_hash TEXT NOT NULL,
      time_ms BIGINT NOT NULL,
      price_usd DOUBLE PRECISION,
      value_usd DOUBLE PRECISION,
      price_coin DOUBLE PRECISION,
      value_coin DOUBLE PRECISION,
      depth_usd DOUBLE PRECISION,
      depth_coin DOUBLE PRECISION,
      doubt TEXT,
      bought BIGINT NOT NULL,
      pool TEXT NOT NULL,
      own BIGINT NOT NULL,
      PRIMARY KEY (chain_id, token, height, place, block_hash)
    )`,
    "CREATE INDEX tracker_price_time ON tracker_price (chain_id, token, time_ms)",
    "CREATE INDEX tracker_price_block ON tracker_price (chain_id, block_hash)",
    `CREATE TABLE tracker_coin (
      chain_id BIGINT NOT NULL,
      source TEXT NOT NULL,
      as_of BIGINT NOT NULL,
      price_usd DOUBLE PRECISION NOT NULL,
      PRIMARY KEY (chain_id, source, as_of)
    )`,
    `CREATE TABLE tracker_quote (
      chain_id BIGINT NOT NULL,
      token TEXT NOT NULL,
      price_usd DOUBLE PRECISION NOT NULL,
      as_of BIGINT NOT NULL,
      PRIMARY KEY (chain_id, token)
    )`,
    `CREATE TABLE tracker_token (
      chain_id BIGINT NOT NULL,
      token TEXT NOT NULL,
      symbol TEXT NOT NULL,
      name TEXT NOT NULL,
      decimals BIGINT,
      supply_raw TEXT,
      seen_at BIGINT NOT NULL,
      place BIGINT NOT NULL,
      PRIMARY KEY (chain_id, token)
    )`,
    `CREATE TABLE tracker_opening (
      chain_id BIGINT NOT NULL,
      wallet TEXT NOT NULL,
      token TEXT NOT NULL,
      user_id TEXT NOT NULL,
      amount_raw TEXT NOT NULL,
      price_usd DOUBLE PRECISION,
      at_ms BIGINT NOT NULL,
      height BIGINT NOT NULL,
      block_hash TEXT NOT NULL,
      PRIMARY KEY (chain_id, wallet, token)
    )`,
    "CREATE INDEX tracker_opening_user ON tracker_opening (user_id)",
    `CREATE TABLE tracker_feed (
      feed TEXT NOT NULL,
      position BIGINT NOT NULL,
      event_id TEXT NOT NULL UNIQUE,
      chain_id BIGINT NOT NULL,
      block_hash TEXT NOT NULL,
      at_ms BIGINT NOT NULL,
      item TEXT NOT NULL,
      PRIMARY KEY (feed, position)
    )`,
    "CREATE INDEX tracker_feed_block ON tracker_feed (chain_id, block_hash)",
    "CREATE TABLE tracker_feed_head (feed TEXT PRIMARY KEY, position BIGINT NOT NULL)",
  ],
};

/** What a node would not say: asked again until it is known. */
const unknowns: Migration = {
  id: "002-unknowns",
  statements: () => [
    `CREATE TABLE tracker_unknown (
      chain_id BIGINT NOT NULL,
      kind TEXT NOT NULL,
      wallet TEXT NOT NULL,
      token TEXT NOT NULL,
      height BIGINT NOT NULL,
      tries BIGINT NOT NULL,
      ask_at BIGINT NOT NULL,
      PRIMARY KEY (chain_id, kind, wallet, token)
    )`,
    "CREATE INDEX tracker_unknown_due ON tracker_unknown (ask_at)",
  ],
};

/** Which transaction a pool's trade was part of: what was paid in it values what was got, whatever a token took on the way. */
const priceTransactions: Migration = {
  id: "003-price-transactions",
  statements: () => ["ALTER TABLE tracker_price ADD COLUMN tx_hash TEXT"],
};

/** What is worked out from moves and openings, kept so that nobody's books are read whole for a list of everybody. */
const positions: Migration = {
  id: "004-positions",
  statements: () => [
    // Sums of micro-dollars: what a worthless token claims to be worth can be past the largest whole number of a column.
    `CREATE TABLE tracker_position (
      trade_id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL,
      chain_id BIGINT NOT NULL,
      token TEXT NOT NULL,
      opened_at BIGINT NOT NULL,
      last_at BIGINT NOT NULL,
      last_fill_at BIGINT,
      closed_at BIGINT,
      held_raw TEXT NOT NULL,
      bought_raw TEXT NOT NULL,
      sold_raw TEXT NOT NULL,
      in_raw TEXT NOT NULL,
      out_raw TEXT NOT NULL,
      cost_basis_usd DOUBLE PRECISION,
      proceeds_usd DOUBLE PRECISION,
      in_value_usd DOUBLE PRECISION,
      out_value_usd DOUBLE PRECISION,
      realized_usd DOUBLE PRECISION,
      fees_usd DOUBLE PRECISION,
      amount DOUBLE PRECISION NOT NULL,
      largest DOUBLE PRECISION NOT NULL,
      cost DOUBLE PRECISION,
      gains DOUBLE PRECISION NOT NULL,
      fees DOUBLE PRECISION NOT NULL,
      invested DOUBLE PRECISION NOT NULL,
      volume DOUBLE PRECISION NOT NULL,
      fills BIGINT NOT NULL,
      unknown_in BIGINT NOT NULL,
      unknown_sells BIGINT NOT NULL
    )`,
    "CREATE INDEX tracker_position_user ON tracker_position (user_id, chain_id, token)",
    // The primary key begins with the same columns.
    "DROP INDEX tracker_move_block",
    "DROP INDEX tracker_opening_user",
    "CREATE INDEX tracker_opening_user ON tracker_opening (user_id, chain_id, token)",
    "CREATE INDEX tracker_move_time ON tracker_move (time_ms)",
    `CREATE INDEX tracker_move_by_pool ON tracker_move (chain_id, token, time_ms)
      WHERE priced_by IS NULL OR priced_by = 'pool'`,
    // All that a quote takes, so that the last trades of a token lie together.
    "DROP INDEX tracker_price_time",
    `CREATE INDEX tracker_price_time ON tracker_price
      (chain_id, token, time_ms, height, place, price_usd, depth_usd)
      WHERE doubt IS NULL AND price_usd IS NOT NULL`,
    "CREATE INDEX tracker_price_seen ON tracker_price (time_ms, chain_id, token)",
  ],
};

/** What a value rests on, and whether it is exact: null in what was kept before. */
const pricing: Migration = {
  id: "005-pricing",
  statements: () => [
    "ALTER TABLE tracker_move ADD COLUMN price_as_of BIGINT",
    "ALTER TABLE tracker_move ADD COLUMN exact BIGINT",
    "ALTER TABLE tracker_opening ADD COLUMN known BIGINT",
    `UPDATE tracker_opening SET known = 0 WHERE EXISTS (SELECT 1 FROM tracker_unknown u
      WHERE u.kind = 'opening' AND u.chain_id = tracker_opening.chain_id
        AND u.wallet = tracker_opening.wallet AND u.token = tracker_opening.token)`,
    "ALTER TABLE tracker_position ADD COLUMN exact BIGINT",
  ],
};

/** How far alerts are out on chains whose alerts wait for a few blocks. */
const safe: Migration = {
  id: "006-safe",
  statements: () => ["CREATE TABLE tracker_safe (chain_id BIGINT PRIMARY KEY, height BIGINT NOT NULL)"],
};

/** A back-fill prices what was held from the start again, token by token; tokens are walked by place and found by address. */
const tokenIndexes: Migration = {
  id: "007-token-indexes",
  statements: () => [
    `CREATE INDEX tracker_opening_token ON tracker_opening (chain_id, token, at_ms) WHERE amount_raw <> '0'`,
    "CREATE INDEX tracker_token_place ON tracker_token (place)",
    "CREATE INDEX tracker_token_address ON tracker_token (token)",
  ],
};

const copied = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table}_next (${columns.join(", ")}) SELECT ${columns.join(", ")} FROM ${table}`;

const MOVE_COLUMNS = [
  ...["chain_id", "height", "block_hash", "tx_hash", "wallet", "token", "came_in", "time_ms", "tx_index"],
  ...["user_id", "leg", "amount_raw", "kind", "value_usd", "price_usd", "priced_by", "depth_usd", "fee_raw"],
  ...["fee_usd", "counterparty", "price_as_of", "exact"],
];

const PRICE_COLUMNS = [
  ...["chain_id", "height", "block_hash", "place", "token", "time_ms", "price_usd", "value_usd"],
  ...["price_coin", "value_coin", "depth_usd", "depth_coin", "doubt", "bought", "pool", "own", "tx_hash"],
];

/**
 * What is in a block is filed by its height and not by its hash, so that news is written to the end of a table. Half of what a
 * fill cost was pages all over the file.
 */
const byHeight: Migration = {
  id: "008-by-height",
  statements: () => [
    `CREATE TABLE tracker_move_next (
      chain_id BIGINT NOT NULL,
      height BIGINT NOT NULL,
      block_hash TEXT NOT NULL,
      tx_hash TEXT NOT NULL,
      wallet TEXT NOT NULL,
      token TEXT NOT NULL,
      came_in BIGINT NOT NULL,
      time_ms BIGINT NOT NULL,
      tx_index BIGINT NOT NULL,
      user_id TEXT NOT NULL,
      leg BIGINT NOT NULL,
      amount_raw TEXT NOT NULL,
      kind TEXT NOT NULL,
      value_usd DOUBLE PRECISION,
      price_usd DOUBLE PRECISION,
      priced_by TEXT,
      depth_usd DOUBLE PRECISION,
      fee_raw TEXT NOT NULL,
      fee_usd DOUBLE PRECISION,
      counterparty TEXT,
      price_as_of BIGINT,
      exact BIGINT,
      PRIMARY KEY (chain_id, height, block_hash, tx_hash, wallet, token, came_in)
    )`,
    copied("tracker_move", MOVE_COLUMNS),
    "DROP TABLE tracker_move",
    "ALTER TABLE tracker_move_next RENAME TO tracker_move",
    "CREATE INDEX tracker_move_user ON tracker_move (user_id, chain_id, token)",
    "CREATE INDEX tracker_move_token ON tracker_move (chain_id, token, time_ms)",
    "CREATE INDEX tracker_move_time ON tracker_move (time_ms)",
    `CREATE INDEX tracker_move_by_pool ON tracker_move (chain_id, token, time_ms)
      WHERE priced_by IS NULL OR priced_by = 'pool'`,
    `CREATE TABLE tracker_price_next (
      chain_id BIGINT NOT NULL,
      height BIGINT NOT NULL,
      block_hash TEXT NOT NULL,
      place BIGINT NOT NULL,
      token TEXT NOT NULL,
      time_ms BIGINT NOT NULL,
      price_usd DOUBLE PRECISION,
      value_usd DOUBLE PRECISION,
      price_coin DOUBLE PRECISION,
      value_coin DOUBLE PRECISION,
      depth_usd DOUBLE PRECISION,
      depth_coin DOUBLE PRECISION,
      doubt TEXT,
      bought BIGINT NOT NULL,
      pool TEXT NOT NULL,
      own BIGINT NOT NULL,
      tx_hash TEXT,
      PRIMARY KEY (chain_id, height, block_hash, place, token)
    )`,
    copied("tracker_price", PRICE_COLUMNS),
    "DROP TABLE tracker_price",
    "ALTER TABLE tracker_price_next RENAME TO tracker_price",
    `CREATE INDEX tracker_price_time ON tracker_price
      (chain_id, token, time_ms, height, place, price_usd, depth_usd, own)
      WHERE doubt IS NULL AND price_usd IS NOT NULL`,
    "CREATE INDEX tracker_price_seen ON tracker_price (time_ms, chain_id, token)",
    "DROP INDEX tracker_feed_block",
    "CREATE INDEX tracker_feed_time ON tracker_feed (chain_id, at_ms)",
  ],
};

/** What a roster says of people, not only their wallets, and whose key signed the rosters that were imported. */
const profiles: Migration = {
  id: "009-profiles",
  statements: () => [
    "ALTER TABLE tracker_trader ADD COLUMN bio TEXT",
    "ALTER TABLE tracker_trader ADD COLUMN x TEXT",
    "ALTER TABLE tracker_trader ADD COLUMN picture TEXT",
    "CREATE TABLE tracker_roster_pin (source TEXT PRIMARY KEY, key TEXT NOT NULL, issued_at BIGINT NOT NULL)",
  ],
};

export const BOOKS: SchemaOwner = {
  record: "tracker_schema_migration",
  migrations: [
    books,
    unknowns,
    priceTransactions,
    positions,
    pricing,
    safe,
    tokenIndexes,
    byHeight,
    profiles,
    tape,
    coinBalances,
    launches,
    verdicts,
  ],
};
