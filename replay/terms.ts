// How the follower copies. Everything is decided here and nothing is left to the fold: whole milliseconds, shares instead
// of per cent, null where a bound was not given.

export const SIZE_MODES = ["fixed", "share", "equity"] as const;
export type SizeMode = (typeof SIZE_MODES)[number];

export const EXITS = ["mirror", "firstSell", "rules"] as const;
export type Exit = (typeof EXITS)[number];

export interface ReplayTerms {
  from: number;
  to: number;
  capitalUsd: number;
  /** Dollars, per cent of the leader's order, or per cent of what the account is worth. */
  size: { mode: SizeMode; value: number; minUsd: number | null; maxUsd: number | null };
  delayMs: number;
  exit: Exit;
  rules: ExitRules;
  filters: CopyFilters;
  costs: {
    /** For each order; null: the leader's median on that chain. */
    networkFeeUsd: number | null;
    botFeeBps: number;
  };
  /** Whether to buy the leader's opening holdings at the start. */
  copyOpen: boolean;
}

export interface ExitRules {
  stopLossPct: number | null;
  takeProfitPct: number | null;
  trailingPct: number | null;
  maxHoldMs: number | null;
}

export interface CopyFilters {
  networkIds: readonly number[] | null;
  minLeaderUsd: number | null;
  maxLeaderUsd: number | null;
  firstBuyOnly: boolean;
  minDepthUsd: number | null;
  /** The price may have risen by so much since the leader bought. */
  maxMovePct: number | null;
  maxOpen: number | null;
}

export const NO_RULES: ExitRules = {
  stopLossPct: null,
  takeProfitPct: null,
  trailingPct: null,
  maxHoldMs: null,
};

export const NO_FILTERS: CopyFilters = {
  networkIds: null,
  minLeaderUsd: null,
  maxLeaderUsd: null,
  firstBuyOnly: false,
  minDepthUsd: null,
  maxMovePct: null,
  maxOpen: null,
};

export const hasRules = (rules: ExitRules): boolean => Object.values(rules).some((rule) => rule !== null);

/** Why an order of the leader's was not copied. */
export type SkipReason =
  | "chain"
  | "leaderSize"
  | "leaderPriceUnknown"
  | "notFirstBuy"
  | "noPrice"
  | "depth"
  | "moved"
  | "maxOpen"
  | "belowMin"
  | "capital"
  | "afterWindow"
  | "nothingHeld"
  | "ownRules";
