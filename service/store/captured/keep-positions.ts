// Stores upstream's answers about positions, each as old as its own request. Requests, sweeps and event-driven updates
// overlap; if an answer lost such a race, or may have won it wrongly, the position is returned so that it is fetched again.
import type { Position } from "../../../protocol/shapes/position.ts";
import type { StoredPositions } from "./positions.ts";

export interface AnsweredPosition {
  position: Position;
  /** Just before the request was sent: the answer is at least this new. */
  askedAt: number;
}

/** Answers in request order. Returns the tradeIds whose doubts this did not settle. */
export async function keepPositions(
  positions: StoredPositions,
  answers: readonly AnsweredPosition[],
): Promise<string[]> {
  if (answers.length === 0) return [];
  const latest = new Map(answers.map((each) => [each.position.tradeId, each]));
  // A slow upstream's books can make an answer older than its time, or what we had was booked slightly late.
  const takenBack = (await positions.byIds([...latest.keys()])).filter(
    ({ tradeId, lastActivityAt }) => lastActivityAt > (latest.get(tradeId)?.position.lastActivityAt ?? 0),
  );
  const overtaken = await save(positions, [...latest.values()]);
  return [...new Set([...takenBack.map(({ tradeId }) => tradeId), ...overtaken])];
}

/** In one write; bisects only when something newer was stored, to find out for which of them. */
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
