// The imagined account: cash, its holding of each of the leader's positions, and the result of each round trip. Money is
// whole millionths of a dollar, as in all books. Kept in columns by position, because a replay lives some thirty lives.
import { type Micro, toMicro, toUsd } from "../accounting/money.ts";
import { proceedsOf } from "./fill.ts";
import type { PlannedPosition } from "./leader.ts";
import { lastAt, markFor, type PoolState } from "./tape.ts";
import type { WatchedHoldings } from "./watch.ts";

export interface RoundTrip {
  position: number;
  net: Micro;
  openedAt: number;
  closedAt: number;
}

/** A holding as it is kept between two stretches of time. */
export interface CarriedHolding {
  amount: number;
  /** What it cost without fees. */
  cost: Micro;
  /** Received less paid since it was opened, fees included. */
  cash: Micro;
  openedAt: number;
  entryUsd: number;
  highUsd: number;
  lastPriceUsd: number;
}

export class FollowerAccount implements WatchedHoldings {
  /** Tokens held, by position. */
  readonly amount: Float64Array;
  readonly openedAt: Float64Array;
  readonly entryUsd: Float64Array;
  readonly highUsd: Float64Array;
  readonly nextTick: Int32Array;
  readonly lastPriceUsd: Float64Array;
  /** Counts the holdings that a position has had. */
  readonly trip: Int32Array;
  /** By position: received less paid, fees included. */
  readonly cash: Float64Array;
  /** Positions that are held, in no order. */
  readonly open: number[] = [];
  readonly trips: RoundTrip[] = [];
  /** Paid less received so far, */
  spent: Micro = 0;
  /** and the most that it ever was. */
  peak: Micro = 0;
  volume: Micro = 0;
  exposedMs = 0;
  #exposedSince = 0;
  /** A holding's cost without fees, for the average. */
  readonly #cost: Float64Array;
  /** Cash of the position as the holding was opened. */
  readonly #cashBefore: Float64Array;
  /** Place in `open`. */
  readonly #slot: Int32Array;
  /** Where the tape was last looked at; moments only come later. */
  readonly #markTick: Int32Array;
  readonly #positions: readonly PlannedPosition[];
  readonly #botFee: number;

  constructor(positions: readonly PlannedPosition[], botFee: number) {
    const count = positions.length;
    this.#positions = positions;
    this.#botFee = botFee;
    this.amount = new Float64Array(count);
    this.openedAt = new Float64Array(count);
    this.entryUsd = new Float64Array(count);
    this.highUsd = new Float64Array(count);
    this.nextTick = new Int32Array(count);
    this.lastPriceUsd = new Float64Array(count);
    this.trip = new Int32Array(count);
    this.cash = new Float64Array(count);
    this.#cost = new Float64Array(count);
    this.#cashBefore = new Float64Array(count);
    this.#slot = new Int32Array(count);
    this.#markTick = new Int32Array(count).fill(-1);
  }

  isHeld(position: number): boolean {
    return (this.amount[position] as number) > 0;
  }

  /** Continues with a holding of before. */
  resume(position: number, holding: CarriedHolding): void {
    this.#begin(position, holding.openedAt);
    this.amount[position] = holding.amount;
    this.#cost[position] = holding.cost;
    this.cash[position] = holding.cash;
    this.entryUsd[position] = holding.entryUsd;
    this.highUsd[position] = holding.highUsd;
    this.lastPriceUsd[position] = holding.lastPriceUsd;
  }

  holdingOf(position: number): CarriedHolding {
    return {
      amount: this.amount[position] as number,
      cost: this.#cost[position] as number,
      cash: (this.cash[position] as number) - (this.#cashBefore[position] as number),
      openedAt: this.openedAt[position] as number,
      entryUsd: this.entryUsd[position] as number,
      highUsd: this.highUsd[position] as number,
      lastPriceUsd: this.lastPriceUsd[position] as number,
    };
  }

  buy(position: number, at: number, amount: number, usd: Micro, fee: Micro): void {
    const held = this.amount[position] as number;
    if (held === 0) this.#begin(position, at);
    const cost = (this.#cost[position] as number) + usd;
    this.#cost[position] = cost;
    this.amount[position] = held + amount;
    this.entryUsd[position] = toUsd(cost) / (held + amount);
    this.#pay(position, usd + fee);
    this.volume += usd;
  }

  /** Sells a part of a holding, or all of it. */
  sell(position: number, at: number, share: number, usd: Micro, fee: Micro): void {
    this.#pay(position, fee - usd);
    this.volume += usd;
    if (share < 1) {
      const cost = this.#cost[position] as number;
      this.#cost[position] = cost - Math.round(cost * share);
      this.amount[position] = (this.amount[position] as number) * (1 - share);
      return;
    }
    const net = (this.cash[position] as number) - (this.#cashBefore[position] as number);
    this.trips.push({ position, net, openedAt: this.openedAt[position] as number, closedAt: at });
    this.#end(position, at);
  }

  /** The proceeds of selling everything at a moment. */
  worthAt(moment: number): Micro {
    let worth = 0;
    for (const position of this.open) worth += this.worthOf(position, moment);
    return worth;
  }

  worthOf(position: number, moment: number): Micro {
    const { priceUsd, depthUsd, poolFee } = this.markOf(position, moment);
    const brings = proceedsOf(this.amount[position] as number, priceUsd, depthUsd);
    return toMicro(brings * (1 - poolFee - this.#botFee));
  }

  /** A holding that no tape covers is valued at its last seen price. */
  markOf(position: number, moment: number): PoolState {
    const tape = this.#positions[position]?.tape;
    if (tape) {
      const tick = lastAt(tape.at, moment, this.#markTick[position]);
      this.#markTick[position] = tick;
      const mark = markFor(tape, moment, tick);
      if (mark) return mark;
    }
    const priceUsd = this.lastPriceUsd[position] as number;
    const depthUsd = Number.POSITIVE_INFINITY;
    return { priceUsd, depthUsd, poolFee: 0, source: "leader", seenAt: this.openedAt[position] as number };
  }

  closeExposure(at: number): void {
    if (this.open.length > 0) this.exposedMs += at - this.#exposedSince;
  }

  #begin(position: number, at: number): void {
    if (this.open.length === 0) this.#exposedSince = at;
    this.#slot[position] = this.open.length;
    this.open.push(position);
    this.trip[position] = (this.trip[position] as number) + 1;
    this.openedAt[position] = at;
    this.#cashBefore[position] = this.cash[position] as number;
  }

  #end(position: number, at: number): void {
    this.amount[position] = 0;
    this.#cost[position] = 0;
    const last = this.open.pop() as number;
    if (last !== position) {
      const slot = this.#slot[position] as number;
      this.open[slot] = last;
      this.#slot[last] = slot;
    }
    if (this.open.length === 0) this.exposedMs += at - this.#exposedSince;
  }

  #pay(position: number, amount: Micro): void {
    this.spent += amount;
    if (this.spent > this.peak) this.peak = this.spent;
    this.cash[position] = (this.cash[position] as number) - amount;
  }
}
