// Stores what upstream answered about positions, each as old as its own question. Questions, sweeps and what
// events add overlap; whenever an answer lost such a race, or may have won it wrongly, the position is named to be asked for again.
import type { Position } from "../../../protocol/shapes/position.ts";
import type { StoredPositions } from "./positions.ts";

export interface AnsweredPosition {
  position: Position;
  /** Before the question left: the answer is as new as this, or newer. */
  askedAt: number;
}

/** In the order they were asked for. Returns the tradeIds whose doubts this did not settle. */
export async function keepPositions(
  positions: StoredPositions,
  answers: readonly AnsweredPosition[],
): Promise<string[]> {
  if (answers.length === 0) return [];
  const latest = new Map(answers.map((each) => [each.position.tradeId, each]));
  // An answer can be older than its time in the books of a slow upstream, or what we had was booked a little late.
  const takenBack = (await positions.byIds([...latest.keys()])).filter(
    ({ tradeId, lastActivityAt }) => lastActivityAt > (latest.get(tradeId)?.position.lastActivityAt ?? 0),
  );
  const overtaken = await save(positions, [...latest.values()]);
  return [...new Set([...takenBack.map(({ tradeId }) => tradeId), ...overtaken])];
}

/** In one write; only when something newer was there, by halves, to find out for which of them. */
async function save(positions: StoredPositions, answers: readonly AnsweredPosition[]): Promise<string[]> {
  const askedAt = new Map(answers.map((each) => [each.position.tradeId, each.askedAt]));
  const saved = await positions.save(
    answers.map(({ position }) => position),
    askedAt,
  );
  if (saved === answers.length) return [];
  if (answers.length === 1) return [...askedAt.keys()];
  const half = answers.length >> 1;
  return [
    ...(await save(positions, answers.slice(0, half))),
    ...(await save(positions, answers.slice(half))),
  ];
}
