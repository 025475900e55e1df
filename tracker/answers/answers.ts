// The tracker's answers as a platform: everything a chain can tell about a roster, and nothing it can't.
import type { QuestionName, WireCapabilities } from "../../protocol/capabilities.ts";
import { type PlatformApi, UNSUPPORTED } from "../../protocol/platform.ts";
import type { WireAppItem, WireChainItem, WirePushItem } from "../../protocol/shapes/event.ts";
import { readItems, TRACKER_FEEDS } from "../books/feed-items.ts";
import { countTokens, type KnownToken, tokensAfter } from "../books/tokens.ts";
import type { Directory } from "../roster/directory.ts";
import { booksOf } from "./books.ts";
import { candlesOf } from "./candles.ts";
import { devsOf } from "./devs.ts";
import { pageOf, placeIn } from "./pages.ts";
import type { AnswerParts } from "./parts.ts";
import { leaderboardOf, rankingOf } from "./ranking.ts";
import { spotlightOf } from "./spotlight.ts";
import { ticksOf } from "./ticks.ts";
import { boardOf, findToken, infoOf, isListed, quotesOf, statsOf } from "./tokens.ts";
import { balancesOf, personOf, swapsOf, tradeOf, tradesOf, userOf } from "./traders.ts";

const QUESTIONS: QuestionName[] = [
  ...([
    "userByHandle",
    "userById",
    "users",
    "trades",
    "balances",
    "spotlight",
    "swaps",
    "trade",
    "books",
    "leaderboard",
    "ranking",
  ] as const),
  ...([
    "board",
    "tokens",
    "token",
    "tokenStats",
    "tokenDevs",
    "candles",
    "ticks",
    "quotes",
    "search",
  ] as const),
];
/** In this process: answers are computed from books in memory. */
const SWEEP = { tradersPerSecond: 20, pagesPerSecond: 5, batch: 200, sharesProcess: true };
const ASK_RATE_PER_SECOND = 50;
const TOKENS_A_PAGE = 500;
/** Each is computed from all positions, in four windows: up to a millisecond. */
const USERS_A_PAGE = 20;

export function createAnswers(parts: AnswerParts): PlatformApi {
  const { database, clock, directory } = parts;
  const capabilities: WireCapabilities = {
    source: parts.source,
    questions: QUESTIONS,
    feeds: [...TRACKER_FEEDS],
    chains: [...parts.chains],
    askRatePerSecond: ASK_RATE_PER_SECOND,
    sweep: SWEEP,
  };
  const named = <T>(
    userId: string,
    answer: (trader: NonNullable<ReturnType<Directory["byId"]>>) => Promise<T>,
  ) => {
    const trader = directory.byId(userId);
    return trader ? answer(trader) : undefined;
  };
  const listed = async (tokens: readonly KnownToken[]) => {
    const isShown = await Promise.all(tokens.map((token) => isListed(parts, token)));
    return tokens.filter((_, at) => isShown[at]);
  };
  return {
    status: async () => ({
      worldTime: clock.now(),
      users: directory.traders().length,
      tokens: await countTokens(database.read),
      capabilities,
    }),
    userByHandle(handle) {
      const trader = directory.byHandle(handle);
      return trader && userOf(parts, trader);
    },
    userById: (userId) => named(userId, (trader) => userOf(parts, trader)),
    async users(cursor) {
      const page = pageOf("users", directory.traders(), USERS_A_PAGE, cursor);
      return { ...page, rows: await Promise.all(page.rows.map((trader) => userOf(parts, trader))) };
    },
    trades: (userId, query) => named(userId, (trader) => tradesOf(parts, trader, query)),
    balances: (userId) => named(userId, (trader) => balancesOf(parts, trader)),
    spotlight: (userId) =>
      named(userId, async (trader) => spotlightOf(await tradesOf(parts, trader, { sort: "pnl" }))),
    swaps: (userId, query) => named(userId, (trader) => swapsOf(parts, trader, query)),
    trade: (tradeId) => tradeOf(parts, tradeId),
    leaderboard: (window, at) => leaderboardOf(parts, window, at),
    ranking: (window, query) => rankingOf(parts, window, query),
    books: (userId, at) => named(userId, (trader) => booksOf(parts, trader, at)),
    async board(name) {
      const board = await boardOf(parts, name);
      // Not every chain has known launch pads: an empty list proves nothing.
      return name === "graduated" && board.rows.length === 0 ? UNSUPPORTED : board;
    },
    async tokens(cursor) {
      const place = cursor === undefined ? 0 : placeIn("tokens", cursor);
      const known = await tokensAfter(database.read, place, TOKENS_A_PAGE);
      const shown = await listed(known);
      const last = known.length === TOKENS_A_PAGE ? known.at(-1)?.place : undefined;
      return {
        rows: await Promise.all(shown.map((token) => infoOf(parts, token))),
        nextCursor: last === undefined ? null : `tokens.${last}`,
      };
    },
    async token(address, networkId) {
      const known = await findToken(parts, address, networkId);
      return known && infoOf(parts, known);
    },
    async tokenStats(address, networkId) {
      const known = await findToken(parts, address, networkId);
      return known && statsOf(parts, known);
    },
    async tokenDevs(address, networkId) {
      const known = await findToken(parts, address, networkId);
      return known && devsOf(parts, known);
    },
    async candles(address, query) {
      const known = await findToken(parts, address, query.networkId);
      return known && candlesOf(parts, known, query);
    },
    async ticks(address, query) {
      const known = await findToken(parts, address, query.networkId);
      return known && ticksOf(parts, known, query);
    },
    quotes: (tokens, at) => quotesOf(parts, tokens, at),
    async search(q, limit) {
      const wanted = q.toLowerCase().replace(/^[@$]/, "");
      const people = directory
        .traders()
        .filter(({ handle, displayName }) => `${handle} ${displayName}`.toLowerCase().includes(wanted));
      const all = await tokensAfter(database.read, 0, SEARCHED_MAX);
      const known = await listed(
        all.filter(({ token, symbol, name }) => `${symbol} ${name} ${token}`.toLowerCase().includes(wanted)),
      );
      return {
        users: await Promise.all(people.slice(0, limit).map((trader) => personOf(parts, trader))),
        tokens: await Promise.all(known.slice(0, limit).map((token) => infoOf(parts, token))),
      };
    },
    appFeed: (after, limit) => readItems<WireAppItem>(database.read, "app", after, limit),
    pushFeed: (after, limit) => readItems<WirePushItem>(database.read, "push", after, limit),
    chainFeed: (after, limit) => readItems<WireChainItem>(database.read, "chain", after, limit),
  };
}

/** Tokens to scan for a text: more than any roster trades. */
const SEARCHED_MAX = 20_000;
