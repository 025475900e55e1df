// Data captured from a platform: the log, capture's own progress, traders and tokens, positions and fills, theses, and
// the market.
//
// Every index costs the writer at least a page per event, so the log's indexes contain alerts only, and handles are found
// through the actors that they name instead of a separate index.
import { monthlyKey, rowKey } from "../../../../database/column-types.ts";
import type { Migration } from "../../../../database/migrate.ts";
import { byMonth, outermost } from "../../../../database/partitions.ts";
import type { Dialect } from "../../../../database/sql.ts";
import { FILL, LOG_EVENT } from "../months.ts";

export const migration: Migration = {
  id: "001-captured",
  statements: (dialect) => [
    ...log(dialect),
    ...CAPTURE,
    ...DIRECTORY,
    ...POSITIONS,
    ...fills(dialect),
    ...THESES,
    ...MARKET,
  ],
};

const log = (dialect: Dialect): string[] => [
  `CREATE TABLE log_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch TEXT NOT NULL,
    seq BIGINT NOT NULL,
    first_seq BIGINT NOT NULL DEFAULT 1,
    captured_at BIGINT NOT NULL,
    began_at BIGINT NOT NULL
  )`,
  `CREATE TABLE log_event (
    seq ${dialect === "sqlite" ? rowKey(dialect) : "BIGINT NOT NULL"},
    event_id TEXT NOT NULL${dialect === "sqlite" ? " UNIQUE" : ""},
    feed TEXT NOT NULL,
    kind TEXT NOT NULL,
    at BIGINT NOT NULL,
    captured_at BIGINT NOT NULL,
    actor TEXT,
    handle_key TEXT,
    token_key TEXT,
    symbol_key TEXT,
    network_id BIGINT,
    notification_type TEXT,
    alert INTEGER NOT NULL,
    history INTEGER NOT NULL,
    body TEXT NOT NULL${monthlyKey(dialect, "captured_at, seq")}
  ) ${byMonth(dialect, LOG_EVENT)}`,
  ...(dialect === "sqlite" ? ["CREATE INDEX log_event_captured ON log_event (captured_at, seq)"] : []),
  "CREATE INDEX log_event_actor ON log_event (actor, seq) WHERE alert = 1",
  "CREATE INDEX log_event_token ON log_event (token_key, seq) WHERE alert = 1",
  "CREATE INDEX log_event_kind_network ON log_event (kind, network_id, seq) WHERE alert = 1",
  "CREATE INDEX log_event_kind ON log_event (kind, seq) WHERE alert = 1",
  "CREATE INDEX log_event_network ON log_event (network_id, seq) WHERE alert = 1",
  `CREATE INDEX log_event_notification ON log_event (notification_type, seq)
    WHERE notification_type IS NOT NULL`,
  ...outermost(dialect, LOG_EVENT),
  `CREATE TABLE log_alias (
    kind TEXT NOT NULL,
    alias TEXT NOT NULL,
    stands_for TEXT NOT NULL,
    PRIMARY KEY (kind, alias, stands_for)
  )`,
  `CREATE TABLE log_history (
    source TEXT NOT NULL,
    feed TEXT NOT NULL,
    next_position BIGINT NOT NULL,
    oldest_position BIGINT NOT NULL,
    PRIMARY KEY (source, feed)
  )`,
];

/** Leases, how far each feed of each platform was read, gaps and refused items. */
const CAPTURE = [
  `CREATE TABLE lease (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    term BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
  )`,
  `CREATE TABLE feed_progress (
    source TEXT NOT NULL,
    feed TEXT NOT NULL,
    position BIGINT NOT NULL,
    saved_at BIGINT NOT NULL,
    PRIMARY KEY (source, feed)
  )`,
  `CREATE TABLE feed_gap (
    source TEXT NOT NULL,
    feed TEXT NOT NULL,
    from_position BIGINT NOT NULL,
    to_position BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    found_at BIGINT NOT NULL,
    PRIMARY KEY (source, feed, from_position)
  )`,
  "CREATE TABLE refusal_count (reason TEXT PRIMARY KEY, refused BIGINT NOT NULL, last_at BIGINT NOT NULL)",
  `CREATE TABLE refusal_sample (
    reason TEXT NOT NULL,
    slot BIGINT NOT NULL,
    feed TEXT NOT NULL,
    sample TEXT NOT NULL,
    refused_at BIGINT NOT NULL,
    PRIMARY KEY (reason, slot)
  )`,
];

/** A handle belongs to one trader at a time; a former one is kept until another trader takes it. */
const DIRECTORY = [
  `CREATE TABLE trader (
    user_id TEXT PRIMARY KEY,
    handle_key TEXT NOT NULL,
    version BIGINT NOT NULL,
    captured_at BIGINT NOT NULL,
    body TEXT NOT NULL
  )`,
  "CREATE INDEX trader_version ON trader (version)",
  `CREATE TABLE trader_handle (
    handle_key TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    is_current INTEGER NOT NULL
  )`,
  "CREATE INDEX trader_handle_user ON trader_handle (user_id)",
  `CREATE TABLE token (
    address_key TEXT NOT NULL,
    network_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    captured_at BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (address_key, network_id)
  )`,
  "CREATE INDEX token_version ON token (version)",
  "CREATE TABLE directory_version (name TEXT PRIMARY KEY, version BIGINT NOT NULL)",
  "INSERT INTO directory_version (name, version) VALUES ('trader', 0), ('token', 0)",
];

