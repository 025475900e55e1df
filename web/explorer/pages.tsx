/** @jsxImportSource preact */
// Every page of the explorer: its path, the calls that the server makes before rendering it, and its link preview.
import type { ComponentType } from "preact";
import type {
  ErrorBody,
  LeaderboardAnswer,
  TokenOverview,
  TradeDetail,
  Trader,
} from "../../client/src/generated.ts";
import type { AssetUrls } from "../assets/assets.ts";
import type { EntryName } from "../assets/entries.ts";
import type { Loaded, PageData } from "../shared/data.ts";
import { renderDocument } from "../shared/document.tsx";
import { percent, price, signedUsd, usd } from "../shared/format.ts";
import { BOARDS, type BoardId, pnlPath, tokenPath, tradePath, traderPath, WINDOWS } from "./answers.ts";
import { BoardsPage, wholeBoardPath } from "./boards.tsx";
import { copyCard, tokenCard, tradeCard, traderCard } from "./card-paths.ts";
import { CopyBoardPage, copyBoardPath } from "./copy-board.tsx";
import { COPY_WINDOWS } from "./copy-verdict.ts";
import { FollowingPage } from "./following.tsx";
import { boardPath, HomePage, homeAlertsPath, leadersPath } from "./home.tsx";
import { LeaderboardPage, leaderboardPath } from "./leaderboard.tsx";
import { NowPage, nowPath } from "./now.tsx";
import { NotFoundPage, type SuggestedType, suggestionsPath } from "./plain.tsx";
import { SearchPage, searchPath } from "./search.tsx";
import { App } from "./shell.tsx";
import { filterOf, TapePage } from "./tape.tsx";
import { ThesesPage, thesesPath } from "./theses.tsx";
import { TokenPage } from "./token.tsx";
import { returnPct } from "./track-record.ts";
import { TradePage } from "./trade.tsx";
import { TraderPage } from "./trader.tsx";
import { positionsPath } from "./trader-tables.tsx";
import { alertsPath } from "./use-tape.ts";

type Words = { title: string; description: string };
type Visited = Pick<PageData, "params" | "query">;

export interface ExplorerPage {
  /** With {names} for parameters. */
  path: string;
  entry: EntryName;
  view: ComponentType;
  /** Calls whose answers are in the first rendering; the first determines whether the page exists. */
  calls(asked: Visited): string[];
  words(data: PageData): Words;
  /** The picture of the link preview; null for none. */
  card?(data: PageData): string | null;
  /** The parameter that names the page's subject. If nothing has that name, the page is 404 and shows similar ones. */
  named?: { param: string; type: SuggestedType };
  /** The valid values of a parameter; any other is not found. */
  known?: Record<string, readonly string[]>;
}

const WHAT = "Traders, their trades and why they made them: live, with wallets, profit and theses.";

const bodyOf = <Body,>(data: PageData, path: string): Body | null => {
  const loaded = data.loaded[path];
  return loaded && loaded.status === 200 ? (loaded.body as Body) : null;
};

const leaderWords = (data: PageData, path: string): string => {
  const first = bodyOf<LeaderboardAnswer>(data, path)?.traders.slice(0, 3) ?? [];
  return first.map((row) => `${row.rank}. ${row.handle} ${signedUsd(row.pnlUsd)}`).join(", ");
};

/** The call for suggestions on a page whose subject does not exist; null when it exists, or that is unknown. */
export function suggestedFor(
  { named }: ExplorerPage,
  data: PageData,
  first: Loaded | undefined,
): string | null {
  if (!named || !first || !isNobody(first, data.chains.length)) return null;
  return suggestionsPath(data.params[named.param] ?? "", named.type);
}

/**
 * A token missing from the directory may be on any chain; an address that is on several chains exists, and the visitor picks
 * one.
 */
