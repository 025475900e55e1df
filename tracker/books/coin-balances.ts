// Wallets' balances of their chain's own coin: the last value read, and when.

import { insertMany, type Queries } from "../../database/database.ts";
import { list, sql } from "../../database/sql.ts";

export interface CoinBalance {
  chainId: number;
  wallet: string;
  amountRaw: bigint;
  atMs: number;
}

export async function saveCoinBalances(tx: Queries, balances: readonly CoinBalance[]): Promise<void> {
  await insertMany(
    tx,
    "tracker_coin_balance",
    balances.map(({ chainId, wallet, amountRaw, atMs }) => ({
      chainId,
      wallet,
      amountRaw: String(amountRaw),
      atMs,
    })),
    "ON CONFLICT (chain_id, wallet) DO UPDATE SET amount_raw = excluded.amount_raw, at_ms = excluded.at_ms",
  );
}

export async function coinBalancesOf(queries: Queries, wallets: readonly string[]): Promise<CoinBalance[]> {
  if (wallets.length === 0) return [];
  const rows = await queries.all<{ chain_id: number; wallet: string; amount_raw: string; at_ms: number }>(
    sql`SELECT chain_id, wallet, amount_raw, at_ms FROM tracker_coin_balance
      WHERE wallet IN (${list(wallets)}) ORDER BY chain_id, wallet`,
  );
  return rows.map((row) => ({
    chainId: row.chain_id,
    wallet: row.wallet,
    amountRaw: BigInt(row.amount_raw),
    atMs: row.at_ms,
  }));
}
