// Opens the tracker: its tables, its roster, one reader for each chain that has providers, and the platform built from them. It
// resumes where it stopped, whatever stopped it.

import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { type DatabaseLocation, openDatabase } from "../database/open.ts";
import type { Kit } from "../kit/kit.ts";
import type { Loop } from "../kit/loop.ts";
import { HOUR_MS } from "../kit/units.ts";
import type { Platform } from "../protocol/platform.ts";
import type { FeedName } from "../protocol/shapes/event.ts";
import { type AlertBounds, createAlertLevels, firstAlertBound } from "./alert-levels.ts";
import { ALERTS_AT_DEFAULT } from "./alerts-at.ts";
import { createAnswers } from "./answers/answers.ts";
import { createMoments } from "./answers/moments.ts";
import { type FollowedAnswering, openAnswering } from "./answers/parts.ts";
import { warmTokens } from "./answers/tokens.ts";
import { BOOKS } from "./books/schema.ts";
import { type BooksSink, createSink } from "./books/sink.ts";
import { type SaidOfToken, saveVerdicts } from "./books/verdicts.ts";
import { type ReaderStatus, SOLANA_CHAIN_ID } from "./chain.ts";
import { type ChainSettings, coinSourcesOf, openChain, type TrackedChain } from "./open-chain.ts";
import { type CoinPrices, type CoinSource, createCoinPrices } from "./prices/coins.ts";
import { createPriceEndpoint } from "./prices/endpoint.ts";
import { NO_HISTORY, type PriceHistory } from "./prices/history.ts";
import { createMoney, type Money } from "./prices/money.ts";
import { createPoolChecks } from "./prices/pool-checks.ts";
import { createReaderMetrics } from "./reader-metrics.ts";
import { createBackfills } from "./roster/backfills.ts";
import { createDirectory, type Directory } from "./roster/directory.ts";
import { rosterId } from "./roster/roster.ts";
import { createRpcMetrics } from "./rpc/client.ts";
import { createTapeFiller, TAPE_LOOKS, type TapeFiller } from "./tape/filler.ts";
import { createUpkeep } from "./upkeep.ts";

export interface TrackerOptions extends Kit {
  location: DatabaseLocation;
  chains: readonly ChainSettings[];
  /** null: only prices from chains. */
  pricesUrl: string | null;
  historyDays: number;
  /** Pools that hold less money than this don't price anything. */
  depthMinUsd: number;
  /** How many pools to read the tape of; 0: none. */
  poolsMax: number;
  /**
   * How often balances are checked against the chain and supplies refreshed; an hour by default. Launches are looked up as
   * often, or every minute if that is sooner.
   */
  balancesMs?: number;
  /** Past coin prices, where no chain has them. */
  history?: PriceHistory;
  /** Replaces the function that opens the books, for tests. */
  open?: typeof openDatabase;
}

export interface Tracker extends Platform {
  directory: Directory;
  /** Something may have happened to these wallets: look now. */
  wake(wallets: readonly string[]): void;
  status(): { chain: string; status: ReaderStatus }[];
  /** Applies the operator's verdicts on tokens; answers follow them from now on. */
  judge(said: readonly SaidOfToken[]): Promise<void>;
}

