// Current prices of several symbols. Figures that no platform has, such as bid and ask, are left out.
import type { Chains } from "../../../contract/chains.ts";
import { Fault, fault } from "../../../contract/errors.ts";
import type { ChartReader } from "./reader.ts";
import { readOverview, symbolOf, tickerOf } from "./symbols.ts";

/** One read each. */
const SYMBOLS_MAX = 20;

export async function readQuotes(query: URLSearchParams, reader: ChartReader, chains: Chains) {
  const names = (query.get("symbols") ?? "").split(",").filter((name) => name.trim() !== "");
  if (names.length === 0 || names.length > SYMBOLS_MAX)
    throw fault("invalid_parameter", `symbols must be 1 to ${SYMBOLS_MAX} names, separated by commas.`, {
      param: "symbols",
    });
  const d = [];
  // Sequentially: the first one refused because of the caller ends the rest.
  for (const name of names) d.push(await quoteOf(name, reader, chains));
  return { s: "ok", d };
}

async function quoteOf(name: string, reader: ChartReader, chains: Chains) {
  try {
    const { token, chain, quote, volume24hUsd } = await readOverview(
      await symbolOf(name, reader, chains),
      reader,
    );
    const { priceUsd, change24h } = quote;
    const before = priceBefore(quote);
    const known = {
      lp: priceUsd,
      chp: change24h,
      ch: priceUsd === null || before === null ? null : priceUsd - before,
      prev_close_price: before,
      volume: volume24hUsd,
    };
    const v = {
      ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null)),
      short_name: token.symbol,
      exchange: chain,
      original_name: tickerOf(chain, token.address),
      description: token.name,
    };
    return { s: "ok", n: name, v };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "not_found") throw error;
    return { s: "error", n: name, v: {}, errmsg: error.message };
  }
}

/** The price a day ago. A fall of 100 % leaves nothing to compute it from. */
function priceBefore({ priceUsd, change24h }: { priceUsd: number | null; change24h: number | null }) {
  if (priceUsd === null || change24h === null || change24h <= -100) return null;
  return priceUsd / (1 + change24h / 100);
}
