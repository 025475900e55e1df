// What every answer is made from: the world as it is now, ids both ways, and prices looked up once a moment. Views
// only read; two calls at the same world time answer alike.
import { hash32 } from "../../kit/random.ts";
import type { WireToken } from "../../protocol/protocol.ts";
import type { Context } from "../world/context.ts";
import { idSpace, slottedIdSpace } from "../world/identifiers.ts";
import { network } from "../world/networks.ts";
import type { Trader } from "../world/population.ts";
import { priceAt } from "../world/prices.ts";
import { CLOSED, OPEN } from "../world/state.ts";
import type { Token } from "../world/tokens.ts";
import type { World } from "../world/world.ts";

export const MICRO = 1_000_000;
const DAY_MS = 86_400_000;
export const IMAGES = "https://images.crowdtape.example";

export class View {
  readonly world: World;
  readonly context: Context;
  /** Checks cursors. */
  readonly cursorKey: number;
  readonly ids;
  #pricedAt = Number.NaN;
  #prices: number[] = [];
  #changes: number[] = [];

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

  get tables(): Context["state"]["tables"] {
    return this.context.state.tables;
  }

  /** Dollars a token, now. */
  price(token: number): number {
    this.#refresh();
    const known = this.#prices[token];
    if (known !== undefined) return known;
    const price = priceAt(this.context.tokens.get(token).price, this.now);
    this.#prices[token] = price;
    return price;
  }

  /** Percent over the last day; null for what launched within it. */
  change24h(token: Token): number | null {
    const before = this.now - DAY_MS;
    if (token.launchAt > before) return null;
    this.#refresh();
    const known = this.#changes[token.index];
    if (known !== undefined) return known;
    const change = round((this.price(token.index) / priceAt(token.price, before) - 1) * 100, 2);
    this.#changes[token.index] = change;
    return change;
  }

  #refresh(): void {
    if (this.#pricedAt === this.now) return;
    this.#prices = [];
    this.#changes = [];
    this.#pricedAt = this.now;
  }

  traderOf(userId: string): Trader | undefined {
    const index = this.ids.user.decode(userId);
    return index === undefined ? undefined : this.context.population.traders[index];
  }

  userId(trader: number): string {
    return this.ids.user.encode(trader);
  }

  /** The slot of a position that the app has shown and not forgotten. */
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

  token(token: Token): WireToken {
    const address = this.context.tokens.address(token);
    return {
      address,
      networkId: network(token.network).id,
      symbol: token.symbol,
      name: token.name,
      image: `${IMAGES}/tokens/${address}.png`,
      decimals: token.decimals,
    };
  }
}

export function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

export function dollars(micro: number): number {
  return micro / MICRO;
}

/** Volumes travel as text, with all their digits. */
export function volumeText(micro: number): string {
  return (micro / MICRO).toFixed(6);
}
