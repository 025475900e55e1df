// Opens the tracker: its tables, its roster, one reader for each chain that has providers, and the platform made of them. It
// continues where it was, after whatever ended it.

import type { Database } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { type DatabaseLocation, openDatabase } from "../database/open.ts";
import type { Kit } from "../kit/kit.ts";
import { createLoop } from "../kit/loop.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/units.ts";
import type { Platform } from "../protocol/platform.ts";
import type { FeedName } from "../protocol/shapes/event.ts";
import { type AlertBounds, createAlertLevels, firstAlertBound, type LevelledChain } from "./alert-levels.ts";
import { ALERTS_AT_DEFAULT } from "./alerts-at.ts";
import { createAnswers } from "./answers/answers.ts";
import { createMoments } from "./answers/moments.ts";
import { openAnswering } from "./answers/parts.ts";
import { warmTokens } from "./answers/tokens.ts";
import { createBalanceChecks } from "./balance-checks.ts";
import { forgetItems } from "./books/feed-items.ts";
import { BOOKS } from "./books/schema.ts";
import { createSink } from "./books/sink.ts";
import { countUnknowns } from "./books/unknowns.ts";
import {
  type ChainQueries,
  type ChainReader,
  type ChainTape,
  type ReaderStatus,
  SOLANA_CHAIN_ID,
} from "./chain.ts";
import { createLaunches } from "./launches.ts";
import { type ChainSettings, coinSourcesOf, openChain } from "./open-chain.ts";
import { type CoinSource, createCoinPrices, forgetCoinQuotes } from "./prices/coins.ts";
import { createPriceEndpoint } from "./prices/endpoint.ts";
import { NO_HISTORY, type PriceHistory } from "./prices/history.ts";
import { createMoney } from "./prices/money.ts";
import { createPoolChecks } from "./prices/pool-checks.ts";
import { createReaderMetrics, createUnknownMetrics } from "./reader-metrics.ts";
import { createBackfills } from "./roster/backfills.ts";
import { createDirectory, type Directory } from "./roster/directory.ts";
import { rosterId } from "./roster/roster.ts";
import { createRpcMetrics, type RpcClient } from "./rpc/client.ts";
import { createSupplies } from "./supplies.ts";
import { createTapeFiller, TAPE_LOOKS } from "./tape/filler.ts";
import { forgetTicks } from "./tape/ticks.ts";

/** Feeds are for following; what is older is in the books. */
const FEED_KEPT_MS = 30 * DAY_MS;
/** As long as the service keeps what it read of it. */
const TAPE_KEPT_MS = 90 * DAY_MS;
const RETENTION_MS = HOUR_MS;
const VERDICTS_MS = 2 * SECOND_MS;
/** A few milliseconds of deleting. */
const FORGOTTEN_MAX = 500;

async function forgetOld(database: Database, beforeMs: number, tapeBeforeMs: number): Promise<void> {
  while ((await database.write((tx) => forgetTicks(tx, tapeBeforeMs, FORGOTTEN_MAX))) > 0);
  for (const feed of ["app", "chain"] as const)
    while ((await database.write((tx) => forgetItems(tx, feed, beforeMs, FORGOTTEN_MAX))) > 0);
  await database.write((tx) => forgetCoinQuotes(tx, beforeMs));
}

export interface TrackerOptions extends Kit {
  location: DatabaseLocation;
  chains: readonly ChainSettings[];
  /** null: only what chains say. */
  pricesUrl: string | null;
  historyDays: number;
  /** Pools that hold less money than this price nothing. */
  depthMinUsd: number;
  /** Pools whose tape is read; 0: none. */
  poolsMax: number;
  /** How often balances are checked against the chain, and supplies read again; an hour, if left out. Launches are asked for as often, or each minute. */
  balancesMs?: number;
  /** What coins were worth, where no chain says. */
  history?: PriceHistory;
  /** Opens the books in place of the usual function, for tests. */
  open?: typeof openDatabase;
}

