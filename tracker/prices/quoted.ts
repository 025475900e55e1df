// What the price endpoint says of tokens, with the money in the pair that it says it of: a price for which less could ever be paid
// than somebody's holding claims to be worth is judged as a pool's is.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { quoteOf, type SeenPrice, saveQuote } from "./observed.ts";

interface Quoted extends Pick<SeenPrice, "priceUsd" | "timeMs"> {
  depthUsd: number;
}

export async function saveQuoted(
  tx: Queries,
  chainId: number,
  token: string,
  { depthUsd, ...quote }: Quoted,
): Promise<void> {
  await saveQuote(tx, chainId, token, quote);
  await tx.run(sql`UPDATE tracker_quote SET depth_usd = ${depthUsd} WHERE ${of(chainId, token)}`);
}

/** What was said before counts no more either: its pair may have been emptied. */
export async function dropQuoted(tx: Queries, chainId: number, token: string): Promise<void> {
  await tx.run(sql`DELETE FROM tracker_quote WHERE ${of(chainId, token)}`);
}

export async function quotedOf(queries: Queries, chainId: number, token: string): Promise<SeenPrice | null> {
  const quote = await quoteOf(queries, chainId, token);
  const row = await queries.one<{ depth_usd: number }>(
    sql`SELECT depth_usd FROM tracker_quote WHERE ${of(chainId, token)}`,
  );
  return quote && row && { ...quote, depthUsd: row.depth_usd };
}

const of = (chainId: number, token: string) => sql`chain_id = ${chainId} AND token = ${token}`;
