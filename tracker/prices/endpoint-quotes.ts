// The price endpoint's quotes, with the money in the pair behind each one: like a pool's price, a quote is judged by whether
// that money could pay for what a holding claims to be worth.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { SeenPrice } from "./observed.ts";

interface EndpointQuote extends Pick<SeenPrice, "priceUsd" | "timeMs"> {
  depthUsd: number;
}

export async function quoteOf(queries: Queries, chainId: number, token: string): Promise<SeenPrice | null> {
  const row = await queries.one<{ price_usd: number; as_of: number; depth_usd: number }>(
    sql`SELECT price_usd, as_of, depth_usd FROM tracker_quote WHERE chain_id = ${chainId} AND token = ${token}`,
  );
  return row && { priceUsd: row.price_usd, timeMs: row.as_of, depthUsd: row.depth_usd, by: "quote" };
}

export async function saveQuote(
  tx: Queries,
  chainId: number,
  token: string,
  { priceUsd, timeMs, depthUsd }: EndpointQuote,
): Promise<void> {
  await tx.run(
    sql`INSERT INTO tracker_quote (chain_id, token, price_usd, as_of, depth_usd)
      VALUES (${chainId}, ${token}, ${priceUsd}, ${timeMs}, ${depthUsd})
      ON CONFLICT (chain_id, token) DO UPDATE
        SET price_usd = excluded.price_usd, as_of = excluded.as_of, depth_usd = excluded.depth_usd`,
  );
}

/** An earlier quote doesn't count any more either: its pair may have been emptied. */
export async function dropQuote(tx: Queries, chainId: number, token: string): Promise<void> {
  await tx.run(sql`DELETE FROM tracker_quote WHERE chain_id = ${chainId} AND token = ${token}`);
}
