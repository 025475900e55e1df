// Fills, positions, candles and their log, as bench/history-store.ts requests them: realistic bodies, with each row derived
// from its number.
import { existsSync, statSync } from "node:fs";
import type { Queries } from "../database/database.ts";
import type { DatabaseLocation } from "../database/open.ts";
import { makeMonths } from "../database/partitions.ts";
import { raw } from "../database/sql.ts";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { DAY_MS, MINUTE_MS } from "../kit/units.ts";
import { readConfig } from "../service/config.ts";
import { storeLocation } from "../service/foundation.ts";
import { FILL, LOG_EVENT } from "../service/store/captured/months.ts";
import { skipDerived } from "../service/store/captured/progress.ts";
import { openStore } from "../service/store/store.ts";
import { appEvent, fill, position, SOLANA, token, trader } from "../test/support/nouns.ts";

/** Share of all days, the most recent ones, that are in the log. */
const LOGGED_SHARE = 0.25;
export const CANDLE_DAYS = 30;
const TRADERS = 500;
const TOKENS = 20;
const ROWS_A_STATEMENT = 100_000;

export const userOf = (index: number) => `user-${index}`;
const addressOf = (index: number) => `token-${index}`;

/** The last whole day is yesterday. */
export const endsAt = (now: number) => Math.floor(now / DAY_MS) * DAY_MS;

const scattered = (by: number, into: number) => `(n * ${by} % 2147483647 % ${into})`;
const TRADER = scattered(48_271, TRADERS);
const TOKEN = scattered(69_621, TOKENS);
const TRADE = `'trade-' || ${TRADER} || '-' || ${TOKEN}`;
const IS_BUY = `${scattered(39_373, 100)} < 55`;

/** A body with its own ids in place of these. */
function bodyOf(noun: object, at: string): string {
  const text = `'${JSON.stringify({ v: 1, ...noun }).replaceAll("'", "''")}'`;
  const places = { "§n": "CAST(n AS TEXT)", "§user": TRADER, "§token": TOKEN };
  const filled = Object.entries(places).reduce(
    (sum, [mark, value]) => `replace(${sum}, '${mark}', CAST(${value} AS TEXT))`,
    text,
  );
  return `replace(${filled}, '"§at"', CAST(${at} AS TEXT))`;
}

const TOKEN_NOUN = token({ address: "token-§token", symbol: "T§token" });
const NAMES = { userId: "user-§user", tradeId: "trade-§user-§token", txHash: "tx-§n" };

function fillColumns(at: string): Record<string, string> {
  const body = (side: "buy" | "sell") =>
    bodyOf(fill({ ...NAMES, swapId: "swap-§n", side, at: "§at" as never, token: TOKEN_NOUN }), at);
  return {
    swap_id: "'swap-' || n",
    trade_id: TRADE,
    tx_hash: "'tx-' || n",
    user_id: `'user-' || ${TRADER}`,
    network_id: String(SOLANA),
    token_key: `'token-' || ${TOKEN}`,
    side: `CASE WHEN ${IS_BUY} THEN 'buy' ELSE 'sell' END`,
    at,
    usd: "100.0",
    price_usd: "2.0",
    provisional: "0",
    body: `CASE WHEN ${IS_BUY} THEN ${body("buy")} ELSE ${body("sell")} END`,
  };
}

function eventColumns(at: string, firstSeq: number): Record<string, string> {
  const names = { ...NAMES, swapId: "swap-§n", handle: "handle-§user" };
  return {
    seq: `n - ${firstSeq - 1}`,
    event_id: "'event-' || n",
    feed: "'app'",
    kind: "'buy'",
    at,
    captured_at: at,
    actor: `'user-' || ${TRADER}`,
    handle_key: `'handle-' || ${TRADER}`,
    token_key: `'token-' || ${TOKEN}`,
    symbol_key: `'T' || ${TOKEN}`,
    network_id: String(SOLANA),
    notification_type: "NULL",
    alert: "1",
    history: "0",
    body: bodyOf(appEvent({ ...names, eventId: "event-§n", at: "§at" as never, token: TOKEN_NOUN }), at),
  };
}

const candleColumns = (firstAt: number): Record<string, string> => ({
  token_key: `'token-' || (n % ${TOKENS})`,
  network_id: String(SOLANA),
  length_ms: String(MINUTE_MS),
  opens_at: `${firstAt} + (n / ${TOKENS}) * ${MINUTE_MS}`,
  open: "2.0",
  high: "2.2",
  low: "1.8",
  close: "2.0",
  buy_usd: "5.0",
  sell_usd: "5.0",
  trades: "2",
  first_at: "0",
  last_at: "0",
});

