// Runs a world by the clock: planned a little ahead and written to disk first, advanced when something is due, and saved now
// and then, so that a crash at any moment loses nothing that anyone saw.

import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import { createLoop, type Loop } from "../kit/loop.ts";
import type { MaybePromise } from "../kit/maybe-promise.ts";
import { MINUTE_MS } from "../kit/units.ts";
import type { FeedName } from "../protocol/protocol.ts";
import { growthTo } from "./growth.ts";
import type { WorldKeeper } from "./persist/folder.ts";
import type { Scenario } from "./world/scenario-names.ts";
import type { Segment } from "./world/schedule.ts";
import type { World } from "./world/world.ts";

/**
 * One rate applies to the last day of the history, the present and absences: the configured one, capped at this default, which
 * is as much as a start has time and room for. A higher rate applies only after the start.
 */
export const DEFAULT_EVENTS_PER_SECOND = 0.07;
/** However long the absence, a start simulates no more events than this (about half a second of work). */
const AWAY_EVENTS_MAX = 60_000;
/** How far ahead the schedule is planned, and when it is extended: a disk sync every ten seconds. */
const PLAN_AHEAD_MS = 20_000;
const PLAN_LEFT_MS = 10_000;
/** A stall is caught up at the live rate, up to this many events. */
const CATCH_UP_EVENTS_MAX = 50_000;
/** After a stall this many events are simulated per turn of the event loop: about five milliseconds of work. */
const STEP_EVENTS_MAX = 1_000;
/** The world wakes for its next event, but not more and not less often than this. */
const NAP_MS_MIN = 5;
const NAP_MS_MAX = 500;
/** A snapshot after this many events (a fifth of a second to replay) or this much time. */
const SNAPSHOT_EVENTS = 120_000;
const SNAPSHOT_MS = 30 * MINUTE_MS;
/** The first one waits, to leave the start alone. */
const FIRST_SNAPSHOT_MS = 3_000;
const RETRY_MS = 1_000;
/** Requested scenarios happen this soon. */
const SOON_MS = 2_000;
const QUIET_MS = 5 * MINUTE_MS;
/** No new events; those already in flight still arrive. */
const QUIET_RATE = 1e-6;
const OUTAGE_MS = 60_000;

export class Life {
  readonly #keeper: WorldKeeper;
  readonly #world: World;
  readonly #rate: number;
  readonly #pastRate: number;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<(feed: FeedName) => void>();
  readonly #ending = new AbortController();
  readonly #loop: Loop;
  /** Resolves when the last holder of the world is done; null while it is free. */
  #still: Promise<void> | null = null;
  #planning: Promise<void> | null = null;
  #saving: Promise<void> | null = null;
  #savedEvents = 0;
  #savedAt: number;
  #downUntil = 0;

