// One trader's books, worked out from what is kept: every change in order, in the light of the position it belongs to.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Money } from "../prices/money.ts";
import { type Booked, book, type Change, type PositionState, positionsOf } from "./accounting.ts";
import { changesOf, readMoves } from "./moves.ts";
import { openingChanges } from "./openings.ts";
import { type KnownToken, knownTokens } from "./tokens.ts";

export interface TraderLedger {
  userId: string;
  /** By chain and token, each in order. */
  booked: ReadonlyMap<string, readonly Booked[]>;
  /** All of them, oldest first. */
  positions: readonly PositionState[];
  tokens: ReadonlyMap<string, KnownToken>;
}

export const tokenKey = (chainId: number, token: string): string => `${chainId}:${token}`;

const inOrder = (a: Change, b: Change): number =>
  a.timeMs - b.timeMs || a.chainId - b.chainId || a.height - b.height || a.txIndex - b.txIndex;

async function finalHeights(queries: Queries): Promise<Map<number, number>> {
  const rows = await queries.all<{ chain_id: number; height: number }>(
    sql`SELECT chain_id, height FROM tracker_final`,
  );
  return new Map(rows.map((row) => [row.chain_id, row.height]));
}

export async function readLedger(
  queries: Queries,
  userId: string,
  money: Money,
  only?: { chainId: number; token: string },
): Promise<TraderLedger> {
  const rows = await readMoves(queries, { userId, ...only });
  const traded = rows.filter((row) => money.kindOf(row.chain_id, row.token) === null);
  const tokens = new Map<string, KnownToken>();
  for (const [chainId, group] of Map.groupBy(traded, (row) => row.chain_id)) {
    const names = [...new Set(group.map((row) => row.token))];
    for (const [token, known] of await knownTokens(queries, chainId, names))
      tokens.set(tokenKey(chainId, token), known);
  }
  const openings = await openingChanges(queries, userId, (chainId, token) =>
    tokens.get(tokenKey(chainId, token)),
  );
  const changes = [...openings, ...changesOf(traded, await finalHeights(queries))].sort(inOrder);
  const booked = new Map<string, readonly Booked[]>();
  for (const [key, group] of Map.groupBy(changes, (each) => tokenKey(each.chainId, each.token))) {
    const decimals = tokens.get(key)?.decimals;
    // Without decimals there is no telling how much anything is.
    if (decimals !== undefined && decimals !== null) booked.set(key, book(userId, group, decimals));
  }
  const positions = [...booked.values()].flatMap(positionsOf).sort((a, b) => a.openedAt - b.openedAt);
  return { userId, booked, positions, tokens };
}