export interface Tracker extends Platform {
  directory: Directory;
  /** Something may have happened to these wallets: look now. */
  wake(wallets: readonly string[]): void;
  status(): { chain: string; status: ReaderStatus }[];
}

export async function openTracker(options: TrackerOptions): Promise<Tracker> {
  const { clock, metrics, random } = options;
  const log = options.log.with({ part: "tracker" });
  const database = await (options.open ?? openDatabase)(options.location);
  try {
    await migrate(database, clock.now(), BOOKS);
    const source = `chain:${await rosterId(database)}`;
    const directory = createDirectory(database, clock, log);
    await directory.refresh();
    const money = createMoney(
      options.chains.map(({ chainId, wrapped, stables }) => ({ chainId, wrapped, stables })),
    );
    const answering = await openAnswering({ database, clock, directory, money, log });
    const listeners = new Set<(feed: FeedName) => void>();
    const tapes = new Map<number, ChainTape>();
    const queries = new Map<number, ChainQueries>();
    const queriesOf = (chainId: number): ChainQueries => {
      const found = queries.get(chainId);
      if (!found) throw new Error(`chain ${chainId} has no providers`);
      return found;
    };
    const sourcesOf = new Map<number, readonly CoinSource[]>();
    const coins = createCoinPrices({
      database,
      sourcesOf,
      history: options.history ?? NO_HISTORY,
      clock,
      log,
      async onObserved() {
        await sink.settleCoins();
      },
    });
    const bounds: AlertBounds = new Map();
    const sink = createSink({
      database,
      directory,
      money,
      log,
      queriesOf,
      coins,
      alertsAt: (chainId) =>
        options.chains.find((chain) => chain.chainId === chainId)?.alertsAt ?? ALERTS_AT_DEFAULT,
      alertBound: (chainId) => bounds.get(chainId) ?? Number.POSITIVE_INFINITY,
      pools: createPoolChecks({ queriesOf, money }),
      depthMinUsd: options.depthMinUsd,
      clock,
      onChange(change) {
        answering.change(change);
        for (const { chainId, token } of change.ledgers) filler.note(chainId, token);
        if (change.prices.size > 0) directory.lookAtPools(change.sinceMs);
        for (const feed of change.feeds) for (const listener of listeners) listener(feed);
      },
      onFailure: answering.live.doubt,
    });
    const filler = createTapeFiller({
      database,
      clock,
      log,
      money,
      coins,
      poolsMax: options.poolsMax,
      everyMs: TAPE_LOOKS * Math.min(...options.chains.map(({ pollMs }) => pollMs)),
      tapeOf: (chainId) => tapes.get(chainId) ?? null,
    });
    const rpcMetrics = createRpcMetrics(metrics);
    const readerMetrics = createReaderMetrics(metrics);
    const clients = new Map<number, RpcClient>();
    const readers: (LevelledChain & { settings: ChainSettings; reader: ChainReader })[] = [];
    for (const settings of options.chains) {
      const opened = openChain(settings, {
        sink,
        watch: directory,
        clock,
        log,
        random,
        rpcMetrics,
        readerMetrics,
      });
      queries.set(settings.chainId, opened.queries);
      tapes.set(settings.chainId, opened.tape);
      readers.push({ settings, reader: opened.reader, taggedHeight: opened.taggedHeight });
      bounds.set(settings.chainId, firstAlertBound({ settings, taggedHeight: opened.taggedHeight }));
      await sink.beginAlerts(settings.chainId);
      clients.set(settings.chainId, opened.rpc);
    }
    for (const settings of options.chains)
      sourcesOf.set(
        settings.chainId,
        coinSourcesOf(settings, (chainId) => clients.get(chainId), clock),
      );
    const slugs = options.chains.map(({ chainId, slug }) => ({ chainId, slug }));
    const endpoint =
      options.pricesUrl === null
        ? null
        : createPriceEndpoint({
            url: options.pricesUrl,
            chains: slugs,
            database,
            money,
            clock,
            log,
            onQuotes: answering.quotes.forgetQuotes,
          });
    // The first flows need the price of the chain's coin.
    await endpoint?.refresh();
    const backfills = createBackfills({
      database,
      directory,
      clock,
      log,
      historyDays: options.historyDays,
      readers: readers.map(({ settings, reader }) => ({
        chainId: settings.chainId,
        name: settings.name,
        reader,
      })),
    });
    const showUnknowns = createUnknownMetrics(metrics, options.chains);
    showUnknowns(await countUnknowns(database.read));
    const checkMs = options.balancesMs ?? HOUR_MS;
    const balanceChecks = createBalanceChecks({
      database,
      sink,
      directory,
      chains: readers.map(({ settings: { chainId, name }, reader }) => ({
        chainId,
        name,
        queries: queriesOf(chainId),
        height: () => reader.status().cursor,
      })),
      everyMs: checkMs,
      clock,
      log,
      metrics,
    });
    const supplies = createSupplies({
      database,
      live: answering.live,
      chains: readers.map(({ settings: { chainId } }) => ({ chainId, queries: queriesOf(chainId) })),
      forget: sink.forgetToken,
      log,
    });
    const launches = createLaunches({
      database,
      live: answering.live,
      chains: readers.map(({ settings: { chainId } }) => ({ chainId, queries: queriesOf(chainId) })),
      forget: sink.forgetToken,
      clock,
      log,
    });
    const later = (failure: string, everyMs: number, round: () => Promise<void>) =>
      createLoop({ failure, everyMs, first: "later", clock, log, round });
    const soonMs = Math.min(MINUTE_MS, checkMs);
    const upkeep = [
      later("old feed items could not be forgotten", RETENTION_MS, () =>
        forgetOld(database, clock.now() - FEED_KEPT_MS, clock.now() - TAPE_KEPT_MS),
      ),
      later("what nodes would not say could not be asked again", MINUTE_MS, async () => {
        await sink.settleUnknowns();
        showUnknowns(await countUnknowns(database.read));
      }),
      later("balances could not be checked against the chain", soonMs, balanceChecks.round),
      later("supplies could not be read again", checkMs, supplies.round),
      later(
        "what the operator says could not be read",
        Math.min(VERDICTS_MS, checkMs),
        answering.hearVerdicts,
      ),
      later("where tokens come from could not be asked", soonMs, launches.round),
    ];
    const alertLevels = createAlertLevels(readers, bounds, sink, { clock, log });
    const moments = createMoments(answering.standings, () => warmTokens(answering), clock, log);
    moments.start();
    for (const { reader } of readers) reader.start();
    for (const loop of upkeep) loop.start();
    if (options.chains.some(({ alertsAt }) => alertsAt !== "confirmed")) alertLevels.start();
    endpoint?.start();
    coins.start();
    directory.start();
    backfills.start();
    // What was traded before the last end, of which the tape may not have heard.
    for (const { known } of answering.live.tokens()) filler.note(known.chainId, known.token);
    if (options.poolsMax > 0) filler.start();
    return {
      api: createAnswers({
        ...answering,
        source,
        chains: options.chains.map(({ chainId }) => chainId),
      }),
      directory,
      onMove(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      wake(wallets) {
        const isSolana = (wallet: string) => !wallet.startsWith("0x");
        for (const { settings, reader } of readers) {
          const own = wallets.filter((wallet) => isSolana(wallet) === (settings.chainId === SOLANA_CHAIN_ID));
          if (own.length > 0) reader.wake(own);
        }
      },
      status: () =>
        readers.map(({ settings, reader }) => ({ chain: settings.name, status: reader.status() })),
      async close() {
        await filler.stop();
        await moments.stop();
        for (const loop of upkeep) await loop.stop();
        await alertLevels.stop();
        await backfills.stop();
        await directory.stop();
        await endpoint?.stop();
        await coins.stop();
        await Promise.all(readers.map(({ reader }) => reader.stop()));
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
