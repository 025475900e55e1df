// Values each leg of a flow: by the dollar coins in it, else by the chain's own coin at that block's price, else by the token's
// price in a pool. A leg that none of these can price has no value; it is never zero.
import type { Queries } from "../../database/database.ts";
import { amountOf } from "../books/amounts.ts";
import type { KnownToken } from "../books/tokens.ts";
import { type Flow, type Leg, NATIVE } from "../chain.ts";
import { bookPriceAt } from "./believed.ts";
import type { Money } from "./money.ts";
import { paidInPools } from "./observed.ts";

export interface ValuedLeg extends Leg {
  cameIn: boolean;
  valueUsd: number | null;
  priceUsd: number | null;
  pricedBy: "stable" | "native" | "pool" | null;
  /** When the price was valid. */
  asOf: number | null;
  /** The money in the pool that priced it; null unless a pool did. */
  depthUsd: number | null;
}

export interface Valued {
  legs: ValuedLeg[];
  /** null when the chain's coin has no price. */
  feeUsd: number | null;
}

export interface ValuedBlock {
  height: number;
  /** The chain's coin price at that time. */
  coinUsd: number | null;
  coinAsOf: number | null;
  timeMs: number;
}

export async function valueFlow(
  queries: Queries,
  flow: Pick<Flow, "chainId" | "hash" | "swap" | "sold" | "bought" | "feeRaw">,
  { height, coinUsd, coinAsOf, timeMs }: ValuedBlock,
  tokens: ReadonlyMap<string, KnownToken>,
  money: Money,
): Promise<Valued> {
  const { chainId } = flow;
  const amount = ({ token, amountRaw }: Leg): number | null => {
    const decimals = tokens.get(token)?.decimals;
    return decimals === undefined || decimals === null ? null : amountOf(amountRaw, decimals);
  };
  const isMoney = (leg: Leg) => money.kindOf(chainId, leg.token) !== null;
  const byMoney = (leg: Leg, cameIn: boolean): ValuedLeg => {
    const size = amount(leg);
    const kind = money.kindOf(chainId, leg.token);
    const priceUsd = size === null ? null : kind === "stable" ? 1 : kind === "native" ? coinUsd : null;
    const valueUsd = priceUsd === null || size === null ? null : size * priceUsd;
    const pricedBy = priceUsd === null ? null : kind;
    const asOf = pricedBy === null ? null : pricedBy === "stable" ? timeMs : coinAsOf;
    return { ...leg, cameIn, priceUsd, valueUsd, pricedBy, asOf, depthUsd: null };
  };
  const byPool = async (leg: ValuedLeg): Promise<void> => {
    const size = amount(leg);
    const seen = size === null ? null : await bookPriceAt(queries, chainId, leg.token, { height, timeMs });
    if (!seen || size === null) return;
    leg.priceUsd = seen.priceUsd;
    leg.valueUsd = size * seen.priceUsd;
    leg.pricedBy = "pool";
    leg.asOf = seen.timeMs;
    leg.depthUsd = seen.depthUsd;
  };
  const passed = async (leg: ValuedLeg): Promise<number | null> => {
    const size = amount(leg);
    return size === null ? null : paidInPools(queries, { ...flow, height, timeMs }, { ...leg, amount: size });
  };
  const legs = [
    ...flow.sold.map((leg) => byMoney(leg, false)),
    ...flow.bought.map((leg) => byMoney(leg, true)),
  ];
  const traded = legs.filter((leg) => !isMoney(leg));
  const paid = legs.filter(isMoney);
  if (!flow.swap || !byPaid(traded, paid, amount)) {
    for (const leg of traded) await byPool(leg);
    if (flow.swap && paid.length === 0) await byOtherToken(traded, amount, passed, timeMs);
  }
  const fee = tokens.get(NATIVE)?.decimals ?? null;
  const feeUsd = coinUsd === null || fee === null ? null : amountOf(flow.feeRaw, fee) * coinUsd;
  return { legs, feeUsd: flow.swap ? feeUsd : 0 };
}

/** In a swap both sides are worth the same, and money gives the best price: one token against money takes the money's value. */
function byPaid(
  traded: readonly ValuedLeg[],
  paid: readonly ValuedLeg[],
  amount: (leg: Leg) => number | null,
): boolean {
  const [only] = traded;
  if (!only || traded.length > 1 || paid.length === 0 || paid.some((leg) => leg.valueUsd === null))
    return false;
  const net = paid.reduce((sum, leg) => sum + (leg.cameIn ? 1 : -1) * (leg.valueUsd ?? 0), 0);
  const valueUsd = only.cameIn ? -net : net;
  if (!(valueUsd > 0)) return false;
  const by = paid.find(({ pricedBy }) => pricedBy === "native") ?? paid[0];
  setValue(only, valueUsd, amount, by?.pricedBy ?? null);
  only.asOf = by?.asOf ?? null;
  return true;
}

/**
 * One token for another: both are worth the money that passed between the pools, because a token may charge a transfer tax;
 * without it, whichever side has a price sets it for both.
 */
async function byOtherToken(
  traded: readonly ValuedLeg[],
  amount: (leg: Leg) => number | null,
  paidFor: (leg: ValuedLeg) => Promise<number | null>,
  timeMs: number,
): Promise<void> {
  const [first, second] = traded;
  if (!first || !second || traded.length > 2 || first.cameIn === second.cameIn) return;
  const by = first.valueUsd === null ? second : first;
  const passed = await paidFor(first.cameIn ? first : second);
  const valueUsd = passed ?? by.valueUsd;
  if (valueUsd === null) return;
  const asOf = passed === null ? by.asOf : timeMs;
  for (const leg of [first, second]) {
    leg.depthUsd = by.depthUsd;
    leg.asOf = asOf;
    setValue(leg, valueUsd, amount, "pool");
  }
}

function setValue(
  leg: ValuedLeg,
  valueUsd: number,
  amount: (leg: Leg) => number | null,
  pricedBy: ValuedLeg["pricedBy"],
): void {
  const size = amount(leg);
  leg.valueUsd = valueUsd;
  leg.priceUsd = size !== null && size > 0 ? valueUsd / size : null;
  leg.pricedBy = pricedBy;
}
