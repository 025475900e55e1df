// Cuts our pages out of upstream's, which may be longer. A walk remembers the last row it returned, not how many: rows that
// arrive or leave between two requests then make it neither repeat nor miss a row.
import type { Keyset } from "../../database/keyset.ts";
import type { Page } from "../upstream/port.ts";
import { type LivePlace, writePlace } from "./cursor.ts";

/** The rows after a given one: those following it if it is still there, otherwise those with a smaller value. */
export function rowsAfter<Row>(rows: readonly Row[], after: Keyset, keyOf: (row: Row) => Keyset): Row[] {
  const found = rows.findIndex((row) => keyOf(row).id === after.id);
  return found >= 0 ? rows.slice(found + 1) : rows.filter((row) => keyOf(row).value < after.value);
}

/** The next rows of an upstream page, at most `limit`, and where the walk continues. `keyOf` decreases along the page. */
export function takeRows<Row>(
  page: Page<Row>,
  place: LivePlace,
  limit: number,
  keyOf: (row: Row) => Keyset,
): { rows: Row[]; nextCursor: string | null } {
  const rest = place.after ? rowsAfter(page.rows, place.after, keyOf) : page.rows;
  const rows = rest.slice(0, limit);
  const last = rows.at(-1);
  if (last && rest.length > rows.length) {
    const after = { part: "rows", ...keyOf(last) } as const;
    return { rows, nextCursor: writePlace({ ...place, after }) };
  }
  if (page.nextCursor === null) return { rows, nextCursor: null };
  // Newer rows may have pushed the last returned row onto the next page: rows before it there were returned too.
  const after = rest.length === 0 ? place.after : null;
  return { rows, nextCursor: writePlace({ kind: "live", upstreamCursor: page.nextCursor, after }) };
}
