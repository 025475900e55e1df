/** The tape: pools that a roster trader bought in, how far each was read, and their states after each swap. */
export const TAPE_TABLES = [
  `CREATE TABLE tracker_pool (
      chain_id BIGINT NOT NULL,
      pool TEXT NOT NULL,
      token TEXT NOT NULL,
      first_height BIGINT NOT NULL,
      last_ms BIGINT NOT NULL,
      from_ms BIGINT,
      to_height BIGINT,
      to_ms BIGINT,
      fee_bps BIGINT,
      PRIMARY KEY (chain_id, pool, token)
    )`,
  "CREATE INDEX tracker_pool_token ON tracker_pool (chain_id, token)",
  "CREATE INDEX tracker_pool_last ON tracker_pool (last_ms)",
  `CREATE TABLE tracker_tick (
      chain_id BIGINT NOT NULL,
      token TEXT NOT NULL,
      time_ms BIGINT NOT NULL,
      place BIGINT NOT NULL,
      height BIGINT NOT NULL,
      pool TEXT NOT NULL,
      price_usd DOUBLE PRECISION NOT NULL,
      depth_usd DOUBLE PRECISION NOT NULL,
      fee_bps BIGINT NOT NULL,
      bought BIGINT NOT NULL,
      usd DOUBLE PRECISION NOT NULL,
      PRIMARY KEY (chain_id, token, time_ms, place)
    )`,
  "CREATE INDEX tracker_tick_time ON tracker_tick (time_ms)",
];
