// A position: one trader in one token, from the first token in to the last one out. Its accounting is here once:
// amount = bought - sold + in - out, entry = cost basis / bought, and no entry where nothing was bought.
import type { Token } from "./token.ts";

export interface Position {
  tradeId: string;
  userId: string;
  handle: string;
  token: Token;
  status: "open" | "closed";
  isDev: boolean;
  boughtAmount: number;
  soldAmount: number;
  transferredInAmount: number;
  transferredOutAmount: number;
  costBasisUsd: number;
  proceedsUsd: number;
  avgExitPrice: number | null;
  avgTransferInPrice: number | null;
  avgTransferOutPrice: number | null;
  realizedPnlUsd: number;
  unrealizedPnlUsd: number;
  priceUsd: number;
  openedAt: number;
  lastActivityAt: number;
  closedAt: number | null;
  thesis: { id: string; text: string; likes: number } | null;
}

type Flows = Pick<Position, "boughtAmount" | "soldAmount" | "transferredInAmount" | "transferredOutAmount">;

export function heldAmount(position: Flows): number {
  const held =
    position.boughtAmount -
    position.soldAmount +
    position.transferredInAmount -
    position.transferredOutAmount;
  // Binary fractions leave dust where decimal figures cancel exactly; dust is not a holding.
  const largest = Math.max(position.boughtAmount, position.transferredInAmount, 1);
  return Math.abs(held) < largest * 1e-12 ? 0 : held;
}

export function entryPrice(position: Pick<Position, "costBasisUsd" | "boughtAmount">): number | null {
  return position.boughtAmount > 0 ? position.costBasisUsd / position.boughtAmount : null;
}

export interface SwapLeg {
  address: string;
  symbol: string;
  amount: number;
  usd: number;
}

export interface Fill {
  swapId: string;
  tradeId: string;
  userId: string;
  side: "buy" | "sell";
  networkId: number;
  tokenIn: SwapLeg;
  tokenOut: SwapLeg;
  priceUsd: number;
  feeUsd: number | null;
  txHash: string;
  block: number | null;
  at: number;
}

export interface Transfer {
  transferId: string;
  tradeId: string;
  direction: "in" | "out";
  amount: number;
  priceUsd: number | null;
  valueUsd: number | null;
  counterparty: string | null;
  txHash: string;
  at: number;
}

export interface PositionDetail extends Position {
  swaps: Fill[];
  transfers: Transfer[];
}
