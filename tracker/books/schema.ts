// The tracker's own tables, with their own migration record: they may share a database with the service's. Amounts are the
// chain's raw integers as text; the price that was used is in the same row.
//
// A block's contents are keyed by height, so that new rows go to the end of a table or index. Hashes and ids scatter writes
// over a file of gigabytes, and a page for each was half the cost of a fill.
import type { SchemaOwner } from "../../database/migrate.ts";
import { ROSTER_TABLES } from "../roster/tables.ts";
import { TAPE_TABLES } from "../tape/tables.ts";
import { migration as deepTrades } from "./migrations/002-deep-trades.ts";
import { migration as quoteDepth } from "./migrations/003-quote-depth.ts";
import { migration as depthClasses } from "./migrations/004-depth-classes.ts";

const BLOCK_TABLES = [
  `CREATE TABLE tracker_block (
    chain_id BIGINT NOT NULL,
    height BIGINT NOT NULL,
    hash TEXT NOT NULL,
    time_ms BIGINT NOT NULL,
    coin_usd DOUBLE PRECISION,
    coin_by TEXT,
    coin_as_of BIGINT,
    PRIMARY KEY (chain_id, height, hash)
  )`,
  "CREATE INDEX tracker_block_waiting ON tracker_block (time_ms) WHERE coin_usd IS NULL",
  "CREATE TABLE tracker_final (chain_id BIGINT PRIMARY KEY, height BIGINT NOT NULL)",
  // How far alerts have been sent on chains with delayed alerts.
  "CREATE TABLE tracker_safe (chain_id BIGINT PRIMARY KEY, height BIGINT NOT NULL)",
];

const MOVE_TABLES = [
  `CREATE TABLE tracker_move (
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
    price_as_of BIGINT,
    exact BIGINT NOT NULL,
    fee_raw TEXT NOT NULL,
    fee_usd DOUBLE PRECISION,
    counterparty TEXT,
    PRIMARY KEY (chain_id, height, block_hash, tx_hash, wallet, token, came_in)
  )`,
  "CREATE INDEX tracker_move_user ON tracker_move (user_id, chain_id, token)",
  "CREATE INDEX tracker_move_time ON tracker_move (time_ms)",
  `CREATE INDEX tracker_move_by_pool ON tracker_move (chain_id, token, time_ms)
    WHERE priced_by IS NULL OR priced_by = 'pool'`,
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
    known BIGINT NOT NULL,
    PRIMARY KEY (chain_id, token, wallet)
  )`,
  "CREATE INDEX tracker_opening_user ON tracker_opening (user_id, chain_id, token)",
  "CREATE INDEX tracker_opening_height ON tracker_opening (chain_id, height)",
  // A back-fill reprices opening balances, token by token.
  `CREATE INDEX tracker_opening_held ON tracker_opening (chain_id, token, at_ms) WHERE amount_raw <> '0'`,
];

const PRICE_TABLES = [
  `CREATE TABLE tracker_price (
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
    -- What was paid in a transaction values what was got, whatever a token took on the way.
    tx_hash TEXT NOT NULL,
    PRIMARY KEY (chain_id, height, block_hash, place, token)
  )`,
  // All columns that a quote needs, so that a token's last trades are adjacent.
  `CREATE INDEX tracker_price_time ON tracker_price
    (chain_id, token, time_ms, height, place, price_usd, depth_usd, own)
    WHERE doubt IS NULL AND price_usd IS NOT NULL`,
  "CREATE INDEX tracker_price_seen ON tracker_price (time_ms, chain_id, token)",
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
];

const TOKEN_TABLES = [
  `CREATE TABLE tracker_token (
    chain_id BIGINT NOT NULL,
    token TEXT NOT NULL,
    symbol TEXT NOT NULL,
    name TEXT NOT NULL,
    decimals BIGINT,
    supply_raw TEXT,
    seen_at BIGINT NOT NULL,
    place BIGINT NOT NULL,
    launched_at BIGINT,
    deployer TEXT,
    graduated_at BIGINT,
    launch_tries BIGINT NOT NULL DEFAULT 0,
    -- Null once there is nothing more to ask.
    launch_ask_at BIGINT DEFAULT 0,
    PRIMARY KEY (chain_id, token)
  )`,
  "CREATE INDEX tracker_token_place ON tracker_token (place)",
  "CREATE INDEX tracker_token_address ON tracker_token (token)",
  `CREATE TABLE tracker_verdict (
    chain_id BIGINT NOT NULL,
    token TEXT NOT NULL,
    verdict TEXT,
    PRIMARY KEY (chain_id, token)
  )`,
  // Lookups that a node did not answer: retried until they are known.
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
];

/** Derived from moves and openings; stored so that listing all traders does not read anyone's whole books. */
const POSITION_TABLES = [
  // Sums of micro-dollars, as doubles: the claimed value of a worthless token can exceed a column's largest integer.
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
    exact BIGINT NOT NULL,
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
  // Which positions to check against the chain next.
  "CREATE INDEX tracker_position_open ON tracker_position (chain_id, trade_id) WHERE closed_at IS NULL",
  `CREATE TABLE tracker_coin_balance (
    chain_id BIGINT NOT NULL,
    wallet TEXT NOT NULL,
    amount_raw TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (chain_id, wallet)
  )`,
];

const FEED_TABLES = [
  `CREATE TABLE tracker_feed (
    feed TEXT NOT NULL,
    position BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    chain_id BIGINT NOT NULL,
    height BIGINT NOT NULL,
    block_hash TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    item TEXT NOT NULL,
    PRIMARY KEY (feed, position),
    UNIQUE (chain_id, height, event_id)
  )`,
  "CREATE TABLE tracker_feed_head (feed TEXT PRIMARY KEY, position BIGINT NOT NULL)",
];

export const BOOKS: SchemaOwner = {
  record: "tracker_schema_migration",
  migrations: [
    {
      id: "001-tracker",
      statements: () => [
        "CREATE TABLE tracker_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE TABLE tracker_cursor (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        ...ROSTER_TABLES,
        ...BLOCK_TABLES,
        ...MOVE_TABLES,
        ...PRICE_TABLES,
        ...TOKEN_TABLES,
        ...POSITION_TABLES,
        ...FEED_TABLES,
        ...TAPE_TABLES,
      ],
    },
    deepTrades,
    quoteDepth,
    depthClasses,
  ],
};
