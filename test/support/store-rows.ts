// A store with as many rows as asked for, made by the database itself, so that millions take minutes. Times end at
// `ENDS_AT` and reach back over months; traders and tokens grow with the square root of the rows, so that more data
// means both more of them and more for each.

import type { Database, Queries } from "../../database/database.ts";
import { makeMonths } from "../../database/partitions.ts";
import { raw } from "../../database/sql.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import type { LeaderboardRow } from "../../protocol/shapes/trader.ts";
import { FILL, LOG_EVENT } from "../../service/store/captured/months.ts";
import { JOURNAL } from "../../service/store/money/months.ts";
import type { Store } from "../../service/store/store.ts";
import { appEvent, fill, MIDNIGHT, position, thesis, transfer } from "./nouns.ts";

export const ENDS_AT = MIDNIGHT + 120 * DAY_MS;
const LOG_MS = 90 * DAY_MS;
const FILLS_MS = 365 * DAY_MS;
const CHARGES_MS = 60 * DAY_MS;
/** Rows of one statement: some seconds of work. */
const ROWS_A_STATEMENT = 200_000;

export interface Rows {
  rows: number;
  traders: number;
  tokens: number;
}

export function rowsOf(rows: number): Rows {
  const root = Math.max(10, Math.round(Math.sqrt(rows)));
  return { rows, traders: root, tokens: root };
}

const quoted = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'`;
/** Spread without order, the same on both engines. */
const scattered = (by: number, into: number) => `(n * ${by} % 2147483647 % ${into})`;
const spanned = (lengthMs: number, { rows }: Rows) =>
  `CAST(${ENDS_AT - lengthMs} + n * ${(lengthMs / rows).toFixed(9)} AS BIGINT)`;
const oneOf = (by: number, ...values: string[]) =>
  `CASE ${scattered(by, values.length)} ${values.map((value, n) => `WHEN ${n} THEN ${value}`).join(" ")} END`;

/** No more than what every stored noun has to have. */
const SHORT = {
  eventId: "",
  feed: "app",
  kind: "buy",
  at: 0,
  id: "",
  userId: "",
  token: null,
  tradeId: "",
  swapId: "",
  transferId: "",
};

/** Column by column what the n-th row of each table holds, n from 1 on. */
function tables(of: Rows, bodies: Bodies): Record<string, Record<string, string>> {
  const body = (noun: object) => quoted({ v: 1, ...(bodies === "short" ? SHORT : noun) });
  const user = `'user-' || ${scattered(48_271, of.traders)}`;
  const token = `'token-' || ${scattered(69_621, of.tokens)}`;
  const network = oneOf(16_807, "1399811149", "8453", "56", "4663");
  return {
    log_event: {
      seq: "n",
      event_id: "'event-' || n",
      feed: oneOf(39_373, "'app'", "'app'", "'app'", "'push'", "'chain'"),
      kind: oneOf(630_360_016, "'buy'", "'sell'", "'buy'", "'sell'", "'thesis'", "'listing'"),
      at: spanned(LOG_MS, of),
      captured_at: spanned(LOG_MS, of),
      actor: user,
      handle_key: `'handle-' || ${scattered(48_271, of.traders)}`,
      token_key: token,
      symbol_key: `'SYMBOL-' || ${scattered(69_621, of.tokens)}`,
      network_id: network,
      notification_type: oneOf(39_373, "NULL", "NULL", "NULL", "'LARGE_BUY'", "NULL"),
      alert: oneOf(39_373, "1", "1", "1", "1", "0"),
      history: "0",
      body: body(appEvent()),
    },
    position: {
      trade_id: "'trade-' || n",
      user_id: user,
      network_id: network,
      token_key: token,
      status: oneOf(39_373, "'open'", "'closed'", "'closed'", "'closed'", "'closed'"),
      held_amount: `CAST(${scattered(16_807, 1_000)} AS DOUBLE PRECISION)`,
      value_usd: `CAST(${scattered(16_807, 10_000)} AS DOUBLE PRECISION)`,
      pnl_usd: `CAST(${scattered(69_621, 10_000)} AS DOUBLE PRECISION)`,
      last_activity_at: spanned(FILLS_MS, of),
      captured_at: spanned(FILLS_MS, of),
      body: body(position()),
    },
    fill: {
      swap_id: "'swap-' || n",
      trade_id: `'trade-' || ${scattered(16_807, of.rows)}`,
      tx_hash: "'tx-' || n",
      user_id: user,
      network_id: network,
      token_key: token,
      side: oneOf(39_373, "'buy'", "'sell'"),
      at: spanned(FILLS_MS, of),
      usd: "100.0",
      price_usd: "2.0",
      provisional: "0",
      body: body(fill()),
    },
    transfer: {
      transfer_id: "'transfer-' || n",
      trade_id: `'trade-' || ${scattered(16_807, of.rows)}`,
      at: spanned(FILLS_MS, of),
      body: body(transfer()),
    },
    thesis: {
      id: "'thesis-' || n",
      user_id: user,
      network_id: network,
      token_key: token,
      likes: scattered(16_807, 1_000),
      token_rank: scattered(39_373, 1_000_000),
      created_at: spanned(FILLS_MS, of),
      captured_at: spanned(FILLS_MS, of),
      body: body(thesis()),
    },
    candle: {
      token_key: `'token-' || (n % ${of.tokens})`,
      network_id: "8453",
      length_ms: `CASE WHEN n / ${of.tokens} % 20 = 0 THEN ${DAY_MS} ELSE ${MINUTE_MS} END`,
      opens_at: `${ENDS_AT} - (n / ${of.tokens}) * ${MINUTE_MS}`,
      open: "1.0",
      high: "2.0",
      low: "1.0",
      close: "2.0",
      buy_usd: "5.0",
      sell_usd: "5.0",
      trades: "2",
      first_at: "0",
      last_at: "0",
    },
    journal: {
      position: "n",
      at: spanned(CHARGES_MS, of),
      batch_id: "'batch-' || n",
      charges: `'[["req_' || n || '","account-' || ${scattered(48_271, of.traders)} || '","key","listAlerts",250,0,0]]'`,
    },
    usage_hour: {
      hour: `${ENDS_AT - HOUR_MS} - (n % ${CHARGES_MS / HOUR_MS}) * ${HOUR_MS}`,
      account_id: `'account-' || ${scattered(48_271, of.traders)}`,
      key_id: "'key-' || n",
      route_id: oneOf(39_373, "'getLeaderboard'", "'listAlerts'"),
      calls: "1",
      credits: "250",
      resolutions: "0",
      last_at: "0",
    },
    log_alias: {
      kind: "'handle'",
      alias: `'handle-' || (n % ${of.traders})`,
      stands_for: `'user-' || (n % ${of.traders})`,
    },
  };
}

