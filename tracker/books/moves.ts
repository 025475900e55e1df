// Stored moves, one row for each leg of each wallet's flow, and the changes they add up to: all of a trader's wallets in one
// transaction are one change, so that moving tokens between them is neither profit nor volume.
import type { Queries } from "../../database/database.ts";
import { type Sql, sql, tuples, where } from "../../database/sql.ts";
import type { BlockRef, Flow } from "../chain.ts";
import type { Valued, ValuedLeg } from "../prices/value.ts";
import type { Change } from "./accounting.ts";
import { inBlocks, type KeptBlock } from "./kept-blocks.ts";

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
  /** Its index among the flow's legs; the sold legs come first. */
  leg: number;
  amount_raw: string;
  kind: string;
  value_usd: number | null;
  price_usd: number | null;
  priced_by: ValuedLeg["pricedBy"];
  depth_usd: number | null;
  price_as_of: number | null;
  exact: number;
  /** The whole flow's network fee, on each of its legs. */
  fee_raw: string;
  fee_usd: number | null;
  counterparty: string | null;
}

/** The one leg that carries a flow's fee: the token sold, or else the token bought; money only if there is no token. */
export function chargedLeg<Leg extends Pick<ValuedLeg, "token" | "cameIn">>(
  legs: readonly Leg[],
  isMoney: (token: string) => boolean,
): Leg | undefined {
  const tokens = legs.filter(({ token }) => !isMoney(token));
  return tokens.find(({ cameIn }) => !cameIn) ?? tokens[0] ?? legs[0];
}

export function moveRows(
  block: BlockRef,
  flow: Flow,
  userId: string,
  valued: Valued,
  isMoney: (token: string) => boolean,
): MoveRow[] {
  const charged = chargedLeg(valued.legs, isMoney);
  return valued.legs.map((leg, index) => ({
    chain_id: block.chainId,
    block_hash: block.hash,
    height: block.height,
    time_ms: block.timeMs,
    tx_hash: flow.hash,
    tx_index: flow.index,
    wallet: flow.wallet,
    user_id: userId,
    token: leg.token,
    came_in: leg.cameIn ? 1 : 0,
    leg: index,
    amount_raw: String(leg.amountRaw),
    kind: flow.kind,
    value_usd: leg.valueUsd,
    price_usd: leg.priceUsd,
    priced_by: leg.pricedBy,
    depth_usd: leg.depthUsd,
    price_as_of: leg.asOf,
    exact: flow.exact ? 1 : 0,
    fee_raw: String(flow.feeRaw),
    fee_usd: leg === charged ? valued.feeUsd : 0,
    counterparty: flow.counterparty,
  }));
}

/** One wallet's part in one transaction, assembled from its rows. */
export interface MoveFlow extends Pick<Flow, "chainId" | "hash" | "swap" | "sold" | "bought" | "feeRaw"> {
  userId: string;
  blockHash: string;
  height: number;
  /** In leg order. */
  rows: readonly MoveRow[];
}

export function flowsIn(rows: readonly MoveRow[]): MoveFlow[] {
  const byFlow = Map.groupBy(rows, (row) => `${row.block_hash} ${row.wallet} ${row.tx_hash}`);
  return [...byFlow.values()].map((group) => {
    const legs = group.toSorted((a, b) => a.leg - b.leg);
    const first = legs[0] as MoveRow;
    const side = (cameIn: number) =>
      legs
        .filter((row) => row.came_in === cameIn)
        .map((row) => ({ token: row.token, amountRaw: BigInt(row.amount_raw) }));
    return {
      chainId: first.chain_id,
      hash: first.tx_hash,
      userId: first.user_id,
      blockHash: first.block_hash,
      height: first.height,
      swap: first.kind === "swap",
      sold: side(0),
      bought: side(1),
      feeRaw: BigInt(first.fee_raw),
      rows: legs,
    };
  });
}

export interface MoveQuery {
  userId?: string;
  /** Traders, each paired with one token. */
  pairs?: readonly { userId: string; token: string }[];
  chainId?: number;
  token?: string;
  transactions?: readonly Transaction[];
}

export type Transaction = Pick<MoveRow, "height" | "block_hash" | "tx_hash">;

/** For tables with a `user_id` and a `token`. */
export const ofPairs = (pairs: readonly { userId: string; token: string }[]): Sql =>
  sql`(user_id, token) IN (VALUES ${tuples(pairs.map(({ userId, token }) => [userId, token]))})`;

