// Comments under a position: as many as its thesis has drawn by now, oldest first, 50 per page. Each follows from the thesis'
// number and its place, so nothing is stored; a reply answers an earlier comment.
import { HOUR_MS } from "../../kit/units.ts";
import type { WireComment, WirePage } from "../../protocol/protocol.ts";
import { mix, unit } from "../world/hash.ts";
import { readCursor, writeCursor } from "./cursors.ts";
import { finalReplies, repliesOf, thesisKept } from "./thesis-rows.ts";
import { commentText } from "./thesis-texts.ts";
import type { View } from "./view.ts";

const PAGE = 50;
/** More than a thesis ever draws. */
const PLACES = 64;
const REPLY_CHANCE = 0.35;
const FULL_AFTER_MS = 9 * HOUR_MS;

export function commentsPage(
  view: View,
  tradeId: string,
  cursor?: string,
): WirePage<WireComment> | undefined {
  const slot = view.slotOf(tradeId);
  if (slot === undefined) return undefined;
  const scope = `comments ${tradeId}`;
  const [from] = cursor === undefined ? [0] : (readCursor(view.cursorKey, scope, cursor, 1) as [number]);
  const thesis = view.tables.positions.columns.thesis.get(slot) - 1;
  const count = thesisKept(view, thesis) ? repliesOf(view, thesis) : 0;
  const rows: WireComment[] = [];
  for (let place = from; place < Math.min(count, from + PAGE); place++)
    rows.push(commentRow(view, thesis, place, tradeId));
  return { rows, nextCursor: count > from + PAGE ? writeCursor(view.cursorKey, scope, [from + PAGE]) : null };
}

/** The first one is a statement; some of the others are answers. */
function isAnswer(key: number, thesis: number, place: number): boolean {
  return place > 0 && unit(mix(key, thesis * PLACES + place, 55), 1) < REPLY_CHANCE;
}

function saidBefore(key: number, thesis: number, from: number): number {
  let place = from;
  while (isAnswer(key, thesis, place)) place--;
  return place;
}

function commentRow(view: View, thesis: number, place: number, tradeId: string): WireComment {
  const { context } = view;
  const number = thesis * PLACES + place;
  const theses = view.tables.theses.columns;
  const row = thesis % view.tables.theses.capacity;
  const roll = mix(context.key, number, 55);
  const isReply = isAnswer(context.key, thesis, place);
  // Answers go to statements, not to other answers.
  const parent = isReply ? saidBefore(context.key, thesis, Math.floor(unit(roll, 2) * place)) : 0;
  const writer = theses.trader.get(row);
  // The writer answers most replies; otherwise the author is one of the first traders, so that it never changes.
  const byWriter = isReply && unit(roll, 3) < 0.6;
  const author = context.population.get(byWriter ? writer : mix(roll, 4) % context.firstTraders);
  // The comment appears when the growing number of replies reaches its place.
  const part = Math.min(0.999, (place + 1) / Math.max(1, finalReplies(view, thesis)));
  const createdAt = Math.floor(theses.at.get(row) - (Math.log(1 - part) / 3) * FULL_AFTER_MS);
  const { text, links } = commentText(
    view,
    number,
    isReply ? thesis * PLACES + parent : null,
    byWriter,
    thesis,
    context.tokens.get(theses.token.get(row)),
  );
  const age = Math.max(0, view.now - createdAt);
  return {
    id: view.ids.comment.encode(number),
    tradeId,
    userId: view.userId(author.index),
    handle: author.handle,
    text,
    likes: Math.floor(unit(roll, 5) ** 4 * 30 * (1 - Math.exp(-age / FULL_AFTER_MS))),
    parentId: isReply ? view.ids.comment.encode(thesis * PLACES + parent) : null,
    links,
    createdAt: Math.min(createdAt, view.now),
  };
}
