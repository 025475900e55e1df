// The chain: fills in the order their blocks recorded them. It knows everybody's holdings before the app does, so no trader
// ever sells more than they have. Now and then a block is undone and its trade reappears in a later one.
import { drawReorg, reorgDelay } from "./blocks.ts";
import type { WorldContext } from "./context.ts";
import { appendChain, CHAIN_TRADE, later, RETRACTION } from "./feeds.ts";
import { moveShift } from "./pool.ts";
import { releaseHeld } from "./slots.ts";
import { BUY, SELL, TRANSFER_IN } from "./state.ts";

export interface NewFill {
  /** The time of its block, never before the final block of the position's last fill. */
  at: number;
  trader: number;
  token: number;
  kind: number;
  slot: number;
  amount: number;
  usd: number;
  /** The pool's price just before. */
  price: number;
}

export function recordFill(context: WorldContext, fill: NewFill): void {
  const { counters, tables } = context.state;
  const fills = tables.fills.columns;
  const positions = tables.positions.columns;
  const tokens = tables.tokens.columns;
  const token = context.tokens.get(fill.token);
  const number = counters.fills++;
  const row = number % tables.fills.capacity;
  const isSwap = fill.kind === BUY || fill.kind === SELL;
  fills.at.set(row, fill.at);
  fills.trader.set(row, fill.trader);
  fills.token.set(row, fill.token);
  fills.kind.set(row, fill.kind);
  fills.slot.set(row, fill.slot);
  fills.position.set(row, positions.number.get(fill.slot));
  fills.amount.set(row, fill.amount);
  fills.usd.set(row, fill.usd);
  const asked = isSwap && counters.reorgsAsked > 0;
  if (asked) counters.reorgsAsked--;
  fills.moved.set(row, asked || drawReorg(context, number) ? 1 : 0);
  if (isSwap) {
    // A sell moves the pool by the value of its tokens before slippage.
    const worth = fill.kind === BUY ? fill.usd : fill.amount * fill.price;
    fills.shift.set(row, moveShift(context, token, fill.price, worth, fill.kind === BUY, fill.at));
    const last = tokens.lastSwap.get(fill.token);
    fills.backOfToken.set(row, last === 0 ? 0 : Math.min(number - last + 1, 0xffffffff));
    tokens.lastSwap.set(fill.token, number + 1);
  }
  const signed = fill.kind === BUY || fill.kind === TRANSFER_IN ? fill.amount : -fill.amount;
  positions.chainAmount.add(fill.slot, signed);
  tokens.chainHeld.add(fill.token, signed);
  if (positions.chainAmount.get(fill.slot) === 0) releaseHeld(context, fill.trader, fill.slot);
  const delay = reorgDelay(context, number, token.network);
  positions.settledAt.set(fill.slot, fill.at + delay);
  if (!isSwap) return;
  appendChain(context, CHAIN_TRADE, number, fill.at);
  if (delay > 0) later(context, fill.at + delay, RETRACTION, 0, number, 0);
}
