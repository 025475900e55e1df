// Token prices seen in pools. A trade against money gives the token's price at its block, if the pool is one that can be
// trusted: made by a known factory, amounts that really moved, enough money in it. What fails is kept with its doubt and prices
// nothing. Two kinds are kept apart: `own` trades are in transactions of watched wallets, so the chain and the roster alone
// decide which there are, and they value what the books hold. Which trades of strangers are read depends on when a pool was
// first seen, so those only feed quotes and candles.
import { insertMany, type Queries } from "../../database/database.ts";
import { type Sql, type SqlValue, sql } from "../../database/sql.ts";
import { amountOf } from "../books/amounts.ts";
import type { KnownToken } from "../books/tokens.ts";
import type { BlockRead, Leg, PoolTrade } from "../chain.ts";
import type { Money } from "./money.ts";

export interface SeenPrice {
  priceUsd: number;
  timeMs: number;
  /** Money in the pool that said so; null for a quote from elsewhere. */
  depthUsd: number | null;
}

/** What is worth less than this is rounding, not a market. */
const VALUE_USD_MIN = 0.001;
/** A price that moves by more than this factor waits until a trade in another block confirms it. */
const JUMP_MAX = 5;
/** Trades that a price is chosen from. */
const TRADES_MAX = 32;
/** Of several pools, those count that hold at least this share of the deepest one's money. */
const DEPTH_SHARE_MIN = 0.5;

/** What the books value a token at: its own trades at or before a height decide. */
export function bookPriceAt(
  queries: Queries,
  chainId: number,
  token: string,
  height: number,
): Promise<SeenPrice | null> {
  return believedPrice(queries, chainId, token, sql`height <= ${height} AND own = 1`);
}

/** What a token was quoted at: all trades that were seen until then decide. */
export function seenPriceAt(
  queries: Queries,
  chainId: number,
  token: string,
  timeMs: number,
): Promise<SeenPrice | null> {
  return believedPrice(queries, chainId, token, sql`time_ms <= ${timeMs}`);
}

interface SeenRow {
  height: number;
  price_usd: number;
  time_ms: number;
  depth_usd: number;
}

async function believedPrice(
  queries: Queries,
  chainId: number,
  token: string,
  until: Sql,
): Promise<SeenPrice | null> {
  const rows = await queries.all<SeenRow>(
    sql`SELECT height, price_usd, time_ms, depth_usd FROM tracker_price
      WHERE chain_id = ${chainId} AND token = ${token} AND ${until}
        AND doubt IS NULL AND price_usd IS NOT NULL
      ORDER BY height DESC, place DESC LIMIT ${TRADES_MAX}`,
  );
  const row = believedRow(rows);
  return row && { priceUsd: row.price_usd, timeMs: row.time_ms, depthUsd: row.depth_usd };
}

/** The newest block's price that is no jump from the block before; each block speaks with its deepest pool. */
function believedRow<Row extends Pick<SeenRow, "height" | "price_usd" | "depth_usd">>(
  rows: readonly Row[],
): Row | null {
  const deepest = Math.max(0, ...rows.map((row) => row.depth_usd));
  const deep = rows.filter((row) => row.depth_usd >= deepest * DEPTH_SHARE_MIN);
  const blocks = [...Map.groupBy(deep, (row) => row.height).values()].map((group) =>
    group.reduce((best, row) => (row.depth_usd > best.depth_usd ? row : best)),
  );
  const isCalm = (row: Row, before: Row | undefined) =>
    before === undefined ||
    Math.max(row.price_usd / before.price_usd, before.price_usd / row.price_usd) <= JUMP_MAX;
  return blocks.find((row, at) => isCalm(row, blocks[at + 1])) ?? null;
}

/** What the price endpoint says of a token. */
export async function quoteOf(queries: Queries, chainId: number, token: string): Promise<SeenPrice | null> {
  const row = await queries.one<{ price_usd: number; as_of: number }>(
    sql`SELECT price_usd, as_of FROM tracker_quote WHERE chain_id = ${chainId} AND token = ${token}`,
  );
  return row && { priceUsd: row.price_usd, timeMs: row.as_of, depthUsd: null };
}

export async function saveQuote(
  tx: Queries,
  chainId: number,
  token: string,
  { priceUsd, timeMs }: Pick<SeenPrice, "priceUsd" | "timeMs">,
): Promise<void> {
  await tx.run(
    sql`INSERT INTO tracker_quote (chain_id, token, price_usd, as_of)
      VALUES (${chainId}, ${token}, ${priceUsd}, ${timeMs})
      ON CONFLICT (chain_id, token) DO UPDATE SET price_usd = excluded.price_usd, as_of = excluded.as_of`,
  );
}

export interface PoolPriceContext {
  tokens: ReadonlyMap<string, KnownToken>;
  money: Money;
  /** What the chain's coin was worth in this block. */
  coinUsd: number | null;
  depthMinUsd: number;
}

