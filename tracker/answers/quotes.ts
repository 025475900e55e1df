// Token prices, now and at the ends of the ranking windows. Each price is looked up once, and again when something may have
// changed it: a trade at or before its moment, or the moment itself moving past one.
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Clock } from "../../kit/clock.ts";
import { after, type MaybePromise } from "../../kit/maybe-promise.ts";
import { createSharedTurn } from "../../kit/turn.ts";
import { DAY_MS, MINUTE_MS } from "../../kit/units.ts";
import { tokenKey } from "../books/ledger.ts";
import { seenPriceAt } from "../prices/believed.ts";
import { coinAt } from "../prices/coins.ts";
import { quoteOf } from "../prices/endpoint-quotes.ts";
import type { Money } from "../prices/money.ts";
import type { SeenPrice } from "../prices/observed.ts";

/** A token with its `tokenKey`. */
export interface KeyedToken {
  key: string;
  known: { chainId: number; token: string };
}

const byKey = (a: KeyedToken, b: KeyedToken): number => (a.key < b.key ? -1 : 1);

/** Prices at one moment, which can move. */
export interface Edge {
  /** Moves it; prices that may differ there are looked up again. */
  move(momentMs: number): Promise<void>;
  moment(): number;
  load(tokens: Iterable<KeyedToken>): Promise<void>;
  /** For a loaded token. */
  get(key: string): SeenPrice | null;
  /** A trade at this time was added or removed. */
  forget(key: string, timeMs: number): void;
}

export interface Quotes {
  edge(): Edge;
  /** A token's price now, with its time; null if it never had one. */
  quote(chainId: number, token: string): MaybePromise<SeenPrice | null>;
  quoteAt(chainId: number, token: string, timeMs: number): Promise<SeenPrice | null>;
  /** The price that decides whether a token is worth anything: its pools' until a moment or now, else the endpoint's. */
  judgedBy(chainId: number, token: string, timeMs?: number): MaybePromise<SeenPrice | null>;
  /** Whether it is known to have no price at all. */
  isUnpriced(key: string): boolean;
  forget(prices: ReadonlyMap<string, number>): void;
  /** The price endpoint has new quotes. */
  forgetQuotes(): void;
}

/** A pool's quote older than this gives way to a newer one from outside. */
const QUOTE_STALE_MS = 10 * MINUTE_MS;
/** Some chains' blocks are ahead of this machine's clock. */
const TIME_MAX = 2 ** 52;
/** If an edge moves further than this, its cache is cleared. */
const MOVE_MS_MAX = DAY_MS;

export function createQuotes({
  database,
  clock,
  money,
}: {
  database: Database;
  clock: Clock;
  money: Money;
}): Quotes {
  const edges: Edge[] = [];
  /** The last trade seen, for requested tokens; and the endpoint's quotes. */
  const seen = new Map<string, SeenPrice | null>();
  const quoted = new Map<string, SeenPrice | null>();
  /** Lookups take turns with everything else. */
  const turn = createSharedTurn();
  const turnOf = async <T>(piece: () => Promise<T>): Promise<T> =>
    await (await turn(() => ({ of: piece() }))).of;
  /** Anything read while prices changed may already be stale. */
  let version = 0;

  const moneyAt = async (
    chainId: number,
    kind: "stable" | "native",
    timeMs: number,
  ): Promise<SeenPrice | null> => {
    if (kind === "stable") return { priceUsd: 1, timeMs, depthUsd: null, by: "stable" };
    const coin = await coinAt(database.read, chainId, timeMs);
    if (!coin) return null;
    const by = coin.by === "quote" || coin.by === "history" ? "quote" : "native";
    return { priceUsd: coin.priceUsd, timeMs: coin.asOf, depthUsd: null, by };
  };
  const remembered = (
    map: Map<string, SeenPrice | null>,
    key: string,
    lookUp: () => Promise<SeenPrice | null>,
  ): MaybePromise<SeenPrice | null> => {
    const known = map.get(key);
    if (known !== undefined) return known;
    const before = version;
    return turnOf(lookUp).then((found) => {
      if (before === version) map.set(key, found);
      return found;
    });
  };

  const createEdge = (): Edge => {
    const prices = new Map<string, SeenPrice | null>();
    let moment = 0;
    return {
      moment: () => moment,
      async move(to) {
        if (to === moment) return;
        const [from, until] = to > moment ? [moment, to] : [to, moment];
        if (until - from > MOVE_MS_MAX) prices.clear();
        else
          for (const { chain_id, token } of await database.read.all<{ chain_id: number; token: string }>(
            sql`SELECT DISTINCT chain_id, token FROM tracker_price WHERE time_ms > ${from} AND time_ms <= ${until}`,
          ))
            prices.delete(tokenKey(chain_id, token));
        moment = to;
      },
      async load(tokens) {
        // In index order, so that one lookup's pages are cached for the next.
        const missing = [...tokens].filter(({ key }) => !prices.has(key)).sort(byKey);
        for (const {
          key,
          known: { chainId, token },
        } of missing) {
          while (!prices.has(key)) {
            const [at, before] = [moment, version];
            const found = await turnOf(() => seenPriceAt(database.read, chainId, token, at));
            if (at === moment && before === version) prices.set(key, found);
          }
        }
      },
      get: (key) => prices.get(key) ?? null,
      forget(key, timeMs) {
        if (timeMs <= moment) prices.delete(key);
      },
    };
  };

  const lastSeen = (chainId: number, token: string) =>
    remembered(seen, tokenKey(chainId, token), () => seenPriceAt(database.read, chainId, token, TIME_MAX));
  const endpoints = (chainId: number, token: string) =>
    remembered(quoted, tokenKey(chainId, token), () => quoteOf(database.read, chainId, token));
  const seenUntil = async (chainId: number, token: string, timeMs: number): Promise<SeenPrice | null> => {
    const edge = edges.find((each) => each.moment() === timeMs);
    if (!edge) return seenPriceAt(database.read, chainId, token, timeMs);
    const key = tokenKey(chainId, token);
    await edge.load([{ key, known: { chainId, token } }]);
    return edge.moment() === timeMs ? edge.get(key) : seenPriceAt(database.read, chainId, token, timeMs);
  };

  return {
    edge() {
      const edge = createEdge();
      edges.push(edge);
      return edge;
    },
    quote(chainId, token) {
      const kind = money.kindOf(chainId, token);
      if (kind !== null) return moneyAt(chainId, kind, clock.now());
      return after(lastSeen(chainId, token), (last) => {
        if (last && clock.now() - last.timeMs < QUOTE_STALE_MS) return last;
        return after(endpoints(chainId, token), (said) =>
          said && (!last || said.timeMs > last.timeMs) ? said : last,
        );
      });
    },
    async quoteAt(chainId, token, timeMs) {
      const kind = money.kindOf(chainId, token);
      return kind === null ? seenUntil(chainId, token, timeMs) : moneyAt(chainId, kind, timeMs);
    },
    judgedBy(chainId, token, timeMs) {
      const pools = timeMs === undefined ? lastSeen(chainId, token) : seenUntil(chainId, token, timeMs);
      return after(pools, (last) => last ?? endpoints(chainId, token));
    },
    isUnpriced: (key) => seen.get(key) === null && quoted.get(key) === null,
    forget(prices) {
      version += 1;
      for (const [key, sinceMs] of prices) {
        seen.delete(key);
        for (const edge of edges) edge.forget(key, sinceMs);
      }
    },
    forgetQuotes() {
      version += 1;
      quoted.clear();
    },
  };
}
