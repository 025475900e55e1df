// The books balance: every position is the exact sum of its fills, by a second, independent implementation of the accounting.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { settledAt } from "./blocks.ts";
import { NONE } from "./columns.ts";
import { feeOf } from "./fees.ts";
import { BUY, CLOSED, FREE, OPEN, OPEN_MAX, PENDING, SELL, TRANSFER_IN, TRANSFER_OUT } from "./state.ts";
import { smallWorld } from "./test-worlds.ts";
import type { World } from "./world.ts";

interface Books {
  bought: number;
  sold: number;
  received: number;
  sent: number;
  cost: number;
  proceeds: number;
  openCost: number;
  /** Net of fees. */
  realized: number;
  fees: number;
}

/** Books by position number from the fills that the app has applied, or all those on the chain. */
function booksOf(world: World, count: number): Map<number, Books> {
  const { fills } = world.context.state.tables;
  const books = new Map<number, Books>();
  for (let row = 0; row < count; row++) {
    const of = books.get(fills.columns.position.get(row)) ?? {
      bought: 0,
      sold: 0,
      received: 0,
      sent: 0,
      cost: 0,
      proceeds: 0,
      openCost: 0,
      realized: 0,
      fees: 0,
    };
    books.set(fills.columns.position.get(row), of);
    const amount = fills.columns.amount.get(row);
    const usd = fills.columns.usd.get(row);
    const held = of.bought - of.sold + of.received - of.sent;
    const kind = fills.columns.kind.get(row);
    const fee = kind === BUY || kind === SELL ? feeOf(world.context, row) : 0;
    of.fees += fee;
    of.realized -= fee;
    if (kind === BUY) {
      of.bought += amount;
      of.cost += usd;
      of.openCost += usd;
    } else if (kind === TRANSFER_IN) {
      of.received += amount;
      of.openCost += usd;
    } else {
      expect(amount).toBeLessThanOrEqual(held);
      const share =
        amount === held ? of.openCost : Math.min(of.openCost, Math.round(of.openCost * (amount / held)));
      of.openCost -= share;
      if (kind === SELL) {
        of.sold += amount;
        of.proceeds += usd;
        of.realized += usd - share;
      } else of.sent += amount;
    }
  }
  return books;
}

const seeds = fc.string({ minLength: 1, maxLength: 12 });

