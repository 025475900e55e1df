/** Traders, their wallets, and the keys that signed the imported rosters. */
export const ROSTER_TABLES = [
  `CREATE TABLE tracker_trader (
    user_id TEXT PRIMARY KEY,
    handle TEXT NOT NULL,
    display_name TEXT NOT NULL,
    bio TEXT,
    x TEXT,
    picture TEXT,
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
  "CREATE TABLE tracker_roster_pin (source TEXT PRIMARY KEY, key TEXT NOT NULL, issued_at BIGINT NOT NULL)",
];
