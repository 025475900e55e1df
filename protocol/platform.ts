// A platform as its callers see it: the questions it answers, its three feeds, and a hint when one of them moves.
import type { MaybePromise } from "../kit/maybe-promise.ts";
import type { WireStatus } from "./capabilities.ts";
import type { WireFeedPage } from "./feeds.ts";
import type { BoardName, WireBoard } from "./shapes/board.ts";
import type { WireBooks } from "./shapes/books.ts";
import type { FeedName, WireAppItem, WireChainItem, WirePushItem } from "./shapes/event.ts";
import type { ImageKind, WireImage } from "./shapes/image.ts";
import type { WireSpotlight, WireSwap, WireTradeDetail, WireTradesPage } from "./shapes/position.ts";
import type { WireTicksPage } from "./shapes/tape.ts";
import type { WireComment, WireThesis } from "./shapes/thesis.ts";
import type {
  CandleInterval,
  WireCandlesPage,
  WireDev,
  WireQuote,
  WireToken,
  WireTokenInfo,
  WireTokenStats,
} from "./shapes/token.ts";
import type {
  PnlWindow,
  RankingSort,
  WireBalances,
  WireLeaderboard,
  WirePerson,
  WireRanking,
  WireUser,
} from "./shapes/trader.ts";

export type NetworkId = number;
export type TradeSort = "recent" | "pnl";

/** A platform's answer when it can't know something: neither a miss nor a failure. */
export const UNSUPPORTED = Symbol("unsupported");
export type Unsupported = typeof UNSUPPORTED;

type PlatformAnswer<T> = MaybePromise<T | Unsupported>;
/** `undefined`: there is no such subject. */
type AnswerAbout<T> = MaybePromise<T | undefined | Unsupported>;

export interface WirePage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

export interface CandlesQuery {
  networkId?: NetworkId;
  interval: CandleInterval;
  from: number;
  to: number;
  limit: number;
}

export interface RankingQuery {
  /** As of that moment, if its books are settled, or else the last settled one. */
  at?: number;
  sort: RankingSort;
  order: "asc" | "desc";
  /** Traders with activity or holdings in the window, or all with an account by the moment. */
  who: "active" | "all";
  /** Only trades on this network: profits, figures, ranks and activity are for it alone. */
  networkId?: NetworkId;
  /** How many rows to leave out at the start. */
  from: number;
  limit: number;
}

export interface TicksQuery {
  networkId?: NetworkId;
  from: number;
  to: number;
  cursor?: string;
}

/**
 * All questions to a platform. A question that it can't answer is absent, or returns UNSUPPORTED. Limits a platform
 * keeps: 200 names of a following list in pages of 50, a 200-name follower sample, 25 closed trades a page and at most
 * 8 pages deep per network and sort order, 100 swaps a page, 95 theses a page.
 */
export interface PlatformApi {
  status(): MaybePromise<WireStatus>;
  userByHandle?(handle: string): AnswerAbout<WireUser>;
  userById?(userId: string): AnswerAbout<WireUser>;
  trades?(
    userId: string,
    query: { networkId?: NetworkId; sort: TradeSort; cursor?: string },
  ): AnswerAbout<WireTradesPage>;
  balances?(userId: string): AnswerAbout<WireBalances>;
  following?(userId: string, cursor?: string): AnswerAbout<WirePage<WirePerson> & { total: number }>;
  followers?(userId: string): AnswerAbout<{ rows: WirePerson[]; total: number }>;
  spotlight?(userId: string): AnswerAbout<WireSpotlight>;
  swaps?(
    userId: string,
    query: { networkId?: NetworkId; token?: string; cursor?: string },
  ): AnswerAbout<WirePage<WireSwap>>;
  trade?(tradeId: string): AnswerAbout<WireTradeDetail>;
  comments?(tradeId: string, cursor?: string): AnswerAbout<WirePage<WireComment>>;
  /** Every position with every move, as of a settled moment: the requested one or the last one before it. */
  books?(userId: string, at?: number): AnswerAbout<WireBooks>;
  /** `at`: as of that moment, if its books are settled, or else the last settled one. */
  leaderboard?(window: PnlWindow, at?: number): PlatformAnswer<WireLeaderboard>;
  /** A page of all traders in an order. Unknown figures come last in either direction. */
  ranking?(window: PnlWindow, query: RankingQuery): PlatformAnswer<WireRanking>;
  board?(name: BoardName): PlatformAnswer<WireBoard>;
  theses?(query: { networkId?: NetworkId; cursor?: string }): PlatformAnswer<WirePage<WireThesis>>;
  tokenTheses?(
    address: string,
    query: { networkId?: NetworkId; sort?: "likes" | "recent"; page: number },
  ): AnswerAbout<{ rows: WireThesis[]; hasMore: boolean }>;
  userTheses?(userId: string, query: { token?: string; cursor?: string }): AnswerAbout<WirePage<WireThesis>>;
  token?(address: string, networkId?: NetworkId): AnswerAbout<WireTokenInfo>;
  tokenStats?(address: string, networkId?: NetworkId): AnswerAbout<WireTokenStats>;
  tokenDevs?(address: string, networkId?: NetworkId): AnswerAbout<{ token: WireToken; devs: WireDev[] }>;
  /** Oldest first, from `from` (inclusive) to `to` (exclusive). */
  candles?(address: string, query: CandlesQuery): AnswerAbout<WireCandlesPage>;
  /** The states of its pools from `from` (inclusive) to `to` (exclusive), oldest first, at most 1,000 a page. */
  ticks?(address: string, query: TicksQuery): AnswerAbout<WireTicksPage>;
  /** The price of each of these, now or at a time; at most 100 of them, in the requested order. */
  quotes?(
    tokens: { address: string; networkId: NetworkId }[],
    at?: number,
  ): PlatformAnswer<{ rows: WireQuote[] }>;
  /** A picture as SVG. `id` is a user's, or a chain's name and an address with a slash between. */
  image?(kind: ImageKind, id: string): AnswerAbout<WireImage>;
  search?(q: string, limit: number): PlatformAnswer<{ users: WirePerson[]; tokens: WireTokenInfo[] }>;
  /** The directory, oldest account or launch first, at most 500 a page. */
  users?(cursor?: string): PlatformAnswer<WirePage<WireUser>>;
  tokens?(cursor?: string): PlatformAnswer<WirePage<WireTokenInfo>>;
  appFeed?(after: number, limit: number): PlatformAnswer<WireFeedPage<WireAppItem>>;
  pushFeed?(after: number, limit: number): PlatformAnswer<WireFeedPage<WirePushItem>>;
  chainFeed?(after: number, limit: number): PlatformAnswer<WireFeedPage<WireChainItem>>;
}

/** The same for a platform that answers synchronously, except for the named questions. */
export type Immediate<Without extends keyof PlatformApi = never> = {
  [Name in Exclude<keyof PlatformApi, Without>]-?: NonNullable<PlatformApi[Name]> extends (
    ...given: infer Given
  ) => infer Result
    ? (...given: Given) => Exclude<Awaited<Result>, Unsupported>
    : never;
};

/** A live platform: it changes on its own, notifies when a feed moved, and can be closed. */
export interface Platform {
  api: PlatformApi;
  /** Called after the named feed has moved. Returns an unsubscribe function. */
  onMove(listener: (feed: FeedName) => void): () => void;
  close(): Promise<void>;
}
