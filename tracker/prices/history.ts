// Past coin prices, from a file of the operator's: for chains whose feed and pools can't be queried about the past.
import { readFileSync } from "node:fs";
import { BadSettings } from "../../kit/bad-settings.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";

interface PastPrice {
  priceUsd: number;
  asOf: number;
}

export interface PriceHistory {
  /** The last price at or before a time that is not too old. */
  at(chainId: number, timeMs: number): PastPrice | null;
}

/** A file may have one price per day. */
const AGE_MS_MAX = DAY_MS + HOUR_MS;
const LINES_MAX = 2_000_000;
const FAULTS_MAX = 10;
/** Tells epoch seconds from milliseconds; as seconds it is the year 5138. */
const SECONDS_MAX = 100_000_000_000;

export const NO_HISTORY: PriceHistory = { at: () => null };

/** Throws BadSettings with a sentence for each wrong line. `chainOf` returns null for an unknown chain. */
export function readPriceHistory(
  path: string | null,
  chainOf: (name: string) => number | null,
): PriceHistory {
  if (path === null) return NO_HISTORY;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new BadSettings([
      `PRICES_HISTORY must name a file that can be read (it is "${path.slice(0, 80)}").`,
    ]);
  }
  return parsePriceHistory(text, chainOf);
}

export function parsePriceHistory(text: string, chainOf: (name: string) => number | null): PriceHistory {
  const prices = new Map<number, PastPrice[]>();
  const faults: string[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines.length > LINES_MAX) faults.push(`PRICES_HISTORY may have at most ${LINES_MAX} lines.`);
  for (const [index, line] of lines.slice(0, LINES_MAX).entries()) {
    if (line.trim() === "" || (index === 0 && /^chain,time,price$/i.test(line.trim()))) continue;
    const [chain = "", time = "", price = "", ...more] = line.split(",").map((part) => part.trim());
    const fault = (what: string) => faults.push(`PRICES_HISTORY, line ${index + 1}: ${what}.`);
    const chainId = chainOf(chain);
    const asOf = timeOf(time);
    const priceUsd = /^\d{1,12}(\.\d{1,18})?$/.test(price) ? Number(price) : 0;
    if (more.length > 0 || price === "") fault("expected chain,time,price");
    else if (chainId === null) fault(`"${chain.slice(0, 40)}" is not a known chain`);
    else if (asOf === null)
      fault(`"${time.slice(0, 40)}" is neither an ISO time nor epoch seconds or milliseconds`);
    else if (!(priceUsd > 0)) fault(`"${price.slice(0, 40)}" is not a price in dollars`);
    else append(prices, chainId, { asOf, priceUsd });
    if (faults.length >= FAULTS_MAX) break;
  }
  if (faults.length > 0) throw new BadSettings(faults);
  for (const own of prices.values()) own.sort((a, b) => a.asOf - b.asOf);
  return {
    at(chainId, timeMs) {
      const found = lastBefore(prices.get(chainId) ?? [], timeMs);
      return found && timeMs - found.asOf <= AGE_MS_MAX ? found : null;
    },
  };
}

function append(prices: Map<number, PastPrice[]>, chainId: number, quote: PastPrice): void {
  const own = prices.get(chainId);
  if (own) own.push(quote);
  else prices.set(chainId, [quote]);
}

function timeOf(text: string): number | null {
  if (/^\d{9,13}$/.test(text)) return Number(text) * (Number(text) < SECONDS_MAX ? 1_000 : 1);
  if (!/^\d{4}-\d{2}-\d{2}([T ][0-9:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return null;
  // Without a zone it is UTC, whatever the machine's time zone.
  const time = Date.parse(
    /Z$|[+-]\d{2}:?\d{2}$/.test(text.slice(10)) || text.length === 10 ? text : `${text}Z`,
  );
  return Number.isNaN(time) ? null : time;
}

function lastBefore(quotes: readonly PastPrice[], timeMs: number): PastPrice | null {
  let [low, high] = [0, quotes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((quotes[middle] as PastPrice).asOf <= timeMs) low = middle + 1;
    else high = middle;
  }
  return quotes[low - 1] ?? null;
}
