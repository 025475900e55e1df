// A wallet's balance of a token before its first move that we read: asked of the chain once, when the token first moves, and
// booked as received at the price of that time. Without it the first sale would look like pure profit.
import { excluded, insertMany, type Queries } from "../../database/database.ts";
import { sql, tuples, where } from "../../database/sql.ts";
import type { Log } from "../../kit/log.ts";
import type { BlockRead, ChainQueries } from "../chain.ts";
import { bookPriceAt } from "../prices/believed.ts";
import type { Change } from "./accounting.ts";
import { amountOf } from "./amounts.ts";
import { type MoveQuery, type MoveRow, ofPairs } from "./moves.ts";

export interface Opening {
  wallet: string;
  token: string;
  /** Null when no node would answer; the books go on without it until one does. */
  amountRaw: bigint | null;
  height: number;
}

/** As stored: with its first move, and the trader it belongs to. */
export interface FiledOpening extends Opening {
  userId: string;
  atMs: number;
  blockHash: string;
}

interface FirstMove {
  wallet: string;
  token: string;
  height: number;
}

/** Asks the chain for the ones that are not known yet. */
export async function askOpenings(
  queries: Queries,
  chain: ChainQueries,
  chainId: number,
  reads: readonly BlockRead[],
  isPosition: (token: string) => boolean,
  log: Log,
): Promise<Opening[]> {
  const firsts = new Map<string, FirstMove>();
  for (const { block, flows } of reads)
    for (const flow of flows)
      for (const { token } of [...flow.sold, ...flow.bought]) {
        const key = `${flow.wallet} ${token}`;
        const known = firsts.get(key);
        if (isPosition(token) && (!known || block.height < known.height))
          firsts.set(key, { wallet: flow.wallet, token, height: block.height });
      }
  const fresh = await unknownOf(queries, chainId, [...firsts.values()]);
  const openings: Opening[] = [];
  for (const [key, group] of Map.groupBy(fresh, ({ wallet, height }) => `${wallet} ${height}`)) {
    const [wallet = "", height = "0"] = key.split(" ");
    const before = Number(height) - 1;
    let held: { token: string; amountRaw: bigint }[] = [];
    try {
      held = await chain.balances(
        wallet,
        group.map(({ token }) => token),
        before,
      );
    } catch (error) {
      log.debug("an opening balance can not be read", { chainId, height: before, error });
    }
    for (const { token } of group) {
      const amountRaw = held.find((leg) => leg.token === token)?.amountRaw ?? null;
      openings.push({ wallet, token, amountRaw, height: before });
    }
  }
  return openings;
}

const FIRSTS_PER_READ = 128;

async function unknownOf(queries: Queries, chainId: number, firsts: FirstMove[]): Promise<FirstMove[]> {
  if (firsts.length === 0) return [];
  const rows: { wallet: string; token: string; height: number }[] = [];
  for (let start = 0; start < firsts.length; start += FIRSTS_PER_READ) {
    const some = firsts.slice(start, start + FIRSTS_PER_READ).map(({ wallet, token }) => [token, wallet]);
    rows.push(
      ...(await queries.all<{ wallet: string; token: string; height: number }>(
        sql`SELECT wallet, token, height FROM tracker_opening
          WHERE chain_id = ${chainId} AND (token, wallet) IN (VALUES ${tuples(some)})`,
      )),
    );
  }
  const known = new Map(rows.map(({ wallet, token, height }) => [`${wallet} ${token}`, height]));
  // A back-fill finds earlier moves: the balance before those has to be asked for again.
  return firsts.filter(({ wallet, token, height }) => height <= (known.get(`${wallet} ${token}`) ?? height));
}

/** Part of the transaction that applies the first move. */
export async function saveOpenings(
  tx: Queries,
  chainId: number,
  openings: readonly FiledOpening[],
): Promise<void> {
  const rows: (OpeningRow & Pick<MoveRow, "block_hash">)[] = [];
  for (const { wallet, token, userId, amountRaw, height, atMs, blockHash } of openings) {
    const at = { height: height + 1, timeMs: atMs };
    const price = amountRaw !== null && amountRaw > 0n ? await bookPriceAt(tx, chainId, token, at) : null;
    rows.push({
      chain_id: chainId,
      wallet,
      token,
      user_id: userId,
      amount_raw: String(amountRaw ?? 0n),
      price_usd: price?.priceUsd ?? null,
      at_ms: atMs,
      height,
      block_hash: blockHash,
      known: amountRaw === null ? 0 : 1,
    });
  }
  const update = excluded(["user_id", "amount_raw", "price_usd", "at_ms", "height", "block_hash", "known"]);
  await insertMany(
    tx,
    "tracker_opening",
    rows,
    `ON CONFLICT (chain_id, token, wallet) DO UPDATE SET ${update} WHERE tracker_opening.height > excluded.height`,
  );
}

