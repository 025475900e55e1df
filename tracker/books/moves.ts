// Moves as they are kept, one row for each leg of each wallet's flow, and the changes they add up to: all of a trader's
// wallets in one transaction are one change, so that moving tokens between them is neither profit nor volume.
import type { Queries } from "../../database/database.ts";
import { list, type Sql, type SqlValue, sql, where } from "../../database/sql.ts";
import type { BlockRef, Flow } from "../chain.ts";
import type { Valued } from "../prices/value.ts";
import type { Change } from "./accounting.ts";

export interface MoveRow {
  chain_id: number;
  block_hash: string;
  height: number;
  time_ms: number;
  tx_hash: string;
  tx_index: number;
  wallet: string;
  user_id: string;
  token: string;
  came_in: number;
  amount_raw: string;
  kind: string;
  value_usd: number | null;
  price_usd: number | null;
  fee_usd: number;
  counterparty: string | null;
}

export const MOVE_COLUMNS = [
  ...["chain_id", "block_hash", "height", "time_ms", "tx_hash", "tx_index", "wallet", "user_id", "token"],
  ...["came_in", "amount_raw", "kind", "value_usd", "price_usd", "priced_by", "fee_usd", "counterparty"],
];

export function moveRows(block: BlockRef, flow: Flow, userId: string, valued: Valued): SqlValue[][] {
  return valued.legs.map((leg, index) => [
    ...[block.chainId, block.hash, block.height, block.timeMs, flow.hash, flow.index, flow.wallet, userId],
    ...[leg.token, leg.cameIn ? 1 : 0, String(leg.amountRaw), flow.kind, leg.valueUsd, leg.priceUsd],
    // A flow's fee is counted once.
    ...[leg.pricedBy, index === 0 ? valued.feeUsd : 0, flow.counterparty],
  ]);
}

export interface MoveQuery {
  userId?: string;
  chainId?: number;
  token?: string;
  txHashes?: readonly string[];
  blockHashes?: readonly string[];
}

export function readMoves(queries: Queries, query: MoveQuery): Promise<MoveRow[]> {
  const conditions: Sql[] = [];
  if (query.userId !== undefined) conditions.push(sql`user_id = ${query.userId}`);
  if (query.chainId !== undefined) conditions.push(sql`chain_id = ${query.chainId}`);
  if (query.token !== undefined) conditions.push(sql`token = ${query.token}`);
  if (query.txHashes !== undefined) conditions.push(sql`tx_hash IN (${list(query.txHashes)})`);
  if (query.blockHashes !== undefined) conditions.push(sql`block_hash IN (${list(query.blockHashes)})`);
  return queries.all<MoveRow>(
    sql`SELECT * FROM tracker_move ${where(conditions)}
      ORDER BY time_ms, chain_id, height, tx_index, tx_hash, wallet, token, came_in`,
  );
}

/** `finalUpTo` by chain: what lies above may still be undone. Rows are one trader's, in order. */
export function changesOf(rows: readonly MoveRow[], finalUpTo: ReadonlyMap<number, number>): Change[] {
  const byChange = new Map<string, MoveRow[]>();
  for (const row of rows) {
    const key = `${row.chain_id} ${row.tx_hash} ${row.token}`;
    const group = byChange.get(key);
    if (group) group.push(row);
    else byChange.set(key, [row]);
  }
  const changes: Change[] = [];
  for (const group of byChange.values()) {
    const change = changeOf(group, finalUpTo);
    if (change) changes.push(change);
  }
  return changes;
}

function changeOf(group: readonly MoveRow[], finalUpTo: ReadonlyMap<number, number>): Change | null {
  const [first] = group;
  if (!first) return null;
  const sign = (row: MoveRow) => (row.came_in === 1 ? 1n : -1n);
  const netRaw = group.reduce((sum, row) => sum + sign(row) * BigInt(row.amount_raw), 0n);
  if (netRaw === 0n) return null;
  const isSwap = group.some((row) => row.kind === "swap");
  const isPriced = group.every((row) => row.value_usd !== null);
  const net = group.reduce((sum, row) => sum + Number(sign(row)) * (row.value_usd ?? 0), 0);
  return {
    ...{ chainId: first.chain_id, token: first.token, txHash: first.tx_hash, height: first.height },
    ...{ txIndex: first.tx_index, timeMs: first.time_ms, wallet: first.wallet, netRaw, isSwap },
    valueUsd: isPriced ? Math.abs(net) : null,
    feeUsd: isSwap ? group.reduce((sum, row) => sum + row.fee_usd, 0) : 0,
    counterparty: group.length === 1 ? first.counterparty : null,
    isFinal: first.height <= (finalUpTo.get(first.chain_id) ?? -1),
  };
}
