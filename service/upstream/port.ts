// The upstream port: everything the service asks of a social trading platform. An answer is always one of five
// outcomes and always arrives by its deadline; nothing a platform does or sends makes a call throw.
import type { Capabilities } from "../../protocol/capabilities.ts";
import type { FeedBatch } from "../../protocol/feeds.ts";
import type { CandlesQuery, RankingQuery, TicksQuery } from "../../protocol/platform.ts";
import type { Board, BoardName } from "../../protocol/shapes/board.ts";
import type { TraderBooks } from "../../protocol/shapes/books.ts";
import type { FeedName } from "../../protocol/shapes/event.ts";
import type { ImageKind, PlatformImage } from "../../protocol/shapes/image.ts";
import type { Fill, Position, PositionDetail, TradesPage } from "../../protocol/shapes/position.ts";
import type { TicksPage } from "../../protocol/shapes/tape.ts";
import type { Comment, Thesis } from "../../protocol/shapes/thesis.ts";
import type {
  CandlesPage,
  DevHolding,
  Quote,
  Token,
  TokenInfo,
  TokenStats,
} from "../../protocol/shapes/token.ts";
import type {
  Balances,
  LeaderboardRow,
  Person,
  PnlWindow,
  Ranking,
  Trader,
} from "../../protocol/shapes/trader.ts";

export type { FeedBatch, FeedItem } from "../../protocol/feeds.ts";
export type { TicksQuery } from "../../protocol/platform.ts";
export type { TradesPage } from "../../protocol/shapes/position.ts";
export type { TicksPage } from "../../protocol/shapes/tape.ts";

export type Outcome<T> =
  | { kind: "found"; value: T }
  | { kind: "notFound" }
  /** The platform can't provide this: neither a miss nor a failure, and retrying doesn't help. */
  | { kind: "unsupported" }
  | { kind: "timedOut" }
  /**
   * `reason` is a short stable word for logs and metrics: unreachable, status, malformed, oversized, refused (upstream
   * rejected the question), busy (too many calls waiting), paused (the breaker is open), closed.
   */
  | { kind: "failed"; reason: string };

export interface Call {
  deadlineMs: number;
  signal?: AbortSignal;
}

export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

export interface Upstream {
  name: string;
  /** Is it up? Used by start-up, doctor and readiness. */
  ping(call: Call): Promise<Outcome<{ users: number; tokens: number; capabilities: Capabilities }>>;
  /** What the platform last declared; requested if it is not known yet. */
  capabilities(call: Call): Promise<Outcome<Capabilities>>;
  traderByHandle(handle: string, call: Call): Promise<Outcome<Trader>>;
  traderById(userId: string, call: Call): Promise<Outcome<Trader>>;
  trades(
    userId: string,
    query: { networkId?: number; sort: "recent" | "pnl"; cursor?: string },
    call: Call,
  ): Promise<Outcome<TradesPage>>;
  balances(userId: string, call: Call): Promise<Outcome<Balances>>;
  following(
    userId: string,
    cursor: string | null,
    call: Call,
  ): Promise<Outcome<Page<Person> & { total: number }>>;
  followers(userId: string, call: Call): Promise<Outcome<{ rows: Person[]; total: number }>>;
  spotlight(userId: string, call: Call): Promise<Outcome<{ bestTrades: Position[]; bestTheses: Position[] }>>;
  swaps(
    userId: string,
    query: { networkId?: number; token?: string; cursor?: string },
    call: Call,
  ): Promise<Outcome<Page<Fill>>>;
  trade(tradeId: string, call: Call): Promise<Outcome<PositionDetail>>;
  comments(tradeId: string, cursor: string | null, call: Call): Promise<Outcome<Page<Comment>>>;
  /** Every position with every move, as of that moment or the last settled one before it. */
  books(userId: string, at: number, call: Call): Promise<Outcome<TraderBooks>>;
  /** `at` null: the latest. */
  leaderboard(
    window: PnlWindow,
    at: number | null,
    call: Call,
  ): Promise<Outcome<{ asOf: number; rows: LeaderboardRow[] }>>;
  /** One page of all traders, in an order at a moment. */
  ranking(window: PnlWindow, query: RankingQuery, call: Call): Promise<Outcome<Ranking>>;
  board(name: BoardName, call: Call): Promise<Outcome<Board>>;
  theses(query: { networkId?: number; cursor?: string }, call: Call): Promise<Outcome<Page<Thesis>>>;
  tokenTheses(
    address: string,
    query: { networkId?: number; sort?: "likes" | "recent"; page: number },
    call: Call,
  ): Promise<Outcome<{ rows: Thesis[]; hasMore: boolean }>>;
  userTheses(
    userId: string,
    query: { token?: string; cursor?: string },
    call: Call,
  ): Promise<Outcome<Page<Thesis>>>;
  token(address: string, networkId: number | null, call: Call): Promise<Outcome<TokenInfo>>;
  tokenStats(address: string, networkId: number | null, call: Call): Promise<Outcome<TokenStats>>;
  tokenDevs(
    address: string,
    networkId: number | null,
    call: Call,
  ): Promise<Outcome<{ token: Token; devs: DevHolding[] }>>;
  candles(address: string, query: CandlesQuery, call: Call): Promise<Outcome<CandlesPage>>;
  /** Oldest first, from `from` (inclusive) to `to` (exclusive). */
  ticks(address: string, query: TicksQuery, call: Call): Promise<Outcome<TicksPage>>;
  /** In request order; null where the platform has none. `at` null: now. */
  quotes(
    tokens: readonly Pick<Token, "address" | "networkId">[],
    at: number | null,
    call: Call,
  ): Promise<Outcome<(Quote | null)[]>>;
  /** A picture as SVG text that can neither run nor fetch anything. */
  image(kind: ImageKind, id: string, call: Call): Promise<Outcome<PlatformImage>>;
  search(q: string, limit: number, call: Call): Promise<Outcome<{ traders: Person[]; tokens: TokenInfo[] }>>;
  /** The whole directory, a page at a time, for capture. */
  users(cursor: string | null, call: Call): Promise<Outcome<Page<Trader>>>;
  tokens(cursor: string | null, call: Call): Promise<Outcome<Page<TokenInfo>>>;
  /** A feed's items after a position (exclusive), oldest first. */
  feed(feed: FeedName, after: number, limit: number, call: Call): Promise<Outcome<FeedBatch>>;
  /**
   * Calls back whenever a feed may have moved; a hint only, so a lost one costs freshness and never an event.
   * Reconnects automatically. Returns a function that stops it.
   */
  watch(onMove: (feed: FeedName) => void): () => void;
  close(): Promise<void>;
}
