// Puts what became known into the books: a token's facts, or what a wallet held before its first move.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { ChainQueries, TokenFacts } from "../chain.ts";
import type { Money } from "../prices/money.ts";
import { bookPriceAt } from "../prices/observed.ts";
import { readMoves } from "./moves.ts";
import { revalue } from "./revalue.ts";
import { updateToken } from "./tokens.ts";
import { forgetUnknown, type Unknown } from "./unknowns.ts";

/** What a node says now; null: still nothing. */
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

/** Part of one transaction. Returns whose books changed, and blocks in which trades may be published now. */
export async function settleUnknown(
  tx: Queries,
  unknown: Unknown,
  answer: NonNullable<LateAnswer>,
  money: Money,
): Promise<{ userIds: ReadonlySet<string>; blockHashes: string[] }> {
  await forgetUnknown(tx, unknown);
  return "facts" in answer
    ? await settleFacts(tx, unknown, answer.facts, money)
    : await settleOpening(tx, unknown, answer.amountRaw);
}

async function settleFacts(tx: Queries, { chainId, token }: Unknown, facts: TokenFacts, money: Money) {
  await updateToken(tx, chainId, facts);
  const moves = (await readMoves(tx, { chainId, token })).map(({ user_id, block_hash }) => ({
    user_id,
    block_hash,
  }));
  const valued = await revalue(tx, chainId, { tokens: new Map([[token, 0]]), blockHashes: [] }, money);
  return {
    userIds: new Set([...valued.userIds, ...moves.map(({ user_id }) => user_id)]),
    blockHashes: [...new Set([...valued.blockHashes, ...moves.map(({ block_hash }) => block_hash)])],
  };
}

async function settleOpening(tx: Queries, { chainId, wallet, token, height }: Unknown, amountRaw: bigint) {
  const price = amountRaw > 0n ? await bookPriceAt(tx, chainId, token, height + 1) : null;
  const rows = await tx.all<{ user_id: string }>(
    // A fork that lost took its first moves along, and an older first move has its own opening.
    sql`UPDATE tracker_opening SET amount_raw = ${String(amountRaw)}, price_usd = ${price?.priceUsd ?? null}
      WHERE chain_id = ${chainId} AND wallet = ${wallet} AND token = ${token} AND height = ${height}
      RETURNING user_id`,
  );
  return { userIds: new Set(rows.map(({ user_id }) => user_id)), blockHashes: [] };
}
