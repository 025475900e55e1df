// The three token boards, 100 places each. Every token takes its place; a honeypot keeps it but is not shown, so the
// numbering has a gap there.
import type { BoardName, WireBoard } from "../../protocol/protocol.ts";
import { HOUR_MS, tokenHourRow } from "../world/ledger.ts";
import type { Token } from "../world/tokens.ts";
import { dayVolume } from "./tokens.ts";
import { type View, volumeText } from "./view.ts";

const PLACES = 100;
const TRENDING_HOURS = 6;

export function board(view: View, name: BoardName): WireBoard {
  const ranked =
    name === "trending" ? trending(view) : name === "most-held" ? mostHeld(view) : graduated(view);
  const rows = ranked.slice(0, PLACES).flatMap((token, place) => {
    if (token.honeypot) return [];
    const price = view.price(token.index);
    const { buyUsd, sellUsd } = dayVolume(view, token.index);
    return [
      {
        rank: place + 1,
        token: view.token(token),
        holders: name === "most-held" ? null : view.tables.tokens.columns.holders.get(token.index),
        priceUsd: price,
        change24h: view.change24h(token),
        marketCapUsd: price * token.supply,
        volume24hUsd: volumeText(buyUsd + sellUsd),
      },
    ];
  });
  return { board: name, asOf: view.now, rows };
}

/** What is bought most in the last hours: money, weighted by how many buys it took. */
function trending(view: View): Token[] {
  const hours = view.tables.tokenHours.columns;
  const first = Math.max(view.now - TRENDING_HOURS * HOUR_MS, view.context.genesis);
  const scores = view.context.tokens.list.map((token) => {
    let bought = 0;
    let buys = 0;
    for (let at = first; at <= view.now; at += HOUR_MS) {
      const row = tokenHourRow(at, token.index);
      bought += hours.buyVolume.get(row);
      buys += hours.buys.get(row);
    }
    return Math.sqrt(bought / 1_000_000) * buys;
  });
  return rank(view, (token) => scores[token.index] ?? 0);
}

function mostHeld(view: View): Token[] {
  return rank(view, (token) => view.tables.tokens.columns.holders.get(token.index));
}

/** The latest first. */
function graduated(view: View): Token[] {
  return rank(view, ({ graduatedAt }) => (graduatedAt !== null && graduatedAt <= view.now ? graduatedAt : 0));
}

/** By score, those without any left out; equal scores stay in order of launch. */
function rank(view: View, score: (token: Token) => number): Token[] {
  return view.context.tokens.list
    .filter((token) => score(token) > 0)
    .sort((a, b) => score(b) - score(a) || a.index - b.index);
}
