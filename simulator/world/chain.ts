// The chain: fills in the order their blocks recorded them. It knows what everybody holds before the app does, so
// nobody ever sells what they do not have. Now and then a block is undone and its trade comes again in a later one.
import type { Context } from "./context.ts";
import { appendChain, CHAIN_TRADE, later, RETRACTION } from "./feeds.ts";
import { unit } from "./hash.ts";
import { releaseHeld } from "./slots.ts";
import { BUY, SELL, TRANSFER_IN } from "./state.ts";

const REORG_CHANCE = 0.004;
/** A re-org shows within these bounds, well before the app shows the trade. */
const REORG_AFTER_MS = 2_500;
const REORG_SPREAD_MS = 6_500;

export function recordFill(
  context: Context,
  fill: {
    at: number;
    trader: number;
    token: number;
    kind: number;
    slot: number;
    amount: number;
    usd: number;
  },
): void {
  const { counters, tables } = context.state;
  const fills = tables.fills.columns;
  const positions = tables.positions.columns;
  const number = counters.fills++;
  const row = number % tables.fills.capacity;
  fills.at.set(row, fill.at);
  fills.trader.set(row, fill.trader);
  fills.token.set(row, fill.token);
  fills.kind.set(row, fill.kind);
  fills.slot.set(row, fill.slot);
  fills.position.set(row, positions.number.get(fill.slot));
  fills.amount.set(row, fill.amount);
  fills.usd.set(row, fill.usd);
  const signed = fill.kind === BUY || fill.kind === TRANSFER_IN ? fill.amount : -fill.amount;
  positions.chainAmount.add(fill.slot, signed);
  tables.tokens.columns.chainHeld.add(fill.token, signed);
  if (positions.chainAmount.get(fill.slot) === 0) releaseHeld(context, fill.trader, fill.slot);
  if (fill.kind !== BUY && fill.kind !== SELL) return;
  appendChain(context, CHAIN_TRADE, number, fill.at);
  if (isReorganised(context, number)) {
    const after = REORG_AFTER_MS + unit(context.key, number, 2) * REORG_SPREAD_MS;
    later(context, Math.floor(fill.at + after), RETRACTION, 0, number, 0);
  }
}

export function isReorganised(context: Context, fill: number): boolean {
  return unit(context.key, fill, 1) < REORG_CHANCE;
}
