// Up to which block trades are alerts, from the stored heights. An alert from a block that is re-orged out is retracted.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { AlertsAt } from "../alerts-at.ts";
import { finalHeight } from "./kept-blocks.ts";

/** Blocks up to this height are alerts, as far as the node's own tag allows. */
export async function alertHeight(
  queries: Queries,
  chainId: number,
  at: AlertsAt,
  bound: number,
): Promise<number> {
  if (at === "confirmed") return Number.POSITIVE_INFINITY;
  const final = await finalHeight(queries, chainId);
  const reached = at === "final" ? final : Math.max(final, await safeHeight(queries, chainId));
  return Math.min(bound, reached);
}

export async function safeHeight(queries: Queries, chainId: number): Promise<number> {
  const row = await queries.one<{ height: number }>(
    sql`SELECT height FROM tracker_safe WHERE chain_id = ${chainId}`,
  );
  return row?.height ?? -1;
}

export async function saveSafeHeight(tx: Queries, chainId: number, height: number): Promise<void> {
  await tx.run(
    sql`INSERT INTO tracker_safe (chain_id, height) VALUES (${chainId}, ${height})
      ON CONFLICT (chain_id) DO UPDATE SET height = excluded.height`,
  );
}

/** With delayed alerts, those of blocks that are final by now count as sent; without delay, nothing is pending. */
export async function beginAlerts(tx: Queries, chainId: number, at: AlertsAt): Promise<void> {
  if (at === "confirmed") await tx.run(sql`DELETE FROM tracker_safe WHERE chain_id = ${chainId}`);
  else
    await tx.run(
      sql`INSERT INTO tracker_safe (chain_id, height) VALUES (${chainId}, ${await finalHeight(tx, chainId)})
        ON CONFLICT (chain_id) DO NOTHING`,
    );
}
