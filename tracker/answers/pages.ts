// Pages of fully computed lists: a cursor holds the place and the query it belongs to, so a foreign one is refused.
import { BadInput } from "../../protocol/server/input.ts";

export function pageOf<Row>(
  scope: string,
  rows: readonly Row[],
  size: number,
  cursor: string | undefined,
): { rows: Row[]; nextCursor: string | null } {
  const from = cursor === undefined ? 0 : placeIn(scope, cursor);
  const page = rows.slice(from, from + size);
  const next = from + page.length;
  return { rows: page, nextCursor: next < rows.length ? `${scope}.${next}` : null };
}

export function placeIn(scope: string, cursor: string): number {
  const [given, place = ""] = cursor.split(".");
  if (given !== scope || !/^\d{1,9}$/.test(place)) throw new BadInput("cursor");
  return Number(place);
}
