// A pool's state right after a swap, from its events alone. For a constant-product pool these are its reserves; for
// concentrated liquidity the reserves of a constant-product pool at this price, which is what an order of modest size meets.
import { TOPICS } from "./topics.ts";
import { type RawLog, wordAt } from "./wire.ts";

export interface PoolSides {
  /** Raw amounts in the pool's own order; their ratio is the price. */
  sides: readonly [bigint, bigint];
  /** Null where the events don't show it. */
  feeBps: number | null;
}

/** Events that states are read from: swaps, and the reserves they left in a v2 pool. */
export const STATE_TOPICS: string[] = [
  TOPICS.syncV2,
  TOPICS.swapV2,
  TOPICS.swapV3,
  TOPICS.swapV3WithFees,
  TOPICS.swapV4,
  TOPICS.swapV4WithFees,
];

const Q96 = 96n;
/** Fees there are in millionths. */
const MILLIONTHS_A_BPS = 100;
/** The fee of a v2 pool where a swap doesn't show it: by far the most common one. */
const FEE_V2_BPS = 30;
/** A larger share of the input was overpaid by mistake, or on purpose, but is not a fee. */
const FEE_V2_BPS_MAX = 100;

/** `sync` is the pool's last such event before the swap, in the same transaction; null without one. */
export function sidesAfter(swap: RawLog, sync: RawLog | null): PoolSides | null {
  switch (swap.topics[0]) {
    case TOPICS.swapV2:
      return sync && heldAfter(swap, sync);
    case TOPICS.swapV3:
    case TOPICS.swapV3WithFees:
      return virtualSides(swap, null);
    case TOPICS.swapV4:
    case TOPICS.swapV4WithFees: {
      const fee = wordAt(swap.data, 5);
      return virtualSides(swap, fee === undefined ? null : Math.round(Number(fee) / MILLIONTHS_A_BPS));
    }
    default:
      return null;
  }
}

function virtualSides({ data }: RawLog, feeBps: number | null): PoolSides | null {
  const [root, liquidity] = [wordAt(data, 2), wordAt(data, 3)];
  if (!root || !liquidity) return null;
  return { sides: [(liquidity << Q96) / root, (liquidity * root) >> Q96], feeBps };
}

function heldAfter({ data }: RawLog, sync: RawLog): PoolSides | null {
  const sides = [wordAt(sync.data, 0), wordAt(sync.data, 1)] as const;
  const [in0, in1, out0, out1] = [0, 1, 2, 3].map((index) => wordAt(data, index) ?? 0n) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  if (!sides[0] || !sides[1]) return null;
  const held = [sides[0], sides[1]] as const;
  const feeBps = in0 > 0n ? impliedFee(held, in0, out1) : impliedFee([held[1], held[0]], in1, out0);
  return { sides: held, feeBps };
}

/** The part of `paid` that bought nothing on the curve x·y = k: the fee, if the trade was made the way routers do. */
function impliedFee([paidSide, gotSide]: readonly [bigint, bigint], paid: bigint, got: bigint): number {
  const before = paidSide - paid;
  if (paid <= 0n || got <= 0n || before <= 0n) return FEE_V2_BPS;
  const bps = Math.round(10_000 * (1 - (Number(before) * Number(got)) / (Number(gotSide) * Number(paid))));
  return bps >= 0 && bps <= FEE_V2_BPS_MAX ? bps : FEE_V2_BPS;
}
