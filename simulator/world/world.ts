// The world: a state machine driven by the clock. `advance` executes whatever is due, in time order; the same seed, genesis
// and schedule give the same world however the advances are split. Reading it changes nothing.
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { Attention, weighedAt } from "./attention.ts";
import { bait, beginBait } from "./bait.ts";
import { createContext, type WorldContext } from "./context.ts";
import { carryOutCopy, placeCopies } from "./copiers.ts";
import { COPIED, rush, WHALE_CLIP } from "./crowd.ts";
import { markDay } from "./days.ts";
import { isHeld, sell, takeExit } from "./exits.ts";
import {
  APP_ITEM,
  APP_LISTING,
  appendApp,
  appendChain,
  appendPush,
  arriveApp,
  BAIT,
  BUY_ORDER,
  CHAIN_RETRACT,
  CHAIN_TRADE_AGAIN,
  COPY_ORDER,
  GOAL,
  HAND_OUT,
  INCOMING,
  LAUNCH,
  LISTING,
  later,
  nextDueAt,
  OUTGOING,
  RETRACTION,
  SELL_ORDER,
  takeDue,
} from "./feeds.ts";
import { Finality } from "./finality.ts";
import { reachGoal } from "./goals.ts";
import type { Due } from "./heap.ts";
import { applyFill, nextAppTime } from "./ledger.ts";
import { canTrade } from "./networks.ts";
import { tradePerp } from "./perps.ts";
import { rhythm } from "./rhythm.ts";
import type { WorldScenario } from "./scenario-names.ts";
import { loudLaunch, renameSomebody, reorganise, rugPull, whaleComes } from "./scenarios.ts";
import { type Segment, WorldSchedule } from "./schedule.ts";
import { EXTRA_LAUNCHES_MAX } from "./state.ts";
import type { WorldToken } from "./tokens.ts";
import { buy, takeTurn } from "./trading.ts";
import { handOut, planHandOut, receiveDue, sendDue, transferSomething } from "./transfers.ts";
import { afterFill, PUSH_GRADUATED, postThesis } from "./writing.ts";

const PERP_CHANCE = 0.03;
const TRANSFER_CHANCE = 0.035;
/** Due exits go first, but leave some turns to buyers. */
const EXIT_CHANCE = 0.8;
/** How quickly orders on top of the planned rate are made up for. */
const MAKE_UP_CHANCE = 0.5;
/** When a thin stretch is this far ahead of the plan, hardly anything else happens until it is made up for. */
const FAR_AHEAD = 100;
const FAR_AHEAD_CHANCE = 0.9;
/** The simulated sample of the years before genesis, so that accounts and positions are as old as they say. */
const EARLY_EVENTS_PER_TRADER = 5;
/** Share of the purse in one clip of a requested whale. */
const WHALE_PART = 0.12;

export interface WorldOptions {
  seed: string;
  genesis: number;
  traders: number;
  /** Accounts that copy others, in addition to the traders. */
  copiers?: number;
  /** Accounts that trade against their copiers, each with copiers of its own. */
  baiters?: number;
  segments?: readonly Segment[];
}

export class World {
  readonly context: WorldContext;
  readonly #attention = new Attention();
  readonly #finality: Finality;

  constructor(options: WorldOptions) {
    const { seed, genesis, traders, copiers = 0, baiters = 0, segments = [] } = options;
    this.context = createContext(seed, genesis, { traders, copiers, baiters }, new WorldSchedule([], rhythm));
    const { origin, schedule } = this.context;
    if (segments.length === 0 || segments[0]?.from === genesis) {
      const rate = (EARLY_EVENTS_PER_TRADER * traders * 1000) / (genesis - origin);
      schedule.put({ from: origin, until: genesis, rate });
    }
    for (const segment of segments) schedule.put(segment);
    this.#finality = new Finality(this.context);
    this.#attention.refresh(this.context, origin);
  }

  get time(): number {
    return this.context.state.counters.time;
  }

  get events(): number {
    return this.context.state.counters.events;
  }