function isNobody({ status, body }: Loaded, chains: number): boolean {
  const { error, allowed } = body as Partial<ErrorBody>;
  if (error === "network_required") return allowed?.length === chains;
  return status === 404 || status === 400;
}

/** Sections without a page of their own link to their first one. */
export const FIRST_PAGES: Readonly<Record<string, string>> = {
  "/leaderboard": "/leaderboard/7d",
  "/leaderboard/copy": "/leaderboard/copy/30d",
  "/boards": "/boards/trending",
  "/traders": "/leaderboard/7d",
  "/tokens": "/boards/trending",
};

export const EXPLORER_PAGES: readonly ExplorerPage[] = [
  {
    path: "/",
    entry: "home.js",
    view: HomePage,
    calls: () => [leadersPath("7d"), ...BOARDS.map(([name]) => boardPath(name)), homeAlertsPath()],
    words: (data) => ({
      title: "Crowdtape: who trades what, and why",
      description: `${WHAT} Leading this week: ${leaderWords(data, leadersPath("7d")) || "no one yet"}.`,
    }),
  },
  {
    path: "/leaderboard/{window}",
    entry: "leaderboard.js",
    view: LeaderboardPage,
    known: { window: WINDOWS.map(([value]) => value) },
    calls: ({ params, query }) => [leaderboardPath(params.window ?? "", query)],
    words: (data) => ({
      title: `Leaderboard, ${WINDOWS.find(([value]) => value === data.params.window)?.[1]} · Crowdtape`,
      description: `Traders by profit: ${leaderWords(data, leaderboardPath(data.params.window ?? "", data.query))}.`,
    }),
  },
  {
    path: "/leaderboard/copy/{window}",
    entry: "copy-board.js",
    view: CopyBoardPage,
    known: { window: COPY_WINDOWS.map(([value]) => value) },
    calls: ({ params }) => [copyBoardPath(params.window ?? "")],
    words: () => ({
      title: "Who was worth following · Crowdtape",
      description: "Traders by what a follower would have been left with after delay, impact and fees.",
    }),
  },
  {
    path: "/traders/{handle}",
    entry: "trader.js",
    view: TraderPage,
    named: { param: "handle", type: "traders" },
    calls: ({ params: { handle = "" } }) => [
      traderPath(handle),
      pnlPath(handle, "7d"),
      positionsPath(handle, "open"),
    ],
    card: ({ params, query }) =>
      query.copy === undefined
        ? traderCard(params.handle ?? "", query.window)
        : copyCard(params.handle ?? "", query),
    words: (data) => {
      const trader = bodyOf<Trader>(data, traderPath(data.params.handle ?? ""));
      if (trader === null) return { title: `${data.params.handle} · Crowdtape`, description: WHAT };
      return {
        title: `${trader.displayName} (@${trader.handle}) · Crowdtape`,
        description: `PnL ${signedUsd(trader.pnlUsd)} all time, ${signedUsd(trader.pnl["7d"])} in 7 days, over ${trader.trades} positions and ${usd(trader.volumeUsd)} of volume.`,
      };
    },
  },
  {
    path: "/trades/{tradeId}",
    entry: "trade.js",
    view: TradePage,
    calls: ({ params: { tradeId = "" } }) => [tradePath(tradeId)],
    card: ({ params, query }) => tradeCard(params.tradeId ?? "", query.show === "thesis"),
    words: (data) => {
      const trade = bodyOf<TradeDetail>(data, tradePath(data.params.tradeId ?? ""));
      if (trade === null) return { title: "Trade · Crowdtape", description: WHAT };
      return {
        title: `@${trade.trader.handle} on ${trade.token.symbol}: ${signedUsd(trade.pnlUsd)} · Crowdtape`,
        description: `${trade.status === "open" ? "Open" : "Closed"}, ${percent(returnPct(trade))} on ${usd(trade.costBasisUsd)}, in ${trade.swapCount} fills on ${trade.chain}.${trade.thesis ? ` “${trade.thesis.text.slice(0, 160)}”` : ""}`,
      };
    },
  },
  {
    path: "/tokens/{address}",
    entry: "token.js",
    view: TokenPage,
    named: { param: "address", type: "tokens" },
    calls: ({ params, query }) => [tokenPath(params.address ?? "", query.networkId)],
    card: (data) => {
      const token = bodyOf<TokenOverview>(data, tokenPath(data.params.address ?? "", data.query.networkId));
      return token === null ? null : tokenCard(token.token.address, token.networkId);
    },
    words: (data) => {
      const token = bodyOf<TokenOverview>(data, tokenPath(data.params.address ?? "", data.query.networkId));
      if (token === null) return { title: "Token · Crowdtape", description: WHAT };
      return {
        title: `${token.token.symbol} ${price(token.quote.priceUsd)} (${percent(token.quote.change24h)}) · Crowdtape`,
        description: `${token.token.name} on ${token.chain}: market cap ${usd(token.marketCapUsd)}, volume ${usd(token.volume24hUsd)} in 24 hours, held by ${token.trackedHolders} tracked traders.`,
      };
    },
  },
  {
    path: "/tape",
    entry: "tape.js",
    view: TapePage,
    calls: ({ query }) => [alertsPath(filterOf(query))],
    words: () => ({
      title: "Tape · Crowdtape",
      description: "Every trade and thesis of the platform as it happens.",
    }),
  },
  {
    path: "/now",
    entry: "now.js",
    view: NowPage,
    calls: ({ query }) => [nowPath(query)],
    words: () => ({
      title: "Now · Crowdtape",
      description: "The tokens that tracked traders pile into: who, how many, how much, since when.",
    }),
  },
  {
    path: "/following",
    entry: "following.js",
    view: FollowingPage,
    calls: () => [],
    words: () => ({
      title: "Following · Crowdtape",
      description: "Traders and tokens you follow, kept in your browser, and all they do as it happens.",
    }),
  },
  {
    path: "/theses",
    entry: "theses.js",
    view: ThesesPage,
    calls: ({ query }) => [thesesPath(query.chain)],
    words: () => ({
      title: "Theses · Crowdtape",
      description: "Why people bought, in their own words, and how it went since.",
    }),
  },
  {
    path: "/boards/{name}",
    entry: "boards.js",
    view: BoardsPage,
    known: { name: BOARDS.map(([value]) => value) },
    calls: ({ params }) => [wholeBoardPath(params.name as BoardId)],
    words: ({ params }) => ({
      title: `${BOARDS.find(([value]) => value === params.name)?.[1]} tokens · Crowdtape`,
      description: "Tokens as the platform ranks them, with price, market cap, volume and holders.",
    }),
  },
  {
    path: "/search",
    entry: "search.js",
    view: SearchPage,
    calls: ({ query }) => (query.q?.trim() ? [searchPath(query.q, query.type)] : []),
    words: () => ({
      title: "Search · Crowdtape",
      description: "Find a trader, a token or a transaction; paste anything, and a typo still finds.",
    }),
  },
];

export const NOT_FOUND: ExplorerPage = {
  path: "*",
  entry: "plain.js",
  view: NotFoundPage,
  calls: () => [],
  words: () => ({ title: "Not found · Crowdtape", description: "There is no such page." }),
};

export function renderExplorer(
  page: ExplorerPage,
  data: PageData,
  url: string | null,
  assets: AssetUrls,
): string {
  const { title, description } = page.words(data);
  const card = data.mode === "open" ? (page.card?.(data) ?? null) : null;
  const current = data.page;
  const body = (
    <div id="app">
      <App data={data} view={page.view} current={current} />
    </div>
  );
  return renderDocument(
    {
      title,
      description,
      url,
      image: card === null || url === null ? null : new URL(card, url).href,
      body,
      scripts: [page.entry],
      styles: ["site.css"],
      data,
    },
    assets,
  );
}
