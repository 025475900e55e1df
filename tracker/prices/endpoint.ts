// Quotes from a price endpoint, for the chains' own coins and for tokens without recent trades. It uses the common DEX price
// API's format: pairs with a dollar price and their liquidity; a token's deepest pair counts, and a pair with too little money
// prices no token.
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { readBody } from "../../kit/body.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop, type Loop } from "../../kit/loop.ts";
import { saveCoinQuote } from "./coins.ts";
import { dropQuote, saveQuote } from "./endpoint-quotes.ts";
import type { Money } from "./money.ts";

export interface QuotedChain {
  chainId: number;
  /** The endpoint's name for it. */
  slug: string;
}

const EVERY_MS = 60_000;
/** Addresses per request: the common endpoint's limit. */
const ADDRESSES_MAX = 30;
const TOKENS_MAX = 300;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const PRICE_MAX = 1e12;

interface Pair {
  address: string;
  priceUsd: number;
  /** The money in it. */
  depthUsd: number;
}

export function createPriceEndpoint(parts: {
  url: string;
  chains: readonly QuotedChain[];
  database: Database;
  money: Money;
  /** A pair with less money than this prices no token. */
  depthMinUsd: number;
  clock: Clock;
  log: Log;
  onQuotes(): void;
}): Loop & { refresh(): Promise<void> } {
  const { database, money, depthMinUsd, clock, log } = parts;

  const ask = async ({ slug }: QuotedChain, addresses: readonly string[]): Promise<Map<string, Pair>> => {
    const url = `${parts.url}/tokens/v1/${slug}/${addresses.join(",")}`;
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "error" });
    const read = await readBody(response, ANSWER_BYTES_MAX);
    if (!response.ok || read.kind !== "whole")
      throw new Error(`the price endpoint answered ${response.status}`);
    return deepest(JSON.parse(new TextDecoder().decode(read.bytes)));
  };

  const refreshChain = async (chain: QuotedChain) => {
    const { chainId } = chain;
    const wrapped = money.wrappedOf(chainId);
    const rows = await database.read.all<{ token: string }>(
      sql`SELECT token, MAX(last_at) AS used FROM tracker_position WHERE chain_id = ${chainId}
        GROUP BY token ORDER BY used DESC LIMIT ${TOKENS_MAX}`,
    );
    const tokens = rows.map(({ token }) => token).filter((token) => money.kindOf(chainId, token) === null);
    const wanted = [...(wrapped === null ? [] : [wrapped]), ...tokens];
    for (let start = 0; start < wanted.length; start += ADDRESSES_MAX) {
      const pairs = await ask(chain, wanted.slice(start, start + ADDRESSES_MAX));
      const timeMs = clock.now();
      await database.write(async (tx) => {
        for (const [address, { priceUsd, depthUsd }] of pairs) {
          if (!wanted.includes(address)) continue;
          if (address === wrapped) await saveCoinQuote(tx, chainId, "quote", { priceUsd, asOf: timeMs });
          else if (depthUsd < depthMinUsd) await dropQuote(tx, chainId, address);
          else await saveQuote(tx, chainId, address, { priceUsd, timeMs, depthUsd });
        }
      });
    }
  };
  const refresh = async () => {
    for (const chain of parts.chains) {
      await refreshChain(chain).catch((error) =>
        log.warn("could not read prices", { chain: chain.slug, error }),
      );
    }
    parts.onQuotes();
  };
  return {
    ...createLoop({ failure: "could not read prices", everyMs: EVERY_MS, clock, log, round: refresh }),
    refresh,
  };
}

/** Untrusted input: malformed pairs are left out. */
function deepest(value: unknown): Map<string, Pair> {
  const best = new Map<string, Pair>();
  const list = Array.isArray(value) ? value : (value as { pairs?: unknown } | null)?.pairs;
  for (const each of Array.isArray(list) ? list : []) {
    const pair = pairOf(each);
    const known = pair && best.get(pair.address);
    if (pair && (!known || pair.depthUsd > known.depthUsd)) best.set(pair.address, pair);
  }
  return best;
}

function pairOf(value: unknown): Pair | null {
  const { baseToken, priceUsd, liquidity } = (value ?? {}) as {
    baseToken?: { address?: unknown };
    priceUsd?: unknown;
    liquidity?: { usd?: unknown; base?: unknown };
  };
  const price = Number(priceUsd);
  // The pair's own tokens are worth nothing to someone who sells more of them.
  const depth = Number(liquidity?.usd ?? 0) - Number(liquidity?.base ?? 0) * price;
  const given = baseToken?.address;
  if (typeof given !== "string" || !(price > 0 && price < PRICE_MAX)) return null;
  const address = given.startsWith("0x") ? given.toLowerCase() : given;
  return { address, priceUsd: price, depthUsd: Number.isFinite(depth) ? depth : 0 };
}
