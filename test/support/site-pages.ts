// Every page of the site by its name in tests and benchmarks: its URL, and an element that exists once it has loaded.

/** The subjects of pages, in the current world. */
export interface SitePlaces {
  leader: { handle: string };
  /** A trade of the leader's. */
  tradeId: string;
  token: { address: string; networkId: number };
  /** The page of a pending payment. */
  paymentPath: string;
}

export interface NamedPage {
  name: string;
  path(places: SitePlaces): string;
  /** Exists when a reader would consider the page loaded. */
  ready: string;
  /** With a key in the tab. */
  signedIn?: boolean;
}

const page = (name: string, path: string, ready: string): NamedPage => ({ name, path: () => path, ready });
const tab = (name: string, ready: string): NamedPage => ({
  ...page(`the console's ${name}`, `/console#${name}`, ready),
  signedIn: true,
});

export const SITE_PAGES: readonly NamedPage[] = [
  page("home", "/", ".tape-row"),
  page("the leaderboard", "/leaderboard/7d", ".spark path"),
  {
    ...page("a trader", "", ".calendar rect"),
    path: ({ leader }) => `/traders/${leader.handle}`,
  },
  {
    ...page("a token", "", ".candle-box canvas"),
    path: ({ token }) => `/tokens/${token.address}?networkId=${token.networkId}`,
  },
  { ...page("a trade", "", ".histogram, tbody tr"), path: ({ tradeId }) => `/trades/${tradeId}` },
  page("now", "/now?minTraders=1&window=24h", ".treemap a"),
  page("following", "/following", ".empty"),
  page("the tape", "/tape", ".tape-row"),
  page("theses", "/theses", "blockquote"),
  page("a board", "/boards/trending", "[data-row]"),
  page("search", "/search?q=a", ".results a"),
  page("the console's door", "/console", "form"),
  tab("overview", ".bars"),
  tab("keys", "tbody tr"),
  tab("webhooks", "form"),
  tab("streams", "form, button"),
  tab("playground", "form select"),
  tab("payments", "form"),
  page("a page that is not there", "/no/such/page", "h1"),
  page("the reference", "/docs", "h1"),
  page("pricing", "/pricing", "h1"),
  page("recovery", "/recover", "h1"),
  { ...page("a payment", "", "h1"), path: ({ paymentPath }) => paymentPath },
];
