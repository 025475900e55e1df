// Opens the simulator: finds or creates its world, brings it up to date, and runs it.

import type { Clock } from "../kit/clock.ts";
import { createLog, type Log } from "../kit/log.ts";
import type { MaybePromise } from "../kit/maybe-promise.ts";
import { createSingleFlight } from "../kit/single-flight.ts";
import { atOnce, inTurns } from "../kit/slices.ts";
import { DAY_MS } from "../kit/units.ts";
import type { Platform, PnlWindow, RankingQuery, WireBooks, WireRanking } from "../protocol/protocol.ts";
import { Away } from "../protocol/server/answer.ts";
import { DEFAULT_EVENTS_PER_SECOND, Life } from "./life.ts";
import { keepInFolder, keepInMemory } from "./persist/folder.ts";
import { apiOver, type SimulatorApi } from "./views/api.ts";
import { areBooksLong, traderBooks } from "./views/books.ts";
import { leaderboard, type RankedTraders } from "./views/leaderboard.ts";
import { ranking } from "./views/ranking.ts";
import { View } from "./views/view.ts";
import type { Scenario } from "./world/scenario-names.ts";
import type { World } from "./world/world.ts";

export { ForeignWorld } from "./persist/identity.ts";

export interface SimulatorOptions {
  seed: string;
  eventsPerSecond: number;
  /** null: the world is kept in memory only. */
  dataFolder: string | null;
  clock: Clock;
  log?: Log;
  traders?: number;
  /** Accounts that copy a leader by the terms in their bio. */
  copiers?: number;
  /** Accounts that trade against their copiers; their bio says bait. */
  baiters?: number;
  historyDays?: number;
  /** The rate that the past has grown to; a lower one starts sooner. */
  historyEventsPerSecond?: number;
  /** Happens soon after the start. */
  scenario?: Scenario;
}

/** Rankings take long and are made over several turns, so that they block nothing else. */
export interface OpenedApi extends Omit<SimulatorApi, "leaderboard" | "ranking" | "books"> {
  leaderboard(window: PnlWindow, at?: number): Promise<RankedTraders>;
  ranking(window: PnlWindow, query: RankingQuery): Promise<WireRanking>;
  books(userId: string, at?: number): MaybePromise<WireBooks | undefined>;
}

export interface OpenedSimulator extends Platform {
  api: OpenedApi;
  /** The records themselves, for checking answers. Never modify them. */
  world: World;
  /** Brings the world up to the clock now rather than at its next waking. */
  advance(): Promise<void>;
  /** Schedules a scenario to happen soon. */
  ask(scenario: Scenario): Promise<void>;
}

const DEFAULT_TRADERS = 2_000;
/** Longer than the longest window. Anything older is simulated thinly. */
const DEFAULT_HISTORY_DAYS = 31;
/** The fills in flight from chain to app must fit in the table with room to spare. */
const RATE_MAX = 10_000;

export async function openSimulator(options: SimulatorOptions): Promise<OpenedSimulator> {
  const { seed, eventsPerSecond: rate, dataFolder, clock } = options;
  const log = options.log ?? createLog("silent", clock.now);
  if (!(rate > 0 && rate <= RATE_MAX)) {
    throw new RangeError(`eventsPerSecond must be above 0 and at most ${RATE_MAX}, not ${rate}`);
  }
  const wanted = {
    seed,
    traders: options.traders ?? DEFAULT_TRADERS,
    copiers: options.copiers ?? 0,
    baiters: options.baiters ?? 0,
    genesis: clock.now() - (options.historyDays ?? DEFAULT_HISTORY_DAYS) * DAY_MS,
  };
  const keeper = dataFolder === null ? keepInMemory(wanted) : await keepInFolder(dataFolder, wanted, log);
  const pastRate = options.historyEventsPerSecond ?? DEFAULT_EVENTS_PER_SECOND;
  const life = new Life(keeper, { rate, pastRate }, clock, log);
  await life.planUpToNow();
  life.step();
  log.info("simulated world opened", { found: keeper.found, events: keeper.world.events });
  const view = new View(keeper.world);
  life.begin();
  if (options.scenario !== undefined) await life.ask(options.scenario);
  return {
    api: interruptible(unhurried(view, life), life),
    world: keeper.world,
    onMove: (listener) => life.listen(listener),
    advance: async () => {
      await life.planUpToNow();
      await life.stepWhenFree();
    },
    ask: (scenario) => life.ask(scenario),
    close: () => life.end(),
  };
}

function unhurried(view: View, life: Life): OpenedApi {
  const flight = createSingleFlight();
  return {
    ...apiOver(view),
    // Concurrent callers share one, or the world would stand still for each of them.
    leaderboard: (window, at) =>
      flight.run(`${window} ${at ?? ""}`, () => life.still(() => inTurns(leaderboard(view, window, at)))),
    ranking: (window, query) =>
      flight.run(`${window} ${JSON.stringify(query)}`, () =>
        life.still(() => inTurns(ranking(view, window, query))),
      ),
    // Most fit into one turn and need not wait.
    books: (userId, at) =>
      areBooksLong(view, userId)
        ? flight.run(`books ${userId} ${at ?? ""}`, () =>
            life.still(() => inTurns(traderBooks(view, userId, at))),
          )
        : atOnce(traderBooks(view, userId, at)),
  };
}

/** The same answers, but none while the platform is down. */
function interruptible(api: OpenedApi, life: Life): OpenedApi {
  const guarded = Object.entries(api).map(([name, answer]) => [
    name,
    (...given: unknown[]) => {
      if (life.isDown) throw new Away("the simulated platform is down, as was asked for");
      return (answer as (...given: unknown[]) => unknown)(...given);
    },
  ]);
  return Object.fromEntries(guarded) as unknown as OpenedApi;
}
