// Opens the simulator: finds or begins its world, brings it to the present, and lets it live. The schedule is planned a
// little ahead and written down first, so a crash at any moment loses nothing that anyone saw.
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { FeedName, Platform } from "../protocol/protocol.ts";
import { type Keeper, keepInFolder, keepInMemory } from "./persist/folder.ts";
import { createApi, type SimulatorApi } from "./views/api.ts";
import type { Segment } from "./world/schedule.ts";
import type { World } from "./world/world.ts";

export { ForeignWorld } from "./persist/identity.ts";

export interface SimulatorOptions {
  seed: string;
  eventsPerSecond: number;
  /** null: the world lives in memory only. */
  dataFolder: string | null;
  clock: Clock;
  log?: Log;
  traders?: number;
  historyDays?: number;
}

export interface OpenedSimulator extends Platform {
  api: SimulatorApi;
  /** The records themselves, to check answers against. Never to be changed. */
  world: World;
  /** Brings the world to the clock's present now rather than at its next waking. */
  advance(): Promise<void>;
}

const DAY_MS = 86_400_000;
const DEFAULT_TRADERS = 3_000;
/** Longer than the longest window. What is older is lived thinly. */
const DEFAULT_HISTORY_DAYS = 31;
/**
 * One rate holds for the history, the present and absences: the one that is set, up to this one, which is the default
 * and as much as a start has time and room for. Whoever asks for more gets it from the start on.
 */
export const DEFAULT_EVENTS_PER_SECOND = 0.05;
/** However long the absence, no more events than this are lived at a start (about half a second of work). */
const AWAY_EVENTS = 60_000;
/** The fills on their way from chain to app must fit in the table with room to spare. */
const HIGHEST_RATE = 10_000;
/** How far ahead the schedule is planned, and when it is planned on: a disk sync every ten seconds. */
const PLAN_AHEAD_MS = 20_000;
const PLAN_LEFT_MS = 10_000;
/** A stall is lived through at the live rate up to this many events. */
const CATCH_UP_EVENTS = 50_000;
/** The world wakes for its next event, but not more and not less often than this. */
const SHORTEST_NAP_MS = 5;
const LONGEST_NAP_MS = 500;
/** A snapshot after so many events (a fifth of a second to live again) or so much time. */
const SNAPSHOT_EVENTS = 120_000;
const SNAPSHOT_MS = 30 * 60_000;
/** The first one leaves the start alone. */
const FIRST_SNAPSHOT_MS = 3_000;
const RETRY_MS = 1_000;

export async function openSimulator(options: SimulatorOptions): Promise<OpenedSimulator> {
  const { seed, eventsPerSecond: rate, dataFolder, clock, log } = options;
  if (!(rate > 0 && rate <= HIGHEST_RATE)) {
    throw new RangeError(`eventsPerSecond must be above 0 and at most ${HIGHEST_RATE}, not ${rate}`);
  }
  const wanted = {
    seed,
    traders: options.traders ?? DEFAULT_TRADERS,
    genesis: clock.now() - (options.historyDays ?? DEFAULT_HISTORY_DAYS) * DAY_MS,
  };
  const keeper = dataFolder === null ? keepInMemory(wanted) : await keepInFolder(dataFolder, wanted, log);
  const life = new Life(keeper, rate, clock, log);
  await life.planUpToNow();
  life.step();
  log?.info("the simulated world is open", { found: keeper.found, events: keeper.world.events });
  life.begin();
  return {
    api: createApi(keeper.world),
    world: keeper.world,
    onMove: (listener) => life.listen(listener),
    advance: async () => {
      await life.planUpToNow();
      life.step();
    },
    close: () => life.end(),
  };
}

class Life {
  readonly #keeper: Keeper;
  readonly #world: World;
  readonly #rate: number;
  readonly #clock: Clock;
  readonly #log: Log | undefined;
  readonly #listeners = new Set<(feed: FeedName) => void>();
  readonly #ending = new AbortController();
  #living: Promise<void> = Promise.resolve();
  #planning: Promise<void> | null = null;
  #saving: Promise<void> | null = null;
  #savedEvents = 0;
  #savedAt: number;

  constructor(keeper: Keeper, rate: number, clock: Clock, log: Log | undefined) {
    this.#keeper = keeper;
    this.#world = keeper.world;
    this.#rate = rate;
    this.#clock = clock;
    this.#log = log;
    this.#savedEvents = keeper.found ? keeper.world.events : 0;
    this.#savedAt = keeper.found ? clock.now() : clock.now() - SNAPSHOT_MS + FIRST_SNAPSHOT_MS;
  }