export async function openTracker(options: TrackerOptions): Promise<Tracker> {
  const database = await (options.open ?? openDatabase)(options.location);
  try {
    return await openOver(database, { ...options, log: options.log.with({ part: "tracker" }) });
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openOver(database: Database, options: TrackerOptions): Promise<Tracker> {
  const { clock, log } = options;
  await migrate(database, clock.now(), BOOKS);
  const source = `chain:${await rosterId(database)}`;
  const directory = createDirectory(database, clock, log);
  await directory.refresh();
  const money = createMoney(
    options.chains.map(({ chainId, wrapped, stables }) => ({ chainId, wrapped, stables })),
  );
  const answering = await openAnswering({ database, clock, directory, money, log });
  const listeners = new Set<(feed: FeedName) => void>();
  const books = openBooks(options, { database, directory, money, answering }, (feed) => {
    for (const listener of listeners) listener(feed);
  });
  await openChains(options, books, directory);
  const { endpoint, running } = partsOf(options, { ...books, database, directory, money, answering });
  // The first flows need the coin price of their chain.
  await endpoint?.refresh();
  // Tokens traded before the last shutdown, which the tape may have missed.
  for (const { known } of answering.live.tokens()) books.filler.note(known.chainId, known.token);
  for (const part of running) part.start();
  const chains = [...books.chains.values()];
  return {
    api: createAnswers({
      ...answering,
      source,
      chains: options.chains.map(({ chainId }) => chainId),
      depthMinUsd: options.depthMinUsd,
    }),
    directory,
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    wake(wallets) {
      const isSolana = (wallet: string) => !wallet.startsWith("0x");
      for (const { settings, reader } of chains) {
        const own = wallets.filter((wallet) => isSolana(wallet) === (settings.chainId === SOLANA_CHAIN_ID));
        if (own.length > 0) reader.wake(own);
      }
    },
    status: () => chains.map(({ settings, reader }) => ({ chain: settings.name, status: reader.status() })),
    async judge(said) {
      await database.write((tx) => saveVerdicts(tx, said));
      await answering.hearVerdicts();
    },
    async close() {
      for (const part of running.toReversed()) await part.stop();
      await database.close();
    },
  };
}

/** The foundation that everything else is opened over. */
interface Foundation {
  database: Database;
  directory: Directory;
  money: Money;
  answering: FollowedAnswering;
}

/** The books, and everything driven by their changes; chains are added as they are opened. */
interface OpenBooks {
  chains: Map<number, TrackedChain>;
  sink: BooksSink;
  coins: CoinPrices;
  coinSources: Map<number, readonly CoinSource[]>;
  filler: TapeFiller;
  bounds: AlertBounds;
}

function openBooks(
  options: TrackerOptions,
  { database, directory, money, answering }: Foundation,
  moved: (feed: FeedName) => void,
): OpenBooks {
  const { clock, log, depthMinUsd, poolsMax } = options;
  const chains = new Map<number, TrackedChain>();
  const queriesOf = (chainId: number) => {
    const found = chains.get(chainId);
    if (!found) throw new Error(`chain ${chainId} has no providers`);
    return found.queries;
  };
  const coinSources = new Map<number, readonly CoinSource[]>();
  const coins = createCoinPrices({
    database,
    sourcesOf: coinSources,
    history: options.history ?? NO_HISTORY,
    clock,
    log,
    onObserved: () => sink.settleCoins(),
  });
  const filler = createTapeFiller({
    database,
    clock,
    log,
    money,
    coins,
    poolsMax,
    everyMs: TAPE_LOOKS * Math.min(...options.chains.map(({ pollMs }) => pollMs)),
    tapeOf: (chainId) => chains.get(chainId)?.tape ?? null,
  });
  const bounds: AlertBounds = new Map();
  const sink = createSink({
    database,
    directory,
    money,
    log,
    queriesOf,
    coins,
    alertsAt: (chainId) => chains.get(chainId)?.settings.alertsAt ?? ALERTS_AT_DEFAULT,
    alertBound: (chainId) => bounds.get(chainId) ?? Number.POSITIVE_INFINITY,
    pools: createPoolChecks({ queriesOf, money }),
    depthMinUsd,
    clock,
    onChange(change) {
      answering.change(change);
      for (const { chainId, token } of change.ledgers) filler.note(chainId, token);
      if (change.prices.size > 0) directory.lookAtPools(change.sinceMs);
      for (const feed of change.feeds) moved(feed);
    },
    onFailure: answering.live.doubt,
  });
  return { chains, sink, coins, coinSources, filler, bounds };
}

async function openChains(
  { chains: given, clock, log, random, metrics }: TrackerOptions,
  { chains, sink, coinSources, bounds }: OpenBooks,
  watch: Directory,
): Promise<void> {
  const [rpcMetrics, readerMetrics] = [createRpcMetrics(metrics), createReaderMetrics(metrics)];
  for (const settings of given) {
    const opened = openChain(settings, { sink, watch, clock, log, random, rpcMetrics, readerMetrics });
    chains.set(settings.chainId, opened);
    bounds.set(settings.chainId, firstAlertBound(opened));
    await sink.beginAlerts(settings.chainId);
  }
  // A coin's feed may be on another chain, so all of them are opened first.
  for (const settings of given)
    coinSources.set(
      settings.chainId,
      coinSourcesOf(settings, (chainId) => chains.get(chainId)?.rpc, clock),
    );
}

/** Everything that runs, in start order; stopped in reverse. */
function partsOf(options: TrackerOptions, open: Foundation & OpenBooks) {
  const { database, directory, money, answering, sink, coins, filler, bounds } = open;
  const { clock, log } = options;
  const chains = [...open.chains.values()];
  const endpoint =
    options.pricesUrl === null
      ? null
      : createPriceEndpoint({
          url: options.pricesUrl,
          chains: options.chains.map(({ chainId, slug }) => ({ chainId, slug })),
          database,
          money,
          depthMinUsd: options.depthMinUsd,
          clock,
          log,
          onQuotes: answering.quotes.forgetQuotes,
        });
  const backfills = createBackfills({
    database,
    directory,
    clock,
    log,
    historyDays: options.historyDays,
    readers: chains.map(({ settings: { chainId, name }, reader }) => ({ chainId, name, reader })),
  });
  const waits = options.chains.some(({ alertsAt }) => alertsAt !== "confirmed");
  const running: Pick<Loop, "start" | "stop">[] = [
    ...chains.map(({ reader }) => reader),
    coins,
    ...(endpoint ? [endpoint] : []),
    directory,
    backfills,
    ...(waits ? [createAlertLevels(chains, bounds, sink, { clock, log })] : []),
    ...createUpkeep({
      ...options,
      database,
      sink,
      answering,
      chains,
      checkMs: options.balancesMs ?? HOUR_MS,
    }),
    createMoments(answering.standings, () => warmTokens(answering), clock, log),
    ...(options.poolsMax > 0 ? [filler] : []),
  ];
  return { endpoint, running };
}
