// A person's name and picture, the same in every list.
import { avatarPath } from "../images/paths.ts";
import type { WorldTrader } from "../world/population.ts";
import { displayName } from "../world/trader-names.ts";
import type { View } from "./view.ts";

export function nameOf(view: View, trader: WorldTrader): string {
  return displayName(view.context.population.key ^ 0xd15, trader.index, trader.handle);
}

export function avatarOf(view: View, trader: WorldTrader): string {
  return avatarPath(view.userId(trader.index));
}
