// Everything the platform answers, over one world. Read-only.

import { atOnce } from "../../kit/slices.ts";
import { FEEDS, type Immediate, QUESTION_NAMES } from "../../protocol/protocol.ts";
import { NETWORKS } from "../world/networks.ts";
import type { World } from "../world/world.ts";
import { board } from "./boards.ts";
import { traderBooks } from "./books.ts";
import { Candles } from "./candles.ts";
import { commentsPage } from "./comments.ts";
import { search, tokensPage, usersPage } from "./directory.ts";
import { appFeed, chainFeed, pushFeed } from "./feeds.ts";
import { swapsPage, tradeDetail } from "./fills.ts";
import { image } from "./images.ts";
import { leaderboard } from "./leaderboard.ts";
import { followerSample, followingPage } from "./network-of-people.ts";
import { userRow } from "./people.ts";
import { balances, spotlight } from "./profile.ts";
import { quotes } from "./quotes.ts";
import { ranking } from "./ranking.ts";
import { allTheses, tokenTheses, userTheses } from "./theses.ts";
import { ticksPage } from "./ticks.ts";
import { tokenDevs, tokenInfo, tokenStats } from "./tokens.ts";
import { tradesPage } from "./trades.ts";
import { View } from "./view.ts";

/** The world answers immediately and is small: a first sweep takes seconds, at a fraction of a core. */
const ASK_RATE_PER_SECOND = 250;
const SWEEP = { tradersPerSecond: 400, pagesPerSecond: 20, batch: 80, sharesProcess: true };

/** Every answer is synchronous. */
export type SimulatorApi = Immediate;

export function createApi(world: World): SimulatorApi {
  return apiOver(new View(world));
}

export function apiOver(view: View): SimulatorApi {
  const { world } = view;
  const { context } = world;
  const candles = new Candles(view);
  return {
    status: () => ({
      worldTime: world.time,
      genesis: context.genesis,
      seed: context.seed,
      users: context.population.traders.length,
      tokens: context.tokens.list.length,
      capabilities: {
        source: `simulator:${context.seed}:${context.genesis}`,
        questions: [...QUESTION_NAMES],
        feeds: [...FEEDS],
        chains: NETWORKS.map((network) => network.id),
        askRatePerSecond: ASK_RATE_PER_SECOND,
        sweep: SWEEP,
      },
    }),
    userByHandle: (handle) => {
      const trader = context.population.byHandle(handle);
      return trader && userRow(view, trader);
    },
    userById: (userId) => {
      const trader = view.traderOf(userId);
      return trader && userRow(view, trader);
    },
    trades: (userId, query) => tradesPage(view, userId, query),
    balances: (userId) => balances(view, userId),
    following: (userId, cursor) => followingPage(view, userId, cursor),
    followers: (userId) => followerSample(view, userId),
    spotlight: (userId) => spotlight(view, userId),
    swaps: (userId, query) => swapsPage(view, userId, query),
    trade: (tradeId) => tradeDetail(view, tradeId),
    comments: (tradeId, cursor) => commentsPage(view, tradeId, cursor),
    leaderboard: (window, at) => atOnce(leaderboard(view, window, at)),
    ranking: (window, query) => atOnce(ranking(view, window, query)),
    books: (userId, at) => atOnce(traderBooks(view, userId, at)),
    board: (name) => board(view, name),
    theses: (query) => allTheses(view, query),
    tokenTheses: (address, query) => tokenTheses(view, address, query),
    userTheses: (userId, query) => userTheses(view, userId, query),
    token: (address, networkId) => {
      const token = context.tokens.byAddress(address, networkId);
      return token && tokenInfo(view, token);
    },
    tokenStats: (address, networkId) => tokenStats(view, address, networkId),
    tokenDevs: (address, networkId) => tokenDevs(view, address, networkId),
    candles: (address, query) => candles.page(address, query),
    ticks: (address, query) => ticksPage(view, address, query),
    quotes: (tokens, at) => quotes(view, tokens, at),
    image: (kind, id) => image(view, kind, id),
    search: (q, limit) => search(view, q, limit),
    users: (cursor) => usersPage(view, cursor),
    tokens: (cursor) => tokensPage(view, cursor),
    appFeed: (after, limit) => appFeed(view, after, limit),
    pushFeed: (after, limit) => pushFeed(view, after, limit),
    chainFeed: (after, limit) => chainFeed(view, after, limit),
  };
}