export function readMoves(queries: Queries, query: MoveQuery): Promise<MoveRow[]> {
  const conditions: Sql[] = [];
  if (query.pairs !== undefined) conditions.push(ofPairs(query.pairs));
  if (query.userId !== undefined) conditions.push(sql`user_id = ${query.userId}`);
  if (query.chainId !== undefined) conditions.push(sql`chain_id = ${query.chainId}`);
  if (query.token !== undefined) conditions.push(sql`token = ${query.token}`);
  if (query.pairs?.length === 0 || query.transactions?.length === 0) return Promise.resolve([]);
  if (query.transactions !== undefined) {
    const places = query.transactions.map((one) => [one.height, one.block_hash, one.tx_hash]);
    conditions.push(sql`(height, block_hash, tx_hash) IN (VALUES ${tuples(places)})`);
  }
  return queries.all<MoveRow>(
    sql`SELECT * FROM tracker_move ${where(conditions)}
      ORDER BY time_ms, chain_id, height, tx_index, tx_hash, wallet, token, came_in`,
  );
}

/** All moves in some blocks of one chain, in order: trader, token and transaction. */
export async function movesIn(
  queries: Queries,
  chainId: number,
  blocks: readonly KeptBlock[],
): Promise<MoveInBlock[]> {
  const moves: MoveInBlock[] = [];
  for (let start = 0; start < blocks.length; start += BLOCKS_PER_READ) {
    const some = inBlocks(blocks.slice(start, start + BLOCKS_PER_READ));
    const rows = await queries.all<MoveInBlock>(
      sql`SELECT user_id, token, height, block_hash, tx_hash FROM tracker_move
        WHERE chain_id = ${chainId} AND kind <> 'rebase' AND ${some}
        ORDER BY height, tx_index, tx_hash, wallet, token, came_in`,
    );
    for (const row of rows) moves.push(row);
  }
  return moves;
}

type MoveInBlock = Transaction & Pick<MoveRow, "user_id" | "token">;
/** A late answer about a token affects every block it moved in; this is what fits in one statement. */
const BLOCKS_PER_READ = 4_096;

/** Rows belong to one trader, in order. */
export function changesOf(rows: readonly MoveRow[]): Change[] {
  const byChange = new Map<string, MoveRow[]>();
  for (const row of rows) {
    const key = `${row.chain_id} ${row.tx_hash} ${row.token}`;
    const group = byChange.get(key);
    if (group) group.push(row);
    else byChange.set(key, [row]);
  }
  const changes: Change[] = [];
  for (const group of byChange.values()) {
    const change = changeOf(group);
    if (change) changes.push(change);
  }
  return changes;
}

function changeOf(group: readonly MoveRow[]): Change | null {
  const [first] = group;
  if (!first) return null;
  const sign = (row: MoveRow) => (row.came_in === 1 ? 1n : -1n);
  const netRaw = group.reduce((sum, row) => sum + sign(row) * BigInt(row.amount_raw), 0n);
  if (netRaw === 0n) return null;
  const isSwap = group.some((row) => row.kind === "swap");
  const isPriced = group.every((row) => row.value_usd !== null);
  const net = group.reduce((sum, row) => sum + Number(sign(row)) * (row.value_usd ?? 0), 0);
  return {
    chainId: first.chain_id,
    token: first.token,
    txHash: first.tx_hash,
    height: first.height,
    txIndex: first.tx_index,
    timeMs: first.time_ms,
    wallet: first.wallet,
    netRaw,
    isSwap,
    valueUsd: isPriced ? Math.abs(net) : null,
    feeUsd: isSwap ? feesOf(group) : 0,
    counterparty: group.length === 1 ? first.counterparty : null,
    ...pricingIn(group),
  };
}

/** The source that priced the largest part; the shallowest of several pools, the oldest of several times. */
function pricingIn(group: readonly MoveRow[]): Pick<Change, "pricedBy" | "depthUsd" | "asOf" | "isExact"> {
  const least = (values: (number | null)[]) =>
    values.reduce(
      (least, value) => (least === null || (value !== null && value < least) ? value : least),
      null,
    );
  const largest = group.reduce((a, b) => ((b.value_usd ?? 0) > (a.value_usd ?? 0) ? b : a));
  return {
    pricedBy: largest.priced_by,
    depthUsd: least(group.map(({ depth_usd }) => depth_usd)),
    asOf: least(group.map(({ price_as_of }) => price_as_of)),
    isExact: group.every(({ exact }) => exact === 1),
  };
}

function feesOf(group: readonly MoveRow[]): number | null {
  return group.reduce<number | null>(
    (sum, { fee_usd }) => (sum === null || fee_usd === null ? null : sum + fee_usd),
    0,
  );
}
