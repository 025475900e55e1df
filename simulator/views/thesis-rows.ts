// Theses as rows. Likes and replies grow with the age of a thesis towards a number fixed for it, so they never fall. A thesis
// is available as long as its record and its position are.
import { HOUR_MS } from "../../kit/units.ts";
import type { WireThesis } from "../../protocol/protocol.ts";
import { unit } from "../world/hash.ts";
import { heldAmount } from "../world/ledger.ts";
import { avatarOf, nameOf } from "./names.ts";
import { unrealized } from "./pnl.ts";
import { thesisText } from "./thesis-texts.ts";
import { dollars, type View } from "./view.ts";

const FULL_AFTER_MS = 9 * HOUR_MS;

export function thesisKept(view: View, number: number): boolean {
  return number >= 0 && number >= view.context.state.counters.theses - view.tables.theses.capacity;
}

/** Whether the platform still shows its position. */
export function thesisShown(view: View, number: number): boolean {
  if (!thesisKept(view, number)) return false;
  const theses = view.tables.theses.columns;
  const row = number % view.tables.theses.capacity;
  return view.isShown(theses.slot.get(row), theses.position.get(row));
}

export function likesOf(view: View, number: number): number {
  const theses = view.tables.theses.columns;
  const row = number % view.tables.theses.capacity;
  const followers = view.context.population.graph.followers(theses.trader.get(row)).length;
  const appeal = unit(view.context.key, number, 53) ** 3;
  return Math.floor((2 + appeal * (18 + followers * 0.6)) * grown(view, theses.at.get(row)));
}

/** All comments by now, replies included. */
export function repliesOf(view: View, number: number): number {
  const row = number % view.tables.theses.capacity;
  return Math.floor(finalReplies(view, number) * grown(view, view.tables.theses.columns.at.get(row)));
}

export function finalReplies(view: View, number: number): number {
  return Math.floor(unit(view.context.key, number, 54) ** 4 * 42);
}

function grown(view: View, since: number): number {
  return 1 - Math.exp(-3 * Math.max(0, (view.now - since) / FULL_AFTER_MS));
}

export function thesisOf(view: View, slot: number): { id: string; text: string; likes: number } | null {
  const number = view.tables.positions.columns.thesis.get(slot) - 1;
  if (!thesisKept(view, number)) return null;
  return {
    id: view.ids.thesis.encode(number),
    text: writtenOf(view, number).text,
    likes: likesOf(view, number),
  };
}

export function writtenOf(view: View, number: number) {
  const theses = view.tables.theses.columns;
  const row = number % view.tables.theses.capacity;
  const trader = view.context.population.get(theses.trader.get(row));
  const token = view.context.tokens.get(theses.token.get(row));
  return thesisText(view, number, trader, token);
}

export function thesisRow(view: View, number: number, withLikes: boolean): WireThesis {
  const theses = view.tables.theses.columns;
  const positions = view.tables.positions.columns;
  const row = number % view.tables.theses.capacity;
  const slot = theses.slot.get(row);
  const trader = view.context.population.get(theses.trader.get(row));
  const token = view.context.tokens.get(theses.token.get(row));
  const { text, links } = writtenOf(view, number);
  return {
    id: view.ids.thesis.encode(number),
    tradeId: view.tradeId(slot),
    userId: view.userId(trader.index),
    handle: trader.handle,
    displayName: nameOf(view, trader),
    avatar: avatarOf(view, trader),
    text,
    ...(withLikes ? { likes: likesOf(view, number) } : {}),
    replies: repliesOf(view, number),
    links,
    isDev: positions.isDev.get(slot) === 1,
    equityUsd: dollars(Math.round(heldAmount(positions, slot) * view.price(token.index))),
    tradeUsd: dollars(theses.usd.get(row)),
    realizedPnlUsd: dollars(positions.realized.get(slot)),
    unrealizedPnlUsd: dollars(unrealized(view, slot)),
    token: view.token(token),
    createdAt: theses.at.get(row),
  };
}
