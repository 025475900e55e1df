// A lower bound on how much a singleton's pool (Uniswap V4) holds of one of its tokens. The singleton's balance is shared by
// all its pools, so it is computed from the pool's state at the end of a block: what its active liquidity is worth between the
// nearest prices where liquidity starts or ends. There may be more beyond, never less.
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { RpcClient } from "../rpc/client.ts";
import { answerOf } from "./contract-answer.ts";
import { hexOf } from "./log-source.ts";
import { selectorOf } from "./signatures.ts";
import type { SingletonPools } from "./singleton-pools.ts";
import { topicOf, wordAt, ZERO_ADDRESS } from "./wire.ts";

const EXTSLOAD = selectorOf("extsload(bytes32)");
/** Where the singleton stores its pools, and the offsets within each. */
const POOLS_SLOT = 6n;
const LIQUIDITY_AT = 3n;
const BITMAP_AT = 5n;
/** Fee and tick spacing of pools without a hook; for others the event that opened the pool is looked up. */
const COMMON_SHAPES: readonly [bigint, bigint][] = [
  [100n, 1n],
  [500n, 10n],
  [3_000n, 60n],
  [10_000n, 200n],
];
const WORD_TICKS = 256n;
const TICK_BASE = 1.0001;

/** The pool's two tokens, the native coin as the zero address. */
export type SingletonPair = readonly [string, string];

/** Null when unknown. */
export async function singletonDepth(
  { rpc, singletons }: { rpc: RpcClient; singletons: SingletonPools },
  pool: string,
  pair: SingletonPair,
  height: number,
): Promise<readonly [bigint, bigint] | null> {
  const [manager = "", id = ""] = pool.split(":");
  const spacing = commonSpacing(id, pair) ?? (await openedSpacing(singletons, pool, pair, height));
  if (spacing === null) return null;
  const state = BigInt(hashOf([BigInt(id), POOLS_SLOT]));
  const load = async (slots: readonly bigint[]) => {
    const calls = slots.map((slot) => ({
      method: "eth_call",
      params: [{ to: manager, data: EXTSLOAD + wordOf(slot) }, hexOf(height)],
    }));
    return (await rpc.batch(calls)).map((reply) => wordAt(answerOf(reply) ?? "0x", 0));
  };
  const [slot0, liquidity] = await load([state, state + LIQUIDITY_AT]);
  if (!slot0 || liquidity === undefined) return null;
  const tick = BigInt.asIntN(24, slot0 >> 160n);
  const step = floorDiv(tick, spacing);
  // The bitmap word of the current price and its neighbours: the bits mark ticks where liquidity starts or ends.
  const first = floorDiv(step, WORD_TICKS) - 1n;
  const words = await load(
    [first, first + 1n, first + 2n].map((word) => BigInt(hashOf([word, state + BITMAP_AT]))),
  );
  const bits = words.reduceRight<bigint | undefined>(
    (all, word) => (all === undefined || word === undefined ? undefined : (all << WORD_TICKS) | word),
    0n,
  );
  if (bits === undefined) return null;
  const [low, high] = nearest(bits, step - first * WORD_TICKS);
  const priceAt = (at: bigint) => TICK_BASE ** (Number((first * WORD_TICKS + at) * spacing) / 2);
  const price = Number(BigInt.asUintN(160, slot0)) / 2 ** 96;
  const active = Number(BigInt.asUintN(128, liquidity));
  return [rawOf(active * (1 / price - 1 / priceAt(high))), rawOf(active * (price - priceAt(low)))];
}

/** The nearest set bits at or below and above a position, or the ends of the three words. */
function nearest(bits: bigint, at: bigint): [bigint, bigint] {
  let low = at;
  while (low > 0n && ((bits >> low) & 1n) === 0n) low -= 1n;
  let high = at + 1n;
  while (high < 3n * WORD_TICKS && ((bits >> high) & 1n) === 0n) high += 1n;
  return [low, high];
}

/** A pool's id is the hash of its terms, so terms that hash to the id are the pool's. */
function commonSpacing(id: string, [first, second]: SingletonPair): bigint | null {
  const found = COMMON_SHAPES.find(
    ([fee, spacing]) =>
      hashOf([BigInt(first), BigInt(second), fee, spacing, BigInt(ZERO_ADDRESS)]) === id.toLowerCase(),
  );
  return found?.[1] ?? null;
}

/** If the pool's tokens differ from those a trade seemed to show, the trade is not this pool's. */
async function openedSpacing(
  singletons: SingletonPools,
  pool: string,
  pair: SingletonPair,
  height: number,
): Promise<bigint | null> {
  const opened = await singletons.opened(pool, height);
  return opened?.tokens.every((token, at) => token === pair[at]?.toLowerCase()) ? opened.spacing : null;
}

const wordOf = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, "0");
const hashOf = (words: readonly bigint[]): string =>
  `0x${Buffer.from(keccak_256(Buffer.from(words.map(wordOf).join(""), "hex"))).toString("hex")}`;
const floorDiv = (value: bigint, by: bigint): bigint =>
  value >= 0n ? value / by : -((-value + by - 1n) / by);
const rawOf = (amount: number): bigint =>
  amount > 0 && Number.isFinite(amount) ? BigInt(Math.floor(amount)) : 0n;

/** A pool's tokens in its own order. */
export const inOrder = (one: string, other: string): SingletonPair =>
  topicOf(one) < topicOf(other) ? [one, other] : [other, one];
