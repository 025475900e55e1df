// One order of the follower's, filled or skipped, with everything that its price rests on: who has the orders can work the
// answer out again.
import type { Micro } from "../accounting/money.ts";
import type { RuleCause } from "./due-exits.ts";
import type { PriceSource } from "./tape.ts";
import type { SkipReason } from "./terms.ts";

export interface ReplayOrder {
  /** Place in the plan's positions. */
  position: number;
  side: "buy" | "sell";
  /** The leader's move, what the leader held at the start, or a rule of the follower's own. */
  cause: "leader" | "opening" | RuleCause;
  leaderAt: number | null;
  txHash: string | null;
  /** The leader's own price; for a rule what the price was when it was met. */
  basisUsd: number | null;
  at: number;
  skipped: SkipReason | null;
  /** For a buy, dollars to spend; also for a skipped one, if known. */
  spendUsd: number | null;
  /** For a sell, the share of the holding, from 0 to 1. */
  share: number;
  source: PriceSource | null;
  seenAt: number | null;
  priceUsd: number | null;
  depthUsd: number | null;
  /** Pool and bot together, as a share. */
  feeShare: number;
  amount: number;
  /** Paid to or received from the pool, without fees. */
  usd: Micro;
  fee: Micro;
}
