// Books late answers: a token's facts, or a wallet's balance before its first move.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { BlockPlace, ChainQueries, TokenFacts } from "../chain.ts";
import { bookPriceAt } from "../prices/believed.ts";
import type { Money } from "../prices/money.ts";
import type { BooksChanges } from "./changes.ts";
import { readMoves } from "./moves.ts";
import { usersWith } from "./openings.ts";
import { placesOf, revalue } from "./revalue.ts";
import { updateToken } from "./tokens.ts";
import { forgetUnknown, type Unknown } from "./unknowns.ts";

/** The node's answer now; null: still none. */
export type LateAnswer = { facts: TokenFacts } | { amountRaw: bigint } | null;

export async function askUnknown(chain: ChainQueries, unknown: Unknown): Promise<LateAnswer> {
  const { kind, wallet, token, height } = unknown;
  if (kind === "facts") {
    const [facts] = await chain.tokens([token]);
    return facts && facts.isUnread !== true ? { facts } : null;
  }
  const held = (await chain.balances(wallet, [token], height)).find((leg) => leg.token === token);
  return held ? { amountRaw: held.amountRaw } : null;
}

/** Part of a transaction. Returns the blocks whose trades may be published now. */
export async function settleUnknown(
  tx: Queries,
  unknown: Unknown,
  answer: NonNullable<LateAnswer>,
  money: Money,
  touch: BooksChanges["touch"],
): Promise<BlockPlace[]> {
  await forgetUnknown(tx, unknown);
  if ("facts" in answer) return await settleFacts(tx, unknown, answer.facts, money, touch);
  await settleOpening(tx, unknown, answer.amountRaw, touch);
  return [];
}

const TRADERS_PER_READ = 128;

async function settleFacts(
  tx: Queries,
  { chainId, token }: Unknown,
  facts: TokenFacts,
  money: Money,
  touch: BooksChanges["touch"],
): Promise<BlockPlace[]> {
  await updateToken(tx, chainId, facts);
  const changes = { tokens: new Map([[token, 0]]), blocks: [] };
  const blocks = await revalue(tx, chainId, changes, money, touch);
  const pairs = (await usersWith(tx, chainId, token)).map((userId) => ({ userId, token }));
  for (const { userId } of pairs) touch({ userId, chainId, token }, 0);
  for (let start = 0; start < pairs.length; start += TRADERS_PER_READ) {
    const moves = await readMoves(tx, { chainId, pairs: pairs.slice(start, start + TRADERS_PER_READ) });
    for (const [hash, block] of placesOf(moves)) blocks.set(hash, block);
  }
  return [...blocks.values()];
}

async function settleOpening(
  tx: Queries,
  { chainId, wallet, token, height }: Unknown,
  amountRaw: bigint,
  touch: BooksChanges["touch"],
): Promise<void> {
  // A re-org removes an opening along with its first move, and an older first move has its own opening.
  const own = sql`chain_id = ${chainId} AND wallet = ${wallet} AND token = ${token} AND height = ${height}`;
  const row = await tx.one<{ user_id: string; at_ms: number }>(
    sql`SELECT user_id, at_ms FROM tracker_opening WHERE ${own}`,
  );
  if (!row) return;
  const at = { height: height + 1, timeMs: row.at_ms };
  const price = amountRaw > 0n ? await bookPriceAt(tx, chainId, token, at) : null;
  await tx.run(
    sql`UPDATE tracker_opening SET amount_raw = ${String(amountRaw)}, known = 1, price_usd = ${price?.priceUsd ?? null}
      WHERE ${own}`,
  );
  touch({ userId: row.user_id, chainId, token }, row.at_ms);
}
