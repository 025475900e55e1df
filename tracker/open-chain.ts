// One chain of the tracker: its providers behind one client, its reader, and the questions beside it.
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { Random } from "../kit/random.ts";
import { type ChainQueries, type ChainReader, type Sink, SOLANA_CHAIN_ID, type WatchList } from "./chain.ts";
import { evmChain } from "./evm/chains.ts";
import { createEvmReader } from "./evm/reader.ts";
import type { ReaderMetrics } from "./evm/reader-metrics.ts";
import { createEvmQueries } from "./evm/tokens.ts";
import { createRpcClient, type RpcMetrics } from "./rpc/client.ts";
import { createSolanaQueries } from "./solana/queries.ts";
import { createSolanaReader } from "./solana/reader.ts";

export interface ChainSettings {
  chainId: number;
  /** For logs and metrics. */
  name: string;
  /** What price endpoints call it. */
  slug: string;
  /** HTTP endpoints in order of preference; they may hold keys. */
  urls: readonly string[];
  /** Where trades or heads are heard; null: the chain is looked at from time to time. */
  webSocketUrl: string | null;
  wrapped: string | null;
  /** Dollar coins beside the well-known ones. */
  stables: readonly string[];
  /** EVM chains only: the node's own notion of final, or so many blocks behind the head. */
  finality: "finalized" | "safe" | number;
  pollMs: number;
  gapMs: number;
  callsPerSecondMax: number;
}

export interface ChainParts {
  sink: Sink;
  watch: WatchList;
  clock: Clock;
  log: Log;
  rpcMetrics: RpcMetrics;
  readerMetrics(chain: string): ReaderMetrics;
  random: Random;
}

export function openChain(
  settings: ChainSettings,
  parts: ChainParts,
): { reader: ChainReader; queries: ChainQueries } {
  const { sink, watch, clock, random } = parts;
  const rpc = createRpcClient({
    ...{ chain: settings.name, urls: settings.urls, clock, random, metrics: parts.rpcMetrics },
    callsPerSecondMax: settings.callsPerSecondMax,
  });
  const shared = {
    ...{ rpc, sink, watch, clock, random, webSocketUrl: settings.webSocketUrl },
    log: parts.log.with({ chain: settings.name }),
    metrics: parts.readerMetrics(settings.name),
  };
  if (settings.chainId === SOLANA_CHAIN_ID) {
    return { reader: createSolanaReader(shared), queries: createSolanaQueries(rpc) };
  }
  const reader = createEvmReader({
    ...shared,
    chain: evmChain(settings.chainId, settings.wrapped),
    ...{ finality: settings.finality, pollMs: settings.pollMs, gapMs: settings.gapMs },
  });
  return { reader, queries: createEvmQueries(rpc) };
}
