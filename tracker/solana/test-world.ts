// For tests: a cluster with traders and a pool, nodes in front of it, and readers that follow it into an in-memory sink.
import type { KeyPairSigner } from "@solana/kit";
import { type Clock, systemClock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import type { FaultProxy } from "../../test/chains/fault-proxy.ts";
import { TestGeyser } from "../../test/chains/solana/geyser.ts";
import { TestLedger } from "../../test/chains/solana/ledger.ts";
import { type Pool, TestMarket } from "../../test/chains/solana/market.ts";
import { TestNode } from "../../test/chains/solana/node.ts";
import { eventually } from "../../test/support/eventually.ts";
import type { ChainReader, WatchList } from "../chain.ts";
import { createReaderMetrics } from "../reader-metrics.ts";
import { createRpcClient, createRpcMetrics } from "../rpc/client.ts";
import { walletsIn } from "./hits.ts";
import { netWallet } from "./netting.ts";
import { createSolanaReader } from "./reader.ts";
import { lineOf, MemorySink } from "./test-sink.ts";
import { readTransaction } from "./transaction.ts";

export interface World {
  ledger: TestLedger;
  market: TestMarket;
  node: TestNode;
  /** Only with `streams`. */
  geyser: TestGeyser;
  traders: KeyPairSigner[];
  pool: Pool;
  sink: MemorySink;
  watch: TestWatch;
  reader: ChainReader;
  /** Warnings and errors that the reader logged. */
  logged: string[];
  /** Stops the reader where it is and starts another one on the same store. */
  restart(): Promise<void>;
  /** Closes the block being built and confirms it. */
  advance(): void;
  /** The result of a clean replay of the final chain for the watched wallets. */
  replay(): string[];
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

export class TestWatch implements WatchList {
  private readonly listeners = new Set<() => void>();
  readonly poolSet = new Set<string>();
  constructor(readonly set: Set<string>) {}
  wallets(): ReadonlySet<string> {
    return this.set;
  }
  pools(): ReadonlySet<string> {
    return this.poolSet;
  }
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  add(wallet: string): void {
    this.set.add(wallet);
    for (const listener of this.listeners) listener();
  }
  remove(wallet: string): void {
    this.set.delete(wallet);
    for (const listener of this.listeners) listener();
  }
}

export interface WorldOptions {
  traders?: number;
  listedWalletsMax?: number;
  /** Trades are announced by the node's socket, and sweeps are very rare. */
  webSocket?: boolean;
  /** Transactions are streamed, and sweeps are very rare. */
  streams?: boolean;
  /** In the reader's own time; by default, as often as the rest of the world needs. */
  sweepMs?: { woken: number; alone: number };
  /** How long the stream may be silent; a test's chain can pause as long as the test likes. */
  silenceMsMax?: number;
  /** More nodes on the same ledger, after the first. */
  spareNodes?: (ledger: TestLedger) => TestNode[];
  /** A proxy between the reader and the node. */
  proxyBefore?: (node: TestNode) => Pick<FaultProxy, "url" | "stop"> & { webSocketUrl?: string };
}

export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const ledger = new TestLedger();
  const market = await TestMarket.open(ledger);
  const traders = await Promise.all(Array.from({ length: options.traders ?? 2 }, () => market.addTrader()));
  const pool = await market.addPool(10n ** 15n, 30n * 10n ** 9n);
  ledger.produce();
  ledger.finalize();
  const node = new TestNode(ledger);
  const geyser = options.streams ? await new TestGeyser(ledger).listen() : null;
  const spareNodes = options.spareNodes?.(ledger) ?? [];
  const proxy = options.proxyBefore?.(node) ?? null;
  const sink = new MemorySink();
  const watch = new TestWatch(new Set<string>(traders.map(({ address }) => address)));
  const logged: string[] = [];
  const log = quietLog(logged);
  const metrics = createMetrics();
  const [rpcMetrics, readerMetrics] = [createRpcMetrics(metrics), createReaderMetrics(metrics)];
  const startReader = () => {
    const clock = hurriedClock();
    const rpc = createRpcClient({
      chain: "solana",
      urls: [proxy ?? node, ...spareNodes].map(({ url }) => url),
      clock,
      random: seededRandom("rpc"),
      metrics: rpcMetrics,
      callsPerSecondMax: 100_000,
      timeoutMs: 2_000,
    });
    const reader = createSolanaReader({
      rpc,
      sink,
      watch,
      clock,
      sweepMs: options.sweepMs ?? { woken: 100_000 * HURRY, alone: 20 * HURRY },
      grpc: geyser?.endpoint ?? null,
      silenceMsMax: options.silenceMsMax ?? 100_000 * HURRY,
      holdingsMs: (geyser ? 100_000 : 40) * HURRY,
      tickMs: 5 * HURRY,
      settleMs: 5 * HURRY,
      log,
      random: seededRandom("reader"),
      metrics: readerMetrics("solana"),
      webSocketUrl: options.webSocket ? (proxy?.webSocketUrl ?? node.wsUrl) : null,
      ...(options.listedWalletsMax !== undefined && { listedWalletsMax: options.listedWalletsMax }),
    });
    reader.start();
    return reader;
  };
  const world: World = {
    ledger,
    market,
    node,
    geyser: geyser as TestGeyser,
    traders,
    pool,
    sink,
    watch,
    logged,
    reader: startReader(),
    async restart() {
      await world.reader.stop();
      world.reader = startReader();
    },
    advance() {
      ledger.produce();
      ledger.confirm();
    },
    replay: () => replay(ledger, watch.set),
    async caughtUp() {
      ledger.produce();
      ledger.finalize();
      await eventually(
        () => JSON.stringify(sink.flows()) === JSON.stringify(world.replay()),
        "the sink holds what a clean replay gives",
      ).catch((error: unknown) => {
        const [seen, right] = [new Set(sink.flows()), new Set(world.replay())];
        const missing = [...right].filter((line) => !seen.has(line));
        const extra = [...seen].filter((line) => !right.has(line));
        throw new Error(
          `${error} missing: ${missing.join("\n")} extra: ${extra.join("\n")} ${world.reader.status().error}`,
        );
      });
    },
    async close() {
      await world.reader.stop();
      await proxy?.stop();
      await geyser?.stop();
      for (const each of [node, ...spareNodes]) await each.stop();
    },
  };
  await eventually(() => (world.reader.status().final ?? 0) > 0, "the reader knows where it begins");
  return world;
}

function quietLog(lines: string[]): Log {
  const keep = (message: string, fields?: object) =>
    void lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const log: Log = { debug: () => {}, info: () => {}, warn: keep, error: keep, with: () => log };
  return log;
}

/** Pauses after refusals and failures are real, only shorter: time passes this much faster for the reader. */
const HURRY = 40;

function hurriedClock(): Clock {
  const clock = systemClock();
  const start = clock.now();
  return {
    now: () => start + (clock.now() - start) * HURRY,
    sleep: (milliseconds, signal) => clock.sleep(milliseconds / HURRY, signal),
  };
}

const WORTHLESS = new Set(["none", "wrap", "unwrap"]);

function replay(ledger: TestLedger, watched: ReadonlySet<string>): string[] {
  return ledger
    .at("finalized")
    .flatMap((block) =>
      block.transactions.flatMap((landed, index) => {
        const { signature, message, meta, failed } = landed;
        const transaction = { signatures: [signature], message };
        const read = readTransaction({ slot: block.slot, blockTime: block.time, meta, transaction });
        const wallets = failed ? [] : walletsIn(read, watched);
        const flows = wallets.map((wallet) => netWallet(read, wallet, index));
        return flows.filter(({ kind }) => !WORTHLESS.has(kind)).map((flow) => lineOf(block.slot, flow));
      }),
    )
    .sort();
}
