// Every trader's books in memory, each worked out when first asked for and again after it changed. What a token is worth comes
// from one place, so that every answer of one moment shows the same quote.
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import { type Ledger, readLedger } from "../books/ledger.ts";
import { NATIVE } from "../chain.ts";
import type { Money } from "../prices/money.ts";
import { priceAt, priceAtTime, quoteOf, type SeenPrice } from "../prices/observed.ts";
import type { Directory } from "../roster/directory.ts";

export interface BooksCache {
  ledger(userId: string): Promise<Ledger>;
  ledgers(): Promise<Ledger[]>;
  /** What a token is worth now, and as of when; null when nobody ever said. */
  quote(chainId: number, token: string): Promise<SeenPrice | null>;
  quoteAt(chainId: number, token: string, timeMs: number): Promise<SeenPrice | null>;
  /** These traders' books changed. */
  forget(userIds: Iterable<string>): void;
  forgetPrices(): void;
}

/** An older quote of a pool gives way to a newer one from outside. */
const QUOTE_STALE_MS = 10 * 60_000;
/** One moment: quotes are looked up again after this. */
const QUOTE_KEPT_MS = 2_000;

export function createBooksCache(parts: {
  db: Database;
  clock: Clock;
  directory: Directory;
  money: Money;
}): BooksCache {
  const { db, clock, directory, money } = parts;
  const ledgers = new Map<string, Promise<Ledger>>();
  const quotes = new Map<string, { at: number; quote: Promise<SeenPrice | null> }>();

  const lookUp = async (chainId: number, token: string): Promise<SeenPrice | null> => {
    const kind = money.kindOf(chainId, token);
    if (kind === "stable") return { priceUsd: 1, timeMs: clock.now() };
    const name = kind === "native" ? NATIVE : token;
    const seen = await priceAt(db.read, chainId, name);
    if (seen && clock.now() - seen.timeMs < QUOTE_STALE_MS) return seen;
    const told = await quoteOf(db.read, chainId, name);
    return told && (!seen || told.timeMs > seen.timeMs) ? told : seen;
  };
  const ledger = (userId: string): Promise<Ledger> => {
    const known = ledgers.get(userId);
    if (known) return known;
    const read = readLedger(db.read, userId, money);
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
      if (kind === "stable") return { priceUsd: 1, timeMs };
      return priceAtTime(db.read, chainId, kind === "native" ? NATIVE : token, timeMs);
    },
    forget(userIds) {
      for (const userId of userIds) ledgers.delete(userId);
    },
    forgetPrices: () => quotes.clear(),
  };
}
