// What the tracker says about tokens: their facts and quotes, who of the roster trades and holds them, boards and candles.

import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { CandlesQuery } from "../../protocol/platform.ts";
import type { BoardName, WireBoard } from "../../protocol/shapes/board.ts";
import type {
  WireCandlesPage,
  WireQuote,
  WireTokenInfo,
  WireTokenStats,
} from "../../protocol/shapes/token.ts";
import { amountOf } from "../books/amounts.ts";
import { type KnownToken, knownTokens, tokensByAddress } from "../books/tokens.ts";
import { decimalText, marketCapOf, wireToken } from "../feeds/items.ts";
import type { AnswerParts } from "./parts.ts";

const STATS_MS = { "5m": 300_000, "1h": HOUR_MS, "4h": 14_400_000, "24h": DAY_MS } as const;
const INTERVAL_MS = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "1h": HOUR_MS,
  "4h": 14_400_000,
  "1d": DAY_MS,
} as const;
const BOARD_ROWS = 100;
const TOP_HOLDERS = 10;

/** A token by its address, on the network named or the only one it is on. */
export async function findToken(
  { database, money }: AnswerParts,
  address: string,
  networkId?: number,
): Promise<KnownToken | undefined> {
  const name = address.startsWith("0x") ? address.toLowerCase() : address;
  const found = (await tokensByAddress(database.read, name)).filter(
    (known) => money.kindOf(known.chainId, known.token) === null && known.decimals !== null,
  );
  return found.find(({ chainId }) => (networkId ?? chainId) === chainId);
}

export async function infoOf(parts: AnswerParts, known: KnownToken): Promise<WireTokenInfo> {
  const { cache, clock } = parts;
  const quote = await cache.quote(known.chainId, known.token);
  const before = await cache.quoteAt(known.chainId, known.token, clock.now() - DAY_MS);
  const holders = await holdersOf(parts, known);
  return {
    ...wireToken(known),
    priceUsd: quote?.priceUsd ?? null,
    change24h: quote && before ? (quote.priceUsd / before.priceUsd - 1) * 100 : null,
    marketCapUsd: quote ? marketCapOf(known, quote.priceUsd) : null,
    supply: known.supplyRaw === null ? null : amountOf(known.supplyRaw, known.decimals ?? 0),
    holders: holders.length,
    launchedAt: null,
    graduatedAt: null,
    lowFees: false,
    asOf: quote?.timeMs ?? null,
  };
}

/** What each trader of the roster holds of it, largest first. */
async function holdersOf({ cache }: AnswerParts, { chainId, token }: KnownToken): Promise<bigint[]> {
  const ledgers = await cache.ledgers();
  return ledgers
    .flatMap(({ positions }) =>
      positions.filter((each) => each.chainId === chainId && each.token === token && each.closedAt === null),
    )
    .map(({ heldRaw }) => heldRaw)
    .sort((a, b) => (a < b ? 1 : -1));
}

export async function statsOf(parts: AnswerParts, known: KnownToken): Promise<WireTokenStats> {
  const { cache, clock } = parts;
  const now = clock.now();
  const changes = (await cache.ledgers()).flatMap(({ userId, booked }) =>
    (booked.get(`${known.chainId}:${known.token}`) ?? []).map(({ change }) => ({ userId, change })),
  );
  const windowOf = (lengthMs: number) => {
    const recent = changes.filter(({ change }) => change.isSwap && change.timeMs > now - lengthMs);
    const buys = recent.filter(({ change }) => change.netRaw > 0n);
    const sells = recent.filter(({ change }) => change.netRaw < 0n);
    const usd = (some: typeof recent) => some.reduce((sum, { change }) => sum + (change.valueUsd ?? 0), 0);
    const people = (some: typeof recent) => new Set(some.map(({ userId }) => userId)).size;
    return {
      buys: buys.length,
      sells: sells.length,
      uniqueBuyers: people(buys),
      uniqueSellers: people(sells),
      buyVolumeUsd: decimalText(usd(buys)),
      sellVolumeUsd: decimalText(usd(sells)),
    };
  };
  const holders = await holdersOf(parts, known);
  const top = holders.slice(0, TOP_HOLDERS).reduce((sum, raw) => sum + raw, 0n);
  const { supplyRaw } = known;
  return {
    token: wireToken(known),
    holders: holders.length,
    top10HoldersPercent:
      supplyRaw === null || supplyRaw === 0n ? null : (Number(top) / Number(supplyRaw)) * 100,
    lowFees: false,
    windows: {
      "5m": windowOf(STATS_MS["5m"]),
      "1h": windowOf(STATS_MS["1h"]),
      "4h": windowOf(STATS_MS["4h"]),
      "24h": windowOf(STATS_MS["24h"]),
    },
  };
}

