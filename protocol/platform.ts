// A platform, as whoever asks it sees it: the questions it answers, its three feeds, and a word when one of them moves.
import type { MaybePromise } from "../kit/maybe-promise.ts";
import type { WireStatus } from "./capabilities.ts";
import type { WireFeedPage } from "./feeds.ts";
import type { BoardName, WireBoard } from "./shapes/board.ts";
import type { FeedName, WireAppItem, WireChainItem, WirePushItem } from "./shapes/event.ts";
import type { ImageKind, WireImage } from "./shapes/image.ts";
import type { WireSpotlight, WireSwap, WireTradeDetail, WireTradesPage } from "./shapes/position.ts";
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
import type { Window, WireBalances, WireLeaderboard, WirePerson, WireUser } from "./shapes/trader.ts";

export type NetworkId = number;
export type TradeSort = "recent" | "pnl";

/** What a platform answers when it can't know such a thing: neither a miss nor a failure. */
export const UNSUPPORTED = Symbol("unsupported");
export type Unsupported = typeof UNSUPPORTED;

type Answer<T> = MaybePromise<T | Unsupported>;
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

/**
 * Everything a platform may be asked. A question that it can't answer is absent, or says UNSUPPORTED. Limits a platform
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
  leaderboard?(window: Window): Answer<WireLeaderboard>;
  board?(name: BoardName): Answer<WireBoard>;
  theses?(query: { networkId?: NetworkId; cursor?: string }): Answer<WirePage<WireThesis>>;
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
  /** What each of these is worth, now or at a time; at most 100 of them, in the order asked for. */
  quotes?(tokens: { address: string; networkId: NetworkId }[], at?: number): Answer<{ rows: WireQuote[] }>;
  /** A picture as SVG. `id` is a user's, or a chain's name and an address with a slash between. */
  image?(kind: ImageKind, id: string): AnswerAbout<WireImage>;
  search?(q: string, limit: number): Answer<{ users: WirePerson[]; tokens: WireTokenInfo[] }>;
  /** The directory, oldest account or launch first, at most 500 a page. */
  users?(cursor?: string): Answer<WirePage<WireUser>>;
  tokens?(cursor?: string): Answer<WirePage<WireTokenInfo>>;
  appFeed?(after: number, limit: number): Answer<WireFeedPage<WireAppItem>>;
  pushFeed?(after: number, limit: number): Answer<WireFeedPage<WirePushItem>>;
  chainFeed?(after: number, limit: number): Answer<WireFeedPage<WireChainItem>>;
}

/** The same of a platform that has every answer at hand, but for the questions named. */
export type Immediate<Without extends keyof PlatformApi = never> = {
  [Name in Exclude<keyof PlatformApi, Without>]-?: NonNullable<PlatformApi[Name]> extends (
    ...given: infer Given
  ) => infer Result
    ? (...given: Given) => Exclude<Awaited<Result>, Unsupported>
    : never;
};

/** A platform that lives: it changes by itself, says when a feed moved, and can be closed. */
export interface Platform {
  api: PlatformApi;
  /** Called after the named feed has moved. Returns how to stop listening. */
  onMove(listener: (feed: FeedName) => void): () => void;
  close(): Promise<void>;
}
