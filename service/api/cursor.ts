// Our cursors: a prefix for the kind of walk, then its position. They are opaque to clients, contain nothing
// secret, and mean the same on every node and after a restart. Whatever does not parse is the caller's mistake.
import { fault } from "../../contract/errors.ts";
import type { Keyset } from "../../database/keyset.ts";

const FORM = /^[A-Za-z0-9_.:-]{1,160}$/;

export function badCursor(param = "cursor") {
  return fault("invalid_parameter", `${param} is not from this walk. Start again with cursor=start.`, {
    param,
  });
}

export function isStart(cursor: string | undefined): boolean {
  return cursor === undefined || cursor === "start";
}

/** The list that a row is in: trades have open positions first, then closed ones; others have one list. */
export type CursorPart = "open" | "rows";

/** A position in a walk of upstream's pages: the page's own cursor, and the last row of it that was returned. */
export interface LivePlace {
  kind: "live";
  upstreamCursor: string | null;
  /** Rows that upstream counted when the walk began and that were not returned yet; omitted if upstream has no count. */
  owed?: number;
  after: (Keyset & { part: CursorPart }) | null;
}

/** A place in a walk of captured rows. */
export interface KeptPlace {
  kind: "kept";
  after: Keyset & { part: CursorPart };
}

export type CursorPlace = LivePlace | KeptPlace;

export const BEGINNING: LivePlace = { kind: "live", upstreamCursor: null, after: null };

/** null if upstream's cursor does not fit into ours: the walk then ends early rather than wrongly. */
export function writePlace(place: CursorPlace): string | null {
  const { after } = place;
  const row = after === null ? "" : `${after.part}:${after.value}:${after.id}`;
  const text =
    place.kind === "live" ? `live${place.owed ?? ""}:${row}:${place.upstreamCursor ?? ""}` : `kept:${row}`;
  return FORM.test(text) ? text : null;
}

const ROW = "(open|rows):(-?\\d{1,15}):([A-Za-z0-9_-]{1,64})";
const LIVE_PLACE = new RegExp(`^live(\\d{1,9})?:(?:${ROW})?:(.*)$`);
const KEPT_PLACE = new RegExp(`^kept:${ROW}$`);

export function readPlace(cursor: string): CursorPlace {
  const live = LIVE_PLACE.exec(cursor);
  if (live) {
    const [, owed, part, value, id, upstreamCursor] = live;
    const after = part === undefined ? null : rowOf(part, value, id);
    return {
      kind: "live",
      upstreamCursor: upstreamCursor || null,
      after,
      ...(owed === undefined ? {} : { owed: Number(owed) }),
    };
  }
  const kept = KEPT_PLACE.exec(cursor);
  if (!kept) throw badCursor();
  return { kind: "kept", after: rowOf(kept[1], kept[2], kept[3]) };
}

function rowOf(part: string | undefined, value: string | undefined, id: string | undefined) {
  return { part: part === "open" ? "open" : "rows", value: Number(value), id: String(id) } as const;
}

export function writeKeyset(word: string, after: Keyset | null): string | null {
  return after === null ? null : `${word}:${after.value}:${after.id}`;
}

export function readKeyset(cursor: string, word: string): Keyset {
  const parts = /^([a-z]+):(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?):([A-Za-z0-9_.-]+)$/.exec(cursor);
  const value = Number(parts?.[2]);
  if (!parts || parts[1] !== word || !Number.isFinite(value)) throw badCursor();
  return { value, id: String(parts[3]) };
}
