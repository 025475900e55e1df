// Recomputes values that were computed before an earlier price was known: a node may omit trades at first, wallets are read one
// after the other, and a back-fill reads the past last. In the end every value is what reading the chain in order would give.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { type BlockPlace, NATIVE } from "../chain.ts";
import type { Money } from "../prices/money.ts";
import { type ValuedBlock, type ValuedLeg, valueFlow } from "../prices/value.ts";
import type { BooksChanges } from "./changes.ts";
import { coinsIn, type KeptBlock } from "./kept-blocks.ts";
import {
  chargedLeg,
  flowsIn,
  type MoveFlow,
  type MoveRow,
  movesIn,
  readMoves,
  type Transaction,
} from "./moves.ts";
import { repriceOpenings } from "./openings.ts";
import { type KnownToken, knownTokens } from "./tokens.ts";

export interface PriceChanges {
  /** Tokens with new prices, with the time of the oldest one. */
  tokens: ReadonlyMap<string, number>;
  /** Blocks in which the price of the chain's coin became known. */
  blocks: readonly KeptBlock[];
}

const TRANSACTIONS_PER_READ = 200;

/** Part of the transaction that stores the prices. Returns the blocks that changed, by hash. */
export async function revalue(
  tx: Queries,
  chainId: number,
  changes: PriceChanges,
  money: Money,
  touch: BooksChanges["touch"],
): Promise<Map<string, BlockPlace>> {
  const blocks = new Map<string, BlockPlace>();
  const found = new Map<string, Transaction>();
  const add = (one: Transaction) => found.set(`${one.block_hash} ${one.tx_hash}`, one);
  for (const move of await movesIn(tx, chainId, changes.blocks)) add(move);
  for (const [token, fromMs] of changes.tokens) {
    for (const { userId, atMs } of await repriceOpenings(tx, chainId, token, fromMs))
      touch({ userId, chainId, token }, atMs);
    for (const one of await transactionsOf(tx, chainId, token, fromMs)) add(one);
  }
  const all = [...found.values()];
  for (let start = 0; start < all.length; start += TRANSACTIONS_PER_READ) {
    const transactions = all.slice(start, start + TRANSACTIONS_PER_READ);
    const rows = await readMoves(tx, { chainId, transactions });
    const tokens = await knownTokens(tx, chainId, [NATIVE, ...new Set(rows.map(({ token }) => token))]);
    const coins = await coinsIn(tx, chainId, [...placesOf(rows).values()]);
    for (const flow of flowsIn(rows)) {
      const coin = coins.get(flow.blockHash);
      if (!coin) continue;
      const block = { height: flow.height, ...coin };
      if (!(await revalueFlow(tx, flow, block, tokens, money))) continue;
      blocks.set(flow.blockHash, { hash: flow.blockHash, height: flow.height });
      for (const { token, time_ms: timeMs } of flow.rows)
        touch({ userId: flow.userId, chainId, token }, timeMs);
    }
  }
  return blocks;
}

/** The blocks containing these moves, by hash. */
export const placesOf = (moves: readonly Pick<MoveRow, "height" | "block_hash">[]): Map<string, BlockPlace> =>
  new Map(moves.map(({ height, block_hash: hash }) => [hash, { height, hash }]));

/** Those that a pool's price applies to: values from money don't change. */
function transactionsOf(tx: Queries, chainId: number, token: string, fromMs: number): Promise<Transaction[]> {
  return tx.all(
    sql`SELECT DISTINCT height, block_hash, tx_hash FROM tracker_move
      WHERE chain_id = ${chainId} AND token = ${token} AND time_ms >= ${fromMs}
        AND (priced_by IS NULL OR priced_by = 'pool')`,
  );
}

async function revalueFlow(
  tx: Queries,
  flow: MoveFlow,
  block: ValuedBlock,
  tokens: ReadonlyMap<string, KnownToken>,
  money: Money,
): Promise<boolean> {
  const { legs, feeUsd } = await valueFlow(tx, flow, block, tokens, money);
  const charged = chargedLeg(legs, (token) => money.kindOf(flow.chainId, token) !== null);
  let isChanged = false;
  for (const [at, leg] of legs.entries()) {
    const row = flow.rows[at];
    if (!row) continue;
    const fee = leg === charged ? feeUsd : 0;
    if (isSame(row, leg, fee)) continue;
    isChanged = true;
    await tx.run(
      sql`UPDATE tracker_move SET value_usd = ${leg.valueUsd}, price_usd = ${leg.priceUsd},
          priced_by = ${leg.pricedBy}, price_as_of = ${leg.asOf}, depth_usd = ${leg.depthUsd}, fee_usd = ${fee}
        WHERE chain_id = ${row.chain_id} AND height = ${row.height} AND block_hash = ${row.block_hash}
          AND tx_hash = ${row.tx_hash} AND wallet = ${row.wallet} AND token = ${row.token} AND came_in = ${row.came_in}`,
    );
  }
  return isChanged;
}

const isSame = (row: MoveRow, leg: ValuedLeg, fee: number | null): boolean =>
  row.value_usd === leg.valueUsd &&
  row.price_usd === leg.priceUsd &&
  row.priced_by === leg.pricedBy &&
  row.price_as_of === leg.asOf &&
  row.depth_usd === leg.depthUsd &&
  row.fee_usd === fee;
