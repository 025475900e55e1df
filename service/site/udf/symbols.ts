// Tokens as symbols of a chart. `base:0x...` identifies one exactly; an address alone, or a ticker, finds the best match.
import type { Chains } from "../../../contract/chains.ts";
import { fault } from "../../../contract/errors.ts";
import type { AnswerOf } from "../../../contract/route.ts";
import type { Routes } from "../../../contract/routes.ts";
import type { ChartReader } from "./reader.ts";
import { RESOLUTIONS } from "./resolutions.ts";

export interface ChartSymbol {
  address: string;
  networkId: number | undefined;
}

type Overview = AnswerOf<Routes["getToken"]>;

const SYMBOL_LENGTH_MAX = 150;
/** Shorter than any address, longer than any ticker worth typing. */
const TICKER_LENGTH_MAX = 24;
const SEARCHED_MAX = 30;

export async function symbolOf(
  text: string | null,
  reader: ChartReader,
  chains: Chains,
): Promise<ChartSymbol> {
  const given = (text ?? "").trim();
  if (given === "" || given.length > SYMBOL_LENGTH_MAX)
    throw fault("invalid_parameter", "symbol must be a chain and an address, such as base:0x...", {
      param: "symbol",
    });
  const [head = "", tail] = given.split(":", 2);
  const chain = tail === undefined ? undefined : chains.find(head);
  const name = chain === undefined ? given : String(tail);
  if (name.length > TICKER_LENGTH_MAX) return { address: name, networkId: chain?.id };
  const { tokens } = await reader.read("searchTokens", { query: { q: name, limit: SEARCHED_MAX } });
  const match = tokens.find(
    ({ symbol, chainId }) =>
      symbol.toLowerCase() === name.toLowerCase() && (chain === undefined || chainId === chain.id),
  );
  if (!match)
    throw fault("not_found", "No token has this symbol. Use a chain and an address, such as base:0x...");
  return { address: match.address, networkId: match.chainId };
}

export const tickerOf = (chain: string, address: string) => `${chain}:${address}`;

export async function findSymbols(query: URLSearchParams, reader: ChartReader) {
  const text = (query.get("query") ?? "").trim();
  if (text === "") return [];
  const wanted = Number(query.get("limit"));
  const exchange = query.get("exchange") ?? "";
  const { tokens } = await reader.read("searchTokens", { query: { q: text, limit: SEARCHED_MAX } });
  return tokens
    .filter(({ chain }) => exchange === "" || chain === exchange)
    .slice(0, wanted > 0 ? wanted : SEARCHED_MAX)
    .map(({ symbol, name, chain, address }) => ({
      symbol,
      full_name: tickerOf(chain, address),
      ticker: tickerOf(chain, address),
      description: name,
      exchange: chain,
      type: "crypto",
    }));
}

export async function readOverview(
  { address, networkId }: ChartSymbol,
  reader: ChartReader,
): Promise<Overview> {
  return reader.read("getToken", { params: { address }, query: { networkId } });
}

export function presentSymbol({ token, chain, quote }: Overview) {
  return {
    name: token.symbol,
    full_name: tickerOf(chain, token.address),
    ticker: tickerOf(chain, token.address),
    description: token.name,
    type: "crypto",
    session: "24x7",
    timezone: "Etc/UTC",
    exchange: chain,
    listed_exchange: chain,
    // Older adapters read these two names.
    "exchange-traded": chain,
    "exchange-listed": chain,
    currency_code: "USD",
    format: "price",
    minmov: 1,
    pricescale: pricescaleOf(quote.priceUsd),
    has_intraday: true,
    has_daily: true,
    has_weekly_and_monthly: false,
    intraday_multipliers: Object.keys(RESOLUTIONS).filter((name) => !name.endsWith("D")),
    supported_resolutions: Object.keys(RESOLUTIONS),
    volume_precision: 2,
    data_status: "streaming",
  };
}

/** A power of ten that shows five digits of the price, whatever its size. */
export function pricescaleOf(priceUsd: number | null): number {
  if (priceUsd === null || priceUsd <= 0) return 10 ** DECIMALS_UNKNOWN;
  const decimals = DIGITS_SHOWN - 1 - Math.floor(Math.log10(priceUsd));
  return 10 ** Math.min(Math.max(decimals, DECIMALS_MIN), DECIMALS_MAX);
}
const DIGITS_SHOWN = 5;
const DECIMALS_MIN = 2;
/** What a number represents exactly, and chart libraries accept. */
const DECIMALS_MAX = 15;
const DECIMALS_UNKNOWN = 8;
