// Perps that some people hold on another venue, which the platform knows about but does not run. A function of the trader and
// the time: each has one open for a few days in about every week, so nothing is stored.
import { DAY_MS } from "../../kit/units.ts";
import type { WireExternalPerp } from "../../protocol/protocol.ts";
import { chosen, mix, unit } from "../world/hash.ts";
import { MARKET_COUNT, marketPrice } from "../world/markets.ts";
import type { WorldTrader } from "../world/population.ts";
import { dollars, MICRO, type View } from "./view.ts";

const HOLDER_CHANCE = 0.08;
const SECOND_CHANCE = 0.3;
/** The time from one opening to the next, and the part of it in which the perp is open. */
const ROUND_MS = 6 * DAY_MS;
const OPEN_PART = 0.6;
const LEVERAGES = [2, 3, 5, 10, 20] as const;
const VENUES = ["Meridex", "Perpario"] as const;

export function externalPerps(view: View, trader: WorldTrader): WireExternalPerp[] {
  const key = mix(view.context.population.key, trader.index, 63);
  if (unit(key, 1) >= HOLDER_CHANCE) return [];
  const perps = [openPerp(view, trader, mix(key, 2))];
  if (unit(key, 3) < SECOND_CHANCE) perps.push(openPerp(view, trader, mix(key, 4)));
  return perps.filter((perp) => perp !== null);
}

function openPerp(view: View, trader: WorldTrader, key: number): WireExternalPerp | null {
  const offset = unit(key, 1) * ROUND_MS;
  const round = Math.floor((view.asOf - offset) / ROUND_MS);
  const openedAt = Math.floor(offset + round * ROUND_MS);
  const roll = mix(key, round, 2);
  const isOpen = view.asOf - openedAt < ROUND_MS * OPEN_PART * (0.3 + 0.7 * unit(roll, 1));
  if (!isOpen || openedAt < trader.createdAt) return null;
  const market = Math.floor(unit(roll, 2) ** 1.8 * MARKET_COUNT);
  const side = unit(roll, 3) < 0.6 ? ("long" as const) : ("short" as const);
  const leverage = chosen(LEVERAGES, roll, 4);
  const margin = trader.purse * (0.01 + 0.06 * unit(roll, 5));
  const { markets } = view.context;
  const change = marketPrice(markets, market, view.asOf) / marketPrice(markets, market, openedAt) - 1;
  const gain = margin * leverage * change * (side === "long" ? 1 : -1);
  // It was liquidated, so it no longer exists.
  if (gain <= -margin) return null;
  return {
    venue: chosen(VENUES, key, 6),
    market: `${markets[market]?.symbol ?? ""}-PERP`,
    side,
    sizeUsd: dollars(Math.round(margin * leverage * MICRO)),
    unrealizedPnlUsd: dollars(Math.round(gain * MICRO)),
  };
}