async function makeFills(location: DatabaseLocation, count: number, days: number) {
  const clock = systemClock();
  const store = await openStore({ location, clock, log: createLog("warn", clock.now) });
  const { database } = store;
  const end = endsAt(clock.now());
  const from = end - days * DAY_MS;
  const at = `CAST(${from} + n * ${((days * DAY_MS) / (count + 1)).toFixed(9)} AS BIGINT)`;
  const insert = async (table: string, columns: Record<string, string>, first: number, last: number) => {
    for (let start = first; start <= last; start += ROWS_A_STATEMENT)
      await database.write(
        async (tx) => {
          await makeAllMonths(tx, from, days);
          const stop = Math.min(last, start + ROWS_A_STATEMENT - 1);
          const values = Object.values(columns).join(", ");
          await tx.run(
            raw(`${seriesOf(tx, start, stop)} INSERT INTO ${table} (${Object.keys(columns).join(", ")})
              SELECT ${values} FROM series WHERE true`),
          );
        },
        { patient: true, flushAside: true },
      );
  };
  await insert("fill", fillColumns(at), 1, count);
  const firstLogged = Math.ceil(count * (1 - LOGGED_SHARE)) + 1;
  await insert("log_event", eventColumns(at, firstLogged), firstLogged, count);
  const candles = (CANDLE_DAYS * DAY_MS * TOKENS) / MINUTE_MS;
  await insert("candle", candleColumns(end - CANDLE_DAYS * DAY_MS), 0, candles - 1);
  const events = count - firstLogged + 1;
  await database.write(async (tx) => {
    await tx.run(
      raw(
        `UPDATE log_head SET seq = ${events}, captured_at = ${end - 1}, began_at = ${end - Math.ceil(LOGGED_SHARE * days) * DAY_MS} WHERE id = 1`,
      ),
    );
  });
  await database.write((tx) => skipDerived(tx, events, end));
  const people = Array.from({ length: TRADERS }, (_, index) => index);
  await store.traders.save(
    people.map((index) => trader({ userId: userOf(index), handle: `handle-${index}` })),
    clock.now(),
  );
  await store.positions.save(
    people.flatMap((index) => positionsOf(index, from, end - 1)),
    clock.now(),
  );
  await database.write((tx) => tx.run(raw("ANALYZE")), { patient: true });
  const bytes = await sizeOf(database.read, location);
  await store.close();
  return { fills: count, events, bytes };
}

const positionsOf = (index: number, openedAt: number, lastActivityAt: number) =>
  Array.from({ length: TOKENS }, (_, own) =>
    position({
      tradeId: `trade-${index}-${own}`,
      userId: userOf(index),
      token: token({ address: addressOf(own), symbol: `T${own}` }),
      openedAt,
      lastActivityAt,
    }),
  );

async function sizeOf(queries: Queries, location: DatabaseLocation): Promise<number> {
  if ("file" in location)
    return ["", "-wal"]
      .map((end) => `${location.file}${end}`)
      .reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
  const row = await queries.one<{ bytes: number }>(
    raw("SELECT pg_database_size(current_database()) AS bytes"),
  );
  return row?.bytes ?? 0;
}

async function makeAllMonths(tx: Queries, from: number, count: number): Promise<void> {
  const days = Array.from({ length: count + 1 }, (_, day) => from + day * DAY_MS);
  for (const table of [FILL, LOG_EVENT]) await makeMonths(tx, table, days);
}

function seriesOf({ dialect }: Queries, from: number, to: number): string {
  return dialect === "postgres"
    ? `WITH series AS (SELECT n FROM generate_series(CAST(${from} AS BIGINT), ${to}) AS n)`
    : `WITH RECURSIVE series (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM series WHERE n < ${to})`;
}

/** Rows go all over the indexes: with the service's cache size, most of the time would go into rereading pages. */
const MAKING_KIB = 1_048_576;

// In its own process: a child's peak size includes its parent's at the time of the fork.
if (import.meta.main) {
  const [count, days] = process.argv.slice(2).map(Number);
  const location = storeLocation(readConfig());
  const made = await makeFills(
    "file" in location ? { ...location, cacheKib: MAKING_KIB } : location,
    Number(count),
    Number(days),
  );
  console.log(JSON.stringify(made));
}