const KEY = ["chain_id", "token", "height", "place", "block_hash"];
const COLUMNS = [
  ...KEY,
  ...["time_ms", "price_usd", "value_usd", "price_coin", "value_coin", "depth_usd", "depth_coin"],
  ...["doubt", "bought", "pool", "own"],
];

/**
 * Keeps what a block's pools say, as part of the transaction that applies the block. Returns the tokens whose own prices
 * are new: what was valued without them is out of date.
 */
export async function savePoolPrices(
  tx: Queries,
  { block, flows, pools }: BlockRead,
  context: PoolPriceContext,
): Promise<Set<string>> {
  const changed = new Set<string>();
  if (pools.length === 0) return changed;
  const { chainId, height } = block;
  const hashes = new Set(flows.map(({ hash }) => hash));
  const known = await tx.all<{ token: string; place: number }>(
    sql`SELECT token, place FROM tracker_price
      WHERE chain_id = ${chainId} AND block_hash = ${block.hash} AND own = 1`,
  );
  const before = new Set(known.map(({ token, place }) => `${token} ${place}`));
  const rows: SqlValue[][] = [];
  for (const trade of pools) {
    const found = priceIn(trade, chainId, context);
    if (!found) continue;
    const { token, price, value, depth, inCoin, isBought } = found;
    const own = hashes.has(trade.hash);
    if (own && !before.has(`${token} ${trade.index}`)) changed.add(token);
    const unitUsd = inCoin ? context.coinUsd : 1;
    const usd = (amount: number | null) => (amount === null || unitUsd === null ? null : amount * unitUsd);
    rows.push([
      ...[chainId, token, height, trade.index, block.hash, block.timeMs, usd(price), usd(value)],
      ...[inCoin ? price : null, inCoin ? value : null, usd(depth), inCoin ? depth : null],
      ...[doubtOf(trade, usd(depth), context.depthMinUsd), isBought ? 1 : 0, trade.pool, own ? 1 : 0],
    ]);
  }
  const conflict = `ON CONFLICT (${KEY.join(", ")}) DO UPDATE SET own = excluded.own
    WHERE tracker_price.own < excluded.own`;
  await insertMany(tx, "tracker_price", COLUMNS, rows, conflict);
  return changed;
}

function doubtOf(trade: PoolTrade, depthUsd: number | null, depthMinUsd: number): string | null {
  if (trade.doubt !== null) return trade.doubt;
  return depthUsd === null || depthUsd < depthMinUsd ? "depth" : null;
}

/** Fills in what waited for the price of the chain's coin. Returns the tokens that have a price now. */
export async function priceByCoin(
  tx: Queries,
  chainId: number,
  blockHash: string,
  coinUsd: number,
  depthMinUsd: number,
): Promise<Set<string>> {
  const of = sql`chain_id = ${chainId} AND block_hash = ${blockHash} AND price_coin IS NOT NULL`;
  const rows = await tx.all<{ token: string }>(sql`SELECT DISTINCT token FROM tracker_price WHERE ${of}`);
  await tx.run(
    sql`UPDATE tracker_price SET price_usd = price_coin * ${coinUsd}, value_usd = value_coin * ${coinUsd},
        depth_usd = depth_coin * ${coinUsd},
        doubt = CASE WHEN doubt = 'depth' AND depth_coin * ${coinUsd} >= ${depthMinUsd} THEN NULL ELSE doubt END
      WHERE ${of}`,
  );
  return new Set(rows.map(({ token }) => token));
}

interface TradePrice {
  token: string;
  price: number;
  value: number;
  /** Money that the pool holds. */
  depth: number | null;
  /** Whether these are amounts of the chain's coin; else dollars. */
  inCoin: boolean;
  /** Money went into the pool. */
  isBought: boolean;
}

/** What a trade of one token against money says; null when it is another kind of trade. */
function priceIn(
  { in: paid, out, reserves }: PoolTrade,
  chainId: number,
  { tokens, money }: PoolPriceContext,
): TradePrice | null {
  const isBought = money.kindOf(chainId, paid.token) !== null;
  const [base, quoted] = isBought ? [paid, out] : [out, paid];
  const kind = money.kindOf(chainId, base.token);
  if (kind === null || money.kindOf(chainId, quoted.token) !== null) return null;
  const amount = (leg: Leg | undefined) => {
    const decimals = leg && tokens.get(leg.token)?.decimals;
    return decimals === undefined || decimals === null ? null : amountOf(leg?.amountRaw ?? 0n, decimals);
  };
  const [value, size] = [amount(base) ?? 0, amount(quoted) ?? 0];
  if (!(value > 0) || !(size > 0)) return null;
  const inCoin = kind === "native";
  if (!inCoin && value < VALUE_USD_MIN) return null;
  const depth = amount(reserves?.find(({ token }) => token === base.token));
  return { token: quoted.token, price: value / size, value, depth, inCoin, isBought };
}
