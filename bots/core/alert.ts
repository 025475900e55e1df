// An alert as a message: who did what, for how much, with buttons for details and for muting.
import type { AlertFrame } from "../../client/src/generated.ts";
import { dollars, gain, price } from "./figures.ts";
import { type BotMessage, type Button, type Line, oneLine } from "./message.ts";

/** Base URL of the public pages; null without public pages: buttons then ask the bot. */
export type PagesUrl = string | null;

const MARKS: Record<AlertFrame["alertType"], string> = {
  buy: "🟢",
  sell: "🔴",
  thesis: "📝",
  perp: "📈",
  transfer: "🔁",
  listing: "🆕",
  push: "🔔",
};

/** Names are chosen by strangers. */
const NAME_LENGTH_MAX = 40;
/** The trader's text; the rest is on the page. */
const TEXT_LENGTH_MAX = 280;

const name = (text: string) => oneLine(text, NAME_LENGTH_MAX);

export function alertLine(alert: AlertFrame): Line {
  const who = { bold: alert.trader === null ? "Somebody" : `@${name(alert.trader)}` };
  const token = { bold: alert.token === null ? "a token" : `$${name(alert.token)}` };
  const chain = alert.chain === null ? "" : ` on ${name(alert.chain)}`;
  return [`${MARKS[alert.alertType] ?? "🔔"} `, ...words(alert, who, token, chain)];
}

type Bold = { bold: string };

function words(alert: AlertFrame, who: Bold, token: Bold, chain: string): Line {
  const at = alert.priceUsd == null ? "" : ` at ${price(alert.priceUsd)}`;
  switch (alert.alertType) {
    case "buy":
      return [who, ` bought ${dollars(alert.fillUsd)} of `, token, `${chain}${at}`];
    case "sell": {
      const made = alert.realizedPnlUsdDelta == null ? "" : ` (${gain(alert.realizedPnlUsdDelta)})`;
      return [who, ` sold ${dollars(alert.fillUsd)} of `, token, `${chain}${at}${made}`];
    }
    case "thesis":
      return [who, " on ", token, ": ", { italic: oneLine(alert.text ?? "", TEXT_LENGTH_MAX) }];
    case "perp":
      return [who, ` ${alert.action ?? "moved"} ${alert.side ?? ""} ${dollars(alert.sizeUsd)} of `, token];
    case "transfer":
      return [
        who,
        ` ${alert.direction === "out" ? "sent" : "received"} ${dollars(alert.valueUsd)} of `,
        token,
        chain,
      ];
    case "listing":
      return [token, ` was listed${chain}`];
    default:
      return [oneLine(alert.text ?? "Something happened.", TEXT_LENGTH_MAX)];
  }
}

function alertButtons(alert: AlertFrame, pages: PagesUrl): Button[][] {
  const { userId, trader, tokenAddress, chainId } = alert;
  const about: Button[] = [];
  const mute: Button[] = [];
  if (userId !== null && trader !== null) {
    const label = "Trader";
    about.push(pages ? { label, url: traderPage(pages, trader) } : { label, action: `pnl ${userId}` });
    mute.push({ label: `Mute @${oneLine(trader, 20)}`, action: `mute u:${userId}` });
  }
  if (tokenAddress !== null && chainId !== null) {
    const label = "Token";
    const subject = tokenSubject(chainId, tokenAddress);
    if (pages) {
      const url = tokenPage(pages, tokenAddress, chainId);
      about.push({ label, url }, { label: "Chart", url: `${url}#chart` });
    } else about.push({ label, action: `token ${subject}` });
    mute.push({ label: `Mute $${oneLine(alert.token ?? "token", 20)}`, action: `mute ${subject}` });
  }
  return [about, mute].filter((row) => row.length > 0);
}

export const traderSubject = (userId: string) => `u:${userId}`;

/** EVM addresses appear in mixed case. */
export const tokenSubject = (chainId: number, address: string) =>
  `t:${chainId}:${address.startsWith("0x") ? address.toLowerCase() : address}`;

export const traderPage = (pages: string, handle: string) => `${pages}/traders/${encodeURIComponent(handle)}`;

export const tokenPage = (pages: string, address: string, chainId: number) =>
  `${pages}/tokens/${encodeURIComponent(address)}?networkId=${chainId}`;

/** An alert sent to a chat, kept for as long as it may have to be retracted. */
export interface SentAlert {
  eventId: string;
  /** The platform's id of the message; null if it gave none. */
  messageId: string | null;
  line: Line;
}

/** Retracts an alert that was sent; `line` is as it was sent. */
export function undoneMessage({ line, messageId }: SentAlert, reason: string): BotMessage {
  const why = reason === "reorg" ? "↩️ Undone by a re-org: " : "↩️ Taken back: ";
  return { lines: [[why, ...line]], ...(messageId === null ? {} : { replyTo: messageId }) };
}

/** Several waiting alerts become one message; those that do not fit are counted, never silently dropped. */
export function alertsMessage(alerts: readonly AlertFrame[], leftOut: number, pages: PagesUrl): BotMessage {
  const [only] = alerts;
  const lines = alerts.map(alertLine);
  if (leftOut > 0)
    lines.unshift([`⏩ ${leftOut.toLocaleString("en")} earlier alerts were left out: too many at once.`]);
  if (!only || alerts.length > 1) return { lines };
  return { lines, buttons: alertButtons(only, pages) };
}
