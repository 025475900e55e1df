// Every question of the protocol, once: its path and query on the wire, how it is called on a platform, and the schema of the
// answer. Servers, both adapters and the document follow this table.
import type { MaybePromise } from "../kit/maybe-promise.ts";
import { type QuestionName, status } from "./capabilities.ts";
import { type NetworkId, type PlatformApi, UNSUPPORTED } from "./platform.ts";
import { list, looseList, object, type ReadOf, type Schema } from "./schema.ts";
import { BadInput, type QuestionInput } from "./server/input.ts";
import { BOARD_NAMES, board } from "./shapes/board.ts";
import { books } from "./shapes/books.ts";
import { FEEDS } from "./shapes/event.ts";
import { IMAGE_KINDS, image } from "./shapes/image.ts";
import { fillsPage, positionDetail, spotlight, tradesPage } from "./shapes/position.ts";
import { ticksPage } from "./shapes/tape.ts";
import { comment, thesis } from "./shapes/thesis.ts";
import {
  CANDLE_INTERVALS,
  CANDLES_MAX,
  candlesPage,
  QUOTES_MAX,
  quotesAnswer,
  tokenDevs,
  tokenInfo,
  tokenStats,
} from "./shapes/token.ts";
import {
  balances,
  leaderboard,
  PNL_WINDOWS,
  person,
  RANKING_ROWS_MAX,
  RANKING_SORTS,
  ranking,
  trader,
} from "./shapes/trader.ts";
import { count, cursor, flag, NETWORK_ID_MAX } from "./values.ts";

export interface Question<Read> {
  path: string;
  query: readonly string[];
  /** Absent: the platform doesn't support it. Undefined: there is no such subject. */
  call(api: PlatformApi, input: QuestionInput): MaybePromise<unknown> | undefined;
  answer: Schema<Read, unknown>;
}

/** A page of a feed is a few hundred kilobytes at this length, well under a reader's limit for one answer. */
const FEED_ITEMS_MAX = 1_000;
/** More than a caller shows, so that one extra row shows whether there are more. */
const SEARCH_RESULTS_MAX = 200;
const THESIS_PAGE_MAX = 100;
/** More traders than any platform has. */
const RANKING_PLACE_MAX = 100_000_000;
/** Pages of the directory have 500 rows, of theses 95, of names 50 or 200; anything longer is not a page. */
const PAGE_ROWS_MAX = 1_000;

const networkOf = (input: QuestionInput) => input.optionalInteger("networkId", 1, NETWORK_ID_MAX);
const cursorOf = (input: QuestionInput) => input.optionalText("cursor");
const timeOf = (input: QuestionInput, name: string) => input.integer(name, 0, Number.MAX_SAFE_INTEGER);
const momentOf = (input: QuestionInput) => input.optionalInteger("at", 0, Number.MAX_SAFE_INTEGER);

/** Drops undefined values, because the protocol's optional fields are absent rather than undefined. */
function given<T extends Record<string, unknown>>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value;
  return kept as { [Name in keyof T]?: NonNullable<T[Name]> };
}

const loosePage = <Read, Written>(row: Schema<Read, Written>) =>
  object({ rows: looseList(row, PAGE_ROWS_MAX), nextCursor: cursor });
const people = list(person, PAGE_ROWS_MAX);

function question<Read>(
  path: string,
  query: readonly string[],
  answer: Schema<Read, unknown>,
  call: Question<Read>["call"],
): Question<Read> {
  return { path, query, answer, call };
}

const TRADER = "/api/users/:userId";
const TOKEN = "/api/tokens/:address";