  /** After the state was loaded from a snapshot: restores everything that follows from the clock. */
  resume(): void {
    const { population, tokens } = this.context;
    const { counters, tables } = this.context.state;
    for (let extra = 0; ; extra++) {
      const at = extra < counters.extraRenames ? tables.extraRenames.columns.at.get(extra) : Infinity;
      while (population.nextAt <= Math.min(at, this.time)) population.step();
      if (at === Infinity) break;
      population.renameExtra(tables.extraRenames.columns.trader.get(extra));
    }
    for (let extra = 0; ; extra++) {
      const at = extra < counters.extraLaunches ? tables.extraLaunches.columns.at.get(extra) : Infinity;
      while (tokens.nextAt <= Math.min(at, this.time)) tokens.launchNext();
      if (at === Infinity) break;
      tokens.launchExtra(at);
    }
    for (const token of tokens.list) {
      const rugAt = tables.tokens.columns.rugAt.get(token.index);
      if (rugAt > 0) token.price.rugAt = rugAt;
    }
    this.#attention.refresh(this.context, this.time);
    this.#finality.look();
  }

  /** The time of the next event within the schedule. */
  nextAt(): number {
    return Math.min(
      this.#arrivalAt(),
      nextAppTime(this.context),
      nextDueAt(this.context),
      this.#finality.nextAt,
    );
  }

  /**
   * Executes everything up to the given time, or to the end of the schedule if that is sooner. False when more than
   * `eventsMax` events were due: then the world is in between, and the next advance continues.
   */
  advance(to: number, eventsMax = Number.POSITIVE_INFINITY): boolean {
    const { counters } = this.context.state;
    const until = Math.min(to, this.context.schedule.until);
    if (counters.events === 0 && until >= this.context.origin) this.#beginEarly();
    let arrival = this.#arrivalAt();
    let app = nextAppTime(this.context);
    let { fills } = counters;
    const stopAt = counters.events + eventsMax;
    let asked = this.context.schedule.nextScenario(counters.scenarioAt);
    for (;;) {
      const turn = (counters.hour + 1) * HOUR_MS;
      const begin = counters.begun === 1 ? Number.POSITIVE_INFINITY : this.context.genesis;
      const people = this.context.population.nextAt;
      const launch = this.context.tokens.nextAt;
      const due = nextDueAt(this.context);
      const final = this.#finality.nextAt;
      const scenario = asked?.at ?? Number.POSITIVE_INFINITY;
      const at = Math.min(turn, begin, people, launch, scenario, due, final, app, arrival);
      if (at > until) break;
      if (counters.events >= stopAt) return false;
      if (at > counters.time) counters.time = at;
      counters.events++;
      if (at === turn) this.#turn(turn);
      else if (at === begin) this.#begin();
      else if (at === people) this.context.population.step();
      else if (at === launch) this.#launch(this.context.tokens.launchNext(), launch);
      else if (at === scenario && asked) {
        this.#play(asked.scenario, scenario);
        asked = this.context.schedule.nextScenario(scenario);
      } else if (at === due) this.#happen(takeDue(this.context));
      else if (at === final) this.#finality.step(Math.floor(counters.time));
      else if (at === app) {
        const number = applyFill(this.context, app);
        afterFill(this.context, number, app);
        app = nextAppTime(this.context);
      } else {
        this.#arrive(arrival);
        arrival = this.#arrivalAt();
      }
      if (counters.fills > fills) {
        placeCopies(this.context, fills);
        fills = counters.fills;
        this.#finality.look();
        if (app === Number.POSITIVE_INFINITY) app = nextAppTime(this.context);
      }
    }
    if (until > counters.time) counters.time = until;
    return true;
  }

