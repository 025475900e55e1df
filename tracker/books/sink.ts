// Where readers write. Each call is one transaction with the reader's cursor in it: facts, prices, what the feeds say, all or
// nothing, so that a kill -9 anywhere loses nothing and repeats nothing. What depends on the network is asked for before.
import { type Database, insertMany, type Queries } from "../../database/database.ts";
import { list, sql } from "../../database/sql.ts";
import type { Clock } from "../../kit/clock.ts";
import { derivedUuid } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { WireChainItem } from "../../protocol/shapes/event.ts";
import {
  type BlockRead,
  type BlockRef,
  type ChainQueries,
  type Cursor,
  type Flow,
  type FlowKind,
  NATIVE,
  type Sink,
} from "../chain.ts";
import { appItem, tradeItem } from "../feeds/items.ts";
import type { CoinPrice, CoinPrices } from "../prices/coins.ts";
import type { Money } from "../prices/money.ts";
import { priceByCoin, savePoolPrices } from "../prices/observed.ts";
import type { PoolChecks } from "../prices/pool-checks.ts";
import { valueFlow } from "../prices/value.ts";
import type { Directory } from "../roster/directory.ts";
import { appendItems, type FeedRow, sentTrades, type TrackerFeed } from "./feed-items.ts";
import { blocksOf, coinUsdIn, finalHeight, newestHeight } from "./kept-blocks.ts";
import { readLedger, tokenKey } from "./ledger.ts";
import { MOVE_COLUMNS, moveRows, readMoves } from "./moves.ts";
import { askOpenings, type Opening, saveOpenings } from "./openings.ts";
import { retractions, sentWithOtherValues, unretractedId } from "./retractions.ts";
import { revalue } from "./revalue.ts";
import { askUnknown, settleUnknown } from "./settle-unknowns.ts";
import { askNewTokens, type KnownToken, knownTokens, saveTokens } from "./tokens.ts";
import { dueUnknowns, noteUnknowns, postponeUnknown, unknownsOf } from "./unknowns.ts";

export interface SinkParts {
  database: Database;
  directory: Directory;
  money: Money;
  queriesOf(chainId: number): ChainQueries;
  coins: Pick<CoinPrices, "at">;
  pools: PoolChecks;
  /** Pools that hold less money than this price nothing. */
  depthMinUsd: number;
  log: Log;
  clock: Pick<Clock, "now">;
  /** After a commit: whose books changed, and which feeds moved. */
  onChange(userIds: ReadonlySet<string>, feeds: ReadonlySet<TrackerFeed>): void;
}

/** Any constant will do; it must only differ from other advisory locks in the same database. */
const LOCK_ID = 7_266_120;
/** Flows that move nothing of anybody's, or only turn money into money that is the trader's all the same. */
const NOTHING: ReadonlySet<FlowKind> = new Set(["none", "failed"]);
const MONEY_ONLY: ReadonlySet<FlowKind> = new Set(["wrap", "unwrap", "order-placed", "order-cancelled"]);

/** Blocks that are asked about in one round. */
const WAITING_MAX = 100;

export interface BooksSink extends Sink {
  /** Values what waited for the price of its chain's coin, where that is known by now. */
  settleCoins(): Promise<void>;
  /** Asks again for what nodes would not say. */
  settleUnknowns(): Promise<void>;
}

