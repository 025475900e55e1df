// Invariants of every platform's tape: in order, within the range, and the same whether requested whole or in two parts.
import { expect } from "bun:test";
import { HOUR_MS } from "../kit/units.ts";
import type { PlatformTick, TicksPage } from "./shapes/tape.ts";

type AskTicks = (query: Record<string, string | number>) => Promise<TicksPage>;

export async function holdTicks(ask: AskTicks, now: number): Promise<void> {
  const [from, to] = [Math.max(0, now - 3 * HOUR_MS), now - HOUR_MS];
  const middle = Math.floor((from + to) / 2);
  const whole = await readTicks(ask, from, to);
  for (const [index, { at, place }] of whole.entries()) {
    const before = whole[index - 1];
    expect(at >= from && at < to).toBe(true);
    expect(!before || at > before.at || (at === before.at && place > before.place)).toBe(true);
  }
  const parts = [...(await readTicks(ask, from, middle)), ...(await readTicks(ask, middle, to))];
  expect(parts).toEqual(whole);
}

async function readTicks(ask: AskTicks, from: number, to: number): Promise<PlatformTick[]> {
  const rows: PlatformTick[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: TicksPage = await ask({ from, to, ...(cursor === null ? {} : { cursor }) });
    rows.push(...page.rows);
    if (page.nextCursor === null) return rows;
    cursor = page.nextCursor;
  }
}
