// When trades become final: a while after their block, in the order of each network's blocks. The chain feed says so.
import { reorgDelay } from "./blocks.ts";
import type { Context } from "./context.ts";
import { appendChain, CHAIN_FINAL } from "./feeds.ts";
import { NETWORKS, network } from "./networks.ts";
import { BUY, SELL } from "./state.ts";

export class Finality {
  readonly #context: Context;
  /** When the next trade of each network is final; infinite where none waits. */
  readonly #at = new Float64Array(NETWORKS.length).fill(Number.POSITIVE_INFINITY);
  nextAt = Number.POSITIVE_INFINITY;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Looks at the networks where none waited: there may be a new trade. */
  look(): void {
    for (let index = 0; index < NETWORKS.length; index++)
      if (this.#at[index] === Number.POSITIVE_INFINITY) this.#at[index] = this.#find(index);
    this.#setNext();
  }

  #setNext(): void {
    let next = Number.POSITIVE_INFINITY;
    for (let index = 0; index < NETWORKS.length; index++) {
      const at = this.#at[index] as number;
      if (at < next) next = at;
    }
    this.nextAt = next;
  }

  /** Lets the next trade be final. */
  step(at: number): void {
    const index = this.#at.indexOf(this.nextAt);
    const { nextFinal } = this.#context.state.tables.networks.columns;
    appendChain(this.#context, CHAIN_FINAL, nextFinal.get(index), at);
    nextFinal.add(index, 1);
    this.#at[index] = this.#find(index);
    this.#setNext();
  }

  #find(index: number): number {
    const { counters, tables } = this.#context.state;
    const fills = tables.fills.columns;
    const { nextFinal } = tables.networks.columns;
    // At rates at which fills are forgotten sooner than they are final, those are never called final.
    let number = Math.max(nextFinal.get(index), counters.fills - tables.fills.capacity);
    for (; number < counters.fills; number++) {
      const row = number % tables.fills.capacity;
      const kind = fills.kind.get(row);
      if (kind !== BUY && kind !== SELL) continue;
      if (this.#context.tokens.networkOf(fills.token.get(row)) !== index) continue;
      nextFinal.set(index, number);
      const delay = reorgDelay(this.#context, number, index);
      return fills.at.get(row) + delay + network(index).finalAfterMs;
    }
    nextFinal.set(index, number);
    return Number.POSITIVE_INFINITY;
  }
}
