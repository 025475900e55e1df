// Converts a request's terms to those of the fold, and back for presentation.
import type { Chains } from "../../../contract/chains.ts";
import { fault } from "../../../contract/errors.ts";
import { readChain } from "../../../contract/parts.ts";
import type { BodyOf } from "../../../contract/route.ts";
import { REPLAY_DAYS_MAX } from "../../../contract/routes/replays.ts";
import type { Routes } from "../../../contract/routes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import type { Position } from "../../../protocol/shapes/position.ts";
import { NO_FILTERS, NO_RULES, type ReplayTerms } from "../../../replay/terms.ts";

export type AskedTerms = BodyOf<Routes["createReplay"]>;

export const WINDOW_MS = { "24h": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS } as const;
const USUAL_WINDOW = "30d";

export type CopyWindow = keyof typeof WINDOW_MS;

/** $100 per order, 5 s, mirror: the terms used to compare traders. The copy route's defaults are the same. */
export const standardTerms = (window: CopyWindow, to: number): ReplayTerms => ({
  from: to - WINDOW_MS[window],
  to,
  capitalUsd: 1_000,
  size: { mode: "fixed", value: 100, minUsd: null, maxUsd: null },
  delayMs: 5 * SECOND_MS,
  exit: "mirror",
  rules: NO_RULES,
  filters: NO_FILTERS,
  costs: { networkFeeUsd: null, botFeeBps: 100 },
  copyOpen: false,
});

/** Profits are as of a moment shortly before now: up to this much later still means now. */
const NOW_MS = 5 * MINUTE_MS;

/** Where the window starts and ends; a moment in the future is refused. */
export function boundsOf({ window, from, to }: AskedTerms, asOf: number): { from: number; to: number } {
  if (from === undefined) return { from: asOf - WINDOW_MS[window ?? USUAL_WINDOW], to: asOf };
  if (from >= asOf) throw refused("from", "from must be in the past.");
  if (to !== undefined && to > asOf + NOW_MS) throw refused("to", "to must not be in the future.");
  const end = Math.min(to ?? asOf, asOf);
  if (end - from > REPLAY_DAYS_MAX * DAY_MS)
    throw refused("from", `from must be at most ${REPLAY_DAYS_MAX} days before the end.`);
  return { from, to: end };
}

/** The longest delay, plus some time for the last order. */
const SOLD_WITHIN_MS = 2 * HOUR_MS;

/** The bounds of one trade: from just before its first move until the follower has sold everything. */
export function tradeBounds(
  { openedAt, lastActivityAt, status }: Pick<Position, "openedAt" | "lastActivityAt" | "status">,
  asOf: number,
): { from: number; to: number } {
  const to = status === "closed" ? Math.min(asOf, lastActivityAt + SOLD_WITHIN_MS) : asOf;
  if (to - openedAt > REPLAY_DAYS_MAX * DAY_MS)
    throw fault(
      "invalid_parameter",
      `tradeId must be of a trade that was open for at most ${REPLAY_DAYS_MAX} days; this one was open for longer. This was free.`,
      { param: "tradeId" },
    );
  return { from: Math.min(openedAt, to) - 1, to };
}

const refused = (param: string, sentence: string) => fault("invalid_body", sentence, { param });

/** Excludes who is copied, and when. */
type AskedHow = Omit<AskedTerms, "trader" | "window" | "from" | "to">;

export function replayTerms(
  asked: AskedHow,
  bounds: { from: number; to: number },
  chains: Chains,
): ReplayTerms {
  const { size, filters, costs } = asked;
  return {
    ...bounds,
    capitalUsd: asked.capitalUsd,
    size: { mode: size.mode, value: size.value, minUsd: size.minUsd ?? null, maxUsd: size.maxUsd ?? null },
    delayMs: asked.delaySeconds * SECOND_MS,
    exit: asked.exit,
    rules: {
      stopLossPct: asked.stopLossPct ?? null,
      takeProfitPct: asked.takeProfitPct ?? null,
      trailingPct: asked.trailingPct ?? null,
      maxHoldMs: asked.maxHoldSeconds === undefined ? null : asked.maxHoldSeconds * SECOND_MS,
    },
    filters: {
      networkIds: filters.chains?.map((name) => readChain(name, chains, "filters.chains").id) ?? null,
      minLeaderUsd: filters.minLeaderUsd ?? null,
      maxLeaderUsd: filters.maxLeaderUsd ?? null,
      firstBuyOnly: filters.firstBuyOnly,
      minDepthUsd: filters.minDepthUsd ?? null,
      maxMovePct: filters.maxMovePct ?? null,
      maxOpen: filters.maxOpen ?? null,
    },
    costs: { networkFeeUsd: costs.networkFeeUsd ?? null, botFeeBps: costs.botFeeBps },
    copyOpen: asked.copyOpen,
  };
}

export function presentTerms(
  terms: ReplayTerms,
  { window, from }: Pick<AskedTerms, "window" | "from">,
  chains: Chains,
) {
  const { rules, filters, costs, size } = terms;
  const { networkIds, ...limits } = filters;
  return {
    window: from === undefined ? (window ?? USUAL_WINDOW) : null,
    capitalUsd: terms.capitalUsd,
    size,
    delaySeconds: terms.delayMs / SECOND_MS,
    exit: terms.exit,
    stopLossPct: rules.stopLossPct,
    takeProfitPct: rules.takeProfitPct,
    trailingPct: rules.trailingPct,
    maxHoldSeconds: rules.maxHoldMs === null ? null : rules.maxHoldMs / SECOND_MS,
    filters: { ...limits, chains: networkIds?.map((id) => chains.nameOf(id)) ?? null },
    costs,
    copyOpen: terms.copyOpen,
  };
}
