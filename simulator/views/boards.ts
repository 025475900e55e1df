// The three token boards, 100 places each. Every token gets a place; a honeypot keeps its place but is not shown, which leaves
// a gap in the numbering.
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { BoardName, WireBoard } from "../../protocol/protocol.ts";
import type { WorldToken } from "../world/tokens.ts";
import { windowStart } from "./pool-quotes.ts";
import { flowOf } from "./tokens.ts";
import { MICRO, type View, volumeText } from "./view.ts";

const PLACES = 100;
const TRENDING_MS = 6 * HOUR_MS;

export function board(view: View, name: BoardName): WireBoard {
  const ranked =
    name === "trending" ? trending(view) : name === "most-held" ? byHolders(view) : graduated(view);
  const rows = ranked.slice(0, PLACES).flatMap((token, place) => {
    if (token.honeypot) return [];
    const price = view.price(token.index);
    const { buyUsd, sellUsd } = flowOf(view, token.index, windowStart(view.asOf, DAY_MS));
    return [
      {
        rank: place + 1,
        token: view.token(token),
        holders: name === "most-held" ? null : view.tables.tokens.columns.holders.get(token.index),
        priceUsd: price,
        change24h: view.change24h(token),
        marketCapUsd: price * token.supply,
        volume24hUsd: volumeText(buyUsd + sellUsd),
        asOf: view.asOf,
      },
    ];
  });
  return { board: name, asOf: view.asOf, rows };
}

/** The most bought in the last hours: money, weighted by the number of buys. */
function trending(view: View): WorldToken[] {
  const start = windowStart(view.asOf, TRENDING_MS);
  const scores = view.context.tokens.list.map((token) => {
    const { buys, buyUsd } = flowOf(view, token.index, start);
    return Math.sqrt(buyUsd / MICRO) * buys;
  });
  return rank(view, (token) => scores[token.index] ?? 0);
}

function byHolders(view: View): WorldToken[] {
  return rank(view, (token) => view.tables.tokens.columns.holders.get(token.index));
}

/** Latest first. */
function graduated(view: View): WorldToken[] {
  return rank(view, ({ graduatedAt }) => (graduatedAt !== null && graduatedAt <= view.now ? graduatedAt : 0));
}

/** By score, without tokens that have none; ties stay in order of launch. */
function rank(view: View, score: (token: WorldToken) => number): WorldToken[] {
  return view.context.tokens.list
    .filter((token) => score(token) > 0)
    .sort((a, b) => score(b) - score(a) || a.index - b.index);
}
