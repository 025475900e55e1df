// What each leg of a flow is worth: by the dollar coins in it, else by the chain's own coin at the price of that block, else by
// the token's price in a pool. A leg that none of these can price stays without a value; it is never zero.
import type { Queries } from "../../database/database.ts";
import { amountOf } from "../books/amounts.ts";
import type { KnownToken } from "../books/tokens.ts";
import { type Flow, type Leg, NATIVE } from "../chain.ts";
import type { Money } from "./money.ts";
import { bookPriceAt } from "./observed.ts";

export interface ValuedLeg extends Leg {
  cameIn: boolean;
  valueUsd: number | null;
  priceUsd: number | null;
  pricedBy: "stable" | "native" | "pool" | null;
  /** Money in the pool that priced it; null unless a pool did. */
  depthUsd: number | null;
}

export interface Valued {
  legs: ValuedLeg[];
  /** null when the chain's coin has no price. */
  feeUsd: number | null;
}

export interface ValuedBlock {
  height: number;
  /** What the chain's coin was worth then. */
  coinUsd: number | null;
}

export async function valueFlow(
  queries: Queries,
  flow: Pick<Flow, "chainId" | "swap" | "sold" | "bought" | "feeRaw">,
  { height, coinUsd }: ValuedBlock,
  tokens: ReadonlyMap<string, KnownToken>,
  money: Money,
): Promise<Valued> {
  const { chainId } = flow;
  const amount = ({ token, amountRaw }: Leg): number | null => {
    const decimals = tokens.get(token)?.decimals;
    return decimals === undefined || decimals === null ? null : amountOf(amountRaw, decimals);
  };
  const priced = async (leg: Leg, cameIn: boolean): Promise<ValuedLeg> => {
    const size = amount(leg);
    const kind = money.kindOf(chainId, leg.token);
    const seen = kind === null ? await bookPriceAt(queries, chainId, leg.token, height) : null;
    const unit = kind === "stable" ? 1 : kind === "native" ? coinUsd : (seen?.priceUsd ?? null);
    const isPriced = unit !== null && size !== null;
    return {
      ...leg,
      cameIn,
      priceUsd: isPriced ? unit : null,
      valueUsd: isPriced ? size * unit : null,
      pricedBy: isPriced ? (kind ?? "pool") : null,
      depthUsd: isPriced ? (seen?.depthUsd ?? null) : null,
    };
  };
  const legs: ValuedLeg[] = [];
  for (const leg of flow.sold) legs.push(await priced(leg, false));
  for (const leg of flow.bought) legs.push(await priced(leg, true));
  if (flow.swap) bySides(legs, chainId, amount, money);
  const fee = tokens.get(NATIVE)?.decimals ?? null;
  const feeUsd = coinUsd === null || fee === null ? null : amountOf(flow.feeRaw, fee) * coinUsd;
  return { legs, feeUsd: flow.swap ? feeUsd : 0 };
}

/** In a swap both sides are worth the same, and money says it best: one token against money takes the money's value. */
function bySides(
  legs: ValuedLeg[],
  chainId: number,
  amount: (leg: Leg) => number | null,
  money: Money,
): void {
  const isMoney = (leg: ValuedLeg) => money.kindOf(chainId, leg.token) !== null;
  const traded = legs.filter((leg) => !isMoney(leg));
  const paid = legs.filter(isMoney);
  const [only] = traded;
  if (only && traded.length === 1 && paid.length > 0) {
    const known = paid.every((leg) => leg.valueUsd !== null);
    const net = paid.reduce((sum, leg) => sum + (leg.cameIn ? 1 : -1) * (leg.valueUsd ?? 0), 0);
    const valueUsd = only.cameIn ? -net : net;
    if (known && valueUsd > 0) setValue(only, valueUsd, amount, paid[0]?.pricedBy ?? null);
    return;
  }
  const [first, second] = traded;
  if (first && second && traded.length === 2 && paid.length === 0 && first.cameIn !== second.cameIn) {
    const valueUsd = first.valueUsd ?? second.valueUsd;
    if (valueUsd === null) return;
    setValue(first, valueUsd, amount, "pool");
    setValue(second, valueUsd, amount, "pool");
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