  constructor(
    keeper: WorldKeeper,
    { rate, pastRate }: { rate: number; pastRate: number },
    clock: Clock,
    log: Log,
  ) {
    this.#keeper = keeper;
    this.#world = keeper.world;
    this.#rate = rate;
    this.#pastRate = pastRate;
    this.#clock = clock;
    this.#log = log;
    this.#loop = createLoop({
      clock,
      log,
      failure: "simulated world did not advance",
      everyMs: NAP_MS_MAX,
      round: () => this.#live(),
    });
    this.#savedEvents = keeper.found ? keeper.world.events : 0;
    this.#savedAt = keeper.found ? clock.now() : clock.now() - SNAPSHOT_MS + FIRST_SNAPSHOT_MS;
  }

  listen(listener: (feed: FeedName) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  begin(): void {
    this.#loop.start();
  }

  async end(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    await this.#loop.stop();
    await this.#planning?.catch(() => undefined);
    await this.#saving?.catch(() => undefined);
    const { time } = this.#world;
    // Clients see nothing past now, so the rest of the plan is dropped: what follows is absence.
    const rest = { from: time, until: time, rate: this.#rate };
    this.#world.context.schedule.put(rest);
    try {
      await this.#keeper.plan([rest]);
      await this.#keeper.snapshot();
    } finally {
      this.#keeper.release();
    }
  }

  /** Advances to now, and returns how long to rest. */
  async #live(): Promise<number> {
    const stepped = this.stepWhenFree(STEP_EVENTS_MAX);
    const isNow = stepped instanceof Promise ? await stepped : stepped;
    if (!isNow) return 0;
    this.#planAhead();
    this.#saveIfDue();
    // After a jump of the clock the plan is behind: the gap is simulated as soon as it is planned.
    if (this.#world.context.schedule.until < this.#clock.now()) return NAP_MS_MIN;
    return Math.min(NAP_MS_MAX, Math.max(NAP_MS_MIN, this.#world.nextAt() - this.#clock.now()));
  }

  /**
   * The world stands still until this is done, so that an answer made over several turns is of one moment. First come, first
   * served: neither the world nor a caller can keep the other waiting for long.
   */
  still<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#still?.then(work) ?? work();
    const over: Promise<void> = mine
      .catch(() => undefined)
      .then(() => {
        if (this.#still === over) this.#still = null;
      });
    this.#still = over;
    return mine;
  }

  /** As `step`, once the world is free. */
  stepWhenFree(eventsMax?: number): MaybePromise<boolean> {
    return this.#still ? this.still(async () => this.step(eventsMax)) : this.step(eventsMax);
  }

  /**
   * Advances to now, as far as it is planned, and notifies the listeners of the feeds that moved. False when more than
   * `eventsMax` events were due, and the rest is still to come.
   */
  step(eventsMax?: number): boolean {
    const { counters } = this.#world.context.state;
    const { appItems, pushItems, chainItems } = counters;
    const isNow = this.#world.advance(this.#clock.now(), eventsMax);
    const moved: FeedName[] = [];
    if (counters.chainItems > chainItems) moved.push("chain");
    if (counters.appItems > appItems) moved.push("app");
    if (counters.pushItems > pushItems) moved.push("push");
    for (const feed of moved) for (const listener of this.#listeners) listener(feed);
    return isNow;
  }

  #planAhead(): void {
    if (this.#planning || this.#world.context.schedule.until - this.#clock.now() > PLAN_LEFT_MS) return;
    this.#planOnce().catch((error) => {
      this.#log.error("simulator journal not written, world paused until it is", {
        error,
      });
    });
  }

  /** Whether the platform is simulating an outage. */
  get isDown(): boolean {
    return this.#clock.now() < this.#downUntil;
  }

  /** Schedules a scenario. Resolves once it would survive a crash. */
  async ask(scenario: Scenario): Promise<void> {
    if (scenario === "outage") {
      this.#downUntil = this.#clock.now() + OUTAGE_MS;
      return;
    }
    await this.planUpToNow();
    while (this.#planning) await this.#planning.catch(() => undefined);
    await this.#exclusively(async () => {
      const { schedule } = this.#world.context;
      const from = Math.min(this.#clock.now() + SOON_MS, schedule.until);
      const until = Math.max(schedule.until, from + PLAN_AHEAD_MS);
      const segment: Segment =
        scenario === "quiet"
          ? { from, until: from + QUIET_MS, rate: QUIET_RATE }
          : { from, until, rate: this.#rate, scenario };
      await this.#keeper.plan([segment]);
      schedule.put(segment);
    });
  }

  async planUpToNow(): Promise<void> {
    while (this.#world.context.schedule.until < this.#clock.now()) await this.#planOnce();
  }

  /** One plan at a time, or two could disagree about the same stretch. After a failure the next attempt waits a little. */
  #planOnce(): Promise<void> {
    return this.#planning ?? this.#exclusively(() => this.#plan());
  }

  #exclusively(work: () => Promise<void>): Promise<void> {
    const planning = work();
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
      (missedMs / 1000) * this.#rate > CATCH_UP_EVENTS_MAX ||
      from === genesis ||
      (missedMs > 0 && this.#isFirstPlan)
    ) {
      const bound = from === genesis ? Number.POSITIVE_INFINITY : (AWAY_EVENTS_MAX / missedMs) * 1000;
      const rate = Math.min(this.#rate, this.#pastRate, bound);
      segments.push(...(from === genesis ? growthTo(rate, genesis, now) : [{ from, until: now, rate }]));
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
      .catch((error) => this.#log.warn("simulator snapshot was not written", { error }))
      .finally(() => {
        this.#saving = null;
      });
  }
}
