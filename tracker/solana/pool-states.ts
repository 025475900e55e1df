// A pool's state right after a swap, from the balances after the transaction. If both sides lie on one curve, these are the
// vaults' amounts; for concentrated liquidity the vaults' ratio is not a price, and the swap's own price is used. A program's
// own report of the swap takes precedence over the balances.
import { type Leg, NATIVE, type SwappedPool, type TapedPool } from "../chain.ts";
import type { PoolVault } from "./pool-vaults.ts";
import { poolMoves } from "./pools.ts";
import { saidSwap } from "./pump-events.ts";
import type { SolanaTransaction } from "./transaction.ts";

type SwapState = Pick<SwappedPool, "in" | "out" | "inSide" | "outSide" | "feeBps">;

/**
 * Pump.fun's fee for a swap on a curve, which bypasses its vault: 0.95 % for the program and 0.30 % for the creator by its
 * table of fees since September 2025. Used where the transaction doesn't show the fee, as before May 2025, when it was 1 %.
 */
const CURVE_FEE_BPS = 125;
/** A swap that got this much less than one curve would give is from another kind of pool, or paid a larger fee than any has. */
const FEE_SHARE_MAX = 0.05;
/** Whole units are rounded down. */
const ROUNDING_SHARE = 1e-6;

/** Null when the transaction was not a swap of this pool, or combined it with another one. */
export function stateAfter(
  transaction: SolanaTransaction,
  { pool, token }: TapedPool,
  { curve, program }: PoolVault,
): SwapState | null {
  const move = poolMoves(transaction).find(
    (each) => each.owner === pool && (each.in.token === token || each.out.token === token),
  );
  if (!move || (program !== null && move.swappedBy !== program)) return null;
  const said = saidSwap(transaction, { pool, token });
  const held = ({ token: of }: Leg): bigint => {
    const amount = move.reserves.find((leg) => leg.token === of)?.amountRaw;
    if (amount === undefined) return 0n;
    if (!curve) return amount;
    if (of === token) return said?.curve?.tokens ?? amount + curve.tokens;
    if (of !== curve.quote) return amount;
    return (of === NATIVE ? said?.curve?.coins : undefined) ?? amount + curve.coins;
  };
  const [inSide, outSide] = [held(move.in), held(move.out)];
  if (inSide <= 0n || outSide <= 0n) return null;
  const legs = { in: move.in, out: move.out };
  if (curve) return { ...legs, inSide, outSide, feeBps: said?.feeBps ?? CURVE_FEE_BPS };
  const fee = feeOnCurve(legs, inSide, outSide);
  if (fee !== null) return { ...legs, inSide, outSide, feeBps: said?.feeBps ?? Math.round(10_000 * fee) };
  return { ...legs, ...sidesByPrice(legs, token, inSide, outSide), feeBps: said?.feeBps ?? null };
}

/** The share of a swap that bought nothing on the curve x·y = k; null where it can't have been on that curve. */
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
