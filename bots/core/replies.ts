// Replies to /pnl, /copy, /top, /now and the token button: an API answer as a few lines, with its age.
import type {
  ActivityAnswer,
  CopyAnswer,
  LeaderboardAnswer,
  PnlAnswer,
  TokenOverview,
} from "../../client/src/generated.ts";
import { type PagesUrl, tokenPage, traderPage } from "./alert.ts";
import { dollars, gain, percent, price, ratio } from "./figures.ts";
import { type BotMessage, type Line, oneLine, type TextSpan } from "./message.ts";

const named = (pages: PagesUrl, handle: string): TextSpan =>
  pages ? { text: `@${handle}`, url: traderPage(pages, handle) } : { bold: `@${handle}` };

const asOf = (at: string | null): Line[] =>
  at === null ? [] : [[{ italic: `as of ${at.slice(0, 16).replace("T", " ")} UTC` }]];

const noted = (note: string | null): Line[] => (note === null ? [] : [[{ italic: oneLine(note, 300) }]]);

/** Tokens named in a profit's reply. */
const TOKENS_MAX = 5;

export function pnlReply(answer: PnlAnswer, pages: PagesUrl): BotMessage {
  const { window, pnlUsd, grossPnlUsd, feesUsd, realizedUsd, volumeUsd, fills } = answer;
  if (!answer.available) return { lines: [[named(pages, answer.handle)], ...noted(answer.note)] };
  const tokens = [...answer.byToken]
    .sort((a, b) => Math.abs(b.pnlUsd) - Math.abs(a.pnlUsd))
    .slice(0, TOKENS_MAX)
    .map((row): Line => [`  $${oneLine(row.token.symbol, 20)} ${gain(row.pnlUsd)}`]);
  return {
    lines: [
      [
        named(pages, answer.handle),
        ` made `,
        { bold: gain(pnlUsd) },
        ` in ${windowName(window)}, net of fees`,
      ],
      [`before fees ${gain(grossPnlUsd)}, fees ${dollars(feesUsd)}, taken ${gain(realizedUsd)}`],
      [`${fills.toLocaleString("en")} fills, ${dollars(volumeUsd)} traded`],
      ...tokens,
      ...(answer.complete ? [] : noted(answer.note)),
      ...asOf(answer.asOf),
    ],
    ...cardOf(pages, `trader/${encodeURIComponent(answer.handle)}.png?window=${window}`, traderQuery(answer)),
  };
}

/** Pages and cards are for visitors; if they need a key, the chat shows no picture. */
const cardOf = (pages: PagesUrl, image: string, page: string): Pick<BotMessage, "card"> =>
  pages ? { card: { page: `${pages}/traders/${page}`, image: `${pages}/cards/${image}` } } : {};

const traderQuery = ({ handle, window }: { handle: string; window: string }) =>
  `${encodeURIComponent(handle)}?window=${window}`;

const VERDICTS: Record<CopyAnswer["verdict"], string> = {
  copyable: "✅ was worth copying",
  fades: "⏳ only without a delay: the gain fades",
  not_copyable: "❌ was not worth copying",
  too_few: "❔ too little is known to say",
};

export function copyReply(answer: CopyAnswer, pages: PagesUrl): BotMessage {
  const { terms, leader, follower, window, handle } = answer;
  if (!answer.available) return { lines: [[named(pages, handle)], ...noted(answer.note)] };
  return {
    lines: [
      [named(pages, handle), ` ${VERDICTS[answer.verdict]}`],
      [
        `A follower with ${dollars(terms.sizeUsd)} a buy, ${terms.delaySeconds} s later, in ${windowName(window)}: `,
        { bold: gain(follower.pnlUsd) },
        follower.roi === null ? "" : ` (${percent(follower.roi * 100)})`,
      ],
      [`The trader: ${gain(leader.pnlUsd)}`],
      [`${follower.roundTrips} round trips, won ${ratio(follower.winRate)}`],
      ...asOf(answer.asOf),
    ],
    ...cardOf(
      pages,
      `copy/${encodeURIComponent(handle)}.png?window=${window}&size=${terms.sizeUsd}&delay=${terms.delaySeconds}`,
      `${encodeURIComponent(handle)}?copy=${window}&size=${terms.sizeUsd}&delay=${terms.delaySeconds}`,
    ),
  };
}

export function topReply(
  { window, traders, asOf: at, stale }: LeaderboardAnswer,
  pages: PagesUrl,
): BotMessage {
  const rows = traders.map(
    ({ rank, handle, pnlUsd, winRate }): Line => [
      `${rank}. `,
      named(pages, handle),
      ` ${gain(pnlUsd)}, won ${ratio(winRate)}`,
    ],
  );
  const age = stale ? [[{ italic: "not as fresh as it should be" }]] : [];
  return { lines: [[{ bold: `Best of ${windowName(window)}` }], ...rows, ...age, ...asOf(at)] };
}

export function nowReply({ window, tokens, asOf: at }: ActivityAnswer, pages: PagesUrl): BotMessage {
  const rows = tokens.map(({ token, chain, chainId, buyers, netUsd, changePct }): Line => {
    const label = `$${oneLine(token.symbol, 20)}`;
    const name: TextSpan = pages
      ? { text: label, url: tokenPage(pages, token.address, chainId) }
      : { bold: label };
    return [name, ` on ${chain}: ${buyers} buyers, net ${gain(netUsd)}, price ${percent(changePct)}`];
  });
  const nothing: Line[] = rows.length === 0 ? [["Nothing, so far."]] : [];
  return { lines: [[{ bold: `Bought now (last ${window})` }], ...rows, ...nothing, ...asOf(at)] };
}

export function tokenReply({ token, chain, quote, marketCapUsd, trackedHolders }: TokenOverview): BotMessage {
  const { priceUsd, change24h } = quote;
  return {
    lines: [
      [{ bold: `$${oneLine(token.symbol, 20)}` }, ` ${oneLine(token.name, 60)}, on ${chain}`],
      [`price ${price(priceUsd)}, 24 h ${percent(change24h)}, market cap ${dollars(marketCapUsd)}`],
      [`held by ${trackedHolders.toLocaleString("en")} tracked traders`],
      [{ code: oneLine(token.address, 64) }],
      ...asOf(quote.asOf),
    ],
  };
}

const windowName = (window: string) => (window === "all" ? "all time" : window);