export function createSink(parts: SinkParts): BooksSink {
  const { database, directory, money, depthMinUsd } = parts;

  const write = async (
    cursor: Cursor | null,
    work: (tx: Queries, touched: Set<string>, feeds: Set<TrackerFeed>) => Promise<void>,
  ): Promise<void> => {
    const touched = new Set<string>();
    const feeds = new Set<TrackerFeed>();
    await database.write(async (tx) => {
      touched.clear();
      feeds.clear();
      if (tx.dialect === "postgres") await tx.all(sql`SELECT pg_advisory_xact_lock(${LOCK_ID})`);
      await work(tx, touched, feeds);
      if (!cursor) return;
      await tx.run(
        sql`INSERT INTO tracker_cursor (name, value) VALUES (${cursor.name}, ${cursor.value})
          ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      );
    });
    if (touched.size + feeds.size > 0) parts.onChange(touched, feeds);
  };

  const put = async (tx: Queries, feed: TrackerFeed, rows: FeedRow[], feeds: Set<TrackerFeed>) => {
    if (await appendItems(tx, feed, rows)) feeds.add(feed);
  };

  /** What the blocks of these hashes say on a feed, in the order of the chain. */
  const itemsOf = async (tx: Queries, chainId: number, hashes: readonly string[], feed: TrackerFeed) => {
    const moves = await readMoves(tx, { chainId, blockHashes: hashes });
    const wanted = new Map<string, { userId: string; token: string; blockHash: string; txHash: string }>();
    for (const move of moves) {
      if (money.kindOf(chainId, move.token) !== null) continue;
      const key = `${move.user_id} ${move.token} ${move.tx_hash}`;
      wanted.set(key, {
        userId: move.user_id,
        token: move.token,
        blockHash: move.block_hash,
        txHash: move.tx_hash,
      });
    }
    const ledgers = new Map<string, Awaited<ReturnType<typeof readLedger>>>();
    const rows: FeedRow[] = [];
    for (const { userId, token, blockHash, txHash } of wanted.values()) {
      const trader = directory.byId(userId);
      if (!trader) continue;
      const name = `${userId} ${token}`;
      const ledger = ledgers.get(name) ?? (await readLedger(tx, userId, money, { chainId, token }));
      ledgers.set(name, ledger);
      const key = tokenKey(chainId, token);
      const booked = ledger.booked.get(key)?.find(({ change }) => change.txHash === txHash);
      const known = ledger.tokens.get(key);
      if (!booked || !known) continue;
      const item =
        feed === "chain" ? tradeItem(trader, booked, known, blockHash) : appItem(trader, booked, known);
      if (!item) continue;
      // A fork that won, lost and won again publishes its trades under new ids: what was retracted stays so.
      const eventId = await unretractedId(tx, item.eventId);
      rows.push({ eventId, chainId, blockHash, atMs: booked.change.timeMs, item: { ...item, eventId } });
    }
    return rows;
  };

  const applyBlock = async (
    tx: Queries,
    read: BlockRead,
    coin: CoinPrice | null,
    tokens: ReadonlyMap<string, KnownToken>,
    touched: Set<string>,
  ): Promise<Set<string>> => {
    const { block } = read;
    await tx.run(
      sql`INSERT INTO tracker_block (chain_id, hash, height, time_ms, coin_usd, coin_by, coin_as_of)
        VALUES (${block.chainId}, ${block.hash}, ${block.height}, ${block.timeMs},
          ${coin?.priceUsd ?? null}, ${coin?.by ?? null}, ${coin?.asOf ?? null}) ON CONFLICT DO NOTHING`,
    );
    const coinUsd = await coinUsdIn(tx, block);
    const repriced = await savePoolPrices(tx, read, { tokens, money, coinUsd, depthMinUsd });
    for (const flow of [...read.flows].sort((a, b) => a.index - b.index)) {
      const trader = directory.byWallet(flow.wallet);
      if (!trader || !isBooked(flow, money)) continue;
      const valued = await valueFlow(tx, flow, { height: block.height, coinUsd }, tokens, money);
      const isMoney = (token: string) => money.kindOf(block.chainId, token) !== null;
      const rows = moveRows(block, flow, trader.userId, valued, isMoney);
      const added = await insertMany(tx, "tracker_move", MOVE_COLUMNS, rows, "ON CONFLICT DO NOTHING");
      if (added > 0) touched.add(trader.userId);
    }
    return repriced;
  };

  /** What is final on arrival is history: it goes to the feed on which nothing is retracted. */
  const publish = async (
    tx: Queries,
    chainId: number,
    blocks: readonly { hash: string; height: number }[],
    feeds: Set<TrackerFeed>,
  ): Promise<void> => {
    if (blocks.length === 0) return;
    const final = await finalHeight(tx, chainId);
    for (const feed of ["app", "chain"] as const) {
      const own = blocks.filter(({ height }) => height <= final === (feed === "app"));
      const hashes = own.map(({ hash }) => hash);
      if (hashes.length === 0) continue;
      const rows = await itemsOf(tx, chainId, hashes, feed);
      const repriced = feed === "chain" ? await sentWithOtherValues(tx, chainId, hashes, rows) : [];
      await put(tx, feed, await retractions(tx, chainId, repriced, "repriced"), feeds);
      await put(tx, feed, repriced.length > 0 ? await itemsOf(tx, chainId, hashes, feed) : rows, feeds);
    }
  };

  return {
    async settleCoins() {
      const blocks = await database.read.all<WaitingRow>(
        sql`SELECT b.chain_id, b.hash, b.height, b.time_ms FROM tracker_block b
          WHERE b.coin_usd IS NULL AND EXISTS (SELECT 1 FROM tracker_move m
            WHERE m.chain_id = b.chain_id AND m.block_hash = b.hash)
          ORDER BY b.time_ms DESC LIMIT ${WAITING_MAX}`,
      );
      for (const { chain_id: chainId, hash, height, time_ms: timeMs } of blocks) {
        const coin = await parts.coins.at({ chainId, hash, height, timeMs, parentHash: "" });
        if (!coin) continue;
        await write(null, async (tx, touched, feeds) => {
          const changed = await tx.run(
            sql`UPDATE tracker_block SET coin_usd = ${coin.priceUsd}, coin_by = ${coin.by}, coin_as_of = ${coin.asOf}
              WHERE chain_id = ${chainId} AND hash = ${hash} AND coin_usd IS NULL`,
          );
          if (changed === 0) return;
          const tokens = await priceByCoin(tx, chainId, hash, coin.priceUsd, depthMinUsd);
          const changes = new Map([...tokens].map((token) => [token, timeMs]));
          const valued = await revalue(tx, chainId, { tokens: changes, blockHashes: [hash] }, money);
          for (const userId of valued.userIds) touched.add(userId);
          await publish(tx, chainId, await blocksOf(tx, chainId, [hash, ...valued.blockHashes]), feeds);
        });
      }
    },

    async settleUnknowns() {
      for (const unknown of await dueUnknowns(database.read, parts.clock.now())) {
        const { chainId } = unknown;
        let answer: Awaited<ReturnType<typeof askUnknown>> = null;
        try {
          answer = await askUnknown(parts.queriesOf(chainId), unknown);
        } catch (error) {
          parts.log.debug("still unknown", { chainId, kind: unknown.kind, token: unknown.token, error });
        }
        await write(null, async (tx, touched, feeds) => {
          if (answer === null) return await postponeUnknown(tx, unknown, parts.clock.now());
          const { userIds, blockHashes } = await settleUnknown(tx, unknown, answer, money);
          for (const userId of userIds) touched.add(userId);
          await publish(tx, chainId, await blocksOf(tx, chainId, blockHashes), feeds);
        });
      }
    },

    async cursor(name) {
      const row = await database.read.one<{ value: string }>(
        sql`SELECT value FROM tracker_cursor WHERE name = ${name}`,
      );
      return row?.value ?? null;
    },

    async apply(given, cursor) {
      const reads = await parts.pools.check(given);
      const first = reads[0]?.block;
      const chainId = first?.chainId ?? 0;
      const facts = first ? await askedFacts(parts, chainId, reads) : [];
      const isPosition = (token: string) => money.kindOf(chainId, token) === null;
      const openings = first
        ? await askOpenings(database.read, parts.queriesOf(chainId), chainId, reads, isPosition, parts.log)
        : [];
      const coins = await askedCoins(parts, reads);
      await write(cursor, async (tx, touched, feeds) => {
        if (!first) return;
        await saveTokens(tx, chainId, facts, first.timeMs);
        const tokens = await knownTokens(tx, chainId, tokensIn(reads));
        const newest = await newestHeight(tx, chainId);
        const changes = new Map<string, number>();
        for (const read of reads) {
          const { height, timeMs } = read.block;
          const repriced = await applyBlock(tx, read, coins.get(read.block.hash) ?? null, tokens, touched);
          // Nothing was valued yet at or after a block that is new.
          if (height > newest) continue;
          for (const token of repriced) changes.set(token, Math.min(timeMs, changes.get(token) ?? timeMs));
        }
        for (const read of reads)
          await saveOpenings(tx, chainId, withOwners(openings, read.block, directory));
        const valued = await revalue(tx, chainId, { tokens: changes, blockHashes: [] }, money);
        for (const userId of valued.userIds) touched.add(userId);
        const hashes = reads.map(({ block }) => block.hash);
        await noteUnknowns(tx, unknownsOf(chainId, facts, openings), parts.clock.now());
        await publish(tx, chainId, await blocksOf(tx, chainId, [...hashes, ...valued.blockHashes]), feeds);
      });
    },

    async retract(chainId, blockHashes, cursor) {
      await write(cursor, async (tx, touched, feeds) => {
        if (blockHashes.length === 0) return;
        for (const move of await readMoves(tx, { chainId, blockHashes })) touched.add(move.user_id);
        const rows = await retractions(tx, chainId, await sentTrades(tx, chainId, blockHashes), "reorg");
        await put(tx, "chain", rows, feeds);
        const lost = sql`chain_id = ${chainId} AND block_hash IN (${list(blockHashes)})`;
        await tx.run(sql`DELETE FROM tracker_move WHERE ${lost}`);
        await tx.run(sql`DELETE FROM tracker_price WHERE ${lost}`);
        await tx.run(sql`DELETE FROM tracker_opening WHERE ${lost}`);
        await tx.run(
          sql`DELETE FROM tracker_block WHERE chain_id = ${chainId} AND hash IN (${list(blockHashes)})`,
        );
      });
    },

    async finalize(chainId, height, cursor) {
      await write(cursor, async (tx, touched, feeds) => {
        const before = await finalHeight(tx, chainId);
        if (height <= before) return;
        await tx.run(
          sql`INSERT INTO tracker_final (chain_id, height) VALUES (${chainId}, ${height})
            ON CONFLICT (chain_id) DO UPDATE SET height = excluded.height`,
        );
        const rows = await tx.all<{ hash: string; time_ms: number }>(
          sql`SELECT hash, time_ms FROM tracker_block
            WHERE chain_id = ${chainId} AND height > ${before} AND height <= ${height} ORDER BY height`,
        );
        const hashes = rows.map(({ hash }) => hash);
        if (hashes.length === 0) return;
        for (const move of await readMoves(tx, { chainId, blockHashes: hashes })) touched.add(move.user_id);
        const times = new Map(rows.map(({ hash, time_ms }) => [hash, time_ms]));
        const finals = (await sentTrades(tx, chainId, hashes)).map(({ eventId, blockHash }): FeedRow => {
          const at = times.get(blockHash) ?? 0;
          const item: WireChainItem = {
            kind: "final",
            eventId: derivedUuid("final", eventId),
            finalizedEventId: eventId,
            networkId: chainId,
            at,
          };
          return { eventId: item.eventId, chainId, blockHash, atMs: at, item };
        });
        await put(tx, "app", await itemsOf(tx, chainId, hashes, "app"), feeds);
        await put(tx, "chain", finals, feeds);
      });
    },
  };
}

/** Prices of the coin in blocks that are new; what is known of a block is not asked again. */
async function askedCoins({ database, coins }: SinkParts, reads: readonly BlockRead[]) {
  const asked = new Map<string, CoinPrice | null>();
  for (const { block } of reads) {
    const known = await database.read.one(
      sql`SELECT 1 AS found FROM tracker_block WHERE chain_id = ${block.chainId} AND hash = ${block.hash}`,
    );
    if (!known) asked.set(block.hash, await coins.at(block));
  }
  return asked;
}

interface WaitingRow {
  chain_id: number;
  hash: string;
  height: number;
  time_ms: number;
}

function isBooked({ kind, chainId, sold, bought }: Flow, money: Money): boolean {
  if (NOTHING.has(kind)) return false;
  // A share of a vault is wrapped too, and an order may hold a token: those change what is held.
  return (
    !MONEY_ONLY.has(kind) || [...sold, ...bought].some(({ token }) => money.kindOf(chainId, token) === null)
  );
}

function tokensIn(reads: readonly BlockRead[]): string[] {
  const legs = reads.flatMap(({ flows, pools }) => [
    ...flows.flatMap((flow) => [...flow.sold, ...flow.bought]),
    ...pools.flatMap((trade) => [trade.in, trade.out]),
  ]);
  return [...new Set([NATIVE, ...legs.map((leg) => leg.token)])];
}

function askedFacts({ database, queriesOf }: SinkParts, chainId: number, reads: readonly BlockRead[]) {
  return askNewTokens(database.read, queriesOf(chainId), chainId, tokensIn(reads));
}

/** Openings belong to the block of the first move: they are as old as it, at the latest. */
function withOwners(openings: readonly Opening[], block: BlockRef, directory: Directory) {
  return openings
    .filter(({ height }) => height === block.height - 1)
    .flatMap((opening) => {
      const trader = directory.byWallet(opening.wallet);
      if (!trader) return [];
      return [{ ...opening, userId: trader.userId, atMs: block.timeMs, blockHash: block.hash }];
    });
}
