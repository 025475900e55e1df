// Quotes of several tokens at one moment, for valuing holdings.

import { MINUTE_MS } from "../../kit/units.ts";
import type { NetworkId, WireQuote } from "../../protocol/protocol.ts";
import { POOL_FEE_BPS } from "../world/pool.ts";
import { poolPricing, UNPRICED } from "./pricing.ts";
import type { View } from "./view.ts";

/** Insiders receive their tokens in the last block before a launch, at the launch's price. */
const HANDED_OUT_MS = MINUTE_MS;

export function quotes(
  view: View,
  tokens: { address: string; networkId: NetworkId }[],
  at?: number,
): { rows: WireQuote[] } {
  // Never of a moment that is not over yet.
  const moment = at === undefined ? view.asOf : Math.min(at, view.asOf);
  const rows = tokens.map(({ address, networkId }) => {
    const token = view.context.tokens.byAddress(address, networkId);
    const known = token !== undefined && token.launchAt - HANDED_OUT_MS <= moment;
    if (!known) return { address, networkId, priceUsd: null, ...UNPRICED, asOf: moment };
    const priceUsd = view.priceAt(token.index, moment);
    return { address, networkId, priceUsd, ...poolPricing(token, priceUsd, moment), feeBps: POOL_FEE_BPS };
  });
  return { rows };
}
