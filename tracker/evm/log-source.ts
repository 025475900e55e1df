// Queries a node for the logs of a range of blocks. Up to a few thousand wallets are named in the filter, more are matched
// locally; how many wallets and blocks one query covers adapts to what the provider allows.

import { chunksOf } from "../../kit/chunks.ts";
import type { Clock } from "../../kit/clock.ts";
import type { RpcClient } from "../rpc/client.ts";
import { type RefusalKind, RpcRefused, RpcUnavailable, statedLimit } from "../rpc/errors.ts";
import { createLearnedLimit, type LearnedLimit } from "../rpc/learned-limit.ts";
import type { WalletTopics } from "./hits.ts";
import { SWAP_TOPICS } from "./pools.ts";
import { TOPICS } from "./topics.ts";
import { BadWire, type RawLog } from "./wire.ts";

/** One block by its hash, which a re-org can't change during the query, or a range of heights. */
export type Where = { blockHash: string } | { from: number; to: number };

/** Wallets named in one query; a node's lower limit is learned from its refusal. */
const NAMED_MAX = 1_000;
/** Beyond this many queries, all transfers are requested and the wallets matched here. */
const QUESTIONS_MAX = 4;
/** Pools whose trades are queried by name, for the same reason. */
const POOLS_MAX = 500;

export interface Logs {
  /** Token transfers and wraps, possibly of all wallets. */
  transfers: RawLog[];
  /** Trades of watched pools. */
  swaps: RawLog[];
}

export interface LogSource {
  fetch(where: Where, wallets: WalletTopics, pools: ReadonlySet<string>, signal?: AbortSignal): Promise<Logs>;
  /** Whether the filter names these wallets, so that an empty result is nothing unusual. */
  names(wallets: WalletTopics): boolean;
  /** The filters for a subscription to the same logs; null where they can't name the wallets. */
  filters(wallets: WalletTopics, pools: ReadonlySet<string>): object[] | null;
}

export function createLogSource(rpc: RpcClient, clock: Clock): LogSource {
  const limits = limitsByHost(NAMED_MAX, clock);
  const isNamed = ({ size }: WalletTopics, max: number) => Math.ceil(size / max) <= QUESTIONS_MAX;
  return {
    names: (wallets) => isNamed(wallets, limits(rpc.preferred()).current()),
    filters(wallets, pools) {
      const max = limits(rpc.preferred()).current();
      return isNamed(wallets, max)
        ? [...filtersFor(wallets, max), ...filtersForPools(pools, SWAP_TOPICS)]
        : null;
    },
    async fetch(where, wallets, pools, signal) {
      for (;;) {
        const limit = limits(rpc.preferred());
        const perQuestion = Math.min(limit.current(), wallets.size);
        const areNamed = isNamed(wallets, limit.current());
        try {
          const logs = await ask(
            rpc,
            where,
            filtersFor(wallets, areNamed ? perQuestion : null),
            pools,
            signal,
          );
          limit.accepted(perQuestion);
          return logs;
        } catch (error) {
          const isTooMany = error instanceof RpcRefused && error.kind === "filter";
          if (!isTooMany || !areNamed || perQuestion <= 1) throw error;
          limits(error.host).refused(perQuestion, statedLimit(error.reason, perQuestion));
        }
      }
    },
  };
}

/** Limits differ between providers, so each has its own. */
function limitsByHost(max: number, clock: Clock): (host: string) => LearnedLimit {
  const limits = new Map<string, LearnedLimit>();
  return (host) => {
    const known = limits.get(host) ?? createLearnedLimit(max, clock);
    limits.set(host, known);
    return known;
  };
}

