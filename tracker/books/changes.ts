// What one transaction changes: whose books in which tokens, prices, feeds. Ledgers are read once in it, after the last change
// to what is in them.
import type { Queries } from "../../database/database.ts";
import type { Money } from "../prices/money.ts";
import type { TrackerFeed } from "./feed-items.ts";
import { readTokenLedgers, type TokenLedger, type TraderToken, tokenKey, traderTokenKey } from "./ledger.ts";
import { savePositions } from "./positions.ts";
import { type knownTokens, rememberTokens, type SettledTokens } from "./tokens.ts";

/** What is different after a commit. */
export interface BooksChange {
  /** The earliest moment that looks different now. */
  sinceMs: number;
  ledgers: readonly TokenLedger[];
  /** Tokens whose prices changed, by `tokenKey`, and the time of the oldest. */
  prices: ReadonlyMap<string, number>;
  feeds: ReadonlySet<TrackerFeed>;
}

export interface BooksChanges {
  feeds: Set<TrackerFeed>;
  /** Something in these books changed, at this time at the earliest. */
  touch(one: TraderToken, sinceMs: number): void;
  priced(chainId: number, token: string, sinceMs: number): void;
  /** What is known of tokens, looked up once: not before what the transaction says of them is written. */
  tokens: typeof knownTokens;
  ledgers(tx: Queries, chainId: number, wanted: readonly TraderToken[]): Promise<TokenLedger[]>;
  /** The last part of the transaction. */
  save(tx: Queries): Promise<BooksChange>;
}

export function createChanges(money: Money, settled: SettledTokens): BooksChanges {
  const touched = new Map<string, { one: TraderToken; sinceMs: number }>();
  const prices = new Map<string, number>();
  const feeds = new Set<TrackerFeed>();
  const known = new Map<string, TokenLedger>();
  const tokens = rememberTokens(settled);
  const ledgers: BooksChanges["ledgers"] = async (tx, chainId, wanted) => {
    const missing = wanted.filter((one) => !known.has(traderTokenKey(one)));
    for (const ledger of await readTokenLedgers(tx, chainId, missing, money, tokens))
      known.set(traderTokenKey(ledger), ledger);
    return wanted.map((one) => known.get(traderTokenKey(one)) as TokenLedger);
  };
  return {
    feeds,
    tokens,
    ledgers,
    touch(one, sinceMs) {
      if (money.kindOf(one.chainId, one.token) !== null) return;
      const key = traderTokenKey(one);
      known.delete(key);
      touched.set(key, { one, sinceMs: Math.min(sinceMs, touched.get(key)?.sinceMs ?? sinceMs) });
    },
    priced(chainId, token, sinceMs) {
      const key = tokenKey(chainId, token);
      prices.set(key, Math.min(sinceMs, prices.get(key) ?? sinceMs));
    },
    async save(tx) {
      for (const [chainId, group] of Map.groupBy(touched.values(), ({ one }) => one.chainId))
        await ledgers(
          tx,
          chainId,
          group.map(({ one }) => one),
        );
      const changed = [...touched].map(([key, { sinceMs }]) => ({
        ledger: known.get(key) as TokenLedger,
        sinceMs,
      }));
      await savePositions(tx, changed);
      const times = [...changed.map(({ sinceMs }) => sinceMs), ...prices.values()];
      return {
        sinceMs: times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY),
        ledgers: changed.map(({ ledger }) => ledger),
        prices,
        feeds,
      };
    },
  };
}
