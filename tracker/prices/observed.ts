// Prices seen in pools. Each trade between a token and money tells the token's price at its block; a lookup takes the last
// one at or before a block, so that the same chain always gives the same price, whatever forks were read on the way.
import { insertMany, type Queries } from "../../database/database.ts";
import { type SqlValue, sql } from "../../database/sql.ts";
import { amountOf } from "../books/amounts.ts";
import type { KnownToken } from "../books/tokens.ts";
import { type BlockRef, NATIVE, type PoolTrade } from "../chain.ts";
import type { Money } from "./money.ts";

export interface SeenPrice {
  priceUsd: number;
  timeMs: number;
}

/** What is worth less than this is rounding, not a market. */
const VALUE_USD_MIN = 0.001;
const HEIGHT_MAX = Number.MAX_SAFE_INTEGER;

/** The last price of a token at or before a height; of the chain's coin, an outside quote where none was seen. */
export async function priceAt(
  queries: Queries,
  chainId: number,
  token: string,
  height: number = HEIGHT_MAX,
): Promise<SeenPrice | null> {
  const row = await queries.one<{ price_usd: number; time_ms: number }>(
    sql`SELECT price_usd, time_ms FROM tracker_price
      WHERE chain_id = ${chainId} AND token = ${token} AND height <= ${height}
      ORDER BY height DESC, place DESC LIMIT 1`,
  );
  if (row) return { priceUsd: row.price_usd, timeMs: row.time_ms };
  return token === NATIVE ? quoteOf(queries, chainId, token) : null;
}

export async function priceAtTime(
  queries: Queries,
  chainId: number,
  token: string,
  timeMs: number,
): Promise<SeenPrice | null> {
  const row = await queries.one<{ price_usd: number; time_ms: number }>(
    sql`SELECT price_usd, time_ms FROM tracker_price
      WHERE chain_id = ${chainId} AND token = ${token} AND time_ms <= ${timeMs}
      ORDER BY time_ms DESC, height DESC, place DESC LIMIT 1`,
  );
  return row && { priceUsd: row.price_usd, timeMs: row.time_ms };
}

export async function quoteOf(queries: Queries, chainId: number, token: string): Promise<SeenPrice | null> {
  const row = await queries.one<{ price_usd: number; as_of: number }>(
    sql`SELECT price_usd, as_of FROM tracker_quote WHERE chain_id = ${chainId} AND token = ${token}`,
  );
  return row && { priceUsd: row.price_usd, timeMs: row.as_of };
}

export async function saveQuote(
  tx: Queries,
  chainId: number,
  token: string,
  { priceUsd, timeMs }: SeenPrice,
): Promise<void> {
  await tx.run(
    sql`INSERT INTO tracker_quote (chain_id, token, price_usd, as_of)
      VALUES (${chainId}, ${token}, ${priceUsd}, ${timeMs})
      ON CONFLICT (chain_id, token) DO UPDATE SET price_usd = excluded.price_usd, as_of = excluded.as_of`,
  );
}

/** Puts down what a block's pools told. Part of the transaction that applies the block. */
export async function savePoolPrices(
  tx: Queries,
  block: BlockRef,
  trades: readonly PoolTrade[],
  tokens: ReadonlyMap<string, KnownToken>,
  money: Money,
): Promise<void> {
  const { chainId, height } = block;
  // Prices from before this block, so that a block that comes twice says the same twice.
  let nativeUsd = (await priceAt(tx, chainId, NATIVE, height - 1))?.priceUsd ?? null;
  const known = new Map<string, number | null>();
  const columns = [
    ...["chain_id", "token", "height", "place", "block_hash", "time_ms", "price_usd", "value_usd", "bought"],
    "pool",
  ];
  const amount = (token: string, raw: bigint): number | null => {
    const decimals = tokens.get(token)?.decimals;
    return decimals === undefined || decimals === null ? null : amountOf(raw, decimals);
  };
  const unitUsd = async (token: string): Promise<number | null> => {
    const kind = money.kindOf(chainId, token);
    if (kind === "stable") return 1;
    if (kind === "native") return nativeUsd;
    if (!known.has(token))
      known.set(token, (await priceAt(tx, chainId, token, height - 1))?.priceUsd ?? null);
    return known.get(token) ?? null;
  };
  const rows: SqlValue[][] = [];
  const isCoinPrice = (trade: PoolTrade) =>
    [trade.in, trade.out].every(({ token }) => money.kindOf(chainId, token) !== null);
  // The coin's own price first: the others of the block rest on it.
  const ordered = [...trades].sort(
    (a, b) => Number(isCoinPrice(b)) - Number(isCoinPrice(a)) || a.index - b.index,
  );
  for (const trade of ordered) {
    const [inAmount, outAmount] = [
      amount(trade.in.token, trade.in.amountRaw),
      amount(trade.out.token, trade.out.amountRaw),
    ];
    if (inAmount === null || outAmount === null || !(inAmount > 0) || !(outAmount > 0)) continue;
    const [inKind, outKind] = [money.kindOf(chainId, trade.in.token), money.kindOf(chainId, trade.out.token)];
    // The side that tells the value: a dollar coin before the chain's coin before a token that has a price.
    const byIn = rankOf(inKind) >= rankOf(outKind);
    const [base, baseAmount, quoted, quotedAmount] = byIn
      ? [trade.in.token, inAmount, trade.out.token, outAmount]
      : [trade.out.token, outAmount, trade.in.token, inAmount];
    const unit = await unitUsd(base);
    if (unit === null || money.kindOf(chainId, quoted) === "stable") continue;
    const valueUsd = baseAmount * unit;
    if (valueUsd < VALUE_USD_MIN) continue;
    const priceUsd = valueUsd / quotedAmount;
    const isNative = money.kindOf(chainId, quoted) === "native";
    // Only a dollar coin tells what the chain's coin is worth.
    if (isNative && money.kindOf(chainId, base) !== "stable") continue;
    const token = isNative ? NATIVE : quoted;
    if (isNative) nativeUsd = priceUsd;
    else known.set(token, priceUsd);
    rows.push([
      ...[chainId, token, height, trade.index, block.hash, block.timeMs, priceUsd, valueUsd],
      // Paid into the pool in money: somebody bought the token.
      byIn ? 1 : 0,
      trade.pool,
    ]);
  }
  await insertMany(tx, "tracker_price", columns, rows, "ON CONFLICT DO NOTHING");
}

function rankOf(kind: "stable" | "native" | null): number {
  return kind === "stable" ? 2 : kind === "native" ? 1 : 0;
}
