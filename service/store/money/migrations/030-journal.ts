// Charges become a journal: a row for each batch that was committed together, in order of time. Balances become narrow
// rows of their own, and usage by the hour follows the journal. What was charged before is carried over, batch by
// batch, and counted in its hours.
import type { Migration } from "../../../../database/migrate.ts";
import { byMonth, outermost } from "../../../../database/partitions.ts";
import type { Dialect } from "../../../../database/sql.ts";
import { JOURNAL } from "../months.ts";

const HOUR_MS = 3_600_000;

export const migration: Migration = {
  id: "030-journal",
  statements: (dialect) => [
    ...balances(dialect),
    ...journal(dialect),
    ...usage(dialect),
    ...(dialect === "postgres" ? [monthsOfCharges] : []),
    carriedOver(dialect),
    `INSERT INTO usage_hour (hour, account_id, key_id, route_id, calls, credits, resolutions, last_at)
     SELECT at - at % ${HOUR_MS}, account_id, key_id, route_id, COUNT(*), CAST(SUM(credits) AS BIGINT),
       CAST(SUM(resolutions) AS BIGINT), MAX(at)
     FROM charge GROUP BY at - at % ${HOUR_MS}, account_id, key_id, route_id`,
    // What was carried over is in its hours; what comes is numbered above it.
    dialect === "sqlite"
      ? "INSERT INTO ledger_state (id, rolled_below, version) SELECT 1, COALESCE(MAX(position), 0) + 1, 0 FROM journal"
      : "INSERT INTO ledger_state (id, rolled_below, version) VALUES (1, 1, 0)",
    "DROP TABLE charge",
  ],
};

/** PostgreSQL leaves room in each page, so that a balance changes where it is and no index is touched. */
function balances(dialect: Dialect): string[] {
  const moved = ["next_change_at", "monthly_remaining", "prepaid_remaining", "resolutions_remaining"];
  return [
    `CREATE TABLE balance (
      account_id TEXT PRIMARY KEY REFERENCES account (id),
      next_change_at BIGINT NOT NULL,
      monthly_remaining BIGINT NOT NULL CHECK (monthly_remaining >= 0),
      prepaid_remaining BIGINT NOT NULL CHECK (prepaid_remaining >= 0),
      resolutions_remaining BIGINT NOT NULL CHECK (resolutions_remaining >= 0),
      version BIGINT NOT NULL
    ) ${dialect === "sqlite" ? "WITHOUT ROWID" : "WITH (fillfactor = 60)"}`,
    `INSERT INTO balance (account_id, ${moved.join(", ")}, version)
     SELECT id, ${moved.join(", ")}, 0 FROM account`,
    ...moved.map((column) => `ALTER TABLE account DROP COLUMN ${column}`),
  ];
}

/**
 * `position` is the order in which batches were committed: on SQLite a row's number; on PostgreSQL the transaction that
 * wrote it, because only of transactions is it known when all earlier ones have ended.
 */
function journal(dialect: Dialect): string[] {
  const position =
    dialect === "sqlite"
      ? "position INTEGER PRIMARY KEY"
      : "position BIGINT NOT NULL DEFAULT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)";
  return [
    `CREATE TABLE journal (
      ${position},
      at BIGINT NOT NULL,
      batch_id TEXT NOT NULL,
      charges TEXT NOT NULL,
      ${dialect === "sqlite" ? "UNIQUE (at, batch_id)" : "PRIMARY KEY (at, batch_id)"}
    ) ${byMonth(dialect, JOURNAL)}`,
    ...(dialect === "sqlite"
      ? []
      : [
          // Compressing a batch costs more than the disk it saves.
          "ALTER TABLE journal ALTER COLUMN charges SET STORAGE EXTERNAL",
          "CREATE INDEX journal_position ON journal (position, at, batch_id)",
        ]),
    ...outermost(dialect, JOURNAL),
  ];
}

/** By hour first: what is added to lies together, however many accounts there are. */
function usage(dialect: Dialect): string[] {
  return [
    `CREATE TABLE usage_hour (
      hour BIGINT NOT NULL,
      account_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      route_id TEXT NOT NULL,
      calls BIGINT NOT NULL,
      credits BIGINT NOT NULL,
      resolutions BIGINT NOT NULL,
      last_at BIGINT NOT NULL,
      PRIMARY KEY (hour, account_id, key_id, route_id)
    ) ${dialect === "sqlite" ? "WITHOUT ROWID" : "WITH (fillfactor = 60)"}`,
    `CREATE TABLE ledger_state (
      id BIGINT PRIMARY KEY CHECK (id = 1),
      rolled_below BIGINT NOT NULL,
      version BIGINT NOT NULL
    )`,
  ];
}

/** The journal has the months that the charges had. */
const monthsOfCharges = `DO $$
  DECLARE month RECORD;
  BEGIN
    FOR month IN
      SELECT DISTINCT date_trunc('month', to_timestamp(at / 1000.0) AT TIME ZONE 'UTC') AS starts FROM charge
      WHERE at >= ${Date.UTC(2020, 0)} AND at < ${Date.UTC(2100, 0)}
    LOOP
      EXECUTE format('CREATE TABLE journal_%s PARTITION OF journal FOR VALUES FROM (%s) TO (%s)',
        to_char(month.starts, 'YYYY_MM'),
        CAST(extract(epoch FROM month.starts) * 1000 AS BIGINT),
        CAST(extract(epoch FROM month.starts + INTERVAL '1 month') * 1000 AS BIGINT));
    END LOOP;
  END $$`;

/** Charges of one moment were one batch, or parts of some: they become one. */
function carriedOver(dialect: Dialect): string {
  const fields = "request_id, account_id, key_id, route_id, credits, resolutions, 0";
  return dialect === "sqlite"
    ? `INSERT INTO journal (at, batch_id, charges)
       SELECT at, 'carried', json_group_array(json_array(${fields})) FROM charge GROUP BY at ORDER BY at`
    : `INSERT INTO journal (position, at, batch_id, charges)
       SELECT 0, at, 'carried', CAST(json_agg(json_build_array(${fields})) AS TEXT) FROM charge GROUP BY at`;
}