export const QUESTIONS = {
  status: question("/api/status", [], status, (api) => api.status()),
  userByHandle: question("/api/handles/:handle", [], trader, (api, input) =>
    ask(api.userByHandle, input.text("handle")),
  ),
  users: question("/api/users", ["cursor"], loosePage(trader), (api, input) =>
    ask(api.users, cursorOf(input)),
  ),
  userById: question(TRADER, [], trader, (api, input) => ask(api.userById, input.text("userId"))),
  trades: question(`${TRADER}/trades`, ["networkId", "sort", "cursor"], tradesPage, (api, input) =>
    ask(api.trades, input.text("userId"), {
      sort: input.optionalOneOf("sort", ["recent", "pnl"]) ?? "recent",
      ...given({ networkId: networkOf(input), cursor: cursorOf(input) }),
    }),
  ),
  balances: question(`${TRADER}/balances`, [], balances, (api, input) =>
    ask(api.balances, input.text("userId")),
  ),
  following: question(
    `${TRADER}/following`,
    ["cursor"],
    object({ rows: people, total: count, nextCursor: cursor }),
    (api, input) => ask(api.following, input.text("userId"), cursorOf(input)),
  ),
  followers: question(`${TRADER}/followers`, [], object({ rows: people, total: count }), (api, input) =>
    ask(api.followers, input.text("userId")),
  ),
  spotlight: question(`${TRADER}/spotlight`, [], spotlight, (api, input) =>
    ask(api.spotlight, input.text("userId")),
  ),
  swaps: question(`${TRADER}/swaps`, ["networkId", "token", "cursor"], fillsPage, (api, input) =>
    ask(
      api.swaps,
      input.text("userId"),
      given({ networkId: networkOf(input), token: input.optionalText("token"), cursor: cursorOf(input) }),
    ),
  ),
  userTheses: question(`${TRADER}/theses`, ["token", "cursor"], loosePage(thesis), (api, input) =>
    ask(
      api.userTheses,
      input.text("userId"),
      given({ token: input.optionalText("token"), cursor: cursorOf(input) }),
    ),
  ),
  trade: question("/api/trades/:tradeId", [], positionDetail, (api, input) =>
    ask(api.trade, input.text("tradeId")),
  ),
  comments: question("/api/trades/:tradeId/comments", ["cursor"], loosePage(comment), (api, input) =>
    ask(api.comments, input.text("tradeId"), cursorOf(input)),
  ),
  books: question(`${TRADER}/books`, ["at"], books, (api, input) =>
    ask(api.books, input.text("userId"), momentOf(input)),
  ),
  leaderboard: question("/api/leaderboards/:window", ["at"], leaderboard, (api, input) =>
    ask(api.leaderboard, input.oneOf("window", PNL_WINDOWS), momentOf(input)),
  ),
  ranking: question(
    "/api/rankings/:window",
    ["at", "sort", "order", "who", "networkId", "from", "limit"],
    ranking,
    (api, input) =>
      ask(api.ranking, input.oneOf("window", PNL_WINDOWS), {
        sort: input.optionalOneOf("sort", RANKING_SORTS) ?? "pnl",
        order: input.optionalOneOf("order", ["asc", "desc"]) ?? "desc",
        who: input.optionalOneOf("who", ["active", "all"]) ?? "active",
        from: input.optionalInteger("from", 0, RANKING_PLACE_MAX) ?? 0,
        limit: input.optionalInteger("limit", 1, RANKING_ROWS_MAX) ?? RANKING_ROWS_MAX,
        ...given({ at: momentOf(input), networkId: networkOf(input) }),
      }),
  ),
  board: question("/api/boards/:board", [], board, (api, input) =>
    ask(api.board, input.oneOf("board", BOARD_NAMES)),
  ),
  theses: question("/api/theses", ["networkId", "cursor"], loosePage(thesis), (api, input) =>
    ask(api.theses, given({ networkId: networkOf(input), cursor: cursorOf(input) })),
  ),
  tokens: question("/api/tokens", ["cursor"], loosePage(tokenInfo), (api, input) =>
    ask(api.tokens, cursorOf(input)),
  ),
  token: question(TOKEN, ["networkId"], tokenInfo, (api, input) =>
    ask(api.token, input.text("address"), networkOf(input)),
  ),
  tokenStats: question(`${TOKEN}/stats`, ["networkId"], tokenStats, (api, input) =>
    ask(api.tokenStats, input.text("address"), networkOf(input)),
  ),
  tokenDevs: question(`${TOKEN}/devs`, ["networkId"], tokenDevs, (api, input) =>
    ask(api.tokenDevs, input.text("address"), networkOf(input)),
  ),
  tokenTheses: question(
    `${TOKEN}/theses`,
    ["networkId", "sort", "page"],
    object({ rows: looseList(thesis, PAGE_ROWS_MAX), hasMore: flag }),
    (api, input) =>
      ask(api.tokenTheses, input.text("address"), {
        page: input.optionalInteger("page", 1, THESIS_PAGE_MAX) ?? 1,
        ...given({ networkId: networkOf(input), sort: input.optionalOneOf("sort", ["likes", "recent"]) }),
      }),
  ),
  candles: question(
    `${TOKEN}/candles`,
    ["networkId", "interval", "from", "to", "limit"],
    candlesPage,
    (api, input) =>
      ask(api.candles, input.text("address"), {
        interval: input.oneOf("interval", CANDLE_INTERVALS),
        from: timeOf(input, "from"),
        to: timeOf(input, "to"),
        limit: input.optionalInteger("limit", 1, CANDLES_MAX) ?? CANDLES_MAX,
        ...given({ networkId: networkOf(input) }),
      }),
  ),
  ticks: question(`${TOKEN}/ticks`, ["networkId", "from", "to", "cursor"], ticksPage, (api, input) =>
    ask(api.ticks, input.text("address"), {
      from: timeOf(input, "from"),
      to: timeOf(input, "to"),
      ...given({ networkId: networkOf(input), cursor: cursorOf(input) }),
    }),
  ),
  quotes: question("/api/quotes", ["token", "at"], quotesAnswer, (api, input) =>
    ask(api.quotes, input.list("token", QUOTES_MAX).map(tokenName), momentOf(input)),
  ),
  image: question("/api/images", ["kind", "id"], image, (api, input) =>
    ask(api.image, input.oneOf("kind", IMAGE_KINDS), input.text("id")),
  ),
  search: question(
    "/api/search",
    ["q", "limit"],
    object({ users: looseList(person, PAGE_ROWS_MAX), tokens: looseList(tokenInfo, PAGE_ROWS_MAX) }),
    (api, input) =>
      ask(api.search, input.text("q"), input.optionalInteger("limit", 1, SEARCH_RESULTS_MAX) ?? 10),
  ),
  // readFeedPage parses a page together with its requested position.
  feed: question("/api/feeds/:feed", ["after", "limit"], { read: (value) => value }, (api, input) => {
    const after = input.optionalInteger("after", 0, Number.MAX_SAFE_INTEGER) ?? 0;
    const limit = input.optionalInteger("limit", 1, FEED_ITEMS_MAX) ?? FEED_ITEMS_MAX;
    const feed = input.oneOf("feed", FEEDS);
    if (feed === "app") return ask(api.appFeed, after, limit);
    return feed === "push" ? ask(api.pushFeed, after, limit) : ask(api.chainFeed, after, limit);
  }),
} as const satisfies Record<QuestionName | "status" | "feed", Question<unknown>>;

export type CallName = keyof typeof QUESTIONS;
export type AnswerTo<Name extends CallName> = ReadOf<(typeof QUESTIONS)[Name]["answer"]>;

/** Platforms' questions are plain functions: they are called without `this`. */
function ask<Given extends unknown[], Result>(
  answer: ((...given: Given) => Result) | undefined,
  ...values: Given
): Result | typeof UNSUPPORTED {
  return answer ? answer(...values) : UNSUPPORTED;
}

/** `networkId:address`, the network first because a market's name may hold a colon. */
function tokenName(text: string): { address: string; networkId: NetworkId } {
  const parts = /^(\d{1,10}):(.{1,64})$/.exec(text);
  if (!parts?.[2]) throw new BadInput("token");
  return { networkId: Number(parts[1]), address: parts[2] };
}