  listen(listener: (feed: FeedName) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  begin(): void {
    this.#living = this.#live();
  }

  async end(): Promise<void> {
    if (this.#ending.signal.aborted) return this.#living;
    this.#ending.abort();
    await this.#living;
    await this.#planning?.catch(() => undefined);
    await this.#saving?.catch(() => undefined);
    const { time } = this.#world;
    // Nobody sees beyond now, so the rest of the plan is taken back: what follows is absence.
    const rest = { from: time, until: time, rate: this.#rate };
    this.#world.context.schedule.put(rest);
    try {
      await this.#keeper.plan([rest]);
      await this.#keeper.snapshot();
    } finally {
      this.#keeper.release();
    }
  }

  async #live(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      this.step();
      this.#planAhead();
      this.#saveIfDue();
      const nap = this.#world.nextAt() - this.#clock.now();
      await this.#clock.sleep(Math.min(LONGEST_NAP_MS, Math.max(SHORTEST_NAP_MS, nap)), signal);
    }
  }

  /** Lives up to now, as far as it is planned, and tells the listeners which feeds moved. */
  step(): void {
    const { counters } = this.#world.context.state;
    const { appItems, pushItems, chainItems } = counters;
    this.#world.advance(this.#clock.now());
    const moved: FeedName[] = [];
    if (counters.chainItems > chainItems) moved.push("chain");
    if (counters.appItems > appItems) moved.push("app");
    if (counters.pushItems > pushItems) moved.push("push");
    for (const feed of moved) for (const listener of this.#listeners) listener(feed);
  }

  #planAhead(): void {
    if (this.#planning || this.#world.context.schedule.until - this.#clock.now() > PLAN_LEFT_MS) return;
    this.#planOnce().catch((error) => {
      this.#log?.error("the simulator's journal cannot be written; the world stands still until it can", {
        error,
      });
    });
  }

  async planUpToNow(): Promise<void> {
    while (this.#world.context.schedule.until < this.#clock.now()) await this.#planOnce();
  }

  /** One plan at a time, or two could disagree about the same stretch. After a failure the next one waits a little. */
  #planOnce(): Promise<void> {
    if (this.#planning) return this.#planning;
    const planning = this.#plan();
    const finish = () => {
      this.#planning = null;
    };
    this.#planning = planning;
    planning.then(finish, () => this.#clock.sleep(RETRY_MS, this.#ending.signal).then(finish));
    return planning;
  }

  /** Plans from where the schedule ends: the absence, if there was one, and the near future. */
  async #plan(): Promise<void> {
    const { schedule, genesis } = this.#world.context;
    const now = this.#clock.now();
    const segments: Segment[] = [];
    let from = Number.isFinite(schedule.until) ? schedule.until : genesis;
    const missedMs = now - from;
    if (
      (missedMs / 1000) * this.#rate > CATCH_UP_EVENTS ||
      from === genesis ||
      (missedMs > 0 && this.#isFirstPlan)
    ) {
      const bound = from === genesis ? Number.POSITIVE_INFINITY : (AWAY_EVENTS / missedMs) * 1000;
      const rate = Math.min(this.#rate, DEFAULT_EVENTS_PER_SECOND, bound);
      segments.push({ from, until: now, rate });
      from = now;
    }
    this.#isFirstPlan = false;
    if (now + PLAN_AHEAD_MS > from) segments.push({ from, until: now + PLAN_AHEAD_MS, rate: this.#rate });
    await this.#keeper.plan(segments);
    for (const segment of segments) schedule.put(segment);
  }

  /** At a start every gap is an absence; later a short one is a stall. */
  #isFirstPlan = true;

  #saveIfDue(): void {
    const events = this.#world.events - this.#savedEvents;
    const due = events >= SNAPSHOT_EVENTS || (events > 0 && this.#clock.now() - this.#savedAt >= SNAPSHOT_MS);
    if (!due || this.#saving) return;
    this.#savedEvents = this.#world.events;
    this.#savedAt = this.#clock.now();
    this.#saving = this.#keeper
      .snapshot()
      .catch((error) => this.#log?.warn("the simulator's snapshot could not be written", { error }))
      .finally(() => {
        this.#saving = null;
      });
  }
}
