// Blocks: a fill has the time of its block, all fills of one block have the same time, and a later block has a later time and
// a higher number. A re-org moves a fill to a later block, never to an earlier one.
import type { WorldContext } from "./context.ts";
import { unit } from "./hash.ts";
import { type Network, network } from "./networks.ts";

const EPOCH = Date.UTC(2024, 0, 1);
const REORG_CHANCE = 0.004;
/** A re-org shows within these bounds (and at least one block later), before the app shows the trade. */
const REORG_AFTER_MS = 2_500;
const REORG_SPREAD_MS = 6_500;
/** On networks with blocks this far apart an order waits for its block; on faster ones it is in the current one. */
const SLOW_BLOCK_MS = 2_000;
/** The longest delay between a block's time and the recording of a fill on a fast network. Prices older than this are settled. */
export const RECORDING_LAG_MS = 1_000;
/**
 * Fills are numbered as they are recorded: one that re-orgs moved may end up in a block this much later than the fills after
 * it.
 */
export const ORDER_SLACK_MS = 30_000;

export function blockNumber(of: Network, at: number): number {
  return of.blockBase + Math.floor((at - EPOCH) / of.blockMs);
}

/** The time of the block that is current at `at`. */
export function blockTime(of: Network, at: number): number {
  return EPOCH + Math.floor((at - EPOCH) / of.blockMs) * of.blockMs;
}

/** The time of the first block at or after `at`. */
export function nextBlockTime(of: Network, at: number): number {
  return EPOCH + Math.ceil((at - EPOCH) / of.blockMs) * of.blockMs;
}

/** The fill time of an order placed at `at`. */
export function fillTime(of: Network, at: number): number {
  return of.blockMs >= SLOW_BLOCK_MS ? nextBlockTime(of, at) : blockTime(of, at);
}

/** Whether a re-org will move a fill that is about to be recorded. */
export function drawReorg(context: WorldContext, fill: number): boolean {
  return unit(context.key, fill, 1) < REORG_CHANCE;
}

export function isReorganised({ state }: WorldContext, fill: number): boolean {
  const { fills } = state.tables;
  return fills.columns.moved.get(fill % fills.capacity) === 1;
}

/** How much later the final block is than the fill's first one; 0 unless the fill was re-organised. */
export function reorgDelay(context: WorldContext, fill: number, networkIndex: number): number {
  if (!isReorganised(context, fill)) return 0;
  const { blockMs } = network(networkIndex);
  return Math.ceil((REORG_AFTER_MS + unit(context.key, fill, 2) * REORG_SPREAD_MS) / blockMs) * blockMs;
}

/** The time of the final block of a kept fill. */
export function settledAt(context: WorldContext, fill: number): number {
  const { fills } = context.state.tables;
  const row = fill % fills.capacity;
  const networkIndex = context.tokens.networkOf(fills.columns.token.get(row));
  return fills.columns.at.get(row) + reorgDelay(context, fill, networkIndex);
}
