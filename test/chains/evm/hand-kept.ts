// Books kept by hand while people trade on the test chain: what each paid, got, sent and received, and each token's last
// price. They share no code with the product, so that its answers can be checked against them.
import { HOUR_MS } from "../../../kit/units.ts";

export interface HandMove {
  at: number;
  kind: "buy" | "sell" | "receive" | "send";
  amount: number;
  usd: number;
  feeUsd: number;
}

interface Holding {
  amount: number;
  cost: number;
}

export interface HandProfit {
  pnlUsd: number;
  feesUsd: number;
  volumeUsd: number;
  fills: number;
  /** Positions that can't be priced at both ends. */
  unpriced: number;
  byToken: Map<string, number>;
}

/** A smaller amount is a rounding remainder of a sold holding. */
const DUST = 1e-9;

export class HandBooks {
  /** By trader, then by token. */
  readonly #moves = new Map<string, Map<string, HandMove[]>>();
  readonly #prices = new Map<string, { at: number; priceUsd: number }[]>();

  enter(trader: string, token: string, move: HandMove): void {
    const tokens = this.#moves.get(trader) ?? new Map<string, HandMove[]>();
    this.#moves.set(trader, tokens);
    tokens.set(token, [...(tokens.get(token) ?? []), move]);
  }

  traded(token: string, at: number, priceUsd: number): void {
    this.#prices.set(token, [...(this.#prices.get(token) ?? []), { at, priceUsd }]);
  }

  held(trader: string, token: string): number {
    return heldAfter(this.#moves.get(trader)?.get(token) ?? []).amount;
  }

  priceOf(token: string): number {
    const last = this.#prices.get(token)?.at(-1);
    if (!last) throw new Error("the token was never traded");
    return last.priceUsd;
  }

  /** The trader's profit from `from` to `to`: realized plus the change in value of the holdings, net of fees. */
  profit(trader: string, from: number, to: number): HandProfit {
    const sum: HandProfit = {
      pnlUsd: 0,
      feesUsd: 0,
      volumeUsd: 0,
      fills: 0,
      unpriced: 0,
      byToken: new Map(),
    };
    for (const [token, moves] of this.#moves.get(trader) ?? [])
      for (const life of livesOf(moves.filter(({ at }) => at < to))) {
        const before = life.filter(({ at }) => at < from);
        const within = life.slice(before.length);
        const [opening, closing] = [heldAfter(before), heldAfter(life)];
        if (within.length === 0 && opening.amount === 0) continue;
        const openGain = this.#openGain(token, opening, from, to - from);
        const closeGain = this.#openGain(token, closing, to, to - from);
        if (openGain === null || closeGain === null) {
          sum.unpriced += 1;
          continue;
        }
        const fees = within.reduce((total, { feeUsd }) => total + feeUsd, 0);
        const net = gainsOf(life) - gainsOf(before) + closeGain - openGain - fees;
        sum.pnlUsd += net;
        sum.byToken.set(token, (sum.byToken.get(token) ?? 0) + net);
        sum.feesUsd += fees;
        for (const { kind, usd } of within)
          if (kind === "buy" || kind === "sell") {
            sum.volumeUsd += usd;
            sum.fills += 1;
          }
      }
    return sum;
  }

  /** Since the very first move. */
  beganAt(trader: string): number {
    return Math.min(...[...(this.#moves.get(trader)?.values() ?? [])].flat().map(({ at }) => at));
  }

  #openGain(token: string, { amount, cost }: Holding, at: number, windowMs: number): number | null {
    if (amount === 0) return 0;
    const last = this.#prices.get(token)?.findLast((price) => price.at <= at);
    if (!last || at - last.at > Math.max(HOUR_MS, 0.05 * windowMs)) return null;
    return amount * last.priceUsd - cost;
  }
}

/** A position ends when the holding is empty. */
function livesOf(moves: readonly HandMove[]): HandMove[][] {
  const lives: HandMove[][] = [];
  let life: HandMove[] = [];
  for (const move of moves) {
    life.push(move);
    if (heldAfter(life).amount > 0) continue;
    lives.push(life);
    life = [];
  }
  return life.length > 0 ? [...lives, life] : lives;
}

function heldAfter(moves: readonly HandMove[]): Holding {
  return walk(moves).held;
}

function gainsOf(moves: readonly HandMove[]): number {
  return walk(moves).gains;
}

/** By the moving average of buys and receipts; tokens sent away take their cost along. */
function walk(moves: readonly HandMove[]): { held: Holding; gains: number } {
  let held: Holding = { amount: 0, cost: 0 };
  let gains = 0;
  for (const { kind, amount, usd } of moves) {
    if (kind === "buy" || kind === "receive") {
      held = { amount: held.amount + amount, cost: held.cost + usd };
      continue;
    }
    const taken = held.cost * Math.min(1, amount / held.amount);
    const left = held.amount - amount;
    if (kind === "sell") gains += usd - taken;
    held = left <= held.amount * DUST ? { amount: 0, cost: 0 } : { amount: left, cost: held.cost - taken };
  }
  return { held, gains };
}
