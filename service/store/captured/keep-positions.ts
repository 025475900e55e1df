// Keeps what upstream told of positions, each as old as its own question. What is asked for, what a sweep tells and what
// events add overlap; whenever an answer lost such a race, or may have won it wrongly, the position is named to be asked for again.
import type { Position } from "../../model/position.ts";
import type { PositionStore } from "./positions.ts";

export interface Told {
  position: Position;
  /** Before the question left: the answer is as new as this, or newer. */
  askedAt: number;
}

/** In the order they were asked for. Returns the tradeIds whose doubts this did not settle. */
export async function keepPositions(positions: PositionStore, told: readonly Told[]): Promise<string[]> {
  if (told.length === 0) return [];
  const latest = new Map(told.map((each) => [each.position.tradeId, each]));
  // An answer can be older than its time in the books of a slow upstream, or what we had was booked a little late.
  const takenBack = (await positions.byIds([...latest.keys()])).filter(
    ({ tradeId, lastActivityAt }) => lastActivityAt > (latest.get(tradeId)?.position.lastActivityAt ?? 0),
  );
  const overtaken = await save(positions, [...latest.values()]);
  return [...new Set([...takenBack.map(({ tradeId }) => tradeId), ...overtaken])];
}

/** In one write; only when something newer was there, by halves, to find out for which of them. */
async function save(positions: PositionStore, told: readonly Told[]): Promise<string[]> {
  const askedAt = new Map(told.map((each) => [each.position.tradeId, each.askedAt]));
  const saved = await positions.save(
    told.map(({ position }) => position),
    askedAt,
  );
  if (saved === told.length) return [];
  if (told.length === 1) return [...askedAt.keys()];
  const half = told.length >> 1;
  return [...(await save(positions, told.slice(0, half))), ...(await save(positions, told.slice(half)))];
}
