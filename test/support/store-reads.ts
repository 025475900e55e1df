// Every read of the store by a page or a route, by name, on a store filled by `fillRows`; and their statements.

import type { Database, Queries } from "../../database/database.ts";
import type { Sql } from "../../database/sql.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { activity as activityOf } from "../../service/store/captured/activity.ts";
import { candles as candlesOf } from "../../service/store/captured/candles.ts";
import { fills as fillsOf } from "../../service/store/captured/fills.ts";
import { openLog } from "../../service/store/captured/log.ts";
import { positions as positionsOf } from "../../service/store/captured/positions.ts";
import { leaderboards as leaderboardsOf } from "../../service/store/captured/snapshots.ts";
import { theses as thesesOf } from "../../service/store/captured/theses.ts";
import { tokens as tokensOf } from "../../service/store/captured/tokens.ts";
import { transfers as transfersOf } from "../../service/store/captured/transfers.ts";
import { chargesOfAccount, findCharges } from "../../service/store/money/journal.ts";
import { usageOf } from "../../service/store/money/usage.ts";
import { bind } from "../../service/store/repository.ts";
import { ENDS_AT, type Rows } from "./store-rows.ts";

const PAGE = { limit: 50 };
const BASE = 8_453;

/** Reads of whole pages, one of each kind. */
export const PAGES = [
  "alerts, newest",
  "alerts of a user",
  "alerts of kinds on a chain",
  "theses, recent",
  "theses of a token",
  "positions, recent",
  "fills of a trader",
  "leaderboard",
];

export type Reads = Record<string, () => Promise<unknown>>;

