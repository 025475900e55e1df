// Taking profit in parts. Buyers of a launch have a price in mind at which they sell some of it, and a higher one for the
// rest; such orders wait in the book and fill when the price reaches them, on top of the planned rate.
import { nextBlockTime } from "./blocks.ts";
import type { WorldContext } from "./context.ts";
import { isHeld, sell, WHOLE } from "./exits.ts";
import { GOAL, later } from "./feeds.ts";
import type { Due } from "./heap.ts";
import { network } from "./networks.ts";
import { risenAt } from "./prices.ts";
import { PENDING_CAPACITY } from "./state.ts";
import { style } from "./styles.ts";

/** Goals leave half of the pending table to everything else. */
const WAITING_MAX = PENDING_CAPACITY / 2;
/** Share of the position, when it is not all of it. */
const PART_MIN = 0.3;
const PART_SPREAD = 0.4;
/** Goals of one style differ by this much, in log price. */
const SPREAD = 0.35;

/** Places an order that takes a part of the gain, if the price will ever reach it. */
export function setGoal(context: WorldContext, slot: number, at: number): void {
  const { counters, random, tables } = context.state;
  const positions = tables.positions.columns;
  const token = context.tokens.get(positions.token.get(slot));
  if (token.established || token.honeypot) return;
  const { goal } = style(context.population.get(positions.trader.get(slot)).style);
  const risen = risenAt(token.price, at, Math.log(goal) + SPREAD * (random.next() - 0.5));
  if (risen === Number.POSITIVE_INFINITY || counters.pending >= WAITING_MAX) return;
  const due = nextBlockTime(network(token.network), Math.max(at, risen));
  later(context, due, GOAL, 0, positions.number.get(slot), slot);
}

/** The price was reached: a part is sold, and the rest waits for more. */
export function reachGoal(context: WorldContext, due: Due, at: number): void {
  if (!isHeld(context, due.number, due.slot)) return;
  const { counters, random, tables } = context.state;
  const trader = context.population.get(tables.positions.columns.trader.get(due.slot));
  const isWhole = random.next() < style(trader.style).closing / 2;
  const part = isWhole ? WHOLE : Math.floor(WHOLE * (PART_MIN + PART_SPREAD * random.next()));
  if (!sell(context, trader, due.slot, part, at, false)) return;
  counters.ahead++;
  if (isHeld(context, due.number, due.slot)) setGoal(context, due.slot, at);
}
