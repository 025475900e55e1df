// For tests: the whole state of the books and feeds, in a comparable form, and the invariants of any feed.
import { expect } from "bun:test";
import type { Queries } from "../../database/database.ts";
import type { DatabaseLocation } from "../../database/open.ts";
import { derivedUuid } from "../../kit/ids.ts";
import type { WireAppItem, WireChainItem } from "../../protocol/shapes/event.ts";
import type { Money } from "../prices/money.ts";
import { readItems } from "./feed-items.ts";
import { readLedger } from "./ledger.ts";
import { positionsOfTrader } from "./positions.ts";
import { money, openBooks, ROSTER } from "./test-story.ts";

export async function keptIn(queries: Queries, handles: readonly string[], valued: Money) {
  const ledgers = [];
  const table = [];
  for (const handle of handles) {
    const userId = derivedUuid("trader", handle);
    const { booked, positions } = await readLedger(queries, userId, valued);
    ledgers.push({ handle, booked: [...booked.values()], positions: positions.toSorted(byId) });
    const rows = await positionsOfTrader(queries, userId);
    table.push({ handle, positions: rows.map(({ userId: _, ...position }) => position).sort(byId) });
  }
  const app = (await readItems<WireAppItem>(queries, "app", 0, 10_000)).items.map(({ item }) => item);
  const trades = (await readItems<WireChainItem>(queries, "chain", 0, 10_000)).items.map(({ item }) => item);
  return { ledgers: plain(ledgers), table: plain(table), app, trades };
}

const byId = (a: { tradeId: string }, b: { tradeId: string }) => (a.tradeId < b.tradeId ? -1 : 1);

const plain = <T extends { handle: string; positions: unknown }>(of: readonly T[]): T[] =>
  JSON.parse(JSON.stringify(of, (_, value) => (typeof value === "bigint" ? `${value}n` : value)));

/** Checks that the position table matches the moves. */
export function expectTable({ ledgers, table }: Awaited<ReturnType<typeof keptIn>>): void {
  expect(table).toEqual(ledgers.map(({ handle, positions }) => ({ handle, positions })));
}

/** The state that a story left behind. */
export async function whatIsKept(location: DatabaseLocation) {
  const { database, close } = await openBooks(location);
  try {
    return await keptIn(
      database.read,
      ROSTER.map(({ handle }) => handle),
      money,
    );
  } finally {
    await close();
  }
}

export interface Standing {
  /** The trades that were not retracted. */
  published: string[];
  ids: string[];
  /** The subset of them that were finalized. */
  final: string[];
}

/** What remains on the chain feed; checks that each retraction and finality refers to an earlier trade. */
export function standing(items: readonly WireChainItem[]): Standing {
  const published = new Map<string, string>();
  const isFinal = new Set<string>();
  for (const item of items) {
    if (item.kind === "trade") {
      expect(published.has(item.eventId)).toBe(false);
      published.set(item.eventId, `${item.swapId} ${item.txHash} ${item.side} ${item.usd}`);
    } else if (item.kind === "retract") {
      expect(isFinal.has(item.retractedEventId)).toBe(false);
      expect(published.delete(item.retractedEventId)).toBe(true);
    } else {
      expect(published.has(item.finalizedEventId)).toBe(true);
      isFinal.add(item.finalizedEventId);
    }
  }
  return {
    published: [...published.values()].sort(),
    ids: [...published.keys()].sort(),
    final: [...isFinal].sort(),
  };
}
