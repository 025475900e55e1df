// One chain of the tracker: its providers behind one client, its reader, and its queries.
import type { Clock } from "../kit/clock.ts";
import type { Kit } from "../kit/kit.ts";
import { MINUTE_MS } from "../kit/units.ts";
import type { AlertsAt } from "./alerts-at.ts";
import {
  type ChainQueries,
  type ChainReader,
  type ChainTape,
  type Sink,
  SOLANA_CHAIN_ID,
  type WatchList,
} from "./chain.ts";
import { evmChain } from "./evm/chains.ts";
import { createFeedSource, createPoolsSource } from "./evm/coin-sources.ts";
import { createEvmTape } from "./evm/pool-tape.ts";
import { createEvmReader } from "./evm/reader.ts";
import { createSingletonPools } from "./evm/singleton-pools.ts";
import { createTaggedHeight, type TaggedHeight } from "./evm/tagged-height.ts";
import { createEvmQueries } from "./evm/tokens.ts";
import type { CoinSource } from "./prices/coins.ts";
import { knownMoney } from "./prices/known.ts";
import type { ReaderMetrics } from "./reader-metrics.ts";
import { createRpcClient, type RpcClient, type RpcMetrics } from "./rpc/client.ts";
import { createSolanaPoolsSource } from "./solana/coin-pools.ts";
import type { GrpcEndpoint } from "./solana/geyser.ts";
import { createSolanaTape } from "./solana/pool-tape.ts";
import { createSolanaQueries } from "./solana/queries.ts";
import { createSolanaReader } from "./solana/reader.ts";

export interface ChainSettings {
  chainId: number;
  /** For logs and metrics. */
  name: string;
  /** The chain's name in price endpoints. */
  slug: string;
  /** HTTP endpoints in order of preference; they may hold keys. */
  urls: readonly string[];
  /** Where news of trades or heads arrives; null: the chain is polled. */
  webSocketUrl: string | null;
  /** Solana only: the transaction stream. */
  grpc: GrpcEndpoint | null;
  wrapped: string | null;
  /** Dollar coins in addition to the well-known ones. */
  stables: readonly string[];
  /** Price feeds, deep pools and pool factories in addition to the well-known ones. */
  feeds: readonly string[];
  coinPools: readonly string[];
  factories: readonly string[];
  /** EVM chains only: the node's own notion of final, or this many blocks behind the head. */
  finality: "finalized" | "safe" | number;
  /** When a trade becomes an alert. */
  alertsAt: AlertsAt;
  /** The meaning of `safe` where the node has no such tag, in blocks or slots behind the head. */
  safeBlocks: number;
  pollMs: number;
  gapMs: number;
  /** EVM chains only: how often empty blocks are finalized. */
  reviewMs: number;
  callsPerSecondMax: number;
}

export interface ChainParts extends Pick<Kit, "clock" | "log" | "random"> {
  sink: Sink;
  watch: WatchList;
  rpcMetrics: RpcMetrics;
  readerMetrics(chain: string): ReaderMetrics;
}

export interface TrackedChain {
  settings: ChainSettings;
  rpc: RpcClient;
  reader: ChainReader;
  queries: ChainQueries;
  taggedHeight: TaggedHeight | null;
  tape: ChainTape;
}

export function openChain(settings: ChainSettings, parts: ChainParts): TrackedChain {
  const { sink, watch, clock, random } = parts;
  const rpc = createRpcClient({
    chain: settings.name,
    urls: settings.urls,
    clock,
    random,
    metrics: parts.rpcMetrics,
    callsPerSecondMax: settings.callsPerSecondMax,
  });
  const shared = {
    rpc,
    sink,
    watch,
    clock,
    random,
    webSocketUrl: settings.webSocketUrl,
    log: parts.log.with({ chain: settings.name }),
    metrics: parts.readerMetrics(settings.name),
  };
  const factories = [...knownMoney(settings.chainId).factories, ...settings.factories];
  if (settings.chainId === SOLANA_CHAIN_ID) {
    return {
      settings,
      rpc,
      reader: createSolanaReader({ ...shared, grpc: settings.grpc }),
      queries: createSolanaQueries(rpc, factories),
      taggedHeight: null,
      tape: createSolanaTape(rpc),
    };
  }
  const chain = evmChain(settings.chainId, settings.wrapped);
  const singletons = createSingletonPools(rpc);
  const reader = createEvmReader({
    ...shared,
    chain,
    singletons,
    finality: settings.finality,
    pollMs: settings.pollMs,
    gapMs: settings.gapMs,
    reviewMs: settings.reviewMs,
  });
  // A reader that follows the node's "finalized" already knows it; no need to query it again.
  const isKnown = settings.alertsAt === "final" && settings.finality === "finalized";
  const taggedHeight = isKnown ? null : createTaggedHeight(rpc, settings.chainId, clock);
  const tape = createEvmTape(chain, rpc, clock, singletons);
  const queries = createEvmQueries(rpc, factories, settings.wrapped, singletons, settings.chainId);
  return { settings, rpc, reader, queries, taggedHeight, tape };
}

/** The chain's own sources for its coin's price. A feed on another chain is read if that one has providers too. */
export function coinSourcesOf(
  { chainId, wrapped, feeds, coinPools }: ChainSettings,
  rpcOf: (chainId: number) => RpcClient | undefined,
  clock: Clock,
): CoinSource[] {
  const known = knownMoney(chainId);
  const own = rpcOf(chainId);
  const feed = feeds[0] ?? known.feed;
  const feedRpc = rpcOf(feeds[0] ? chainId : known.feedChainId);
  const pools = [...known.pools, ...coinPools];
  const sources: CoinSource[] = [];
  if (feed && feedRpc) sources.push(createFeedSource(feedRpc, feed, feedRpc === own ? 0 : FEED_DELAY_MS));
  if (own && pools.length > 0 && chainId === SOLANA_CHAIN_ID)
    sources.push(createSolanaPoolsSource(own, pools, clock.now));
  else if (own && pools.length > 0 && wrapped !== null) sources.push(createPoolsSource(own, pools, wrapped));
  return sources;
}

/** Time for a block of the feed's chain to reach every node. */
const FEED_DELAY_MS = MINUTE_MS;
