// The follower's life: the leader's moves at a delay, and the follower's own rules, in the order of time. Each order is
// decided with what was known when it was executed, so a tape that ends earlier changes nothing before its end.
import { type Micro, toMicro, toUsd } from "../accounting/money.ts";
import type { Sliced } from "../kit/slices.ts";
import { type CarriedHolding, FollowerAccount, type RoundTrip } from "./account.ts";
import { type DueExit, DueExits } from "./due-exits.ts";
import { proceedsOf, tokensFor } from "./fill.ts";
import type { CopyableMove, LeaderPlan, PlannedPosition } from "./leader.ts";
import type { ReplayOrder } from "./order.ts";
import { leaderUsdOf, refusedByAccount, refusedByLeader, refusedByPool, spendOf } from "./refusal.ts";
import { type CopySchedule, stateAt } from "./schedule.ts";
import { lastAt, type PoolState, type PriceSource, SOURCES, stateFor } from "./tape.ts";
import { hasRules, type ReplayTerms, type SkipReason } from "./terms.ts";
import { firstMet } from "./watch.ts";

export interface FoldResult {
  net: Micro;
  /** The most cash that was ever in. */
  peak: Micro;
  volume: Micro;
  filled: number;
  sources: Record<PriceSource, number>;
  trips: readonly RoundTrip[];
  exposedMs: number;
  /** By position: what it earned, open or closed. */
  netByPosition: Float64Array;
  /** Holdings at the end, and the pool states to sell them into. */
  closing: { position: number; amount: number; mark: PoolState; value: Micro }[];
  /** Filled and skipped, in the order of execution; empty unless asked for. */
  orders: ReplayOrder[];
  /** Earned up to each of the moments asked for. */
  curve: { at: number; net: Micro }[];
}

/** A holding on its way from one stretch of time to the next. */
export interface CarriedPosition extends CarriedHolding {
  leaderAt: number;
  /** Exits triggered by a rule but not executed yet. */
  exit: { at: number; cause: DueExit["cause"]; basisUsd: number | null } | null;
}

export interface FoldExtras {
  keepsOrders: boolean;
  curveEnds: readonly number[];
}

const NO_EXTRAS: FoldExtras = { keepsOrders: false, curveEnds: [] };

/** Work between two looks at the time, in orders: well under a millisecond. */
const SLICE_ORDERS = 256;
/** Looking at this many holdings is as much work as an order. */
const HOLDINGS_AN_ORDER = 10;

export function* fold(
  plan: LeaderPlan,
  schedule: CopySchedule,
  terms: ReplayTerms,
  extras: FoldExtras = NO_EXTRAS,
): Sliced<FoldResult> {
  const life = new FollowerLife(plan, schedule, terms, extras.keepsOrders);
  const curve = yield* live(life, extras.curveEnds);
  return { ...life.end(), curve };
}

/** Lives through what is scheduled, up to the end of the terms; returns what was earned by each of the moments asked for. */
export function* live(life: FollowerLife, curveEnds: readonly number[]): Sliced<FoldResult["curve"]> {
  const { schedule, terms } = life;
  const curve: FoldResult["curve"] = [];
  let work = 0;
  let end = 0;
  const weighs = terms.size.mode === "equity";
  for (let slot = 0; slot <= schedule.order.length; slot++) {
    const place = schedule.order[slot];
    const at = place === undefined ? Number.POSITIVE_INFINITY : (schedule.at[place] as number);
    for (;;) {
      const markAt = curveEnds[end] ?? Number.POSITIVE_INFINITY;
      const exitAt = life.exits.nextAt;
      if (Math.min(markAt, exitAt) > Math.min(at, terms.to)) break;
      if (exitAt <= markAt) life.leave();
      else {
        curve.push({ at: markAt, net: life.netAt(markAt) });
        end += 1;
        work += life.account.open.length / HOLDINGS_AN_ORDER;
      }
      if (++work >= SLICE_ORDERS) {
        work = 0;
        yield;
      }
    }
    if (place === undefined) break;
    life.copy(place);
    work += 1 + (weighs ? life.account.open.length / HOLDINGS_AN_ORDER : 0);
    if (work < SLICE_ORDERS) continue;
    work = 0;
    yield;
  }
  return curve;
}

export class FollowerLife {
  readonly account: FollowerAccount;
  readonly exits = new DueExits();
  readonly #orders: ReplayOrder[] = [];
  readonly #filledBy = new Uint32Array(SOURCES.length);
  readonly #botFee: number;
  readonly #watches: boolean;
  readonly #weighs: boolean;
  readonly #capital: Micro;
  /** By position: when the leader last moved in it, and which holding a rule is about to sell. */
  readonly #leaderAt: Float64Array;
  readonly #leaving: Int32Array;

