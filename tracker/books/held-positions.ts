// Open positions to check against the chain: the wallets they are in, and the books' holding at the end of a block.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";

export interface HeldPosition {
  tradeId: string;
  userId: string;
  token: string;
  /** Every wallet of the trader that has moved the token since we started reading. */
  wallets: string[];
}

interface HeldRow {
  trade_id: string;
  user_id: string;
  token: string;
  wallet: string;
  known: number;
}

/** Paged by id; an empty `next` means start over. A position is included only if the opening balance is known for all its wallets. */
export async function openPositionsAfter(
  queries: Queries,
  chainId: number,
  tradeId: string,
  limit: number,
): Promise<{ positions: HeldPosition[]; next: string }> {
  const rows = await queries.all<HeldRow>(
    sql`SELECT p.trade_id, p.user_id, p.token, o.wallet, o.known
      FROM (SELECT trade_id, user_id, token FROM tracker_position
        WHERE chain_id = ${chainId} AND closed_at IS NULL AND trade_id > ${tradeId}
        ORDER BY trade_id LIMIT ${limit}) p
      JOIN tracker_opening o ON o.user_id = p.user_id AND o.chain_id = ${chainId} AND o.token = p.token
      ORDER BY p.trade_id, o.wallet`,
  );
  const groups = [...Map.groupBy(rows, (row) => row.trade_id).values()];
  const positions = groups.flatMap((group): HeldPosition[] => {
    const [first] = group;
    if (!first || group.some(({ known }) => known === 0)) return [];
    const { trade_id, user_id, token } = first;
    return [{ tradeId: trade_id, userId: user_id, token, wallets: group.map(({ wallet }) => wallet) }];
  });
  return { positions, next: groups.length < limit ? "" : (rows.at(-1)?.trade_id ?? "") };
}

/** Null when it is no longer the open one. */
export async function heldAt(
  queries: Queries,
  chainId: number,
  { tradeId, userId, token }: HeldPosition,
  height: number,
): Promise<bigint | null> {
  const own = sql`user_id = ${userId} AND chain_id = ${chainId} AND token = ${token}`;
  const row = await queries.one<{ held_raw: string }>(
    sql`SELECT held_raw FROM tracker_position WHERE trade_id = ${tradeId} AND closed_at IS NULL`,
  );
  if (!row) return null;
  const later = await queries.all<{ came_in: number; amount_raw: string }>(
    sql`SELECT came_in, amount_raw FROM tracker_move WHERE ${own} AND height > ${height}
      UNION ALL
      SELECT 1 AS came_in, amount_raw FROM tracker_opening WHERE ${own} AND height >= ${height}`,
  );
  return later.reduce(
    (held, { came_in, amount_raw }) => held - (came_in === 1 ? 1n : -1n) * BigInt(amount_raw),
    BigInt(row.held_raw),
  );
}
