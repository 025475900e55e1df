// What a pool looks like right after a swap, by the balances that the transaction left. Where both sides lie on one curve it is what
// the vaults hold; of concentrated liquidity the vaults' ratio is no price, and the swap's own price is taken.
import { type Leg, NATIVE, type SwappedPool, type TapedPool } from "../chain.ts";
import type { PoolVault } from "./pool-vaults.ts";
import { poolMoves } from "./pools.ts";
import type { SolanaTransaction } from "./transaction.ts";

type SwapState = Pick<SwappedPool, "in" | "out" | "inSide" | "outSide" | "feeBps">;

/** What a curve of a launchpad takes goes past its vault. */
const CURVE_FEE_BPS = 100;
/** A swap that brought less of what one curve would have given is of another kind of pool, or paid a larger fee than any has. */
const FEE_SHARE_MAX = 0.05;
/** Whole units are rounded down. */
const ROUNDING_SHARE = 1e-6;

/** Null where the transaction was no swap of this pool. */
export function stateAfter(
  transaction: SolanaTransaction,
  { pool, token }: TapedPool,
  { curve }: PoolVault,
): SwapState | null {
  const move = poolMoves(transaction).find(
    (each) => each.owner === pool && (each.in.token === token || each.out.token === token),
  );
  if (!move) return null;
  const held = ({ token: of }: Leg): bigint => {
    const amount = move.reserves.find((leg) => leg.token === of)?.amountRaw ?? 0n;
    const more = of === token ? curve?.tokens : of === NATIVE ? curve?.coins : 0n;
    return amount + (more ?? 0n);
  };
  const [inSide, outSide] = [held(move.in), held(move.out)];
  if (inSide <= 0n || outSide <= 0n) return null;
  const legs = { in: move.in, out: move.out };
  if (curve) return { ...legs, inSide, outSide, feeBps: CURVE_FEE_BPS };
  const fee = feeOnCurve(legs, inSide, outSide);
  if (fee !== null) return { ...legs, inSide, outSide, feeBps: Math.round(10_000 * fee) };
  return { ...legs, ...sidesByPrice(legs, token, inSide, outSide), feeBps: null };
}

/** What of a swap did not buy anything on the curve x·y = k, as a share; null where it can't have been on that curve. */
function feeOnCurve(
  { in: paid, out: got }: { in: Leg; out: Leg },
  inSide: bigint,
  outSide: bigint,
): number | null {
  const before = Number(inSide - paid.amountRaw);
  if (before <= 0) return null;
  const fee = 1 - (before * Number(got.amountRaw)) / (Number(outSide) * Number(paid.amountRaw));
  return fee >= -ROUNDING_SHARE && fee <= FEE_SHARE_MAX ? Math.max(0, fee) : null;
}

/** The money side as it is, and as many tokens as that is worth at the swap's own price. */
function sidesByPrice(legs: { in: Leg; out: Leg }, token: string, inSide: bigint, outSide: bigint) {
  const { in: paid, out: got } = legs;
  return got.token === token
    ? { inSide, outSide: (inSide * got.amountRaw) / paid.amountRaw }
    : { inSide: (outSide * paid.amountRaw) / got.amountRaw, outSide };
}