  constructor(
    readonly plan: LeaderPlan,
    readonly schedule: CopySchedule,
    readonly terms: ReplayTerms,
    readonly keepsOrders: boolean,
  ) {
    this.#botFee = terms.costs.botFeeBps / 10_000;
    this.#watches = hasRules(terms.rules);
    this.#weighs = terms.size.mode === "equity";
    this.#capital = toMicro(terms.capitalUsd);
    this.#leaderAt = new Float64Array(plan.positions.length);
    this.#leaving = new Int32Array(plan.positions.length);
    this.account = new FollowerAccount(plan.positions, this.#botFee);
  }

  /** Continues with what is held from before `since`, up to which its ticks were looked at. */
  resume(position: number, { leaderAt, exit, ...holding }: CarriedPosition, since: number): void {
    const { account } = this;
    account.resume(position, holding);
    account.nextTick[position] = lastAt(this.#positionOf(position).tape.at, since) + 1;
    this.#leaderAt[position] = leaderAt;
    if (!exit) return;
    const trip = account.trip[position] as number;
    this.#leaving[position] = trip;
    this.exits.add({ ...exit, position, trip, basisUsd: exit.basisUsd ?? Number.NaN });
  }

  /** The state that `resume` needs. */
  carry(position: number): CarriedPosition {
    const { account } = this;
    const due = this.exits.of(position, account.trip[position] as number);
    return {
      ...account.holdingOf(position),
      leaderAt: this.#leaderAt[position] as number,
      exit: due && {
        at: due.at,
        cause: due.cause,
        basisUsd: Number.isNaN(due.basisUsd) ? null : due.basisUsd,
      },
    };
  }

  /** Looks at what is held until its next move. */
  lookAt(position: number, until: number): void {
    if (this.#watches) this.#watch(position, until);
  }

  netAt(moment: number): Micro {
    return this.account.worthAt(moment) - this.account.spent;
  }

  copy(place: number): void {
    const move = this.plan.moves[place] as CopyableMove;
    if (move.isBuy) this.#buy(place, move);
    else this.#sellWithLeader(place, move);
    if (!this.#watches || !this.account.isHeld(move.position)) return;
    this.#leaderAt[move.position] = move.at;
    this.#watch(move.position, this.schedule.nextAt[place] as number);
  }

  /** Carries out the next exit that a rule has decided on. */
  leave(): void {
    const { position, trip, at, cause, basisUsd } = this.exits.take() as DueExit;
    const { account } = this;
    if (!account.isHeld(position) || account.trip[position] !== trip) return;
    const { tape } = this.#positionOf(position);
    const state = stateFor(tape, at, this.#leaderAt[position] as number, null) ?? {
      ...account.markOf(position, at),
      source: "leader" as const,
    };
    const basis = Number.isNaN(basisUsd) ? null : basisUsd;
    this.#sell(position, at, 1, state, { cause, leaderAt: null, txHash: null, basisUsd: basis });
  }

  end(): Omit<FoldResult, "curve"> {
    const { account, terms } = this;
    const netByPosition = Float64Array.from(account.cash);
    const closing = account.open.map((position) => {
      const value = account.worthOf(position, terms.to);
      netByPosition[position] = (netByPosition[position] as number) + value;
      const amount = account.amount[position] as number;
      return { position, amount, mark: account.markOf(position, terms.to), value };
    });
    account.closeExposure(terms.to);
    const [tape = 0, candle = 0, leader = 0] = this.#filledBy;
    return {
      net: closing.reduce((sum, { value }) => sum + value, 0 - account.spent),
      peak: account.peak,
      volume: account.volume,
      filled: tape + candle + leader,
      sources: { tape, candle, leader },
      trips: account.trips,
      exposedMs: account.exposedMs,
      netByPosition,
      closing,
      orders: this.#orders,
    };
  }

  #positionOf(position: number): PlannedPosition {
    return this.plan.positions[position] as PlannedPosition;
  }

  #networkFee({ observedFeeUsd }: PlannedPosition): Micro {
    return toMicro(this.terms.costs.networkFeeUsd ?? observedFeeUsd);
  }

  #buy(place: number, move: CopyableMove): void {
    const { account, terms, schedule } = this;
    const at = schedule.at[place] as number;
    const price = schedule.price[place] as number;
    const depth = schedule.depth[place] as number;
    const position = this.#positionOf(move.position);
    const networkFee = this.#networkFee(position);
    const leaderUsd = leaderUsdOf(move, price);
    const equityUsd = this.#weighs && at <= terms.to ? toUsd(this.#capital + this.netAt(at)) : 0;
    const spendUsd = spendOf(terms.size, leaderUsd, equityUsd);
    const isHeld = account.isHeld(move.position);
    const cash = this.#capital - account.spent - networkFee;
    const refused =
      this.#refusedByTime(at) ??
      refusedByLeader(terms.filters, move, position.networkId, leaderUsd) ??
      refusedByPool(terms.filters, move.priceUsd, price, depth) ??
      refusedByAccount(terms, spendUsd, isHeld, account.open.length, cash);
    if (refused !== null || spendUsd === null) {
      if (this.keepsOrders) this.#skip(place, move, refused ?? "noPrice", spendUsd);
      return;
    }
    const feeShare = (schedule.poolFee[place] as number) + this.#botFee;
    const amount = tokensFor(spendUsd, price, depth, feeShare);
    const usd = toMicro(spendUsd * (1 - feeShare));
    const fee = toMicro(spendUsd) - usd + networkFee;
    account.buy(move.position, at, amount, usd, fee);
    account.lastPriceUsd[move.position] = price;
    if (!isHeld && this.#watches) {
      account.highUsd[move.position] = price;
      account.nextTick[move.position] = lastAt(position.tape.at, at, move.tick) + 1;
    }
    this.#countSource(schedule.source[place] as number);
    if (this.keepsOrders)
      this.#keep(this.#about(move), stateAt(schedule, place), {
        ...NOT_FILLED,
        position: move.position,
        side: "buy",
        at,
        spendUsd,
        feeShare,
        amount,
        usd,
        fee,
      });
  }

  /** Before any other reason: what would be held and what would fit by then is not known. */
  #refusedByTime(at: number): SkipReason | null {
    return at > this.terms.to ? "afterWindow" : null;
  }

  #sellWithLeader(place: number, move: CopyableMove): void {
    const { account, terms, schedule } = this;
    const at = schedule.at[place] as number;
    const reason: SkipReason | null =
      this.#refusedByTime(at) ??
      (!account.isHeld(move.position) ? "nothingHeld" : terms.exit === "rules" ? "ownRules" : null);
    if (reason !== null) {
      if (this.keepsOrders) this.#skip(place, move, reason, null);
      return;
    }
    const share = this.#shareOf(move);
    const state = stateAt(schedule, place) ?? account.markOf(move.position, at);
    this.#sell(move.position, at, share, state, this.keepsOrders ? this.#about(move) : NO_CAUSE);
  }

  #sell(position: number, at: number, share: number, state: PoolState, about: OrderCause): void {
    const { account } = this;
    const held = account.amount[position] as number;
    const amount = share >= 1 ? held : held * share;
    const feeShare = state.poolFee + this.#botFee;
    const usd = toMicro(proceedsOf(amount, state.priceUsd, state.depthUsd));
    const fee = Math.round(usd * feeShare) + this.#networkFee(this.#positionOf(position));
    account.lastPriceUsd[position] = state.priceUsd;
    account.sell(position, at, share, usd, fee);
    this.#countSource(SOURCES.indexOf(state.source));
    if (this.keepsOrders)
      this.#keep(about, state, {
        ...NOT_FILLED,
        position,
        side: "sell",
        at,
        share,
        feeShare,
        amount,
        usd,
        fee,
      });
  }

  #skip(place: number, move: CopyableMove, skipped: SkipReason, spendUsd: number | null): void {
    this.#keep(this.#about(move), stateAt(this.schedule, place), {
      ...NOT_FILLED,
      position: move.position,
      side: move.isBuy ? "buy" : "sell",
      at: this.schedule.at[place] as number,
      skipped,
      spendUsd,
      share: move.isBuy ? 0 : this.#shareOf(move),
    });
  }

  #keep(about: OrderCause, state: PoolState | null, rest: OrderRest): void {
    this.#orders.push({
      ...about,
      ...rest,
      source: state?.source ?? null,
      seenAt: state?.seenAt ?? null,
      priceUsd: state?.priceUsd ?? null,
      depthUsd: state && state.depthUsd < Number.POSITIVE_INFINITY ? state.depthUsd : null,
    });
  }

  #shareOf(move: CopyableMove): number {
    return this.terms.exit === "firstSell" ? 1 : move.share;
  }

  #about({ at, txHash, priceUsd, isOpening }: CopyableMove): OrderCause {
    return { cause: isOpening ? "opening" : "leader", leaderAt: at, txHash, basisUsd: priceUsd };
  }

  #countSource(source: number): void {
    this.#filledBy[source] = (this.#filledBy[source] as number) + 1;
  }

  /** Looks for the tick that meets a rule before the position moves again. */
  #watch(position: number, until: number): void {
    const trip = this.account.trip[position] as number;
    if (this.#leaving[position] === trip) return;
    const { tape, blockMs } = this.#positionOf(position);
    const met = firstMet(this.terms.rules, tape, this.account, position, Math.min(until, this.terms.to));
    if (!met) return;
    this.#leaving[position] = trip;
    // A price is seen before it is acted on: the order is in the next block. A clock needs no looking.
    const at = met.cause === "maxHold" ? met.at : met.at + blockMs;
    this.exits.add({ at, position, trip, cause: met.cause, basisUsd: met.basisUsd });
  }
}

type OrderCause = Pick<ReplayOrder, "cause" | "leaderAt" | "txHash" | "basisUsd">;
type OrderRest = Omit<ReplayOrder, keyof OrderCause | "source" | "seenAt" | "priceUsd" | "depthUsd">;

const NO_CAUSE: OrderCause = { cause: "leader", leaderAt: null, txHash: null, basisUsd: null };
const NOT_FILLED = { skipped: null, spendUsd: null, share: 0, feeShare: 0, amount: 0, usd: 0, fee: 0 };

/** Profit relative to the most ever invested; null when nothing was. */
export const roiOfFold = ({ net, peak }: Pick<FoldResult, "net" | "peak">): number | null =>
  peak > 0 ? net / peak : null;
