// Retracts fills whose transaction turned out to be on an orphaned fork, and rebuilds the candles that counted them.
import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { noteChanges } from "./day-changes.ts";
import { recountCandles, type WrongAt } from "./recount.ts";

/** Returns how many there were. Part of the caller's transaction. */
export async function retractFills(
  tx: Queries,
  retracted: readonly { tradeId: string; txHash: string }[],
): Promise<number> {
  const wrong: WrongAt[] = [];
  for (const { tradeId, txHash } of retracted) {
    const rows = await tx.all<{ token_key: string; network_id: number; at: number }>(
      sql`DELETE FROM fill WHERE trade_id = ${tradeId} AND tx_hash = ${txHash} RETURNING token_key, network_id, at`,
    );
    for (const row of rows) wrong.push({ tokenKey: row.token_key, networkId: row.network_id, at: row.at });
  }
  if (wrong.length > 0) await recountCandles(tx, wrong);
  await noteChanges(
    tx,
    wrong.map(({ at }) => at),
  );
  return wrong.length;
}
