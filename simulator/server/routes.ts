// Every call the platform answers, once: the server serves this table, the embedded adapter asks through it, and
// a test holds docs/platform-protocol.md to it. An answer of `undefined` means that there is no such subject.
import type { PlatformApi } from "../../protocol/protocol.ts";
import { BadCursor } from "../views/cursors.ts";
import { BadInput, type Input, type Parameters, readInput } from "./input.ts";

export interface Route {
  path: string;
  query: readonly string[];
  answer(api: PlatformApi, input: Input): unknown;
}

/** One page of a feed is a few hundred kilobytes at this length, well under what a reader takes in one answer. */
const MAX_FEED_ITEMS = 1_000;
const MAX_NETWORK_ID = 2 ** 32;
const MAX_SEARCH_RESULTS = 50;
const MAX_THESIS_PAGE = 100;

const network = (input: Input) => input.optionalInteger("networkId", 1, MAX_NETWORK_ID);
const cursor = (input: Input) => input.optionalText("cursor");

/** Leaves out what was not given, because the protocol's optional fields are absent rather than undefined. */
function given<T extends Record<string, unknown>>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value;
  return kept as { [Name in keyof T]?: NonNullable<T[Name]> };
}

export const ROUTES: readonly Route[] = [
  { path: "/api/status", query: [], answer: (api) => api.status() },
  {
    path: "/api/handles/:handle",
    query: [],
    answer: (api, input) => api.userByHandle(input.text("handle")),
  },
  {
    path: "/api/users",
    query: ["cursor"],
    answer: (api, input) => api.users(cursor(input)),
  },
  {
    path: "/api/users/:userId",
    query: [],
    answer: (api, input) => api.userById(input.text("userId")),
  },
  {
    path: "/api/users/:userId/trades",
    query: ["networkId", "sort", "cursor"],
    answer: (api, input) =>
      api.trades(input.text("userId"), {
        sort: input.optionalOneOf("sort", ["recent", "pnl"]) ?? "recent",
        ...given({ networkId: network(input), cursor: cursor(input) }),
      }),
  },
  {
    path: "/api/users/:userId/balances",
    query: [],
    answer: (api, input) => api.balances(input.text("userId")),
  },
  {
    path: "/api/users/:userId/following",
    query: ["cursor"],
    answer: (api, input) => api.following(input.text("userId"), cursor(input)),
  },
  {
    path: "/api/users/:userId/followers",
    query: [],
    answer: (api, input) => api.followers(input.text("userId")),
  },
  {
    path: "/api/users/:userId/spotlight",
    query: [],
    answer: (api, input) => api.spotlight(input.text("userId")),
  },
  {
    path: "/api/users/:userId/swaps",
    query: ["networkId", "token", "cursor"],
    answer: (api, input) =>
      api.swaps(
        input.text("userId"),
        given({ networkId: network(input), token: input.optionalText("token"), cursor: cursor(input) }),
      ),
  },
  {
    path: "/api/users/:userId/theses",
    query: ["token", "cursor"],
    answer: (api, input) =>
      api.userTheses(
        input.text("userId"),
        given({ token: input.optionalText("token"), cursor: cursor(input) }),
      ),
  },
  {
    path: "/api/trades/:tradeId",
    query: [],
    answer: (api, input) => api.trade(input.text("tradeId")),
  },
  {
    path: "/api/trades/:tradeId/comments",
    query: ["cursor"],
    answer: (api, input) => api.comments(input.text("tradeId"), cursor(input)),
  },
  {
    path: "/api/leaderboards/:window",
    query: [],
    answer: (api, input) => api.leaderboard(input.oneOf("window", ["24h", "7d", "30d", "all"])),
  },
  {
    path: "/api/boards/:board",
    query: [],
    answer: (api, input) => api.board(input.oneOf("board", ["trending", "most-held", "graduated"])),
  },
  {
    path: "/api/theses",
    query: ["networkId", "cursor"],
    answer: (api, input) => api.theses(given({ networkId: network(input), cursor: cursor(input) })),
  },
  {
    path: "/api/tokens",
    query: ["cursor"],
    answer: (api, input) => api.tokens(cursor(input)),
  },
  {
    path: "/api/tokens/:address",
    query: ["networkId"],
    answer: (api, input) => api.token(input.text("address"), network(input)),
  },
  {
    path: "/api/tokens/:address/stats",
    query: ["networkId"],
    answer: (api, input) => api.tokenStats(input.text("address"), network(input)),
  },
  {
    path: "/api/tokens/:address/devs",
    query: ["networkId"],
    answer: (api, input) => api.tokenDevs(input.text("address"), network(input)),
  },
  {
    path: "/api/tokens/:address/theses",
    query: ["networkId", "sort", "page"],
    answer: (api, input) =>
      api.tokenTheses(input.text("address"), {
        page: input.optionalInteger("page", 1, MAX_THESIS_PAGE) ?? 1,
        ...given({
          networkId: network(input),
          sort: input.optionalOneOf("sort", ["likes", "recent"]),
        }),
      }),
  },
  {
    path: "/api/search",
    query: ["q", "limit"],
    answer: (api, input) =>
      api.search(input.text("q"), input.optionalInteger("limit", 1, MAX_SEARCH_RESULTS) ?? 10),
  },
  {
    path: "/api/feeds/:feed",
    query: ["after", "limit"],
    answer: (api, input) => {
      const after = input.optionalInteger("after", 0, Number.MAX_SAFE_INTEGER) ?? 0;
      const limit = input.optionalInteger("limit", 1, MAX_FEED_ITEMS) ?? MAX_FEED_ITEMS;
      const feed = input.oneOf("feed", ["app", "push", "chain"]);
      if (feed === "app") return api.appFeed(after, limit);
      return feed === "push" ? api.pushFeed(after, limit) : api.chainFeed(after, limit);
    },
  },
];

const BY_PATH = new Map(ROUTES.map((route) => [route.path, route]));

/** The same answer a request to this path would get, as values. Throws BadInput for what a server calls 400. */
export function answer(api: PlatformApi, path: string, parameters: Parameters): unknown {
  const route = BY_PATH.get(path);
  try {
    return route?.answer(api, readInput(parameters));
  } catch (error) {
    throw error instanceof BadCursor ? new BadInput("cursor") : error;
  }
}
