// The subjects that have cards: each with its path, the calls that supply its data, and the figures to show.
import type {
  CandlesAnswer,
  CopyAnswer,
  PnlAnswer,
  TokenOverview,
  TradeDetail,
  Trader,
} from "../../client/src/generated.ts";
import { DAY_MS, SECOND_MS } from "../../kit/units.ts";
import { pathOf, pnlPath, tokenPath, tradePath, traderPath, WINDOWS } from "../explorer/answers.ts";
import { returnPct } from "../explorer/track-record.ts";
import { count, counted, percent, price, share, signedUsd, span, usd } from "../shared/format.ts";
import type { Card, CardTone } from "./card.ts";
import { readable } from "./text.ts";

type CardNames = Readonly<Record<string, string>>;

/** What a card needs apart from the answers. */
export interface CardSetting {
  now: number;
  isSimulated: boolean;
}

export interface CardSubject {
  /** With {names}; it ends in .png, which is stripped. */
  path: string;
  /** The first determines whether the card exists. */
  calls(params: CardNames, query: CardNames): string[];
  /** `bodies` are the answers to the calls; null for one that failed, but never the first. */
  card(bodies: readonly unknown[], setting: CardSetting): Card;
}

/** From this value on a figure counts as a gain or a loss. */
const EVEN = { usd: 0.005, points: 0.05 };
const toneOf = (value: number | null, unit: keyof typeof EVEN): CardTone =>
  value === null || Math.abs(value) < EVEN[unit] ? "even" : value > 0 ? "gain" : "loss";

const windowWords = (name: string) =>
  name === "all" ? "of all time" : `in ${WINDOWS.find(([value]) => value === name)?.[1] ?? name}`;

const trader: CardSubject = {
  path: "/cards/trader/{file}",
  calls: ({ file = "" }, { window = "7d" }) => [traderPath(file), pnlPath(file, window)],
  card([body, curve], { isSimulated }) {
    const { handle, displayName, asOf, followers, pnl, ...trader } = body as Trader;
    const profit = curve as PnlAnswer | null;
    const pnlUsd = profit?.pnlUsd ?? pnl["7d"];
    return {
      name: handle,
      title: readable(displayName, handle),
      under: followers === null ? `@${handle}` : `@${handle} · ${counted(followers, "follower")}`,
      figure: {
        text: signedUsd(pnlUsd),
        tone: toneOf(pnlUsd, "usd"),
        caption: `profit ${windowWords(profit?.window ?? "7d")}, net of fees`,
      },
      quote: null,
      curve: profit?.buckets.map((bucket) => bucket.pnlUsd) ?? null,
      stats: [
        { name: "All time", text: signedUsd(trader.pnlUsd), tone: toneOf(trader.pnlUsd, "usd") },
        { name: "30 days", text: signedUsd(pnl["30d"]), tone: toneOf(pnl["30d"], "usd") },
        { name: "Positions", text: count(trader.trades) },
        { name: "Volume", text: usd(trader.volumeUsd) },
      ],
      at: Date.parse(asOf),
      isSimulated,
    };
  },
};

const underTrade = ({ status, closedAt, createdAt, chain }: TradeDetail, now: number) => {
  const heldMs = (closedAt === null ? now : Date.parse(closedAt)) - Date.parse(createdAt);
  return `${status} · held ${span(heldMs)} · on ${chain}`;
};

const symbolOf = ({ token }: Pick<TradeDetail, "token">) =>
  readable(token.symbol, token.name, token.address.slice(0, 10));

const trade: CardSubject = {
  path: "/cards/trade/{file}",
  calls: ({ file = "" }) => [tradePath(file)],
  card([body], { now, isSimulated }) {
    const trade = body as TradeDetail;
    const points = returnPct(trade);
    const prices = trade.swaps
      .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
      .flatMap(({ priceUsd }) => (priceUsd === null ? [] : [priceUsd]));
    return {
      name: trade.token.address,
      title: `${symbolOf(trade)} by @${trade.trader.handle}`,
      under: underTrade(trade, now),
      figure: {
        text: points === null ? signedUsd(trade.pnlUsd) : percent(points),
        tone: toneOf(trade.pnlUsd, "usd"),
        caption: `${signedUsd(trade.pnlUsd)} on ${usd(trade.costBasisUsd)}, net of fees`,
      },
      quote: trade.thesis?.text ?? null,
      curve: prices,
      stats: [
        { name: "Average entry", text: price(trade.avgEntryPrice) },
        { name: "Average exit", text: price(trade.avgExitPrice) },
        { name: "Fills", text: count(trade.swapCount) },
        { name: "Fees", text: usd(trade.feesUsd) },
      ],
      at: now,
      isSimulated,
    };
  },
};

