// The basis of every answer: the world as it is now, ids in both directions, and one quote per token and moment. Views only
// read; two calls at the same world time get the same answer.

import { hash32 } from "../../kit/random.ts";
import { DAY_MS } from "../../kit/units.ts";
import type { WireToken } from "../../protocol/protocol.ts";
import { tokenImagePath } from "../images/paths.ts";
import type { WorldContext } from "../world/context.ts";
import { idSpace, slottedIdSpace } from "../world/identifiers.ts";
import { network } from "../world/networks.ts";
import type { WorldTrader } from "../world/population.ts";
import { CLOSED, OPEN } from "../world/state.ts";
import type { WorldToken } from "../world/tokens.ts";
import type { World } from "../world/world.ts";
import { poolPrice, quoteMoment, windowStart } from "./pool-quotes.ts";

export const MICRO = 1_000_000;
/** Now, the starts of windows, and the ends of a month's buckets that someone requested. */
const MOMENTS_MAX = 96;

export class View {
  readonly world: World;
  readonly context: WorldContext;
  /** Checks cursors. */
  readonly cursorKey: number;
  readonly ids;
  /** By moment, then by token. */
  readonly #prices = new Map<number, Map<number, number>>();

  constructor(world: World) {
    this.world = world;
    this.context = world.context;
    const { seed } = world.context;
    this.cursorKey = hash32(seed, "cursors");
    this.ids = {
      user: idSpace(seed, "user"),
      trade: slottedIdSpace(seed, "trade"),
      swap: idSpace(seed, "swap"),
      transfer: idSpace(seed, "transfer"),
      thesis: idSpace(seed, "thesis"),
      comment: idSpace(seed, "comment"),
      clan: idSpace(seed, "clan"),
      appEvent: idSpace(seed, "app event"),
      pushEvent: idSpace(seed, "push event"),
      chainEvent: idSpace(seed, "chain event"),
    };
  }

  get now(): number {
    return this.context.state.counters.time;
  }

  get tables(): WorldContext["state"]["tables"] {
    return this.context.state.tables;
  }

  /** The moment of all current prices. */
  get asOf(): number {
    return quoteMoment(this.now);
  }

  /** Dollars per token, as of `asOf`. */
  price(token: number): number {
    return this.priceAt(token, this.asOf);
  }

  /** Dollars per token at a past moment; computed once for each. */
  priceAt(token: number, at: number): number {
    let prices = this.#prices.get(at);
    if (!prices) {
      if (this.#prices.size >= MOMENTS_MAX) this.#prices.clear();
      prices = new Map();
      this.#prices.set(at, prices);
    }
    let price = prices.get(token);
    if (price === undefined) {
      price = poolPrice(this.context, this.context.tokens.get(token), at);
      prices.set(token, price);
    }
    return price;
  }

  /** Percent over the last day; null for tokens that launched within it. */
  change24h(token: WorldToken): number | null {
    const before = windowStart(this.asOf, DAY_MS);
    if (token.launchAt > before) return null;
    return round((this.price(token.index) / this.priceAt(token.index, before) - 1) * 100, 2);
  }

  traderOf(userId: string): WorldTrader | undefined {
    const index = this.ids.user.decode(userId);
    return index === undefined ? undefined : this.context.population.traders[index];
  }

  userId(trader: number): string {
    return this.ids.user.encode(trader);
  }

  /** The slot of a position that the app has shown and that is still kept. */
  slotOf(tradeId: string): number | undefined {
    const found = this.ids.trade.decode(tradeId);
    if (!found || found.slot >= this.context.state.counters.slots) return undefined;
    return this.isShown(found.slot, found.number) ? found.slot : undefined;
  }

  isShown(slot: number, number: number): boolean {
    const positions = this.tables.positions.columns;
    const status = positions.status.get(slot);
    return positions.number.get(slot) === number && (status === OPEN || status === CLOSED);
  }

  tradeId(slot: number): string {
    return this.ids.trade.encode(this.tables.positions.columns.number.get(slot), slot);
  }

  token(token: WorldToken): WireToken {
    const address = this.context.tokens.address(token);
    return {
      address,
      networkId: network(token.network).id,
      symbol: token.symbol,
      name: token.name,
      image: tokenImagePath(network(token.network).slug, address),
      decimals: token.decimals,
    };
  }
}

export function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

export function dollars(micro: number): number {
  // A loss that rounds to zero must not be negative: JSON has no -0.
  return micro / MICRO + 0;
}

/** Volumes are sent as text, with all their digits. */
export function volumeText(micro: number): string {
  return (micro / MICRO).toFixed(6);
}
