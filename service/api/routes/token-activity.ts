// What traders are trading now, from our captured fills.
import { readChain } from "../../../contract/parts.ts";
import type { QueryOf } from "../../../contract/route.ts";
import type { Routes } from "../../../contract/routes.ts";
import { servingTurn } from "../../../kit/turn.ts";
import { DAY_MS, HOUR_MS } from "../../../kit/units.ts";
import type { Token, TokenInfo } from "../../../protocol/shapes/token.ts";
import { nameOfToken, type TokenRef } from "../../model/token.ts";
import type { TokenActivity } from "../../store/captured/activity.ts";
import { tokenKey } from "../../store/captured/tokens.ts";
import { currentPrices } from "../../upstream/current-prices.ts";
import type { Handler } from "../answer.ts";
import { badCursor, isStart } from "../cursor.ts";
import { iso, isoOrNull, presentChain, presentToken } from "../present/common.ts";
import type { Services } from "../services.ts";

const WINDOW_MS = { "5m": 300_000, "1h": HOUR_MS, "4h": 14_400_000, "24h": DAY_MS } as const;
const AGE_MS = { "1h": HOUR_MS, "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS } as const;

/** Each takes three lookups: about five milliseconds per turn of the event loop. */
const TOKENS_A_TURN = 10;

type TokenActivityParts = Pick<Services, "upstream" | "store" | "moderation" | "chains" | "labels" | "clock">;
type ActivityQuery = QueryOf<Routes["listTokenActivity"]>;

export function tokenActivityRoutes({
  upstream,
  store,
  moderation,
  chains,
  labels,
  clock,
}: TokenActivityParts): {
  listTokenActivity: Handler<Routes["listTokenActivity"]>;
} {
  return {
    async listTokenActivity({ query }, call) {
      const now = clock.now();
      const { asOf, from } = isStart(query.cursor)
        ? { asOf: now, from: 0 }
        : readPlace(String(query.cursor), now);
      const networkId = query.chain === undefined ? undefined : readChain(query.chain, chains, "chain").id;
      const board = query.top === undefined ? null : await store.leaderboards.find("30d");
      const userIds =
        query.top === undefined
          ? undefined
          : new Set(board?.value.rows.slice(0, query.top).map(({ userId }) => userId));
      const sums = await store.activity.between(asOf - WINDOW_MS[query.window], asOf, { networkId, userIds });
      const { side, sort } = query;
      const traded = side === undefined ? sums : sums.filter((sum) => countOf(sum, side) > 0);
      const counted = traded
        .filter((sum) => countOf(sum, side) >= query.minTraders)
        .filter((sum) => !moderation.isSpam(refOf(sum)));
      const ranked = (await ofAgeAndCap(counted, query, asOf)).sort(
        (a, b) => ORDER[sort](a, b, side) || (a.tokenKey < b.tokenKey ? -1 : 1),
      );
      const page = ranked.slice(from, from + query.limit);
      const more = from + page.length < ranked.length;
      const prices = await currentPrices(upstream, page.map(refOf), asOf, call);
      const rows = [];
      for (let start = 0; start < page.length; start += TOKENS_A_TURN) {
        const part = page.slice(start, start + TOKENS_A_TURN);
        const rank = from + start + 1;
        rows.push(
          ...(await Promise.all(
            part.map((sum, index) => present(atQuote(sum, prices), rank + index, asOf, query.window)),
          )),
        );
        await servingTurn();
      }
      return {
        body: {
          window: query.window,
          asOf: iso(asOf),
          count: rows.length,
          tokens: rows,
          nextCursor: more ? `a:${asOf}:${from + page.length}` : null,
          // Without a leaderboard, what its top traders traded is unknown.
          complete: from === 0 && !more && (query.top === undefined || board !== null),
        },
      };
    },
  };

  async function present(sum: TokenActivity, rank: number, asOf: number, window: keyof typeof WINDOW_MS) {
    const [known, people, theses] = await Promise.all([
      store.tokens.find(sum.tokenKey, sum.networkId),
      store.traders.byIds(sum.topTraders.map((top) => top.userId)),
      store.theses.countForToken(sum.tokenKey, sum.networkId, asOf - WINDOW_MS[window]),
    ]);
    const handles = new Map(people.map((trader) => [trader.userId, trader.handle]));
    const token: Token = known ?? { address: sum.tokenKey, networkId: sum.networkId, ...NAMELESS };
    return {
      rank,
      token: presentToken(labels, token),
      ...presentChain(chains, sum.networkId),
      traders: sum.traders,
      buyers: sum.buyers,
      sellers: sum.sellers,
      buyUsd: sum.buyUsd,
      sellUsd: sum.sellUsd,
      netUsd: sum.buyUsd - sum.sellUsd,
      firstTradeAt: iso(sum.firstTradeAt),
      lastTradeAt: iso(sum.lastTradeAt),
      priceUsdAtFirst: sum.priceUsdAtFirst,
      priceUsd: sum.priceUsd,
      changePct: sum.priceUsdAtFirst > 0 ? (sum.priceUsd / sum.priceUsdAtFirst - 1) * 100 : null,
      marketCapUsdAtFirst: marketCap(known, sum.priceUsdAtFirst),
      marketCapUsd: marketCap(known, sum.priceUsd),
      launchedAt: isoOrNull(known?.launchedAt ?? null),
      topTraders: sum.topTraders.flatMap(({ userId, netUsd }) => {
        const handle = handles.get(userId);
        return handle === undefined ? [] : [{ handle, userId, netUsd }];
      }),
      theses,
    };
  }

  async function ofAgeAndCap(
    sums: readonly TokenActivity[],
    { launchedWithin, minMarketCapUsd: least, maxMarketCapUsd: most }: ActivityQuery,
    asOf: number,
  ): Promise<TokenActivity[]> {
    if (launchedWithin === undefined && least === undefined && most === undefined) return [...sums];
    const known = await store.tokens.byRefs(sums.map(refOf));
    const byName = new Map(
      known.map((token) => [nameOfToken({ ...token, address: tokenKey(token.address) }), token]),
    );
    return sums.filter((sum) => {
      const token = byName.get(nameOfToken(refOf(sum))) ?? null;
      const launchedAt = token?.launchedAt ?? null;
      const isYoung =
        launchedWithin === undefined || (launchedAt !== null && launchedAt > asOf - AGE_MS[launchedWithin]);
      if (!isYoung || (least === undefined && most === undefined)) return isYoung;
      const capUsd = marketCap(token, sum.priceUsd);
      return capUsd !== null && capUsd >= (least ?? 0) && capUsd <= (most ?? Number.POSITIVE_INFINITY);
    });
  }
}

function marketCap(token: TokenInfo | null, priceUsd: number): number | null {
  const supply = token?.supply ?? null;
  return supply === null ? null : supply * priceUsd;
}

const refOf = ({ tokenKey: address, networkId }: TokenActivity): TokenRef => ({ address, networkId });

function atQuote(sum: TokenActivity, prices: Awaited<ReturnType<typeof currentPrices>>): TokenActivity {
  const quote = prices.of(refOf(sum));
  return quote === undefined ? sum : { ...sum, priceUsd: quote.priceUsd };
}

const NAMELESS = { symbol: "", name: "", image: null, decimals: 0 };

type FlowSide = "buy" | "sell" | undefined;

function countOf(sum: TokenActivity, side: FlowSide): number {
  if (side === undefined) return sum.traders;
  return side === "buy" ? sum.buyers : sum.sellers;
}

const ORDER = {
  traders: (a: TokenActivity, b: TokenActivity, side: FlowSide) => countOf(b, side) - countOf(a, side),
  // Net dollars in the requested direction: the most bought first, or the most sold.
  netUsd: (a: TokenActivity, b: TokenActivity, side: FlowSide) =>
    (b.buyUsd - b.sellUsd - (a.buyUsd - a.sellUsd)) * (side === "sell" ? -1 : 1),
  recent: (a: TokenActivity, b: TokenActivity) => b.lastTradeAt - a.lastTradeAt,
};

function readPlace(cursor: string, now: number): { asOf: number; from: number } {
  const place = /^a:(\d{1,15}):(\d{1,6})$/.exec(cursor);
  if (!place || Number(place[1]) > now) throw badCursor();
  return { asOf: Number(place[1]), from: Number(place[2]) };
}
