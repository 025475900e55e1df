/** @jsxImportSource preact */
// The embeds for other sites: a trader or a token in a small box that refreshes itself, without any script. Every link opens
// the full page in a new place.
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { CandlesAnswer, PnlAnswer, TokenOverview, Trader } from "../../client/src/generated.ts";
import type { AssetUrls } from "../assets/assets.ts";
import { pathOf, pnlPath, tokenPath, traderPath } from "../explorer/answers.ts";
import { ChainTag, Change, Gain, Stats, Verified } from "../shared/bits.tsx";
import type { PageData } from "../shared/data.ts";
import { count, date, price, timeOfDay, usd } from "../shared/format.ts";
import { Picture } from "../shared/identicon.tsx";
import { Page } from "../shared/query.tsx";
import { Trend } from "../shared/sparkline.tsx";

type EmbedNames = Readonly<Record<string, string>>;

export interface EmbedPage {
  /** With {names} for parameters. */
  path: string;
  /** The first determines whether the embed exists. */
  calls(params: EmbedNames): string[];
  /** `bodies` are the answers to the calls; null for one that failed, but never the first. */
  view(bodies: readonly unknown[]): { title: string; href: string; at: number; body: ComponentChildren };
}

const REFRESH_SECONDS = 60;

export const EMBED_PAGES: readonly EmbedPage[] = [
  {
    path: "/embed/trader/{handle}",
    calls: ({ handle = "" }) => [traderPath(handle), pnlPath(handle, "7d")],
    view([body, curve]) {
      const trader = body as Trader;
      const values = (curve as PnlAnswer | null)?.buckets.map(({ pnlUsd }) => pnlUsd) ?? null;
      return {
        title: `@${trader.handle} on Crowdtape`,
        href: `/traders/${encodeURIComponent(trader.handle)}`,
        at: Date.parse(trader.asOf),
        body: (
          <>
            <Who picture={trader.avatar} name={trader.handle}>
              <b dir="auto">{trader.displayName}</b> {trader.verified ? <Verified /> : null}
              <span class="soft" dir="auto">
                @{trader.handle}
              </span>
            </Who>
            <Trend values={values} label={`Profit of ${trader.handle} over 7 days`} />
            <Stats
              small
              of={{
                "7 days": <Gain usd={trader.pnl["7d"]} />,
                "30 days": <Gain usd={trader.pnl["30d"]} />,
                "All time": <Gain usd={trader.pnlUsd} />,
                Positions: count(trader.trades),
              }}
            />
          </>
        ),
      };
    },
  },
  {
    path: "/embed/token/{networkId}/{address}",
    calls: ({ address = "", networkId = "" }) => [
      tokenPath(address, networkId),
      pathOf(`/v2/token/${encodeURIComponent(address)}/candles`, { networkId, interval: "1h", limit: 168 }),
    ],
    view([body, candles]) {
      const { token, quote, ...overview } = body as TokenOverview;
      const closes = (candles as CandlesAnswer | null)?.candles.map(({ c }) => c) ?? null;
      return {
        title: `${token.symbol} on Crowdtape`,
        href: `/tokens/${encodeURIComponent(token.address)}?networkId=${overview.networkId}`,
        at: Date.parse(quote.asOf),
        body: (
          <>
            <Who picture={token.image} name={token.address}>
              <b dir="auto">{token.symbol}</b>
              <span class="soft" dir="auto">
                {token.name}
              </span>
              <ChainTag chain={overview.chain} />
            </Who>
            <Trend values={closes} label={`Price of ${token.symbol} over 7 days`} fromZero={false} />
            <Stats
              small
              of={{
                Price: price(quote.priceUsd),
                "24 hours": <Change points={quote.change24h} />,
                "Market cap": usd(overview.marketCapUsd),
                "Tracked holders": count(overview.trackedHolders),
              }}
            />
          </>
        ),
      };
    },
  },
];

function Who(props: { picture: string | null; name: string; children: ComponentChildren }) {
  return (
    <p class="embed-who">
      <Picture src={props.picture} name={props.name} size={36} />
      <span>{props.children}</span>
    </p>
  );
}

export interface EmbedSetting {
  data: PageData;
  /** The origin of the full page. */
  origin: string;
  assets: AssetUrls;
}

export function renderEmbed(page: EmbedPage, bodies: readonly unknown[], setting: EmbedSetting): string {
  const { data, origin, assets } = setting;
  const { title, href, at, body } = page.view(bodies);
  const theme = ["light", "dark"].find((name) => name === data.query.theme);
  return document(title, assets, theme, true, [
    <Page.Provider value={data} key="page">
      <main class="embed card">
        {body}
        <p class="embed-foot soft">
          <span>
            {date(at)}, {timeOfDay(at).slice(0, 5)} UTC
          </span>
          {data.isSimulated ? <span class="chip amber">simulated</span> : null}
          <a href={`${origin}${href}`} target="_blank" rel="noopener">
            Crowdtape
          </a>
        </p>
      </main>
    </Page.Provider>,
  ]);
}

/** Shown when the subject does not exist or can't be read now; the latter is retried. */
export function renderEmbedNotice(words: string, canReturn: boolean, assets: AssetUrls): string {
  return document("Crowdtape", assets, undefined, canReturn, [
    <main class="embed card" key="page">
      <p class="empty">{words}</p>
    </main>,
  ]);
}

function document(
  title: string,
  assets: AssetUrls,
  theme: string | undefined,
  isRenewed: boolean,
  body: ComponentChildren,
): string {
  const page = (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        {isRenewed ? <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} /> : null}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={assets.url("site.css")} />
      </head>
      <body class="embedded">{body}</body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}`;
}
