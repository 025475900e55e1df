// Past prices fetched from the platform, cached so that each is fetched once: those at whole hours, which the curves of
// all traders share.
import type { PriceMark } from "../../../accounting/marks.ts";
import { insertMany, type Queries } from "../../../database/database.ts";
import { list, sql } from "../../../database/sql.ts";
import type { TokenRef } from "../../model/token.ts";
import type { Repository } from "../repository.ts";
import { tokenKey } from "./tokens.ts";

/** By `networkId:address`; prices that aren't stored are left out. */
async function marksAt(
  queries: Queries,
  tokens: readonly TokenRef[],
  at: number,
): Promise<Map<string, PriceMark>> {
  if (tokens.length === 0) return new Map();
  const rows = await queries.all<{
    token_key: string;
    network_id: number;
    price_usd: number;
    priced_at: number;
  }>(
    sql`SELECT token_key, network_id, price_usd, priced_at FROM mark
      WHERE at = ${at} AND token_key IN (${list([...new Set(tokens.map(({ address }) => tokenKey(address)))])})`,
  );
  const kept = new Map(rows.map((row) => [`${row.network_id}:${row.token_key}`, row]));
  const found = new Map<string, PriceMark>();
  for (const { networkId, address } of tokens) {
    const row = kept.get(`${networkId}:${tokenKey(address)}`);
    if (row)
      found.set(`${networkId}:${address}`, { priceUsd: row.price_usd, at: row.priced_at, source: "quote" });
  }
  return found;
}

async function saveMarks(
  tx: Queries,
  marks: readonly { token: TokenRef; at: number; mark: PriceMark }[],
): Promise<void> {
  const rows = marks.map(({ token, at, mark }) => ({
    at,
    tokenKey: tokenKey(token.address),
    networkId: token.networkId,
    priceUsd: mark.priceUsd,
    pricedAt: mark.at,
  }));
  await insertMany(tx, "mark", rows, "ON CONFLICT (at, token_key, network_id) DO NOTHING");
}

function pruneMarks(tx: Queries, before: number, limit: number): Promise<number> {
  return tx.run(
    sql`DELETE FROM mark WHERE (at, token_key, network_id) IN (
      SELECT at, token_key, network_id FROM mark WHERE at < ${before} ORDER BY at LIMIT ${limit})`,
  );
}

export const marks = {
  reads: { at: marksAt },
  writes: { save: saveMarks, prune: pruneMarks },
} satisfies Repository;
