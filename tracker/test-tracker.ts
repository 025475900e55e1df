// For tests: a tracker on the test chains with its own price endpoint, and control over all of them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../database/migrate.ts";
import type { DatabaseLocation } from "../database/open.ts";
import { openDatabase } from "../database/open.ts";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { createMetrics } from "../kit/metrics.ts";
import { seededRandom } from "../kit/random.ts";
import { HOUR_MS } from "../kit/units.ts";
import { openMarket } from "../test/chains/evm/market.ts";
import { startTestChain } from "../test/chains/evm/node.ts";
import { eventually } from "../test/support/eventually.ts";
import { BOOKS } from "./books/schema.ts";
import { SOLANA_CHAIN_ID } from "./chain.ts";
import { openTracker, type Tracker } from "./open.ts";
import type { ChainSettings } from "./open-chain.ts";
import type { RosterEntry } from "./roster/file.ts";
import { importRoster, removeTraders } from "./roster/roster.ts";

/** The coin price that the endpoint serves. */
export const COIN_USD = 2_000;
const WRAPPED_SOL = "So11111111111111111111111111111111111111112";

export function servePrices(addresses: readonly string[]): { url: string; stop(): Promise<void> } {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const asked = new URL(request.url).pathname.split("/").at(-1)?.split(",") ?? [];
      const pairs = asked
        .filter((address) => addresses.includes(address))
        .map((address) => ({ baseToken: { address }, priceUsd: String(COIN_USD), liquidity: { usd: 1e6 } }));
      return Response.json(pairs);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

export const FINALITY_BLOCKS = 3;

export function evmSettings(chain: {
  chainId: number;
  url: string;
  wrapped: string;
  stables?: string[];
  feeds?: string[];
  coinPools?: string[];
  factories?: string[];
}): ChainSettings {
  return {
    chainId: chain.chainId,
    name: "test",
    slug: "test",
    urls: [chain.url],
    webSocketUrl: null,
    grpc: null,
    wrapped: chain.wrapped.toLowerCase(),
    stables: chain.stables ?? [],
    feeds: chain.feeds ?? [],
    coinPools: chain.coinPools ?? [],
    factories: (chain.factories ?? []).map((factory) => factory.toLowerCase()),
    finality: FINALITY_BLOCKS,
    alertsAt: "final",
    safeBlocks: 1,
    pollMs: 20,
    gapMs: 1,
    reviewMs: 0,
    callsPerSecondMax: 100_000,
  };
}

export function solanaSettings(node: { url: string; wsUrl: string }, pools: string[] = []): ChainSettings {
  return {
    chainId: SOLANA_CHAIN_ID,
    name: "solana",
    slug: "solana",
    urls: [node.url],
    webSocketUrl: node.wsUrl,
    grpc: null,
    wrapped: WRAPPED_SOL,
    stables: [],
    feeds: [],
    coinPools: [],
    factories: pools,
    finality: "finalized",
    alertsAt: "final",
    safeBlocks: 1,
    pollMs: 20,
    gapMs: 1,
    reviewMs: 0,
    callsPerSecondMax: 100_000,
  };
}

/** A chain with a market and a price source for its coin, shared by the tests of one file. */
export async function startEvmWorld() {
  const chain = await startTestChain(8453);
  const market = await openMarket(chain);
  const prices = servePrices([market.weth.address.toLowerCase()]);
  return {
    chain,
    market,
    prices,
    settings: () => evmSettings({ ...chain, wrapped: market.weth.address, factories: market.factories }),
    async stop() {
      await chain.stop();
      await prices.stop();
    },
  };
}

export const entryOf = (handle: string, ...wallets: string[]): RosterEntry => ({
  handle,
  displayName: handle,
  solana: [],
  evm: wallets.map((wallet) => wallet.toLowerCase()),
});

export const hasBegun = (tracker: Tracker) =>
  eventually(() => tracker.status()[0]?.status.cursor !== null, "the tracker has begun");

export interface TestBooks {
  location: DatabaseLocation;
  import(entries: RosterEntry[]): Promise<void>;
  removeTrader(handle: string): Promise<void>;
  open(
    chains: readonly ChainSettings[],
    pricesUrl: string | null,
    historyDays?: number,
    balancesMs?: number,
  ): Promise<Tracker>;
  remove(): void;
}

export function testBooks(): TestBooks {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-tracker-"));
  const location = { file: join(folder, "tracker.sqlite") };
  const clock = systemClock();
  return {
    location,
    async import(entries) {
      const database = await openDatabase(location);
      await migrate(database, clock.now(), BOOKS);
      await importRoster(database, entries, clock.now());
      await database.close();
    },
    async removeTrader(handle) {
      const database = await openDatabase(location);
      await removeTraders(database, [handle], clock.now());
      await database.close();
    },
    open: (chains, pricesUrl, historyDays = 0, balancesMs = HOUR_MS) =>
      openTracker({
        location,
        chains,
        pricesUrl,
        historyDays,
        depthMinUsd: 500,
        poolsMax: 100,
        balancesMs,
        clock,
        log: createLog("silent", clock.now),
        metrics: createMetrics(),
        random: seededRandom("tracker"),
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
