// The follow graph, as far as the platform shows it: 200 names of a following list in pages of 50, and a sample of 200
// followers. The totals are exact.
import type { WirePage, WirePerson } from "../../protocol/protocol.ts";
import { readCursor, writeCursor } from "./cursors.ts";
import { personRow } from "./people.ts";
import type { View } from "./view.ts";

const SERVED = 200;
const PAGE = 50;

export function followingPage(
  view: View,
  userId: string,
  cursor?: string,
): (WirePage<WirePerson> & { total: number }) | undefined {
  const trader = view.traderOf(userId);
  if (!trader) return undefined;
  const scope = `following ${trader.index}`;
  const [from] = cursor === undefined ? [0] : (readCursor(view.cursorKey, scope, cursor, 1) as [number]);
  const all = view.context.population.graph.following(trader.index);
  const served = all.slice(0, SERVED);
  const rows = served
    .slice(from, from + PAGE)
    .map((index) => personRow(view, view.context.population.get(index)));
  const more = served.length > from + PAGE;
  return {
    rows,
    nextCursor: more ? writeCursor(view.cursorKey, scope, [from + PAGE]) : null,
    total: all.length,
  };
}

export function followerSample(
  view: View,
  userId: string,
): { rows: WirePerson[]; total: number } | undefined {
  const trader = view.traderOf(userId);
  if (!trader) return undefined;
  const all = view.context.population.graph.followers(trader.index);
  const rows = all.slice(-SERVED).map((index) => personRow(view, view.context.population.get(index)));
  return { rows, total: all.length };
}
