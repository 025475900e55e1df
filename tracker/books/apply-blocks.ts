// Writes blocks to the tables: their coin prices, pool prices, and moves with their values. Rows already stored for a block
// stay as they are.
import { insertMany, insertReturning, type Queries } from "../../database/database.ts";
import type { BlockRead, Flow, FlowKind } from "../chain.ts";
import type { CoinPrice } from "../prices/coins.ts";
import type { Money } from "../prices/money.ts";
import { pricedTokens, savePoolPrices } from "../prices/observed.ts";
import { valueFlow } from "../prices/value.ts";
import type { Directory } from "../roster/directory.ts";
import type { BooksChanges } from "./changes.ts";
import { coinsIn, type KeptBlock } from "./kept-blocks.ts";
import { type MoveRow, moveRows } from "./moves.ts";
import type { KnownToken } from "./tokens.ts";

/** Flows that move nothing, or only turn money into other money of the same trader. */
const NOTHING: ReadonlySet<FlowKind> = new Set(["none", "failed"]);
const MONEY_ONLY: ReadonlySet<FlowKind> = new Set(["wrap", "unwrap", "order-placed", "order-cancelled"]);

export interface ApplyParts {
  directory: Directory;
  money: Money;
  depthMinUsd: number;
}

export interface AppliedBlocks {
  /** The tokens with new prices in each block: values computed without them are stale. */
  repriced: ReadonlyMap<string, ReadonlySet<string>>;
  /** As stored. */
  blocks: readonly KeptBlock[];
}

/** All from one chain. */
export async function applyBlocks(
  tx: Queries,
  { directory, money, depthMinUsd }: ApplyParts,
  changes: BooksChanges,
  given: readonly BlockRead[],
  {
    chainId,
    coins,
    tokens,
  }: {
    chainId: number;
    coins: ReadonlyMap<string, CoinPrice | null>;
    tokens: ReadonlyMap<string, KnownToken>;
  },
): Promise<AppliedBlocks> {
  const blocks = given.map(({ block }) => {
    const coin = coins.get(block.hash);
    return {
      chainId: block.chainId,
      hash: block.hash,
      height: block.height,
      timeMs: block.timeMs,
      coinUsd: coin?.priceUsd ?? null,
      coinBy: coin?.by ?? null,
      coinAsOf: coin?.asOf ?? null,
    };
  });
  const onConflict = "ON CONFLICT DO NOTHING RETURNING hash";
  const added = await insertReturning<{ hash: string }>(tx, "tracker_block", blocks, onConflict);
  const fresh = new Set(added.map(({ hash }) => hash));
  const known = given.map(({ block }) => block).filter(({ hash }) => !fresh.has(hash));
  const kept = await coinsIn(tx, chainId, known);
  for (const { block } of given) {
    const coin = coins.get(block.hash);
    if (fresh.has(block.hash))
      kept.set(block.hash, {
        coinUsd: coin?.priceUsd ?? null,
        coinAsOf: coin?.asOf ?? null,
        timeMs: block.timeMs,
      });
  }
  // Everything in a block gets the block's time from when it was first read.
  const reads = given.map((read) => ({
    ...read,
    block: { ...read.block, timeMs: kept.get(read.block.hash)?.timeMs ?? read.block.timeMs },
  }));
  const coinsUsd = new Map([...kept].map(([hash, { coinUsd }]) => [hash, coinUsd]));
  const repriced = await savePoolPrices(tx, chainId, reads, { tokens, money, coinsUsd, depthMinUsd, fresh });
  for (const { block, pools } of reads)
    for (const token of pricedTokens(pools, chainId, money)) changes.priced(chainId, token, block.timeMs);
  const rows: MoveRow[] = [];
  const repeated: MoveRow[] = [];
  const isMoney = (token: string) => money.kindOf(chainId, token) !== null;
  for (const { block, flows } of reads)
    for (const flow of [...flows].sort((a, b) => a.index - b.index)) {
      const trader = directory.byWallet(flow.wallet);
      if (!trader || !isBooked(flow, money)) continue;
      const coin = kept.get(block.hash) ?? { coinUsd: null, coinAsOf: null, timeMs: block.timeMs };
      const at = { height: block.height, ...coin };
      const valued = await valueFlow(tx, flow, at, tokens, money);
      const moves = moveRows(block, flow, trader.userId, valued, isMoney);
      if (fresh.has(block.hash)) {
        rows.push(...moves);
        for (const { token } of valued.legs)
          changes.touch({ userId: trader.userId, chainId, token }, block.timeMs);
      } else repeated.push(...moves);
    }
  // Only a block that was read before may have stored moves; RETURNING, to learn which are new, is a tenth of the cost.
  await insertMany(tx, "tracker_move", rows, "ON CONFLICT DO NOTHING");
  const moved = await insertReturning<Pick<MoveRow, "user_id" | "token" | "time_ms">, MoveRow>(
    tx,
    "tracker_move",
    repeated,
    "ON CONFLICT DO NOTHING RETURNING user_id, token, time_ms",
  );
  for (const { user_id: userId, token, time_ms: timeMs } of moved)
    changes.touch({ userId, chainId, token }, timeMs);
  return { repriced, blocks: reads.map(({ block }) => block) };
}

function isBooked({ kind, chainId, sold, bought }: Flow, money: Money): boolean {
  if (NOTHING.has(kind)) return false;
  // A vault share can be wrapped too, and an order may hold a token: those change the holding.
  return (
    !MONEY_ONLY.has(kind) || [...sold, ...bought].some(({ token }) => money.kindOf(chainId, token) === null)
  );
}
