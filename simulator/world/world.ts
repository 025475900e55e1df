// The world: a state machine driven by the clock. `advance` lets happen, in order of time, whatever is due; the same
// seed, genesis and schedule give the same world however the advances are cut. Reading it changes nothing.
import { ATTENTION_MS, Attention } from "./attention.ts";
import { type Context, createContext } from "./context.ts";
import {
  APP_ITEM,
  APP_LISTING,
  appendApp,
  appendChain,
  appendPush,
  arriveApp,
  CHAIN_RETRACT,
  CHAIN_TRADE_AGAIN,
  LISTING,
  later,
  nextDueAt,
  RETRACTION,
  takeDue,
} from "./feeds.ts";
import { applyFill, beginHour, HOUR_MS, nextAppTime } from "./ledger.ts";
import { tradePerp } from "./perps.ts";
import { Schedule, type Segment } from "./schedule.ts";
import { takeTurn } from "./trading.ts";
import { handOut, transferSomething } from "./transfers.ts";
import { afterFill, PUSH_GRADUATED, postThesis } from "./writing.ts";

const PERP_CHANCE = 0.03;
const TRANSFER_CHANCE = 0.04;
/** Tokens that launched this long before genesis no longer have known insiders. */
const INSIDERS_FADE_MS = 20 * 86_400_000;

export interface WorldOptions {
  seed: string;
  genesis: number;
  traders: number;
  segments?: readonly Segment[];
}

export class World {
  readonly context: Context;
  readonly #attention = new Attention();

  constructor(options: WorldOptions) {
    const schedule = new Schedule(options.segments);
    this.context = createContext(options.seed, options.genesis, options.traders, schedule);
    this.#attention.refresh(this.context, options.genesis);
  }

  get time(): number {
    return this.context.state.counters.time;
  }

  get events(): number {
    return this.context.state.counters.events;
  }

  /** After the state was filled from a snapshot: brings along what is told from the clock. */
  resume(): void {
    const { population, tokens } = this.context;
    while (population.nextAt <= this.time) population.step();
    while (tokens.nextAt <= this.time) tokens.launchNext();
    this.#attention.refresh(this.context, this.time);
  }

  /** The time of the next thing that will happen within the schedule. */
  nextAt(): number {
    return Math.min(this.#arrivalAt(), nextAppTime(this.context), nextDueAt(this.context));
  }

  /** Lets everything happen up to the given time, or to the end of the schedule if that is sooner. */
  advance(to: number): void {
    const { counters } = this.context.state;
    const until = Math.min(to, this.context.schedule.until);
    if (counters.events === 0 && until >= this.context.genesis) this.#begin();
    let arrival = this.#arrivalAt();
    let app = nextAppTime(this.context);
    for (;;) {
      const turn = (counters.hour + 1) * HOUR_MS;
      const people = this.context.population.nextAt;
      const launch = this.context.tokens.nextAt;
      const due = nextDueAt(this.context);
      const at = Math.min(turn, people, launch, due, app, arrival);
      if (at > until) break;
      if (at > counters.time) counters.time = at;
      counters.events++;
      if (at === turn) this.#turn(turn);
      else if (at === people) this.context.population.step();
      else if (at === launch) this.#launch(launch);
      else if (at === due) this.#happen();
      else if (at === app) {
        const number = applyFill(this.context, app);
        afterFill(this.context, number, app);
        app = nextAppTime(this.context);
      } else {
        this.#arrive(arrival);
        arrival = this.#arrivalAt();
        if (app === Number.POSITIVE_INFINITY) app = nextAppTime(this.context);
      }
      if (at === launch) app = nextAppTime(this.context);
    }
    if (until > counters.time) counters.time = until;
  }

  #arrivalAt(): number {
    const { work, workFrom } = this.context.state.counters;
    return this.context.schedule.timeOf(work, workFrom);
  }

  #arrive(arrival: number): void {
    const { counters, random } = this.context.state;
    const at = Math.floor(arrival);
    const roll = random.next();
    if (roll < PERP_CHANCE) tradePerp(this.context, at);
    else if (roll < PERP_CHANCE + TRANSFER_CHANCE) transferSomething(this.context, this.#attention, at);
    else takeTurn(this.context, this.#attention, at);
    counters.work = -Math.log(1 - random.next());
    counters.workFrom = arrival;
  }

  #turn(at: number): void {
    beginHour(this.context, at / HOUR_MS);
    if (at % ATTENTION_MS === 0) this.#attention.refresh(this.context, at);
  }

  #launch(at: number): void {
    const token = this.context.tokens.launchNext();
    this.#attention.launched(token);
    handOut(this.context, token, at);
    if (token.graduatedAt !== null) later(this.context, token.graduatedAt, LISTING, 0, token.index, 0);
  }

  #happen(): void {
    const due = takeDue(this.context);
    const at = Math.floor(due.at);
    if (due.kind === APP_ITEM) arriveApp(this.context, due.code, due.number, due.at);
    else if (due.kind === RETRACTION) {
      appendChain(this.context, CHAIN_RETRACT, due.number, at);
      appendChain(this.context, CHAIN_TRADE_AGAIN, due.number, at);
    } else if (due.kind === LISTING) {
      appendApp(this.context, APP_LISTING, due.number, at);
      appendPush(this.context, PUSH_GRADUATED, due.number, at);
    } else postThesis(this.context, due);
  }

  /** What was there before: the insiders of recent launches, and launches still on their way to a listing. */
  #begin(): void {
    const { genesis, tokens } = this.context;
    for (const token of tokens.list) {
      if (token.graduatedAt !== null && token.graduatedAt > genesis) {
        later(this.context, token.graduatedAt, LISTING, 0, token.index, 0);
      }
      if (!token.established && token.launchAt > genesis - INSIDERS_FADE_MS)
        handOut(this.context, token, genesis);
    }
    this.context.state.counters.events++;
  }
}
