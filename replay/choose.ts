// Which traders a follower would have chosen at past moments by taking the top of the leaderboard each time. All traders'
// books are built from the fills in time order; a choice uses only what happened before its moment and
// nothing else: prices, too, are those of a token's last fill by any trader.
import { book, type Lot, NOTHING_HELD } from "../accounting/lot.ts";
import type { Micro } from "../accounting/money.ts";
import { worthOf } from "../accounting/window.ts";

export interface ChoiceTerms {
  /** When it is chosen, ascending. */
  moments: readonly number[];
  /** Over how long the ranking looks back. */
  windowMs: number;
  top: number;
}

/** A fill by any trader. */
export interface TradedFill {
  userId: string;
  /** Names the token over all chains. */
  token: string;
  at: number;
  kind: "buy" | "sell";
  amount: number;
  usd: number;
  feeUsd: number | null;
}

export interface Choice {
  at: number;
  /** The most profitable first. */
  leaders: { userId: string; pnl: Micro }[];
}

/** One trader's state so far. */
interface KnownTrader {
  /** Taken by sells, less fees. */
  taken: Micro;
  lots: Map<string, Lot>;
  lastAt: number;
}

export class Chooser {
  readonly choices: Choice[] = [];
  readonly #traders = new Map<string, KnownTrader>();
  readonly #prices = new Map<string, number>();
  /** All traders' values at a window's start, by the index of its choice. */
  readonly #begun = new Map<number, Map<string, Micro>>();
  readonly #points: { at: number; choice: number; begins: boolean }[];
  #next = 0;

  constructor(readonly terms: ChoiceTerms) {
    this.#points = terms.moments
      .flatMap((at, choice) => [
        { at: at - terms.windowMs, choice, begins: true },
        { at, choice, begins: false },
      ])
      .sort((a, b) => a.at - b.at);
  }

  /** In the order of time. */
  take(fill: TradedFill): void {
    this.advance(fill.at);
    const { userId, token, at, kind, amount, usd, feeUsd } = fill;
    if (!(amount > 0)) return;
    const trader = this.#traders.get(userId) ?? { taken: 0, lots: new Map<string, Lot>(), lastAt: at };
    this.#traders.set(userId, trader);
    const move = { at, kind, amount, usd, feeUsd, txHash: null };
    const { gain, fee, after } = book(trader.lots.get(token) ?? NOTHING_HELD, move);
    trader.taken += (gain ?? 0) - fee;
    trader.lastAt = at;
    if (after.amount > 0) trader.lots.set(token, after);
    else trader.lots.delete(token);
    this.#prices.set(token, usd / amount);
  }

  /** Nothing comes any more that happened before this moment: what is to be chosen by then is. */
  advance(to: number): void {
    for (let point = this.#points[this.#next]; point && point.at <= to; point = this.#points[++this.#next])
      if (point.begins) this.#begun.set(point.choice, this.#worths());
      else this.#choose(point.choice, point.at);
  }

  #choose(choice: number, at: number): void {
    const { windowMs, top } = this.terms;
    const before = this.#begun.get(choice);
    this.#begun.delete(choice);
    const leaders: Choice["leaders"] = [];
    for (const [userId, trader] of this.#traders)
      if (trader.lastAt >= at - windowMs)
        leaders.push({ userId, pnl: this.#worthOf(trader) - (before?.get(userId) ?? 0) });
    leaders.sort((a, b) => b.pnl - a.pnl || (a.userId < b.userId ? -1 : 1));
    this.choices.push({ at, leaders: leaders.slice(0, top) });
  }

  #worths(): Map<string, Micro> {
    return new Map([...this.#traders].map(([userId, trader]) => [userId, this.#worthOf(trader)]));
  }

  /** Realized profit, plus what selling the rest at the last prices would add. */
  #worthOf({ taken, lots }: KnownTrader): Micro {
    let worth = taken;
    for (const [token, { amount, cost }] of lots)
      worth += worthOf(amount, this.#prices.get(token) ?? 0) - (cost ?? 0);
    return worth;
  }
}

/** When each was followed: from a choice until the next one, or the end. */
export function chosenStretches(
  choices: readonly Choice[],
  to: number,
): Map<string, { from: number; to: number }[]> {
  const stretches = new Map<string, { from: number; to: number }[]>();
  for (const [place, { at, leaders }] of choices.entries()) {
    const until = choices[place + 1]?.at ?? to;
    for (const { userId } of leaders) {
      const own = stretches.get(userId) ?? [];
      stretches.set(userId, own);
      const last = own.at(-1);
      if (last?.to === at) last.to = until;
      else own.push({ from: at, to: until });
    }
  }
  return stretches;
}

/** From the start on, a choice each so often. */
export function choiceMoments({ from, to }: { from: number; to: number }, everyMs: number): number[] {
  const moments: number[] = [];
  for (let at = from; at < to; at += everyMs) moments.push(at);
  return moments;
}