export async function readsOf(database: Database, of: Rows): Promise<Reads> {
  const log = await openLog(database, 0);
  const [positions, fills, theses] = [
    bind(database, positionsOf),
    bind(database, fillsOf),
    bind(database, thesesOf),
  ];
  const [candles, activity, transfers] = [
    bind(database, candlesOf),
    bind(database, activityOf),
    bind(database, transfersOf),
  ];
  const leaderboards = bind(database, leaderboardsOf);
  const tokens = bind(database, tokensOf);
  const middle = Math.round(of.rows / 2);
  const [userId, address] = ["user-7", "token-7"];
  const long = ENDS_AT - 40 * DAY_MS;
  return {
    "alerts, newest": () => log.page(PAGE),
    "alerts, before": () => log.page({ ...PAGE, before: middle }),
    "alerts, after": () => log.page({ ...PAGE, after: middle }),
    "alerts, delayed": () => log.page({ ...PAGE, capturedBy: ENDS_AT - 60_000 }),
    "alerts, since": () => log.page({ ...PAGE, since: long }),
    "alerts of a user": () => log.page({ ...PAGE, userId }),
    "alerts of a user, old": () => log.page({ ...PAGE, userId, before: middle }),
    "alerts of a handle": () => log.page({ ...PAGE, handle: "handle-7" }),
    "alerts of a token": () => log.page({ ...PAGE, tokenAddress: address }),
    "alerts of a symbol": () => log.page({ ...PAGE, tokenSymbol: "SYMBOL-7" }),
    "alerts of a kind": () => log.page({ ...PAGE, kinds: ["thesis"] }),
    "alerts of a kind that is not there": () => log.page({ ...PAGE, kinds: ["perp"] }),
    "alerts of a chain that is not there": () => log.page({ ...PAGE, networkId: 1 }),
    "theses of a chain that is not there": () => theses.recent({ ...PAGE, networkId: 1 }),
    "alerts of a chain": () => log.page({ ...PAGE, networkId: BASE }),
    "alerts of kinds on a chain": () => log.page({ ...PAGE, kinds: ["buy", "sell"], networkId: BASE }),
    notifications: () => log.page({ ...PAGE, feed: "push" }),
    "notifications of a type": () => log.page({ ...PAGE, feed: "push", notificationType: "LARGE_BUY" }),
    "log after": () => log.readAfter(middle, { limit: 500 }),
    "log after, of a feed": () => log.readAfter(middle, { limit: 500, feeds: ["chain"] }),
    "log head": () => log.head(),
    "log oldest": () => log.oldest(),
    "log retractions": () => log.retractionsAfter(middle, 50),
    "log position at": () => log.positionAt(long),
    "event by id": () => log.find(`event-${middle}`),
    "positions, recent": () => positions.byTrader(userId, { ...PAGE, sort: "recent" }),
    "positions, by pnl": () => positions.byTrader(userId, { ...PAGE, sort: "pnl" }),
    "positions, by value": () => positions.byTrader(userId, { ...PAGE, sort: "value" }),
    "positions, closed": () => positions.byTrader(userId, { ...PAGE, sort: "recent", status: "closed" }),
    "position by id": () => positions.byId(`trade-${middle}`),
    "positions by ids": () => positions.byIds([`trade-${middle}`, "trade-1"]),
    "open trade ids": () => positions.openTradeIds(userId),
    "position counts": () => positions.counts(userId),
    holders: () => positions.holders(address, PAGE),
    "holder count": () => positions.holderCount(address),
    "fills of a trader": () => fills.byTrader(userId, PAGE),
    "fills of a trader, old": () => fills.byTrader(userId, { ...PAGE, cursor: { value: long, id: "" } }),
    "fills of a trade": () => fills.byTrade("trade-7", PAGE),
    "fills of a transaction": () => fills.byTransaction("tx-7", PAGE),
    "fills of a token": () => fills.byToken(address, { ...PAGE, networkId: BASE, from: long, to: ENDS_AT }),
    "fills of everybody": () =>
      fills.between({ ...PAGE, from: long, to: ENDS_AT, order: "asc", of: { kind: "everybody" } }),
    "fills of everybody, newest": () =>
      fills.between({ ...PAGE, from: 0, to: ENDS_AT, order: "desc", of: { kind: "everybody" } }),
    "oldest fill": () => fills.oldestAt(),
    "fill by id": () => fills.byId(`swap-${middle}`),
    "transfers of a trade": () => transfers.byTrade("trade-7", PAGE),
    "theses, recent": () => theses.recent(PAGE),
    "theses of a chain": () => theses.recent({ ...PAGE, networkId: BASE }),
    "theses of a token": () => theses.byToken(address, { ...PAGE, sort: "recent" }),
    "theses of a token, by likes": () => theses.byToken(address, { ...PAGE, sort: "likes" }),
    "theses of a token, stored": () => theses.byToken(address, { ...PAGE, sort: "stored" }),
    "theses of a trader": () => theses.byTrader(userId, { ...PAGE, sort: "recent" }),
    "theses of a trader, by likes": () => theses.byTrader(userId, { ...PAGE, sort: "likes" }),
    "theses of a trader on a token": () => theses.byTraderAndToken(userId, address, PAGE),
    "theses on a token since": () => theses.countForToken(address, BASE, long),
    "thesis by id": () => theses.byId(`thesis-${middle}`),
    "token's theses captured": () => theses.tokenCapture(address),
    candles: () =>
      candles.range(address, {
        networkId: BASE,
        length: "1m",
        from: ENDS_AT - DAY_MS,
        to: ENDS_AT,
        limit: 500,
      }),
    "candle span": () => candles.span(address, BASE),
    // A window with about the same number of fills at every size, so that sizes can be compared.
    "token activity": () => activity.between(ENDS_AT - Math.round((365 * DAY_MS * 500) / of.rows), ENDS_AT),
    "tokens by name": () =>
      tokens.byRefs([address, "0xnone"].map((each) => ({ address: each, networkId: BASE }))),
    leaderboard: () => leaderboards.find("24h"),
    "usage of an account": () =>
      usageOf(database.read, "account-7", { from: ENDS_AT - 30 * DAY_MS + 1, to: ENDS_AT - 1 }, "day"),
    "charges of an account": () =>
      chargesOfAccount(database.read, "account-7", { from: ENDS_AT - HOUR_MS, to: ENDS_AT }, 100),
    "charges by name": () =>
      findCharges(
        database.read,
        [`req_${middle}`, "req_1", "req_none"].map((requestId) => ({
          accountId: "account-7",
          at: ENDS_AT,
          requestId,
        })),
      ),
  };
}

/** The database with a record of every read's statement. */
export function recordReads(database: Database): { database: Database; statements: Sql[] } {
  const statements: Sql[] = [];
  const note = (statement: Sql) => {
    statements.push(statement);
    return statement;
  };
  const read: Queries = {
    dialect: database.dialect,
    all: (statement) => database.read.all(note(statement)),
    one: (statement) => database.read.one(note(statement)),
    run: (statement) => database.read.run(note(statement)),
  };
  return { database: { ...database, read }, statements };
}
