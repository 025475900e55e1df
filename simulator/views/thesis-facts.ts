// The facts at the time a thesis was written, from its own record and from prices that never change.
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { GrammarFacts } from "../words/grammar.ts";
import { network } from "../world/networks.ts";
import { priceAt } from "../world/prices.ts";
import type { WorldToken } from "../world/tokens.ts";
import type { View } from "./view.ts";

/** The high is sampled at this many times of a token's life. */
const LOOKS = 24;

export function circumstancesOf(view: View, number: number, token: WorldToken) {
  const theses = view.tables.theses.columns;
  const row = number % view.tables.theses.capacity;
  const at = theses.at.get(row);
  const price = theses.price.get(row);
  let peak = price;
  for (let look = 0; look <= LOOKS; look++)
    peak = Math.max(peak, priceAt(token.price, token.launchAt + ((at - token.launchAt) * look) / LOOKS));
  const entry = theses.entry.get(row);
  return {
    at,
    ageMs: at - token.launchAt,
    price,
    entry,
    usd: theses.usd.get(row) / 1e6,
    buys: theses.buys.get(row),
    sells: theses.sells.get(row),
    /** The price change over a day, and from the highest sampled so far. */
    dayMove: price / priceAt(token.price, Math.max(token.launchAt, at - DAY_MS)) - 1,
    fromPeak: price / peak - 1,
    sinceLaunch: price / Math.exp(token.price.launchLogPrice) - 1,
    /** The position's state. */
    gain: entry > 0 ? price / entry - 1 : 0,
    /** The author's earlier theses about the token. */
    earlierOfToken: theses.earlier.get(row),
    /** The author's previous thesis, and how its token had done since. */
    last: lastOf(view, number, at),
  };
}

export type Circumstances = ReturnType<typeof circumstancesOf>;

function lastOf(view: View, number: number, at: number): { symbol: string; gain: number } | null {
  const theses = view.tables.theses.columns;
  const { capacity } = view.tables.theses;
  const back = theses.backOfTrader.get(number % capacity);
  const before = number - back;
  if (back === 0 || before < view.context.state.counters.theses - capacity) return null;
  const row = before % capacity;
  const token = view.context.tokens.get(theses.token.get(row));
  return { symbol: token.symbol, gain: priceAt(token.price, at) / theses.price.get(row) - 1 };
}

export function factsOf(_view: View, token: WorldToken, seen: Circumstances): GrammarFacts {
  const capital = seen.price * token.supply;
  return {
    symbol: token.symbol,
    ticker: `$${token.symbol}`,
    name: token.name,
    chain: network(token.network).slug,
    cap: short(capital),
    goal: short(Number((capital * (seen.ageMs < DAY_MS ? 10 : 4)).toPrecision(1))),
    size: short(seen.usd),
    entry: price(seen.entry),
    level: price(seen.price * 0.82),
    target: price(seen.price * 2.4),
    age: spoken(seen.ageMs),
    dayMove: percent(seen.dayMove),
    fromPeak: `${Math.round(-seen.fromPeak * 100)}%`,
    sinceLaunch: seen.sinceLaunch > 2 ? `${(seen.sinceLaunch + 1).toFixed(1)}x` : percent(seen.sinceLaunch),
    gainSoFar: percent(seen.gain),
    buys: String(seen.buys),
    lastSymbol: seen.last?.symbol ?? token.symbol,
  };
}

function price(value: number): string {
  return `$${Number(value.toPrecision(3))}`.replace(/e-(\d+)$/, "e-$1");
}

function percent(part: number): string {
  return `${part < 0 ? "" : "+"}${Math.round(part * 100)}%`;
}

function spoken(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / 60_000))} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)}h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

/** An amount as people write it in a sentence. */
export function short(usd: number): string {
  if (usd >= 1e9) return `$${(usd / 1e9).toFixed(1)}B`;
  if (usd >= 1e6) return `$${(usd / 1e6).toFixed(1)}M`;
  if (usd >= 1e3) return `$${Math.round(usd / 1e3)}K`;
  return `$${Math.round(usd)}`;
}