/** Real ones, or none to speak of where only the work of finding rows matters. */
type Bodies = "real" | "short";

/** The store must be empty. `only` names tables; all of them without it. */
export async function fillRows(
  store: Store,
  of: Rows,
  { only, bodies = "real" }: { only?: readonly string[] | undefined; bodies?: Bodies } = {},
): Promise<void> {
  const { database } = store;
  for (const [table, columns] of Object.entries(tables(of, bodies))) {
    if (only && !only.includes(table) && table !== "log_alias") continue;
    const rows = table === "log_alias" ? of.traders : of.rows;
    for (let from = 1; from <= rows; from += ROWS_A_STATEMENT) {
      const to = Math.min(rows, from + ROWS_A_STATEMENT - 1);
      await database.write(
        async (tx) => {
          await makeAllMonths(tx);
          const values = Object.values(columns).join(", ");
          await tx.run(
            raw(`${seriesOf(database, from, to)} INSERT INTO ${table} (${Object.keys(columns).join(", ")})
              SELECT ${values} FROM series WHERE true`),
          );
        },
        { patient: true },
      );
    }
  }
  await database.write((tx) =>
    tx.run(raw(`UPDATE log_head SET seq = ${of.rows}, captured_at = ${ENDS_AT} WHERE id = 1`)),
  );
  await database.write((tx) => tx.run(raw(`UPDATE ledger_state SET rolled_below = ${of.rows + 1}`)));
  await store.leaderboards.save("24h", { asOf: ENDS_AT, rows: leaderboardRows() }, ENDS_AT);
  await database.write(
    async (tx) => {
      for (const table of await filledTables(tx)) await tx.run(raw(`ANALYZE ${table}`));
    },
    { patient: true },
  );
}

/** As many as a leaderboard has. */
function leaderboardRows(): LeaderboardRow[] {
  return Array.from({ length: 150 }, (_, n) => ({
    rank: n + 1,
    userId: `user-${n}`,
    handle: `handle-${n}`,
    displayName: `Trader ${n}`,
    verified: false,
    pnlUsd: 1_000 - n,
    volumeUsd: 5_000,
    trades: 12,
    followers: 3,
    holdingsCount: 4,
    realizedPnlUsd: 0,
    grossPnlUsd: null,
    feesUsd: null,
    figures: null,
    positions: 4,
    wallets: { solana: null, evm: null },
    topTokens: [],
  }));
}

/** As autovacuum would: a month without rows has no statistics, and is planned as one that may get some. */
async function filledTables(tx: Queries): Promise<string[]> {
  if (tx.dialect === "sqlite") return [""];
  const rows = await tx.all<{ name: string }>(
    raw(`SELECT relname AS name FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace
      WHERE n.nspname = current_schema() AND relkind = 'r' AND pg_relation_size(pg_class.oid) > 0`),
  );
  return rows.map((row) => row.name);
}

async function makeAllMonths(tx: Queries): Promise<void> {
  const ends = Array.from({ length: 38 }, (_, n) => ENDS_AT - n * 10 * DAY_MS);
  for (const [table, lengthMs] of [
    [LOG_EVENT, LOG_MS],
    [FILL, FILLS_MS],
    [JOURNAL, CHARGES_MS],
  ] as const) {
    await makeMonths(tx, table, [...ends.filter((at) => at > ENDS_AT - lengthMs), ENDS_AT - lengthMs]);
  }
}

function seriesOf({ dialect }: Database, from: number, to: number): string {
  return dialect === "postgres"
    ? `WITH series AS (SELECT n FROM generate_series(CAST(${from} AS BIGINT), ${to}) AS n)`
    : `WITH RECURSIVE series (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM series WHERE n < ${to})`;
}
