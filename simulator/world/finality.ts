// When trades become final: a while after their block, in each network's block order. The chain feed announces it.
import { reorgDelay } from "./blocks.ts";
import type { WorldContext } from "./context.ts";
import { appendChain, CHAIN_FINAL } from "./feeds.ts";
import { NETWORKS, network } from "./networks.ts";
import { BUY, SELL } from "./state.ts";

/** At most this many announced trades are kept. */
const FORGET_AT = 1_024;

export class Finality {
  readonly #context: WorldContext;
  /** When each network's next trade becomes final; infinite where none is waiting. */
  readonly #at = new Float64Array(NETWORKS.length).fill(Number.POSITIVE_INFINITY);
  /** Numbers of each network's trades that are still to be announced as final, and how many of them have been. */
  readonly #waiting: number[][] = NETWORKS.map(() => []);
  readonly #called = new Uint32Array(NETWORKS.length);
  /** Fills before this one have been processed. */
  #seen = -1;
  nextAt = Number.POSITIVE_INFINITY;

  constructor(context: WorldContext) {
    this.#context = context;
  }

  /** Processes the fills since the last call. */
  look(): void {
    const { counters, tables } = this.#context.state;
    const { kind, token } = tables.fills.columns;
    const { nextFinal } = tables.networks.columns;
    if (this.#seen < 0) this.#seen = Math.min(...NETWORKS.map((_, index) => nextFinal.get(index)));
    let number = Math.max(this.#seen, counters.fills - tables.fills.capacity);
    this.#seen = counters.fills;
    for (; number < counters.fills; number++) {
      const row = number % tables.fills.capacity;
      if (kind.get(row) !== BUY && kind.get(row) !== SELL) continue;
      const index = this.#context.tokens.networkOf(token.get(row));
      if (number < nextFinal.get(index)) continue;
      (this.#waiting[index] as number[]).push(number);
      if (this.#at[index] !== Number.POSITIVE_INFINITY) continue;
      this.#at[index] = this.#finalAt(index);
      this.nextAt = Math.min(this.nextAt, this.#at[index] as number);
    }
  }

  /** Finalizes the next trade. */
  step(at: number): void {
    const index = this.#at.indexOf(this.nextAt);
    const number = (this.#waiting[index] as number[])[this.#called[index] as number] as number;
    appendChain(this.#context, CHAIN_FINAL, number, at);
    this.#context.state.tables.networks.columns.nextFinal.set(index, number + 1);
    this.#called[index] = (this.#called[index] as number) + 1;
    this.#at[index] = this.#finalAt(index);
    let next = Number.POSITIVE_INFINITY;
    for (let other = 0; other < NETWORKS.length; other++) next = Math.min(next, this.#at[other] as number);
    this.nextAt = next;
  }

  #finalAt(index: number): number {
    const { counters, tables } = this.#context.state;
    const waiting = this.#waiting[index] as number[];
    let called = this.#called[index] as number;
    // At rates at which fills are dropped before they become final, those are never announced as final.
    const oldest = counters.fills - tables.fills.capacity;
    while (called < waiting.length && (waiting[called] as number) < oldest) called++;
    const number = waiting[called];
    // Announced trades are removed in large batches, so that each costs little.
    if (called >= FORGET_AT) {
      waiting.copyWithin(0, called);
      waiting.length -= called;
      called = 0;
    }
    this.#called[index] = called;
    if (number === undefined) return Number.POSITIVE_INFINITY;
    const firstAt = tables.fills.columns.at.get(number % tables.fills.capacity);
    return firstAt + reorgDelay(this.#context, number, index) + network(index).finalAfterMs;
  }
}
