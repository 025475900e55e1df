// Everybody and everything, by page and by name. The directory's order never changes: the oldest account or launch first, and
// newcomers at the end.
import type { WirePage, WirePerson, WireTokenInfo, WireUser } from "../../protocol/protocol.ts";
import type { WorldTrader } from "../world/population.ts";
import { readCursor, writeCursor } from "./cursors.ts";
import { nameOf } from "./names.ts";
import { personRow, userRow } from "./people.ts";
import { tokenInfo } from "./tokens.ts";
import type { View } from "./view.ts";

/** About ten milliseconds of building rows. */
const PAGE = 200;

export function usersPage(view: View, cursor?: string): WirePage<WireUser> {
  const { traders } = view.context.population;
  const first = view.context.firstTraders;
  // Later joiners are numbered in order; the first ones were not.
  const order = [...traders.slice(0, first)]
    .sort((a, b) => a.createdAt - b.createdAt || a.index - b.index)
    .concat(traders.slice(first));
  return page(view, "users", order, cursor, (trader) => userRow(view, trader));
}

export function tokensPage(view: View, cursor?: string): WirePage<WireTokenInfo> {
  const order = view.context.tokens.list;
  const established = order
    .filter((token) => token.established)
    .sort((a, b) => a.launchAt - b.launchAt || a.index - b.index);
  const launched = order.filter((token) => !token.established);
  return page(view, "tokens", [...established, ...launched], cursor, (token) => tokenInfo(view, token));
}

function page<Record, Row>(
  view: View,
  scope: string,
  all: Record[],
  cursor: string | undefined,
  row: (record: Record) => Row,
): WirePage<Row> {
  const [from] = cursor === undefined ? [0] : (readCursor(view.cursorKey, scope, cursor, 1) as [number]);
  const rows = all.slice(from, from + PAGE).map(row);
  return {
    rows,
    nextCursor: all.length > from + PAGE ? writeCursor(view.cursorKey, scope, [from + PAGE]) : null,
  };
}

/** Exact names first, then prefixes, then substrings; ties go to the more followed or widely held. */
export function search(
  view: View,
  q: string,
  limit: number,
): { users: WirePerson[]; tokens: WireTokenInfo[] } {
  const wanted = q.trim().toLowerCase().replace(/^[@$]/, "");
  if (wanted === "") return { users: [], tokens: [] };
  const { population, tokens } = view.context;
  const score = (...names: string[]) =>
    Math.max(
      ...names.map((name) =>
        name === wanted ? 3 : name.startsWith(wanted) ? 2 : name.includes(wanted) ? 1 : 0,
      ),
    );
  const best = <Record>(
    records: readonly Record[],
    scoreOf: (record: Record) => number,
    weight: (record: Record) => number,
  ) =>
    records
      .map((record) => ({ record, score: scoreOf(record) }))
      .filter((found) => found.score > 0)
      .sort((a, b) => b.score - a.score || weight(b.record) - weight(a.record))
      .slice(0, limit)
      .map((found) => found.record);
  const users = best(
    population.traders,
    (trader: WorldTrader) => score(trader.handle, nameOf(view, trader).toLowerCase()),
    (trader) => population.graph.followers(trader.index).length,
  );
  const byAddress = tokens.byAddress(q.trim());
  const found = byAddress
    ? [byAddress]
    : best(
        tokens.list,
        (token) => score(token.symbol.toLowerCase(), token.name.toLowerCase()),
        (token) => view.tables.tokens.columns.holders.get(token.index),
      );
  return {
    users: users.map((trader) => personRow(view, trader)),
    tokens: found.map((token) => tokenInfo(view, token)),
  };
}
