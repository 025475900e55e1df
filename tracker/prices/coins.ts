// The price of a chain's own coin: from the chain's price feed, else its deep pools, else the price endpoint, each checked
// against the others. A price that another source contradicts by more than 5 % needs a second source that agrees, and being in
// a trader's transaction does not make a pool trusted.
import type { Database, Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import type { BlockRef } from "../chain.ts";
import type { PriceHistory } from "./history.ts";

/** In order of trust. */
const SOURCES = ["feed", "pools", "quote"] as const;
export type CoinSourceName = (typeof SOURCES)[number] | "history";

export interface CoinQuote {
  priceUsd: number;
  asOf: number;
}

export interface CoinPrice extends CoinQuote {
  by: CoinSourceName;
}

export interface CoinSource {
  name: "feed" | "pools";
  /** The price when a block was made; null if unknown. Absent on sources that only know the present. */
  at?(block: BlockRef): Promise<CoinQuote | null>;
  now(): Promise<CoinQuote | null>;
}

export interface CoinPrices extends Loop {
  /** The price when a block was made: a fact of the chain if a source can look back. */
  at(block: BlockRef): Promise<CoinPrice | null>;
  /** Asks all sources for the current price. */
  observe(): Promise<void>;
}

/** Sources further apart than this contradict each other. */
const AGREEMENT_MAX = 0.05;
/** An observed price is valid for this long, before and after. */
const OBSERVED_MS_MAX = HOUR_MS;

export function createCoinPrices(parts: {
  database: Database;
  sourcesOf: ReadonlyMap<number, readonly CoinSource[]>;
  /** For times that no source knows. */
  history: PriceHistory;
  clock: Clock;
  log: Log;
  onObserved(): Promise<void>;
}): CoinPrices {
  const { database, sourcesOf, clock, log } = parts;
  const observe = async () => {
    for (const [chainId, sources] of sourcesOf)
      for (const source of sources)
        try {
          const quote = await source.now();
          if (quote) await database.write((tx) => saveCoinQuote(tx, chainId, source.name, quote));
        } catch (error) {
          log.warn("could not read a coin price", { chainId, source: source.name, error });
        }
    await parts.onObserved();
  };
  return {
    ...createLoop({
      failure: "could not read coin prices",
      everyMs: MINUTE_MS,
      first: "later",
      clock,
      log,
      round: observe,
    }),
    observe,
    async at(block) {
      const { chainId, timeMs } = block;
      const found = new Map<CoinSourceName, CoinQuote>();
      for (const name of SOURCES) {
        const source = sourcesOf.get(chainId)?.find((each) => each.name === name);
        const quote = source?.at
          ? await source.at(block)
          : await observedAt(database.read, chainId, name, timeMs);
        if (quote) found.set(name, quote);
      }
      if (found.size === 0) {
        const past = parts.history.at(chainId, timeMs);
        return past && { ...past, by: "history" };
      }
      const agreed = agreedPrice(found);
      if (!agreed && found.size > 0)
        log.warn("coin prices contradict each other", { chainId, height: block.height, ...said(found) });
      return agreed;
    },
  };
}

const said = (found: ReadonlyMap<CoinSourceName, CoinQuote>): Record<string, number> =>
  Object.fromEntries([...found].map(([name, { priceUsd }]) => [name, priceUsd]));

/** The first price that another source confirms, or the only one there is. */
export function agreedPrice(found: ReadonlyMap<CoinSourceName, CoinQuote>): CoinPrice | null {
  const prices = SOURCES.flatMap((by) => {
    const quote = found.get(by);
    return quote ? [{ by, ...quote }] : [];
  });
  if (prices.length === 1) return prices[0] ?? null;
  const isClose = (a: CoinPrice, b: CoinPrice) =>
    Math.abs(a.priceUsd - b.priceUsd) <= AGREEMENT_MAX * Math.max(a.priceUsd, b.priceUsd);
  return prices.find((one) => prices.some((other) => other !== one && isClose(one, other))) ?? null;
}

/** A source's last quote before a time, or else the first one after it. */
async function observedAt(
  queries: Queries,
  chainId: number,
  source: CoinSourceName,
  timeMs: number,
): Promise<CoinQuote | null> {
  const of = sql`chain_id = ${chainId} AND source = ${source}`;
  const row =
    (await queries.one<CoinRow>(
      sql`SELECT price_usd, as_of FROM tracker_coin
        WHERE ${of} AND as_of <= ${timeMs} AND as_of >= ${timeMs - OBSERVED_MS_MAX} ORDER BY as_of DESC LIMIT 1`,
    )) ??
    (await queries.one<CoinRow>(
      sql`SELECT price_usd, as_of FROM tracker_coin
        WHERE ${of} AND as_of > ${timeMs} AND as_of <= ${timeMs + OBSERVED_MS_MAX} ORDER BY as_of LIMIT 1`,
    ));
  return row && { priceUsd: row.price_usd, asOf: row.as_of };
}

interface CoinRow {
  price_usd: number;
  as_of: number;
}

/** The coin price at a time, for quotes: as observed then, else as in the last block that was read before. */
export async function coinAt(queries: Queries, chainId: number, timeMs: number): Promise<CoinPrice | null> {
  const found = new Map<CoinSourceName, CoinQuote>();
  for (const name of SOURCES) {
    const quote = await observedAt(queries, chainId, name, timeMs);
    if (quote) found.set(name, quote);
  }
  if (found.size > 0) return agreedPrice(found);
  const row = await queries.one<CoinRow & { by: CoinSourceName }>(
    sql`SELECT coin_usd AS price_usd, coin_as_of AS as_of, coin_by AS by FROM tracker_block
      WHERE chain_id = ${chainId} AND coin_usd IS NOT NULL AND time_ms <= ${timeMs}
      ORDER BY height DESC LIMIT 1`,
  );
  return row && { priceUsd: row.price_usd, asOf: row.as_of, by: row.by };
}

export async function saveCoinQuote(
  tx: Queries,
  chainId: number,
  source: CoinSourceName,
  { priceUsd, asOf }: CoinQuote,
): Promise<void> {
  await tx.run(
    sql`INSERT INTO tracker_coin (chain_id, source, as_of, price_usd)
      VALUES (${chainId}, ${source}, ${asOf}, ${priceUsd}) ON CONFLICT DO NOTHING`,
  );
}

/** An observed price serves the hour around it; each block stores the price it used. */
export const forgetCoinQuotes = (tx: Queries, beforeMs: number): Promise<number> =>
  tx.run(sql`DELETE FROM tracker_coin WHERE as_of < ${beforeMs}`);

export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (high === undefined) return null;
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
}