async function ask(
  rpc: RpcClient,
  where: Where,
  walletFilters: readonly object[],
  pools: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Logs> {
  const place = "blockHash" in where ? where : { fromBlock: hexOf(where.from), toBlock: hexOf(where.to) };
  const filters = [...walletFilters, ...filtersForPools(pools, SWAP_TOPICS)];
  const lists = await listsOf(
    rpc,
    filters.map((filter) => ({ ...place, ...filter })),
    signal,
  );
  return {
    transfers: lists.slice(0, walletFilters.length).flat(),
    swaps: lists.slice(walletFilters.length).flat(),
  };
}

/** The logs of these events from these pools in a range of blocks. */
export async function logsOf(
  rpc: RpcClient,
  range: { fromBlock: string; toBlock: string },
  pools: ReadonlySet<string>,
  topics: readonly string[],
): Promise<RawLog[]> {
  const filters = filtersForPools(pools, topics);
  return (
    await listsOf(
      rpc,
      filters.map((filter) => ({ ...range, ...filter })),
    )
  ).flat();
}

async function listsOf(
  rpc: RpcClient,
  filters: readonly object[],
  signal?: AbortSignal,
): Promise<RawLog[][]> {
  if (filters.length === 0) return [];
  const replies = await rpc.batch(
    filters.map((filter) => ({ method: "eth_getLogs", params: [filter] })),
    signal,
  );
  return replies.map((reply) => {
    if ("refused" in reply) throw reply.refused;
    if (!Array.isArray(reply.result)) throw new BadWire("eth_getLogs did not give a list");
    return reply.result as RawLog[];
  });
}

export const hexOf = (height: number): string => `0x${height.toString(16)}`;

/** Two queries per group of wallets, as senders and as recipients; null: all transfers. */
function filtersFor(wallets: WalletTopics, perQuestion: number | null): { topics: unknown[] }[] {
  if (wallets.size === 0) return [];
  const outgoing = [TOPICS.transfer, TOPICS.deposit, TOPICS.withdrawal];
  if (perQuestion === null) return [{ topics: [outgoing] }];
  return [...chunksOf([...wallets.addresses.keys()], perQuestion)].flatMap((named) => [
    { topics: [outgoing, named] },
    { topics: [TOPICS.transfer, null, named] },
  ]);
}

export const askedPools = (pools: ReadonlySet<string>): string[] => [...pools].slice(0, POOLS_MAX);

/** One filter for pools with their own address; one more per contract that keeps pools by id. */
function filtersForPools(
  pools: ReadonlySet<string>,
  events: readonly string[],
): { address: string | string[]; topics: unknown[] }[] {
  const addresses: string[] = [];
  const idsOf = new Map<string, string[]>();
  for (const pool of askedPools(pools)) {
    const [address = pool, id] = pool.split(":");
    if (id === undefined) addresses.push(address);
    else idsOf.set(address, [...(idsOf.get(address) ?? []), id]);
  }
  const singletons = [...idsOf].map(([address, ids]) => ({ address, topics: [events, ids] }));
  return addresses.length === 0 ? singletons : [{ address: addresses, topics: [events] }, ...singletons];
}

/** How many blocks to query at once. */
export interface BlockSpan {
  current(): number;
  /**
   * Runs the query, with fewer blocks each time it is refused. Up to `overlapMax` blocks before the first are queried again, as
   * far as the provider's limit allows.
   */
  run<T>(
    from: number,
    to: number,
    ask: (end: number, start: number) => Promise<T>,
    overlapMax?: number,
  ): Promise<{ to: number; answer: T }>;
}

/** Querying fewer blocks does not help against these. */
const SPAN_PROOF: ReadonlySet<RefusalKind> = new Set(["pruned", "unsupported", "behind", "filter"]);

export function createSpan(max: number, rpc: Pick<RpcClient, "preferred">, clock: Clock): BlockSpan {
  const limitOf = limitsByHost(max, clock);
  return {
    current: () => limitOf(rpc.preferred()).current(),
    async run(from, to, ask, overlapMax = 0) {
      for (;;) {
        const host = rpc.preferred();
        const blocks = limitOf(host).current();
        const start = from - Math.min(overlapMax, blocks >> 1);
        const end = Math.min(to, start + blocks - 1);
        const asked = end - start + 1;
        try {
          const answer = await ask(end, start);
          limitOf(host).accepted(asked);
          return { to: end, answer };
        } catch (error) {
          if (asked <= 1 || !isTooMuch(error)) throw error;
          const limit = limitOf(error.host);
          if (error instanceof RpcRefused && error.kind !== "results")
            limit.refused(asked, statedLimit(error.reason, asked));
          else limit.strained(asked);
        }
      }
    },
  };
}

/** A node that times out, or would send too much, is also asked for less. */
const isTooMuch = (error: unknown): error is RpcRefused | RpcUnavailable =>
  error instanceof RpcRefused
    ? !SPAN_PROOF.has(error.kind)
    : error instanceof RpcUnavailable && (error.kind === "timeout" || error.kind === "size");
