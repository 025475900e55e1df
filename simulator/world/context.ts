// What every part of the world works on: the state, and what follows from the seed and the clock.

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
    /** Since when the world is lived at its full rate. */
    genesis,
    /** When the platform opened; what is older than genesis is lived thinly. */
    origin,
    firstTraders,
    sizes,
    state: createState(seed, origin, sizes),
    schedule,
    population: new Population(seed, genesis, firstTraders, copiers, baiters),
    tokens: new TokenCatalog(seed, genesis),
    markets: createMarkets(seed, genesis),
    /** Fixed rolls by record number. */
    key: hash32(seed, "records"),
  };
}

export type WorldContext = Readonly<ReturnType<typeof createContext>>;

const APP_LAG_MS = 15_000;

/** When the app shows what the chain recorded at `at`: about 15 s later, never overtaking earlier fills. */
export function appTime(at: number): number {
  return Math.floor(at + APP_LAG_MS + 1_400 * Math.sin(at / 97_000) + 500 * Math.sin(at / 13_300));
}