const thesis: CardSubject = {
  path: "/cards/thesis/{file}",
  calls: trade.calls,
  card([body], { now, isSimulated }) {
    const trade = body as TradeDetail;
    return {
      name: trade.trader.handle,
      title: `@${trade.trader.handle} on ${symbolOf(trade)}`,
      under: underTrade(trade, now),
      figure: null,
      quote: trade.thesis?.text ?? "No reason was written.",
      curve: null,
      stats: [
        {
          name: trade.status === "open" ? "So far" : "Came to",
          text: signedUsd(trade.pnlUsd),
          tone: toneOf(trade.pnlUsd, "usd"),
        },
        { name: "Return", text: percent(returnPct(trade)), tone: toneOf(returnPct(trade), "points") },
        { name: "Put in", text: usd(trade.costBasisUsd) },
        { name: "Price now", text: price(trade.priceUsd) },
      ],
      at: now,
      isSimulated,
    };
  },
};

const token: CardSubject = {
  path: "/cards/token/{networkId}/{file}",
  calls: ({ file = "", networkId = "" }) => [
    tokenPath(file, networkId),
    pathOf(`/v2/token/${encodeURIComponent(file)}/candles`, { networkId, interval: "1h", limit: 168 }),
  ],
  card([body, candles], { isSimulated }) {
    const { quote, chain, ageDays, ...token } = body as TokenOverview;
    const closes = (candles as CandlesAnswer | null)?.candles.map(({ c }) => c) ?? null;
    return {
      name: token.token.address,
      title: symbolOf(token),
      under: `${readable(token.token.name, token.token.symbol, "token")} · on ${chain}`,
      figure: {
        text: price(quote.priceUsd),
        tone: toneOf(quote.change24h, "points"),
        caption: `${percent(quote.change24h)} in 24 hours`,
      },
      quote: null,
      curve: closes,
      stats: [
        { name: "Market cap", text: usd(token.marketCapUsd) },
        { name: "Volume, 24 h", text: usd(token.volume24hUsd) },
        { name: "Tracked holders", text: count(token.trackedHolders) },
        { name: "Age", text: ageDays === null ? "–" : span(ageDays * DAY_MS) },
      ],
      at: Date.parse(quote.asOf),
      isSimulated,
    };
  },
};

const VERDICTS: Record<CopyAnswer["verdict"], string> = {
  copyable: "worth following",
  fades: "fades with delay",
  not_copyable: "not worth following",
  too_few: "too little to say",
};

const copy: CardSubject = {
  path: "/cards/copy/{file}",
  calls: ({ file = "" }, { window = "30d", size, capital, delay }) => [
    pathOf(`${traderPath(file)}/copy`, { window, size, capital, delay }),
  ],
  card([body], { isSimulated }) {
    const { handle, terms, follower, leader, verdict, ...copied } = body as CopyAnswer;
    return {
      name: handle,
      title: `Copying @${handle}`,
      under: `${usd(terms.sizeUsd)} a buy, ${span(terms.delaySeconds * SECOND_MS)} behind · ${VERDICTS[verdict]}`,
      figure: {
        text: signedUsd(follower.pnlUsd),
        tone: toneOf(follower.pnlUsd, "usd"),
        caption: `would have come of it ${windowWords(copied.window)}`,
      },
      quote: null,
      curve: copied.curve.map(({ pnlUsd }) => pnlUsd),
      stats: [
        { name: "The trader's own", text: signedUsd(leader.pnlUsd), tone: toneOf(leader.pnlUsd, "usd") },
        { name: "Return on capital", text: percent(follower.roi === null ? null : follower.roi * 100) },
        { name: "Win rate", text: share(follower.winRate) },
        { name: "Orders", text: count(follower.orders) },
      ],
      at: Date.parse(copied.asOf),
      isSimulated,
    };
  },
};

export const CARD_SUBJECTS: readonly CardSubject[] = [trader, trade, thesis, token, copy];
