// Asks a node for the logs of a stretch of blocks. Few wallets are named in the filter, many are looked up locally; how
// many blocks one question covers adapts to what the provider grants.

import type { RpcClient } from "../rpc/client.ts";
import { RpcRefused } from "../rpc/errors.ts";
import type { WalletTopics } from "./hits.ts";
import { SWAP_TOPICS } from "./pools.ts";
import { TOPICS } from "./topics.ts";
import { BadWire, type RawLog } from "./wire.ts";

/** One block by its hash, which a re-org can't change under the question, or a range of heights. */
export type Where = { blockHash: string } | { from: number; to: number };

/** Up to this many wallets are named in the filter; beyond it, providers refuse or slow down. */
export const TOPIC_WALLETS_MAX = 100;
/** Pools whose trades are asked for by name, for the same reason. */
const POOLS_MAX = 500;

export interface Logs {
  /** Token transfers and wrappings, perhaps of everybody. */
  transfers: RawLog[];
  /** Trades of watched pools. */
  swaps: RawLog[];
}

export async function fetchLogs(
  rpc: RpcClient,
  where: Where,
  wallets: WalletTopics,
  pools: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Logs> {
  const place = "blockHash" in where ? where : { fromBlock: hexOf(where.from), toBlock: hexOf(where.to) };
  const walletFilters = filtersFor(wallets);
  const poolFilters = filtersForPools(pools);
  const filters = [...walletFilters, ...poolFilters];
  if (filters.length === 0) return { transfers: [], swaps: [] };
  const replies = await rpc.batch(
    filters.map((filter) => ({ method: "eth_getLogs", params: [{ ...place, ...filter }] })),
    signal,
  );
  const lists = replies.map((reply) => {
    if ("refused" in reply) throw reply.refused;
    if (!Array.isArray(reply.result)) throw new BadWire("eth_getLogs did not give a list");
    return reply.result as RawLog[];
  });
  return {
    transfers: lists.slice(0, walletFilters.length).flat(),
    swaps: lists.slice(walletFilters.length).flat(),
  };
}

export const hexOf = (height: number): string => `0x${height.toString(16)}`;

function filtersFor(wallets: WalletTopics): { topics: unknown[] }[] {
  if (wallets.size === 0) return [];
  const outgoing = [TOPICS.transfer, TOPICS.deposit, TOPICS.withdrawal];
  if (wallets.size > TOPIC_WALLETS_MAX) return [{ topics: [outgoing] }];
  const named = [...wallets.addresses.keys()];
  return [{ topics: [outgoing, named] }, { topics: [TOPICS.transfer, null, named] }];
}

/** Pools of their own address in one filter; those that a contract keeps by id in one for each such contract. */
function filtersForPools(pools: ReadonlySet<string>): { address: string | string[]; topics: unknown[] }[] {
  const addresses: string[] = [];
  const idsOf = new Map<string, string[]>();
  for (const pool of [...pools].slice(0, POOLS_MAX)) {
    const [address = pool, id] = pool.split(":");
    if (id === undefined) addresses.push(address);
    else idsOf.set(address, [...(idsOf.get(address) ?? []), id]);
  }
  const singletons = [...idsOf].map(([address, ids]) => ({ address, topics: [SWAP_TOPICS, ids] }));
  return addresses.length === 0 ? singletons : [{ address: addresses, topics: [SWAP_TOPICS] }, ...singletons];
}

/** How many blocks to ask for at once. */
export interface Span {
  current(): number;
  /** Runs the question, with fewer blocks each time it is refused. */
  run<T>(from: number, to: number, ask: (to: number) => Promise<T>): Promise<{ to: number; answer: T }>;
}

export function createSpan(max: number): Span {
  let blocks = max;
  return {
    current: () => blocks,
    async run(from, to, ask) {
      for (;;) {
        const end = Math.min(to, from + blocks - 1);
        try {
          const answer = await ask(end);
          // Limits count results too, so a quiet stretch allows for more again.
          if (end - from + 1 === blocks) blocks = Math.min(max, Math.ceil(blocks * 1.25));
          return { to: end, answer };
        } catch (problem) {
          const asked = end - from + 1;
          if (!(problem instanceof RpcRefused) || asked <= 1) throw problem;
          blocks = Math.max(1, Math.floor(asked / 2));
        }
      }
    },
  };
}