/**
 * Opening balances of lost first moves, re-attached to the first moves that remain: on some chains, blocks after a lost block
 * can survive. The amount is the same, because no known move changed it in between; one that turns up later is an earlier first
 * move with its own opening. Part of the transaction that deletes the lost moves, after the delete.
 */
export async function openingsThatStay(
  tx: Queries,
  chainId: number,
  lost: readonly OpeningRow[],
): Promise<FiledOpening[]> {
  const openings: FiledOpening[] = [];
  for (const { wallet, token, user_id: userId, amount_raw: amountRaw, known } of lost) {
    const first = await tx.one<Pick<MoveRow, "height" | "block_hash" | "time_ms">>(
      sql`SELECT height, block_hash, time_ms FROM tracker_move
        WHERE user_id = ${userId} AND chain_id = ${chainId} AND token = ${token} AND wallet = ${wallet}
        ORDER BY height LIMIT 1`,
    );
    if (!first) continue;
    openings.push({
      wallet,
      token,
      userId,
      amountRaw: known === 0 ? null : BigInt(amountRaw),
      height: first.height - 1,
      atMs: first.time_ms,
      blockHash: first.block_hash,
    });
  }
  return openings;
}

/** Reprices opening balances that were priced before these prices were known. Returns the affected traders and times. */
export async function repriceOpenings(
  tx: Queries,
  chainId: number,
  token: string,
  fromMs: number,
): Promise<{ userId: string; atMs: number }[]> {
  const rows = await tx.all<Pick<OpeningRow, "wallet" | "user_id" | "height" | "price_usd" | "at_ms">>(
    sql`SELECT wallet, user_id, height, price_usd, at_ms FROM tracker_opening
      WHERE chain_id = ${chainId} AND token = ${token} AND at_ms >= ${fromMs} AND amount_raw <> '0'`,
  );
  const changed: { userId: string; atMs: number }[] = [];
  for (const { wallet, user_id, height, price_usd, at_ms } of rows) {
    const at = { height: height + 1, timeMs: at_ms };
    const priceUsd = (await bookPriceAt(tx, chainId, token, at))?.priceUsd ?? null;
    if (priceUsd === price_usd) continue;
    changed.push({ userId: user_id, atMs: at_ms });
    await tx.run(
      sql`UPDATE tracker_opening SET price_usd = ${priceUsd}
        WHERE chain_id = ${chainId} AND wallet = ${wallet} AND token = ${token}`,
    );
  }
  return changed;
}

export interface OpeningRow {
  chain_id: number;
  wallet: string;
  user_id: string;
  token: string;
  amount_raw: string;
  price_usd: number | null;
  at_ms: number;
  height: number;
  /** 0 until a node answers. */
  known: number;
}

/** All traders whose wallets ever moved a token. */
export async function usersWith(queries: Queries, chainId: number, token: string): Promise<string[]> {
  const rows = await queries.all<{ user_id: string }>(
    sql`SELECT DISTINCT user_id FROM tracker_opening WHERE chain_id = ${chainId} AND token = ${token}`,
  );
  return rows.map(({ user_id }) => user_id);
}

/** For a trader, or for some traders' tokens on a chain. */
export function readOpenings(
  queries: Queries,
  { userId, chainId, pairs }: Pick<MoveQuery, "userId" | "chainId" | "pairs">,
): Promise<OpeningRow[]> {
  const conditions = [sql`(amount_raw <> '0' OR known = 0)`];
  if (userId !== undefined) conditions.push(sql`user_id = ${userId}`);
  if (chainId !== undefined) conditions.push(sql`chain_id = ${chainId}`);
  if (pairs !== undefined) conditions.push(ofPairs(pairs));
  return queries.all<OpeningRow>(
    sql`SELECT chain_id, wallet, token, user_id, amount_raw, price_usd, at_ms, height, known
      FROM tracker_opening ${where(conditions)} ORDER BY at_ms, wallet`,
  );
}

/** As changes right before the first move: this way the books' past does not change when another wallet first moves. */
export function openingChange(row: OpeningRow, decimals: number): Change {
  const netRaw = BigInt(row.amount_raw);
  return {
    chainId: row.chain_id,
    token: row.token,
    txHash: `opening:${row.wallet}`,
    height: row.height + 1,
    txIndex: -1,
    timeMs: row.at_ms,
    wallet: row.wallet,
    netRaw,
    isSwap: false,
    feeUsd: 0,
    counterparty: null,
    pricedBy: row.price_usd === null ? null : "pool",
    depthUsd: null,
    asOf: null,
    isExact: true,
    valueUsd: row.price_usd === null ? null : amountOf(netRaw, decimals) * row.price_usd,
  };
}
