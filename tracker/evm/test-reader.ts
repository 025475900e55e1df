// Readers on the test chain with short pauses, and helpers for their tests.
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics, type Metrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { eventually } from "../../test/support/eventually.ts";
import type { ChainReader, Sink, WatchList } from "../chain.ts";
import { createReaderMetrics } from "../reader-metrics.ts";
import { createRpcClient, createRpcMetrics, type RpcClient } from "../rpc/client.ts";
import { type EvmChain, evmChain } from "./chains.ts";
import { encodePlace } from "./place.ts";
import { createEvmReader } from "./reader.ts";

export interface ReaderSetup {
  chainId: number;
  wrapped: string;
  urls: readonly string[];
  webSocketUrl?: string | null;
  sink: Sink;
  wallets: Iterable<string>;
  /** Added while the reader runs; lower case. */
  later?: ReadonlySet<string>;
  pools?: Iterable<string>;
  finality?: number;
  spanMax?: number;
  gapMs?: number;
  pollMs?: number;
  reviewMs?: number;
}

export function openRpc(urls: readonly string[]): { rpc: RpcClient; metrics: Metrics } {
  const metrics = createMetrics();
  const rpc = createRpcClient({
    chain: "test",
    urls,
    clock: systemClock(),
    random: seededRandom("rpc"),
    metrics: createRpcMetrics(metrics),
    callsPerSecondMax: 100_000,
    concurrencyMax: 8,
    pauseMsMin: 2,
  });
  return { rpc, metrics };
}

export function openReader(setup: ReaderSetup): ChainReader & { metrics: string } {
  const clock = systemClock();
  const chain: EvmChain = evmChain(setup.chainId, setup.wrapped);
  const wallets = new Set([...setup.wallets].map((wallet) => wallet.toLowerCase()));
  const pools = new Set(setup.pools ?? []);
  const watched = () => (setup.later ? new Set([...wallets, ...setup.later]) : wallets);
  const watch: WatchList = { wallets: watched, pools: () => pools, onChange: () => () => {} };
  const { rpc, metrics } = openRpc(setup.urls);
  const reader = createEvmReader({
    chain,
    rpc,
    webSocketUrl: setup.webSocketUrl ?? null,
    sink: setup.sink,
    watch,
    clock,
    random: seededRandom("reader"),
    log: createLog("silent", clock.now),
    metrics: createReaderMetrics(metrics)("test"),
    finality: setup.finality ?? 4,
    pollMs: setup.pollMs ?? 10,
    gapMs: setup.gapMs ?? 1,
    reviewMs: setup.reviewMs ?? 0,
    ...(setup.spanMax === undefined ? {} : { spanMax: setup.spanMax }),
  });
  return {
    ...reader,
    get metrics() {
      return metrics.render();
    },
  };
}

/** A cursor as if the reader had read up to this block and no further. */
export function cursorAt(chainId: number, height: number, hash: string): Map<string, string> {
  return new Map([[`evm:${chainId}`, encodePlace({ marks: [{ height, hash, content: null }] })]]);
}

/** Waits until the reader has read the block at this height and considers the one `finality` below final. */
export function caughtUp(reader: ChainReader, height: number, final: number): Promise<void> {
  const isThere = () => {
    const status = reader.status();
    return status.cursor === height && status.final === final && status.error === null;
  };
  return eventually(isThere, `the reader has read up to ${height}`).catch((error) => {
    throw new Error(`${error.message} It says ${JSON.stringify(reader.status())}`);
  });
}
