// Probes what one provider of an EVM chain allows: blocks per log query, calls per batch, how far back it keeps balances,
// whether it traces, how old its head is. A few dozen calls, for `crowdtape doctor`.
import type { Clock } from "../../kit/clock.ts";
import { DAY_MS } from "../../kit/units.ts";
import type { RpcClient } from "../rpc/client.ts";
import { measureRate } from "../rpc/measure-rate.ts";
import { POOLS_A_QUESTION, TAPE_LOOKS } from "../tape/filler.ts";
import { readHeader } from "./headers.ts";
import { createSpan, hexOf } from "./log-source.ts";
import { TOPICS } from "./topics.ts";
import { topicOf, ZERO_ADDRESS } from "./wire.ts";

export interface MeasuredProvider {
  headAgeMs: number;
  rangeBlocks: number;
  batchCalls: number;
  /** How far back from the head it has balances, in blocks. */
  archiveBlocks: number;
  hasTraces: boolean;
  callsPerSecond: number;
}

const RANGE_MAX = 10_000;
/** Each asks for a quarter more than was allowed before: enough to get close to the limit. */
const RANGE_ROUNDS = 8;
const BATCH_CALLS = 100;
const DEPTHS = [128, 10_000, 1_000_000];
/** An address that never sends to itself, so results are short. */
const STRANGER = topicOf(`0x${"1".repeat(39)}7`);
const NO_TRANSACTION = `0x${"0".repeat(64)}`;

export async function measureProvider(
  rpc: RpcClient,
  chainId: number,
  clock: Clock,
): Promise<MeasuredProvider> {
  const head = readHeader(await rpc.call("eth_getBlockByNumber", ["latest", false]), chainId);
  if (!head) throw new Error("the node has no head");
  const span = createSpan(RANGE_MAX, rpc, clock);
  const topics = [TOPICS.transfer, STRANGER, STRANGER];
  const first = Math.max(0, head.height - RANGE_MAX + 1);
  let rangeBlocks = 0;
  for (let round = 0; round < RANGE_ROUNDS; round++) {
    const { to } = await span.run(first, head.height, (end, start) =>
      rpc.call("eth_getLogs", [{ fromBlock: hexOf(start), toBlock: hexOf(end), topics }]),
    );
    rangeBlocks = Math.max(rangeBlocks, to - first + 1);
    if (to === head.height) break;
  }
  await rpc.batch(Array.from({ length: BATCH_CALLS }, () => ({ method: "eth_chainId", params: [] })));
  return {
    headAgeMs: Math.max(0, clock.now() - head.timeMs),
    rangeBlocks,
    batchCalls: rpc.health()[0]?.batch ?? 1,
    archiveBlocks: await archiveOf(rpc, head.height),
    hasTraces: await tracesOf(rpc),
    callsPerSecond: await measureRate(rpc, "eth_chainId"),
  };
}

async function archiveOf(rpc: RpcClient, head: number): Promise<number> {
  const depths = DEPTHS.map((depth) => Math.min(depth, head));
  const replies = await rpc.batch(
    depths.map((depth) => ({ method: "eth_getBalance", params: [ZERO_ADDRESS, hexOf(head - depth)] })),
  );
  return Math.max(0, ...depths.filter((_, at) => "result" in (replies[at] ?? {})));
}

async function tracesOf(rpc: RpcClient): Promise<boolean> {
  const [reply] = await rpc.batch([{ method: "debug_traceTransaction", params: [NO_TRANSACTION] }]);
  return reply !== undefined && !("refused" in reply && reply.refused.kind === "unsupported");
}

/** A look is one header and two log queries; the rest is the review of quiet blocks and the coin's price. */
const CALLS_PER_LOOK = 3;
const CALLS_PER_MINUTE_MORE = 12;
/** Block, receipt, two balances, token metadata, the pool. */
const CALLS_PER_TRADE = 8;

/** Calls a day for an EVM chain, with this many wallets and trades per wallet. */
export function callsPerDay(pollMs: number, wallets: number, tradesPerWallet: number): number {
  const perMinute = (60_000 / pollMs) * CALLS_PER_LOOK * Math.max(1, Math.ceil(wallets / 1_000));
  return Math.round(
    1_440 * (perMinute + CALLS_PER_MINUTE_MORE) + wallets * tradesPerWallet * CALLS_PER_TRADE,
  );
}

/** Two log queries, and the time of the last block. */
const TAPE_CALLS = 3;

/** Calls a day for the tape of this many pools, however many swaps they have. */
export const tapeCallsPerDay = (pollMs: number, pools: number): number =>
  Math.round(DAY_MS / (TAPE_LOOKS * pollMs)) * TAPE_CALLS * Math.ceil(pools / POOLS_A_QUESTION);
