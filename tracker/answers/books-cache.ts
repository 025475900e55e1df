// Every trader's books in memory, each worked out when first asked for and again after it changed. What a token is worth comes
// from one place, so that every answer of one moment shows the same quote.

import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { readLedger, type TraderLedger } from "../books/ledger.ts";
import { coinAt } from "../prices/coins.ts";
import type { Money } from "../prices/money.ts";
import { quoteOf, type SeenPrice, seenPriceAt } from "../prices/observed.ts";
import type { Directory } from "../roster/directory.ts";

export interface BooksCache {
  ledger(userId: string): Promise<TraderLedger>;
  ledgers(): Promise<TraderLedger[]>;
  /** What a token is worth now, and as of when; null when it never had a price. */
  quote(chainId: number, token: string): Promise<SeenPrice | null>;
  quoteAt(chainId: number, token: string, timeMs: number): Promise<SeenPrice | null>;
  /** These traders' books changed. */
  forget(userIds: Iterable<string>): void;
  forgetPrices(): void;
}

/** An older quote of a pool gives way to a newer one from outside. */
const QUOTE_STALE_MS = 10 * MINUTE_MS;
/** One moment: quotes are looked up again after this. */
const QUOTE_KEPT_MS = 2_000;
/** Some chains' blocks are ahead of this machine's clock. */
const TIME_MAX = 2 ** 52;

export function createBooksCache(parts: {
  database: Database;
  clock: Clock;
  directory: Directory;
  money: Money;
}): BooksCache {
  const { database, clock, directory, money } = parts;
  const ledgers = new Map<string, Promise<TraderLedger>>();
  const quotes = new Map<string, { at: number; quote: Promise<SeenPrice | null> }>();

  const moneyAt = async (
    chainId: number,
    kind: "stable" | "native",
    timeMs: number,
  ): Promise<SeenPrice | null> => {
    if (kind === "stable") return { priceUsd: 1, timeMs, depthUsd: null };
    const coin = await coinAt(database.read, chainId, timeMs);
    return coin && { priceUsd: coin.priceUsd, timeMs: coin.asOf, depthUsd: null };
  };
  const lookUp = async (chainId: number, token: string): Promise<SeenPrice | null> => {
    const kind = money.kindOf(chainId, token);
    if (kind !== null) return moneyAt(chainId, kind, clock.now());
    const seen = await seenPriceAt(database.read, chainId, token, TIME_MAX);
    if (seen && clock.now() - seen.timeMs < QUOTE_STALE_MS) return seen;
    const quoted = await quoteOf(database.read, chainId, token);
    return quoted && (!seen || quoted.timeMs > seen.timeMs) ? quoted : seen;
  };
  const ledger = (userId: string): Promise<TraderLedger> => {
    const known = ledgers.get(userId);
    if (known) return known;
    const read = readLedger(database.read, userId, money);
    ledgers.set(userId, read);
    read.catch(() => ledgers.delete(userId));
    return read;
  };
  return {
    ledger,
    ledgers: () => Promise.all(directory.traders().map(({ userId }) => ledger(userId))),
    quote(chainId, token) {
      const key = `${chainId}:${token}`;
      const kept = quotes.get(key);
      if (kept && clock.now() - kept.at < QUOTE_KEPT_MS) return kept.quote;
      const quote = lookUp(chainId, token);
      quotes.set(key, { at: clock.now(), quote });
      return quote;
    },
    async quoteAt(chainId, token, timeMs) {
      const kind = money.kindOf(chainId, token);
      return kind === null
        ? seenPriceAt(database.read, chainId, token, timeMs)
        : moneyAt(chainId, kind, timeMs);
    },
    forget(userIds) {
      for (const userId of userIds) ledgers.delete(userId);
    },
    forgetPrices: () => quotes.clear(),
  };
}