describe("the ledger", () => {
  test("every position is the exact sum of its fills", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const world = smallWorld(seed, { seconds: 1_500, rate: 3, traders: 60 });
        world.advance(Number.POSITIVE_INFINITY);
        const { counters, tables } = world.context.state;
        expect(counters.fills).toBeLessThan(tables.fills.capacity);
        const books = booksOf(world, counters.applied);
        const positions = tables.positions.columns;
        let shown = 0;
        for (let slot = 0; slot < counters.slots; slot++) {
          if (positions.status.get(slot) === PENDING) continue;
          shown++;
          const expected = books.get(positions.number.get(slot));
          const found = {
            bought: positions.bought.get(slot),
            sold: positions.sold.get(slot),
            received: positions.received.get(slot),
            sent: positions.sent.get(slot),
            cost: positions.cost.get(slot),
            proceeds: positions.proceeds.get(slot),
            openCost: positions.openCost.get(slot),
            realized: positions.realized.get(slot),
            fees: positions.fees.get(slot),
          };
          expect(found).toEqual(expected as Books);
          const held = found.bought - found.sold + found.received - found.sent;
          expect(positions.status.get(slot)).toBe(held === 0 ? CLOSED : OPEN);
          if (held === 0 && found.sent === 0 && found.received === 0)
            expect(found.realized).toBe(found.proceeds - found.cost - found.fees);
          for (const value of Object.values(found)) expect(Number.isSafeInteger(value)).toBe(true);
        }
        expect(shown).toBe(books.size);
      }),
      { numRuns: 4 },
    );
  });

  test("a position's fills are in block order, so none closes before it opens", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        // Everybody trades every few seconds, so that a token moved by a re-org is soon traded again.
        const world = smallWorld(seed, { seconds: 2_500, rate: 8, traders: 30 });
        world.advance(Number.POSITIVE_INFINITY);
        const { counters, tables } = world.context.state;
        expect(counters.fills).toBeLessThan(tables.fills.capacity);
        const lastBlock = new Map<number, number>();
        for (let number = 0; number < counters.fills; number++) {
          const position = tables.fills.columns.position.get(number);
          const at = settledAt(world.context, number);
          expect(at).toBeGreaterThanOrEqual(lastBlock.get(position) ?? 0);
          lastBlock.set(position, at);
        }
        const { closedAt, lastAt, openedAt, status } = tables.positions.columns;
        for (let slot = 0; slot < counters.slots; slot++) {
          if (status.get(slot) === PENDING) continue;
          expect(lastAt.get(slot)).toBeGreaterThanOrEqual(openedAt.get(slot));
          if (status.get(slot) === CLOSED) expect(closedAt.get(slot)).toBe(lastAt.get(slot));
        }
      }),
      { numRuns: 6 },
    );
  });

  test("every kind of fill occurs, and positions that were never bought", () => {
    const world = smallWorld("kinds", { seconds: 4_000, rate: 4 });
    world.advance(Number.POSITIVE_INFINITY);
    const { counters, tables } = world.context.state;
    const kinds = new Set(
      Array.from({ length: counters.fills }, (_, row) => tables.fills.columns.kind.get(row)),
    );
    expect([...kinds].sort()).toEqual([BUY, SELL, TRANSFER_IN, TRANSFER_OUT]);
    const slots = Array.from({ length: counters.slots }, (_, slot) => slot);
    const { bought, received, status } = tables.positions.columns;
    expect(
      slots.some((slot) => bought.get(slot) === 0 && received.get(slot) > 0 && status.get(slot) === OPEN),
    ).toBe(true);
    expect(slots.some((slot) => status.get(slot) === CLOSED)).toBe(true);
  });

  test("no trader has two open positions of one token, and the lists hold exactly the open ones", () => {
    const world = smallWorld("lists", { seconds: 3_000, rate: 6 });
    world.advance(Number.POSITIVE_INFINITY);
    const { counters, tables } = world.context.state;
    const positions = tables.positions.columns;
    const open = new Set<string>();
    const byToken = new Map<number, number>();
    for (let slot = 0; slot < counters.slots; slot++) {
      if (positions.status.get(slot) !== OPEN) continue;
      const pair = `${positions.trader.get(slot)} ${positions.token.get(slot)}`;
      expect(open.has(pair)).toBe(false);
      open.add(pair);
      byToken.set(positions.token.get(slot), (byToken.get(positions.token.get(slot)) ?? 0) + 1);
    }
    for (const { index } of world.context.tokens.list) {
      let listed = 0;
      for (
        let slot = tables.tokens.columns.openHead.get(index);
        slot !== NONE;
        slot = positions.nextOfToken.get(slot)
      )
        listed++;
      expect(listed).toBe(byToken.get(index) ?? 0);
      expect(tables.tokens.columns.holders.get(index)).toBe(listed);
    }
  });

  test("holdings on the chain are the sum of its fills, and never exceed the supply", () => {
    const world = smallWorld("supply", { seconds: 3_000, rate: 8, traders: 40 });
    world.advance(Number.POSITIVE_INFINITY);
    const { counters, tables } = world.context.state;
    const held = new Map<number, number>();
    for (const [, books] of booksOf(world, counters.fills)) expect(books.openCost).toBeGreaterThanOrEqual(0);
    for (let slot = 0; slot < counters.slots; slot++) {
      const token = tables.positions.columns.token.get(slot);
      const amount = tables.positions.columns.chainAmount.get(slot);
      expect(amount).toBeGreaterThanOrEqual(0);
      held.set(token, (held.get(token) ?? 0) + amount);
    }
    for (const token of world.context.tokens.list) {
      const amount = tables.tokens.columns.chainHeld.get(token.index);
      expect(amount).toBe(held.get(token.index) ?? 0);
      expect(amount).toBeLessThanOrEqual(token.supply * 1_000_000);
    }
    for (const { index } of world.context.population.traders) {
      expect(tables.traders.columns.chainOpen.get(index)).toBeLessThanOrEqual(OPEN_MAX);
    }
  });

  test("closed positions make room for new ones, open ones never do, and sums include dropped ones", () => {
    const world = smallWorld("room", { seconds: 400_000, rate: 0.32, traders: 60 });
    const { counters, tables } = world.context.state;
    const realized = new Map<number, number>();
    let seen = 0;
    for (let step = 1; step <= 40; step++) {
      world.advance(world.context.genesis + step * 10_000_000);
      for (; seen < counters.applied; seen++) {
        const row = seen % tables.fills.capacity;
        const trader = tables.fills.columns.trader.get(row);
        if (tables.fills.columns.kind.get(row) !== SELL) continue;
        const gain = tables.fills.columns.usd.get(row) - tables.fills.columns.costShare.get(row);
        realized.set(trader, (realized.get(trader) ?? 0) + gain);
      }
    }
    const positions = tables.positions.columns;
    expect(counters.positions).toBeGreaterThan(tables.positions.capacity);
    const closed = new Map<number, number>();
    for (let slot = 0; slot < counters.slots; slot++) {
      expect(positions.status.get(slot)).not.toBe(FREE);
      const trader = positions.trader.get(slot);
      if (positions.status.get(slot) === CLOSED) closed.set(trader, (closed.get(trader) ?? 0) + 1);
    }
    for (const { index } of world.context.population.traders) {
      let listed = 0;
      for (
        let slot = tables.traders.columns.closedHead.get(index);
        slot !== NONE;
        slot = positions.nextOfTrader.get(slot)
      ) {
        expect(positions.status.get(slot)).toBe(CLOSED);
        expect(positions.trader.get(slot)).toBe(index);
        listed++;
      }
      expect(listed).toBe(closed.get(index) ?? 0);
      expect(tables.traders.columns.realized.get(index)).toBe(realized.get(index) ?? 0);
    }
  });
});
