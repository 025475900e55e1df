// When each of the leader's moves is copied at a delay, and what the pool looks like then. Sizes and fees don't matter
// here, so one schedule serves every run at the same delay.
import type { Sliced } from "../kit/slices.ts";
import { type CopyableMove, copiedAt, type LeaderPlan, type PlannedPosition } from "./leader.ts";
import { isUsable, lastBefore, lastDepth, type PoolState, SOURCES, stateWithoutTick } from "./tape.ts";

/** Moves between two looks at the time: well under a millisecond. */
const SLICE_MOVES = 512;

export function* scheduleOf(plan: LeaderPlan, delayMs: number): Sliced<CopySchedule> {
  const { moves, positions } = plan;
  const schedule = emptySchedule(moves.length, delayMs);
  const { order, at } = schedule;
  for (let place = 0; place < moves.length; place++) {
    const move = moves[place] as CopyableMove;
    const moment = setState(schedule, place, move, positions[move.position] as PlannedPosition);
    // Nearly sorted already: blocks differ by seconds.
    let slot = place;
    for (; slot > 0 && (at[order[slot - 1] as number] as number) > moment; slot--)
      order[slot] = order[slot - 1] as number;
    order[slot] = place;
    if (place % SLICE_MOVES === 0) yield;
  }
  setFollowing(schedule, plan);
  return schedule;
}

function emptySchedule(length: number, delayMs: number) {
  return {
    delayMs,
    /** Places in the order of execution. */
    order: new Int32Array(length),
    at: new Float64Array(length),
    /** NaN where no price can be had. */
    price: new Float64Array(length),
    depth: new Float64Array(length),
    poolFee: new Float64Array(length),
    /** Of `SOURCES`. */
    source: new Uint8Array(length),
    seenAt: new Float64Array(length),
    /** When the same position's next move is copied; infinite for its last. */
    nextAt: new Float64Array(length),
  };
}

/** Columns by place in the plan's moves. */
export type CopySchedule = ReturnType<typeof emptySchedule>;

/** Returns when the move is copied. */
function setState(
  { delayMs, at, price, depth, poolFee, source, seenAt }: CopySchedule,
  place: number,
  move: CopyableMove,
  { tape, blockMs }: PlannedPosition,
): number {
  const moment = copiedAt(move, delayMs, blockMs);
  const since = move.isOpening ? Number.NEGATIVE_INFINITY : move.at;
  at[place] = moment;
  const tick = lastBefore(tape.at, moment, move.tick);
  if (isUsable(tape, tick, moment, since)) {
    price[place] = tape.price[tick] as number;
    depth[place] = lastDepth(tape, tick);
    poolFee[place] = (tape.feeBps[tick] as number) / 10_000;
    seenAt[place] = tape.at[tick] as number;
    return moment;
  }
  const other = stateWithoutTick(tape, tick, moment, since, move.priceUsd);
  price[place] = other?.priceUsd ?? Number.NaN;
  depth[place] = other?.depthUsd ?? Number.NaN;
  source[place] = other ? SOURCES.indexOf(other.source) : 0;
  seenAt[place] = other?.seenAt ?? Number.NaN;
  return moment;
}

/** The price for a copied move; null without one. */
export function stateAt(schedule: CopySchedule, place: number): PoolState | null {
  const priceUsd = schedule.price[place] as number;
  if (Number.isNaN(priceUsd)) return null;
  return {
    priceUsd,
    depthUsd: schedule.depth[place] as number,
    poolFee: schedule.poolFee[place] as number,
    source: SOURCES[schedule.source[place] as number] ?? "tape",
    seenAt: schedule.seenAt[place] as number,
  };
}

function setFollowing({ order, at, nextAt }: CopySchedule, { moves, positions }: LeaderPlan): void {
  const next = new Float64Array(positions.length).fill(Number.POSITIVE_INFINITY);
  for (let slot = order.length - 1; slot >= 0; slot--) {
    const place = order[slot] as number;
    const { position } = moves[place] as CopyableMove;
    nextAt[place] = next[position] as number;
    next[position] = at[place] as number;
  }
}