/** Trending: most traded by the roster in a day. Most held: by how many of the roster. */
export async function boardOf(parts: AnswerParts, name: Exclude<BoardName, "graduated">): Promise<WireBoard> {
  const { cache, clock, database } = parts;
  const since = clock.now() - DAY_MS;
  const sums = new Map<string, { chainId: number; token: string; volume: number; holders: number }>();
  for (const { booked, positions } of await cache.ledgers()) {
    const sumOf = (chainId: number, token: string) => {
      const key = `${chainId}:${token}`;
      const sum = sums.get(key) ?? { chainId, token, volume: 0, holders: 0 };
      sums.set(key, sum);
      return sum;
    };
    for (const list of booked.values())
      for (const { change } of list)
        if (change.isSwap && change.timeMs >= since)
          sumOf(change.chainId, change.token).volume += change.valueUsd ?? 0;
    for (const position of positions)
      if (position.closedAt === null) sumOf(position.chainId, position.token).holders += 1;
  }
  const score = (sum: { volume: number; holders: number }) =>
    name === "trending" ? sum.volume : sum.holders;
  const best = [...sums.values()]
    .filter((sum) => score(sum) > 0)
    .sort((a, b) => score(b) - score(a) || (a.token < b.token ? -1 : 1))
    .slice(0, BOARD_ROWS);
  const rows: WireBoard["rows"] = [];
  for (const { chainId, token, volume, holders } of best) {
    const known = (await knownTokens(database.read, chainId, [token])).get(token);
    if (!known) continue;
    const info = await infoOf(parts, known);
    rows.push({
      rank: rows.length + 1,
      token: wireToken(known),
      holders: name === "most-held" ? null : holders,
      priceUsd: info.priceUsd,
      change24h: info.change24h,
      marketCapUsd: info.marketCapUsd,
      volume24hUsd: decimalText(volume),
      asOf: info.asOf ?? null,
    });
  }
  return { board: name, asOf: clock.now(), rows };
}

interface PriceRow {
  time_ms: number;
  price_usd: number;
  value_usd: number;
  bought: number;
}

/** Trades of one page at the most: so many fill a thousand candles of a busy token many times over. */
const TRADES_MAX = 50_000;

export async function candlesOf(
  { database }: AnswerParts,
  known: KnownToken,
  query: CandlesQuery,
): Promise<WireCandlesPage> {
  const lengthMs = INTERVAL_MS[query.interval];
  const from = Math.ceil(query.from / lengthMs) * lengthMs;
  const rows = await pricesBetween(database.read, known, from, query.to);
  const candles: WireCandlesPage["rows"] = [];
  const sums = { buy: 0, sell: 0 };
  for (const row of rows) {
    const t = Math.floor(row.time_ms / lengthMs) * lengthMs;
    const last = candles.at(-1);
    if (last?.t !== t) {
      if (candles.length === query.limit)
        return {
          token: wireToken(known),
          rows: candles,
          coveredFrom: await coveredFrom(database.read, known),
          nextFrom: t,
        };
      sums.buy = 0;
      sums.sell = 0;
      const price = row.price_usd;
      candles.push({
        t,
        o: price,
        h: price,
        l: price,
        c: price,
        trades: 0,
        volumeUsd: "0",
        buyUsd: "0",
        sellUsd: "0",
      });
    }
    const candle = candles.at(-1) as (typeof candles)[number];
    sums[row.bought === 1 ? "buy" : "sell"] += row.value_usd;
    candle.h = Math.max(candle.h, row.price_usd);
    candle.l = Math.min(candle.l, row.price_usd);
    candle.c = row.price_usd;
    candle.trades += 1;
    candle.buyUsd = decimalText(sums.buy);
    candle.sellUsd = decimalText(sums.sell);
    candle.volumeUsd = decimalText(sums.buy + sums.sell);
  }
  return {
    token: wireToken(known),
    rows: candles,
    coveredFrom: await coveredFrom(database.read, known),
    nextFrom: null,
  };
}

function pricesBetween(queries: Queries, { chainId, token }: KnownToken, from: number, to: number) {
  return queries.all<PriceRow>(
    sql`SELECT time_ms, price_usd, value_usd, bought FROM tracker_price
      WHERE chain_id = ${chainId} AND token = ${token} AND time_ms >= ${from} AND time_ms < ${to}
        AND doubt IS NULL AND price_usd IS NOT NULL
      ORDER BY time_ms, height, place LIMIT ${TRADES_MAX}`,
  );
}

async function coveredFrom(queries: Queries, { chainId, token }: KnownToken): Promise<number> {
  const row = await queries.one<{ first: number | null }>(
    sql`SELECT MIN(time_ms) AS first FROM tracker_price
      WHERE chain_id = ${chainId} AND token = ${token} AND doubt IS NULL AND price_usd IS NOT NULL`,
  );
  return row?.first ?? 0;
}

export async function quotesOf(
  { cache, clock }: AnswerParts,
  tokens: readonly { address: string; networkId: number }[],
  at?: number,
): Promise<{ rows: WireQuote[] }> {
  const rows = await Promise.all(
    tokens.map(async ({ address, networkId }) => {
      const name = address.startsWith("0x") ? address.toLowerCase() : address;
      const quote =
        at === undefined ? await cache.quote(networkId, name) : await cache.quoteAt(networkId, name, at);
      return {
        address,
        networkId,
        priceUsd: quote?.priceUsd ?? null,
        asOf: quote?.timeMs ?? at ?? clock.now(),
      };
    }),
  );
  return { rows };
}
