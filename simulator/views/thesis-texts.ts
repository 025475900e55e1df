// What a thesis or a comment says. The same record always says the same: the text is told from its number, the
// trader's style and the token as it stood when it was written.
import type { WireLink } from "../../protocol/protocol.ts";
import { chosen, mix, unit } from "../world/hash.ts";
import { network } from "../world/networks.ts";
import type { Trader } from "../world/population.ts";
import { priceAt } from "../world/prices.ts";
import { type StyleName, style } from "../world/styles.ts";
import {
  COMMENTS,
  FRESH_OPENERS,
  MAJOR_REASONS,
  OPENERS,
  PLANS,
  REASONS,
  REPLIES,
  SHORT,
  TRAILING_EMOJI,
} from "../world/thesis-words.ts";
import type { Token } from "../world/tokens.ts";
import type { View } from "./view.ts";

/** A token is new for two days. */
const FRESH_MS = 2 * 86_400_000;

export interface Written {
  text: string;
  links: WireLink[];
}

export function thesisText(
  view: View,
  number: number,
  trader: Trader,
  token: Token,
  at: number,
  usd: number,
): Written {
  const roll = mix(view.context.key, number, 51);
  const fill = filler(token, at, usd);
  const openers = openersFor(style(trader.style).name, token, at);
  const grounds = token.established ? MAJOR_REASONS : REASONS;
  const parts: string[] = [];
  if (unit(roll, 1) < 0.14) parts.push(chosen(SHORT, roll, 2));
  else {
    parts.push(chosen(openers, roll, 2));
    const reasons = Math.floor(unit(roll, 3) ** 1.5 * 5);
    const first = Math.floor(unit(roll, 4) * grounds.length);
    // Steps of seven repeat nothing in lists whose lengths seven does not divide.
    for (let i = 0; i < reasons; i++) parts.push(grounds[(first + i * 7) % grounds.length] as string);
    if (unit(roll, 5) < 0.55) parts.push(chosen(PLANS, roll, 6));
  }
  let text = fill(parts.join(reasonsApart(roll)));
  if (unit(roll, 7) < 0.2) text = text.toLowerCase();
  if (unit(roll, 8) < 0.28) text += ` ${chosen(TRAILING_EMOJI, roll, 9)}`;
  const links = linksOf(view, roll, trader, token);
  for (const { text: shown } of links) text += ` ${shown}`;
  return { text, links };
}

/** Nobody snipes an old coin, and a coin of today has held no range for days. */
function openersFor(styleName: StyleName, token: Token, at: number): readonly string[] {
  const fresh = at - token.launchAt < FRESH_MS;
  if (fresh && (styleName === "swing" || styleName === "holder")) return FRESH_OPENERS;
  if (!fresh && styleName === "sniper") return OPENERS.swing ?? SHORT;
  return OPENERS[styleName] ?? SHORT;
}

/** Long posts have paragraphs now and then. */
function reasonsApart(roll: number): string {
  return unit(roll, 10) < 0.15 ? "\n\n" : " ";
}

export function commentText(view: View, number: number, isReply: boolean, token: Token, at: number): Written {
  const roll = mix(view.context.key, number, 52);
  const text = filler(token, at, 0)(chosen(isReply ? REPLIES : COMMENTS, roll, 1));
  return { text: unit(roll, 2) < 0.12 ? `${text} ${chosen(TRAILING_EMOJI, roll, 3)}` : text, links: [] };
}

function filler(token: Token, at: number, usd: number): (text: string) => string {
  const price = priceAt(token.price, at);
  const capital = price * token.supply;
  const up = Math.max(0.12, price / Math.exp(token.price.launchLogPrice) - 1);
  const values: Record<string, string> = {
    symbol: token.symbol,
    ticker: `$${token.symbol}`,
    name: token.name,
    chain: network(token.network).slug,
    cap: short(capital),
    cap2: short(roundLeading(capital * 8)),
    up: up > 9 ? `${Math.round(up + 1)}x` : `${Math.round(up * 100)}%`,
    days: String(2 + (token.index % 9)),
    level: `$${Number((price * 0.82).toPrecision(2))}`,
    size: `$${Math.round(usd / 1_000_000)}`,
  };
  return (text) => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

export function short(usd: number): string {
  if (usd >= 1e9) return `$${(usd / 1e9).toFixed(1)}B`;
  if (usd >= 1e6) return `$${(usd / 1e6).toFixed(1)}M`;
  if (usd >= 1e3) return `$${Math.round(usd / 1e3)}K`;
  return `$${Math.round(usd)}`;
}

function roundLeading(usd: number): number {
  return Number(usd.toPrecision(1));
}

function linksOf(view: View, roll: number, trader: Trader, token: Token): WireLink[] {
  const kind = unit(roll, 11);
  if (kind >= 0.22) return [];
  if (kind < 0.1) {
    const link = `https://dexscreener.com/${network(token.network).slug}/${view.context.tokens.address(token)}`;
    return [{ text: "dexscreener.com", link, provider: "dexscreener" }];
  }
  const status = `1${String(mix(roll, 12)).padStart(10, "7")}${String(mix(roll, 13) % 1e8).padStart(8, "0")}`;
  if (kind < 0.18)
    return [{ text: "x.com", link: `https://x.com/${trader.handle}/status/${status}`, provider: "twitter" }];
  const video =
    mix(roll, 14).toString(36).padStart(6, "q") + mix(roll, 15).toString(36).slice(0, 5).padStart(5, "Z");
  return [{ text: "youtube.com", link: `https://www.youtube.com/watch?v=${video}`, provider: "youtube" }];
}
