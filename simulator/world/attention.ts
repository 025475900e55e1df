// The tokens people are looking at, per network: the established ones a little always, a launch a lot for a while, and rising
// ones more than falling ones. Reweighted every six hours from prices alone, so a restart computes the same.
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { WorldContext } from "./context.ts";
import { unit } from "./hash.ts";
import { NETWORKS } from "./networks.ts";
import { priceAt } from "./prices.ts";
import type { WorldToken } from "./tokens.ts";

const ATTENTION_MS = 6 * HOUR_MS;
/** Before genesis hardly anything happens in between. */
const EARLY_ATTENTION_MS = 6 * DAY_MS;
/** Tokens lose nearly all attention after some weeks; below this weight they are left out. */
const WEIGHT_MIN = 0.25;
const FRESH_WEIGHT = 26;

interface Deck {
  tokens: number[];
  /** Running sums of the weights. */
  sums: number[];
}

/** The last time attention was weighed, as of the given time. */
export function weighedAt(context: WorldContext, at: number): number {
  return at < context.genesis
    ? Math.floor(at / EARLY_ATTENTION_MS) * EARLY_ATTENTION_MS
    : Math.max(context.genesis, Math.floor(at / ATTENTION_MS) * ATTENTION_MS);
}

export class Attention {
  #decks: Deck[] = [];

  /** Weighs the tokens that had launched by the last reweighting, and then adds the launches since. */
  refresh(context: WorldContext, at: number): void {
    const turned = weighedAt(context, at);
    this.#decks = NETWORKS.map(() => ({ tokens: [], sums: [] }));
    for (const token of context.tokens.list) {
      if (token.launchAt > at) continue;
      if (token.established || token.launchAt < turned) {
        const weight = weightOf(context, token, turned);
        if (weight >= WEIGHT_MIN) this.#put(token, weight);
      } else this.launched(token);
    }
  }

  launched(token: WorldToken): void {
    this.#put(token, FRESH_WEIGHT);
  }

  /** A token of the network, by attention; `roll` in [0, 1). */
  pick(network: number, roll: number): number {
    const { tokens, sums } = this.#decks[network] as Deck;
    const goal = roll * (sums.at(-1) as number);
    let low = 0;
    let high = tokens.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > goal) high = middle;
      else low = middle + 1;
    }
    return tokens[low] as number;
  }

  #put(token: WorldToken, weight: number): void {
    const deck = this.#decks[token.network] as Deck;
    deck.tokens.push(token.index);
    deck.sums.push((deck.sums.at(-1) ?? 0) + weight);
  }
}

function weightOf(context: WorldContext, token: WorldToken, at: number): number {
  if (token.established) return 2 + 5 * unit(context.key, token.index, 77);
  const ageDays = (at - token.launchAt) / DAY_MS;
  // Long-dead tokens are recognised by their age; computing the price of each would take up most of a start. Word gets round
  // about tokens that cannot be sold.
  const interest = FRESH_WEIGHT / (1 + ageDays) ** (token.honeypot ? 4 : 1.25);
  if (interest < WEIGHT_MIN * 1.6) return 0;
  const price = priceAt(token.price, at);
  const capital = price * token.supply;
  const momentum = Math.min(5, Math.max(0.1, price / priceAt(token.price, at - 6 * HOUR_MS)));
  return interest * momentum ** 0.7 * Math.min(4, (capital / 60_000) ** 0.45);
}