/** Positions, with the columns they are filtered and sorted by; and which traders were captured, when, and are in doubt. */
const POSITIONS = [
  `CREATE TABLE position (
    trade_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    network_id BIGINT NOT NULL,
    token_key TEXT NOT NULL,
    status TEXT NOT NULL,
    held_amount DOUBLE PRECISION NOT NULL,
    value_usd DOUBLE PRECISION NOT NULL,
    pnl_usd DOUBLE PRECISION NOT NULL,
    last_activity_at BIGINT NOT NULL,
    captured_at BIGINT NOT NULL,
    body TEXT NOT NULL
  )`,
  "CREATE INDEX position_user_recent ON position (user_id, last_activity_at, trade_id)",
  "CREATE INDEX position_user_status ON position (user_id, status, last_activity_at, trade_id)",
  "CREATE INDEX position_user_pnl ON position (user_id, pnl_usd, trade_id)",
  "CREATE INDEX position_user_value ON position (user_id, value_usd, trade_id)",
  `CREATE INDEX position_token_open ON position (token_key, network_id, user_id, held_amount)
    WHERE status = 'open'`,
  "CREATE INDEX position_closed ON position (last_activity_at) WHERE status = 'closed'",
  `CREATE TABLE trader_capture (
    user_id TEXT PRIMARY KEY,
    captured_at BIGINT NOT NULL,
    open_complete INTEGER NOT NULL,
    closed_total BIGINT,
    doubted_at BIGINT
  )`,
  "CREATE INDEX trader_capture_age ON trader_capture (captured_at)",
  "CREATE INDEX trader_capture_doubt ON trader_capture (doubted_at) WHERE doubted_at IS NOT NULL",
  `CREATE TABLE transfer (
    transfer_id TEXT PRIMARY KEY,
    trade_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    body TEXT NOT NULL
  )`,
  "CREATE INDEX transfer_trade ON transfer (trade_id, at, transfer_id)",
  "CREATE INDEX transfer_at ON transfer (at)",
];

const fills = (dialect: Dialect): string[] => [
  `CREATE TABLE fill (
    swap_id TEXT ${dialect === "sqlite" ? "PRIMARY KEY" : "NOT NULL"},
    trade_id TEXT NOT NULL,
    tx_hash TEXT NOT NULL,
    user_id TEXT NOT NULL,
    network_id BIGINT NOT NULL,
    token_key TEXT NOT NULL,
    side TEXT NOT NULL,
    at BIGINT NOT NULL,
    usd DOUBLE PRECISION NOT NULL,
    price_usd DOUBLE PRECISION NOT NULL,
    provisional INTEGER NOT NULL,
    body TEXT NOT NULL${monthlyKey(dialect, "at, swap_id")}
  ) ${byMonth(dialect, FILL)}`,
  "CREATE INDEX fill_user ON fill (user_id, at, swap_id)",
  "CREATE INDEX fill_trade ON fill (trade_id, at, swap_id)",
  "CREATE INDEX fill_token ON fill (token_key, network_id, at, swap_id)",
  ...(dialect === "sqlite" ? ["CREATE INDEX fill_at ON fill (at, swap_id)"] : []),
  ...outermost(dialect, FILL),
];

/** Theses, with an index for every order they are listed in; and which tokens' theses were captured. */
const THESES = [
  `CREATE TABLE thesis (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    network_id BIGINT NOT NULL,
    token_key TEXT NOT NULL,
    likes BIGINT NOT NULL,
    token_rank BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    captured_at BIGINT NOT NULL,
    body TEXT NOT NULL
  )`,
  "CREATE INDEX thesis_recent ON thesis (created_at, id)",
  "CREATE INDEX thesis_network_recent ON thesis (network_id, created_at, id)",
  "CREATE INDEX thesis_token_recent ON thesis (token_key, created_at, id)",
  "CREATE INDEX thesis_token_likes ON thesis (token_key, likes, id)",
  "CREATE INDEX thesis_token_rank ON thesis (token_key, token_rank, id)",
  "CREATE INDEX thesis_user_recent ON thesis (user_id, created_at, id)",
  "CREATE INDEX thesis_user_likes ON thesis (user_id, likes, id)",
  "CREATE INDEX thesis_user_token ON thesis (user_id, token_key, created_at, id)",
  `CREATE TABLE thesis_capture (
    token_key TEXT NOT NULL,
    network_id BIGINT NOT NULL,
    captured_at BIGINT NOT NULL,
    complete INTEGER NOT NULL,
    PRIMARY KEY (token_key, network_id)
  )`,
];

/** The last good boards and leaderboards, and candles of the three lengths that the others derive from. */
const MARKET = [
  "CREATE TABLE snapshot (name TEXT PRIMARY KEY, captured_at BIGINT NOT NULL, body TEXT NOT NULL)",
  `CREATE TABLE candle (
    token_key TEXT NOT NULL,
    network_id BIGINT NOT NULL,
    length_ms BIGINT NOT NULL,
    opens_at BIGINT NOT NULL,
    open DOUBLE PRECISION NOT NULL,
    high DOUBLE PRECISION NOT NULL,
    low DOUBLE PRECISION NOT NULL,
    close DOUBLE PRECISION NOT NULL,
    buy_usd DOUBLE PRECISION NOT NULL,
    sell_usd DOUBLE PRECISION NOT NULL,
    trades BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (token_key, network_id, length_ms, opens_at)
  )`,
  "CREATE INDEX candle_age ON candle (length_ms, opens_at)",
  `CREATE TABLE mark (
    at BIGINT NOT NULL,
    token_key TEXT NOT NULL,
    network_id BIGINT NOT NULL,
    price_usd DOUBLE PRECISION NOT NULL,
    priced_at BIGINT NOT NULL,
    PRIMARY KEY (at, token_key, network_id)
  )`,
];