  #arrivalAt(): number {
    const { work, workFrom } = this.context.state.counters;
    return this.context.schedule.timeOf(work, workFrom);
  }

  #arrive(arrival: number): void {
    const { counters, random } = this.context.state;
    const at = Math.floor(arrival);
    const makeUp = counters.ahead > FAR_AHEAD ? FAR_AHEAD_CHANCE : MAKE_UP_CHANCE;
    if (counters.ahead > 0 && random.next() < makeUp) counters.ahead--;
    else {
      const roll = random.next();
      if (roll < PERP_CHANCE) tradePerp(this.context, at);
      else if (roll < PERP_CHANCE + TRANSFER_CHANCE) transferSomething(this.context, this.#attention, at);
      else if (random.next() >= EXIT_CHANCE || !takeExit(this.context, at))
        takeTurn(this.context, this.#attention, at);
    }
    counters.work = -Math.log(1 - random.next());
    counters.workFrom = arrival;
  }

  #play(scenario: WorldScenario, at: number): void {
    const { counters, tables } = this.context.state;
    counters.scenarioAt = at;
    if (scenario === "rug") rugPull(this.context, at);
    else if (scenario === "whale") whaleComes(this.context, at);
    else if (scenario === "reorg") reorganise(this.context);
    else if (scenario === "rename") renameSomebody(this.context, at);
    else if (counters.extraLaunches < EXTRA_LAUNCHES_MAX) {
      const token = this.context.tokens.launchExtra(at);
      if (!token) return;
      tables.extraLaunches.columns.at.set(counters.extraLaunches++, at);
      this.#launch(token, at);
      loudLaunch(this.context, token, at);
    }
  }

  #turn(at: number): void {
    this.context.state.counters.hour = at / HOUR_MS;
    if (weighedAt(this.context, at) === at) this.#attention.refresh(this.context, at);
    if (at % DAY_MS === 0 && at >= this.context.genesis) markDay(this.context, at);
  }

  #launch(token: WorldToken, at: number): void {
    this.#attention.launched(token);
    planHandOut(this.context, token, at);
    if (token.graduatedAt !== null) later(this.context, token.graduatedAt, LISTING, 0, token.index, 0);
    if (at >= this.context.genesis) rush(this.context, token, at);
  }

  #happen(due: Due): void {
    const at = Math.floor(due.at);
    if (due.kind === APP_ITEM) arriveApp(this.context, due.code, due.number, due.at);
    else if (due.kind === BUY_ORDER) this.#fillBuy(due, at);
    else if (due.kind === SELL_ORDER) this.#fillSell(due, at);
    else if (due.kind === COPY_ORDER) carryOutCopy(this.context, due, at);
    else if (due.kind === INCOMING) receiveDue(this.context, due, at);
    else if (due.kind === OUTGOING) sendDue(this.context, due, at);
    else if (due.kind === HAND_OUT) handOut(this.context, this.context.tokens.get(due.number), at);
    else if (due.kind === BAIT) bait(this.context, due.code, at);
    else if (due.kind === GOAL) reachGoal(this.context, due, at);
    else if (due.kind === RETRACTION) {
      appendChain(this.context, CHAIN_RETRACT, due.number, at);
      appendChain(this.context, CHAIN_TRADE_AGAIN, due.number, at);
    } else if (due.kind === LISTING) {
      appendApp(this.context, APP_LISTING, due.number, at);
      appendPush(this.context, PUSH_GRADUATED, due.number, at);
    } else if (due.kind === LAUNCH) this.#launch(this.context.tokens.get(due.number), at);
    else postThesis(this.context, due);
  }

  #fillBuy(due: Due, at: number): void {
    const trader = this.context.population.get(due.number);
    const token = this.context.tokens.get(due.slot);
    const isCopy = due.code === COPIED;
    const part = due.code === WHALE_CLIP ? WHALE_PART : null;
    if (!canTrade(trader, token.network) || !buy(this.context, trader, token, at, isCopy, part)) return;
    if (due.code !== 0) this.context.state.counters.ahead++;
  }

  #fillSell(due: Due, at: number): void {
    if (!isHeld(this.context, due.number, due.slot)) return;
    const { trader } = this.context.state.tables.positions.columns;
    sell(this.context, this.context.population.get(trader.get(due.slot)), due.slot, due.code, at, true);
  }

  /** Tokens that launch before genesis do so at their own time. */
  #beginEarly(): void {
    for (const token of this.context.tokens.list)
      if (!token.established) later(this.context, token.launchAt, LAUNCH, 0, token.index, 0);
    this.context.state.counters.events++;
  }

  #begin(): void {
    this.context.state.counters.begun = 1;
    beginBait(this.context);
    this.#attention.refresh(this.context, this.context.genesis);
  }
}
