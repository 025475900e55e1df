// Our cursors: a word that says what kind of walk it is, then its place. They are opaque to clients, hold nothing
// secret, and mean the same on every node and after a restart. Whatever does not parse is the caller's mistake.
import { fault } from "../../contract/errors.ts";
import type { Keyset } from "../store/keyset.ts";

const FORM = /^[A-Za-z0-9_.:-]{1,160}$/;

export function badCursor(param = "cursor") {
  return fault(
    "invalid_parameter",
    `${param} is not one that this walk gave. Begin again with cursor=start.`,
    { param },
  );
}

export function isStart(cursor: string | undefined): boolean {
  return cursor === undefined || cursor === "start";
}

/** A place in a walk of upstream's pages: its own cursor, and how many rows of that page were given already. */
export interface LivePlace {
  kind: "live";
  upstreamCursor: string | null;
  skip: number;
}

/** A place in a walk of captured rows. */
export interface KeptPlace {
  kind: "kept";
  after: Keyset;
}

export type Place = LivePlace | KeptPlace;

/** No page that upstream serves holds more rows than this. */
const SKIP_AT_MOST = 10_000;

/** null where upstream's own cursor does not fit into ours: the walk then ends early rather than wrongly. */
export function writePlace(place: Place): string | null {
  const text =
    place.kind === "live"
      ? `live:${place.skip}:${place.upstreamCursor ?? ""}`
      : `kept:${place.after.value}:${place.after.id}`;
  return FORM.test(text) ? text : null;
}

export function readPlace(cursor: string): Place {
  const live = /^live:(\d{1,5}):(.*)$/.exec(cursor);
  if (live && Number(live[1]) <= SKIP_AT_MOST) {
    return { kind: "live", skip: Number(live[1]), upstreamCursor: live[2] === "" ? null : String(live[2]) };
  }
  return { kind: "kept", after: readKeyset(cursor, "kept") };
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
