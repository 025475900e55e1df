// Token prices seen in pools. A trade against money gives the token's price at its block, if the pool can be trusted: created
// by a known factory, amounts that really moved, enough money in it. Trades that fail are stored with their doubt and price
// nothing. There are two kinds: `own` trades are in transactions of watched wallets, so they depend only on the chain and the
// roster, and they value the books. Which trades of strangers are read depends on when a pool was first seen, so those only
// feed quotes and candles.
import { insertMany, type Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { PricedBy } from "../../protocol/shapes/pricing.ts";
import { amountOf } from "../books/amounts.ts";
import { inBlocks, type KeptBlock } from "../books/kept-blocks.ts";
import type { KnownToken } from "../books/tokens.ts";
import type { BlockRead, BlockRef, Leg, PoolTrade } from "../chain.ts";
import type { Money } from "./money.ts";

export interface SeenPrice {
  priceUsd: number;
  timeMs: number;
  /** Money in the pool, or the endpoint's pair, that gave this price; null when money is priced directly. */
  depthUsd: number | null;
  by: PricedBy;
}

/** Anything worth less is rounding, not a market. */
const VALUE_USD_MIN = 0.001;
/** Pools must have sold at least this share of the tokens received; the rest is rounding. */
const ALL_SHARE_MIN = 1 - 1e-9;

/** Dollars paid to pools for at least this much of a token in one transaction; null when they sold less of it for money. */
export async function paidInPools(
  queries: Queries,
  { chainId, height, timeMs, hash }: Pick<KeptBlock, "height" | "timeMs"> & { chainId: number; hash: string },
  { token, amount }: { token: string; amount: number },
): Promise<number | null> {
  const row = await queries.one<{ usd: number | null; sold: number | null }>(
    sql`SELECT SUM(value_usd) AS usd, SUM(value_usd / price_usd) AS sold FROM tracker_price
      WHERE chain_id = ${chainId} AND token = ${token} AND time_ms = ${timeMs} AND height = ${height}
        AND tx_hash = ${hash} AND bought = 1 AND doubt IS NULL AND price_usd > 0`,
  );
  return row && (row.sold ?? 0) >= amount * ALL_SHARE_MIN ? row.usd : null;
}

export interface PoolPriceContext {
  tokens: ReadonlyMap<string, KnownToken>;
  money: Money;
  /** The chain's coin price in each block. */
  coinsUsd: ReadonlyMap<string, number | null>;
  depthMinUsd: number;
  /** Blocks with nothing stored before. */
  fresh: ReadonlySet<string>;
}

/** One trade in a pool as stored. Coin amounts are those of a pool against the chain's coin. */
interface PoolPriceRow {
  chainId: number;
  height: number;
  blockHash: string;
  place: number;
  token: string;
  timeMs: number;
  priceUsd: number | null;
  valueUsd: number | null;
  priceCoin: number | null;
  valueCoin: number | null;
  depthUsd: number | null;
  depthCoin: number | null;
  doubt: string | null;
  bought: number;
  pool: string;
  own: number;
  txHash: string;
}

/**
 * Stores the pool prices in these blocks of one chain, as part of the transaction that applies them. Returns for each block the
 * tokens with new own prices: values computed without them are stale.
 */
export async function savePoolPrices(
  tx: Queries,
  chainId: number,
  reads: readonly BlockRead[],
  context: PoolPriceContext,
): Promise<Map<string, Set<string>>> {
  const changed = new Map<string, Set<string>>();
  const traded = reads.filter(({ pools }) => pools.length > 0);
  const known = traded.map(({ block }) => block).filter(({ hash }) => !context.fresh.has(hash));
  const before = await ownTrades(tx, chainId, known);
  const rows: PoolPriceRow[] = [];
  for (const { block, flows, pools } of traded) {
    const hashes = new Set(flows.map(({ hash }) => hash));
    const tokens = new Set<string>();
    const coinUsd = context.coinsUsd.get(block.hash) ?? null;
    for (const trade of pools) {
      const found = priceIn(trade, chainId, context);
      if (!found) continue;
      const { token, price, value, depth, inCoin, isBought } = found;
      const own = hashes.has(trade.hash);
      if (own && !before.has(`${block.hash} ${token} ${trade.index}`)) tokens.add(token);
      const unitUsd = inCoin ? coinUsd : 1;
      const usd = (amount: number | null) => (amount === null || unitUsd === null ? null : amount * unitUsd);
      rows.push({
        chainId,
        height: block.height,
        blockHash: block.hash,
        place: trade.index,
        token,
        timeMs: block.timeMs,
        priceUsd: usd(price),
        valueUsd: usd(value),
        priceCoin: inCoin ? price : null,
        valueCoin: inCoin ? value : null,
        depthUsd: usd(depth),
        depthCoin: inCoin ? depth : null,
        doubt: doubtOf(trade, usd(depth), context.depthMinUsd),
        bought: isBought ? 1 : 0,
        pool: trade.pool,
        own: own ? 1 : 0,
        txHash: trade.hash,
      });
    }
    changed.set(block.hash, tokens);
  }
  const conflict = `ON CONFLICT (chain_id, height, block_hash, place, token) DO UPDATE SET own = excluded.own
    WHERE tracker_price.own < excluded.own`;
  await insertMany(tx, "tracker_price", rows, conflict);
  return changed;
}

/** The own trades stored for these blocks, as text keys. */
async function ownTrades(tx: Queries, chainId: number, blocks: readonly BlockRef[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (let start = 0; start < blocks.length; start += BLOCKS_PER_READ) {
    const some = inBlocks(blocks.slice(start, start + BLOCKS_PER_READ));
    const rows = await tx.all<{ block_hash: string; token: string; place: number }>(
      sql`SELECT block_hash, token, place FROM tracker_price
        WHERE chain_id = ${chainId} AND ${some} AND own = 1`,
    );
    for (const { block_hash, token, place } of rows) found.add(`${block_hash} ${token} ${place}`);
  }
  return found;
}

const BLOCKS_PER_READ = 256;

/** The tokens that these trades may price. */
export function pricedTokens(pools: readonly PoolTrade[], chainId: number, money: Money): Set<string> {
  const tokens = pools.flatMap((trade) => [trade.in.token, trade.out.token]);
  return new Set(tokens.filter((token) => money.kindOf(chainId, token) === null));
}

function doubtOf(trade: PoolTrade, depthUsd: number | null, depthMinUsd: number): string | null {
  if (trade.doubt !== null) return trade.doubt;
  return depthUsd === null || depthUsd < depthMinUsd ? "depth" : null;
}

/** Fills in prices that were waiting for the price of the chain's coin. Returns the tokens that have a price now. */
export async function priceByCoin(
  tx: Queries,
  chainId: number,
  block: Pick<KeptBlock, "hash" | "height">,
  coinUsd: number,
  depthMinUsd: number,
): Promise<Set<string>> {
  const of = sql`chain_id = ${chainId} AND ${inBlocks([block])} AND price_coin IS NOT NULL`;
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
  /** The pool's money. */
  depth: number | null;
  /** Whether these are amounts of the chain's coin, rather than dollars. */
  inCoin: boolean;
  /** Money went into the pool. */
  isBought: boolean;
}

/** The price from a trade of one token against money; null for any other trade. */
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
