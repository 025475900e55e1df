// Collects the changes of one transaction: which traders' books in which tokens, prices, feeds. Each ledger is read once, after
// its last change in the transaction.
import type { Queries } from "../../database/database.ts";
import type { Money } from "../prices/money.ts";
import type { TrackerFeed } from "./feed-items.ts";
import { readTokenLedgers, type TokenLedger, type TraderToken, tokenKey, traderTokenKey } from "./ledger.ts";
import { savePositions } from "./positions.ts";
import { type knownTokens, rememberTokens, type SettledTokens } from "./tokens.ts";

/** The differences after a commit. */
export interface BooksChange {
  /** The earliest moment affected. */
  sinceMs: number;
  ledgers: readonly TokenLedger[];
  /** Tokens whose prices changed, by `tokenKey`, with the time of the oldest change. */
  prices: ReadonlyMap<string, number>;
  feeds: ReadonlySet<TrackerFeed>;
}

export interface BooksChanges {
  feeds: Set<TrackerFeed>;
  /** Something in these books changed, no earlier than this time. */
  touch(one: TraderToken, sinceMs: number): void;
  priced(chainId: number, token: string, sinceMs: number): void;
  /** Known tokens, looked up once: only after the transaction has written its own token rows. */
  tokens: typeof knownTokens;
  ledgers(tx: Queries, chainId: number, wanted: readonly TraderToken[]): Promise<TokenLedger[]>;
  /** The last step of the transaction. */
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
