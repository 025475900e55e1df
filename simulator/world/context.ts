// Shared by every part of the world: the state, and everything derived from the seed and the clock.

import { hash32 } from "../../kit/random.ts";
import { DAY_MS } from "../../kit/units.ts";
import { BAITED_COPIERS } from "./copy-terms.ts";
import { createMarkets } from "./markets.ts";
import { Population } from "./population.ts";
import type { WorldSchedule } from "./schedule.ts";
import { createState, sizesFor } from "./state.ts";
import { TokenCatalog } from "./tokens.ts";

/** No account is older than this at genesis. */
const PLATFORM_AGE_MS = 702 * DAY_MS;

export function createContext(
  seed: string,
  genesis: number,
  { traders: firstTraders, copiers, baiters }: { traders: number; copiers: number; baiters: number },
  schedule: WorldSchedule,
) {
  const sizes = sizesFor(firstTraders, copiers + baiters * (1 + BAITED_COPIERS));
  const origin = genesis - PLATFORM_AGE_MS;
  return {
    seed,
    /** The world runs at its full rate from here on. */
    genesis,
    /** When the platform opened; anything before genesis is simulated thinly. */
    origin,
    firstTraders,
    sizes,
    state: createState(seed, origin, sizes),
    schedule,
    population: new Population(seed, genesis, firstTraders, copiers, baiters),
    tokens: new TokenCatalog(seed, genesis),
    markets: createMarkets(seed, genesis),
    /** Key of the fixed rolls by record number. */
    key: hash32(seed, "records"),
  };
}

export type WorldContext = Readonly<ReturnType<typeof createContext>>;

const APP_LAG_MS = 15_000;

/** When the app shows a fill that the chain recorded at `at`: about 15 s later, never overtaking earlier fills. */
export function appTime(at: number): number {
  return Math.floor(at + APP_LAG_MS + 1_400 * Math.sin(at / 97_000) + 500 * Math.sin(at / 13_300));
}
