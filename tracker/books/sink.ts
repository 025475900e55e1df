// Where readers write. Each call is one transaction that includes the reader's cursor: facts, prices, feed items, all or
// nothing, so that a kill -9 anywhere loses nothing and repeats nothing. Network lookups happen before it.
import type { Database, Queries } from "../../database/database.ts";
import { raw, type Sql, sql } from "../../database/sql.ts";
import type { Clock } from "../../kit/clock.ts";
import { derivedUuid } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { WireChainItem } from "../../protocol/shapes/event.ts";
import type { AlertsAt } from "../alerts-at.ts";
import { type BlockRead, type ChainQueries, type Cursor, NATIVE, type Sink } from "../chain.ts";
import type { CoinPrice, CoinPrices } from "../prices/coins.ts";
import type { Money } from "../prices/money.ts";
import { priceByCoin } from "../prices/observed.ts";
import type { PoolChecks } from "../prices/pool-checks.ts";
import type { Directory } from "../roster/directory.ts";
import { beginAlerts, safeHeight, saveSafeHeight } from "./alert-height.ts";
import { applyBlocks } from "./apply-blocks.ts";
import { type BooksChange, type BooksChanges, createChanges } from "./changes.ts";
import { type FeedRow, sentItems } from "./feed-items.ts";
import {
  blocksBetween,
  blocksOf,
  coinsIn,
  finalHeight,
  inBlocks,
  type KeptBlock,
  keptAt,
  newestHeight,
} from "./kept-blocks.ts";
import {
  askOpenings,
  type FiledOpening,
  type Opening,
  type OpeningRow,
  openingsThatStay,
  saveOpenings,
} from "./openings.ts";
import { publish, put, putAlerts } from "./publish.ts";
import { retractions } from "./retractions.ts";
import { revalue } from "./revalue.ts";
import { askUnknown, settleUnknown } from "./settle-unknowns.ts";
import { askNewTokens, createSettledTokens, forgetSettled, saveTokens } from "./tokens.ts";
import { dueUnknowns, forgetOpenings, noteUnknowns, postponeUnknown, unknownsOf } from "./unknowns.ts";

export interface SinkParts {
  database: Database;
  directory: Directory;
  money: Money;
  queriesOf(chainId: number): ChainQueries;
  coins: Pick<CoinPrices, "at">;
  alertsAt(chainId: number): AlertsAt;
  /** Above this height nothing is an alert yet, according to the node. */
  alertBound(chainId: number): number;
  pools: PoolChecks;
  /** Pools that hold less money than this don't price anything. */
  depthMinUsd: number;
  log: Log;
  clock: Pick<Clock, "now">;
  /** After a commit. */
  onChange(change: BooksChange): void;
  /** After a transaction that may or may not have been committed. */
  onFailure(): void;
}

/** Any constant will do, as long as it differs from other advisory locks in the same database. */
const LOCK_ID = 7_266_120;
/** Blocks looked up per round. */
const WAITING_MAX = 100;

export interface BooksSink extends Sink {
  /** Values trades that were waiting for the price of their chain's coin, where it is known by now. */
  settleCoins(): Promise<void>;
  /** Retries lookups that nodes did not answer. */
  settleUnknowns(): Promise<void>;
  /** To be called before anything is read: records which alerts have been sent already. */
  beginAlerts(chainId: number): Promise<void>;
  /** Trades up to this height may be alerts. */
  reachSafe(chainId: number, height: number): Promise<void>;
  /** A token's row has changed: drop it from the cache. */
  forgetToken(chainId: number, token: string): void;
  /** Whether any blocks' trades are waiting for that. */
  awaitsAlerts(chainId: number): Promise<boolean>;
}

export function createSink(parts: SinkParts): BooksSink {
  const { database, directory, money, depthMinUsd } = parts;
  const settled = createSettledTokens();

  const write = async (
    cursor: Cursor | null,
    work: (tx: Queries, changes: BooksChanges) => Promise<void>,
  ): Promise<void> => {
    const change = await database
      .write(async (tx) => {
        const changes = createChanges(money, settled);
        if (tx.dialect === "postgres") await tx.all(sql`SELECT pg_advisory_xact_lock(${LOCK_ID})`);
        await work(tx, changes);
        const saved = await changes.save(tx);
        if (cursor)
          await tx.run(
            sql`INSERT INTO tracker_cursor (name, value) VALUES (${cursor.name}, ${cursor.value})
            ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
          );
        return saved;
      })
      .catch((error) => {
        // It may have been committed anyway.
        parts.onFailure();
        throw error;
      });
    if (change.ledgers.length + change.feeds.size + change.prices.size > 0) parts.onChange(change);
  };

  return {
    async settleCoins() {
      const blocks = await database.read.all<WaitingRow>(
        sql`SELECT b.chain_id, b.hash, b.height, b.time_ms FROM tracker_block b
          WHERE b.coin_usd IS NULL AND EXISTS (SELECT 1 FROM tracker_move m
            WHERE m.chain_id = b.chain_id AND m.height = b.height AND m.block_hash = b.hash)
          ORDER BY b.time_ms DESC LIMIT ${WAITING_MAX}`,
      );
      for (const { chain_id: chainId, hash, height, time_ms: timeMs } of blocks) {
        const coin = await parts.coins.at({ chainId, hash, height, timeMs, parentHash: "" });
        if (!coin) continue;
        await write(null, async (tx, changes) => {
          const changed = await tx.run(
            sql`UPDATE tracker_block SET coin_usd = ${coin.priceUsd}, coin_by = ${coin.by}, coin_as_of = ${coin.asOf}
              WHERE chain_id = ${chainId} AND height = ${height} AND hash = ${hash} AND coin_usd IS NULL`,
          );
          if (changed === 0) return;
          const block = { hash, height, timeMs };
          const tokens = await priceByCoin(tx, chainId, block, coin.priceUsd, depthMinUsd);
          for (const token of tokens) changes.priced(chainId, token, timeMs);
          const prices = {
            tokens: new Map([...tokens].map((token) => [token, timeMs])),
            blocks: [block],
          };
          const valued = await revalue(tx, chainId, prices, money, changes.touch);
          await publish(
            tx,
            parts,
            changes,
            chainId,
            await blocksOf(tx, chainId, [block, ...valued.values()]),
          );
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
        await write(null, async (tx, changes) => {
          if (answer === null) return await postponeUnknown(tx, unknown, parts.clock.now());
          const blocks = await settleUnknown(tx, unknown, answer, money, changes.touch);
          await publish(tx, parts, changes, chainId, await blocksOf(tx, chainId, blocks));
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
      const named = tokensIn(reads);
      const facts = first
        ? await askNewTokens(database.read, parts.queriesOf(chainId), chainId, named, settled)
        : [];
      const isPosition = (token: string) => money.kindOf(chainId, token) === null;
      const openings = first
        ? await askOpenings(database.read, parts.queriesOf(chainId), chainId, reads, isPosition, parts.log)
        : [];
      const coins = await askedCoins(parts, reads);
      await write(cursor, async (tx, changes) => {
        if (!first) return;
        await saveTokens(tx, chainId, facts, first.timeMs);
        const tokens = await changes.tokens(tx, chainId, named);
        const newest = await newestHeight(tx, chainId);
        const { repriced, blocks } = await applyBlocks(tx, parts, changes, reads, { chainId, coins, tokens });
        const late = new Map<string, number>();
        for (const block of blocks) {
          // Nothing at or after a new block has been valued yet.
          if (block.height > newest) continue;
          for (const token of repriced.get(block.hash) ?? [])
            late.set(token, Math.min(block.timeMs, late.get(token) ?? block.timeMs));
        }
        const owned = blocks.flatMap((block) => withOwners(openings, block, directory));
        await saveOpenings(tx, chainId, owned);
        for (const { userId, token, atMs } of owned) changes.touch({ userId, chainId, token }, atMs);
        const valued = await revalue(tx, chainId, { tokens: late, blocks: [] }, money, changes.touch);
        for (const { hash } of blocks) valued.delete(hash);
        await noteUnknowns(tx, unknownsOf(chainId, facts, openings), parts.clock.now());
        const others = await blocksOf(tx, chainId, [...valued.values()]);
        const all = [...blocks, ...others].sort((a, b) => a.height - b.height);
        await publish(tx, parts, changes, chainId, all);
      });
    },

    async retract(chainId, lost, cursor) {
      await write(cursor, async (tx, changes) => {
        const blocks = await blocksOf(tx, chainId, lost);
        if (blocks.length === 0) return;
        for (const feed of ["chain", "app"] as const) {
          const sent = await sentItems(tx, feed, chainId, blocks);
          await put(tx, changes, feed, retractions(chainId, blocks, sent, "reorg"));
        }
        const unpriced = await touchLost(tx, changes, chainId, blocks);
        const opened = lostFrom("tracker_opening", chainId, blocks);
        const openings = await tx.all<OpeningRow>(sql`SELECT * FROM tracker_opening WHERE ${opened}`);
        await forgetOpenings(tx, chainId, opened);
        for (const table of ["tracker_move", "tracker_price", "tracker_opening"] as const)
          await tx.run(sql`DELETE FROM ${raw(table)} WHERE ${lostFrom(table, chainId, blocks)}`);
        await tx.run(sql`DELETE FROM tracker_block WHERE ${keptAt(chainId, blocks)}`);
        // On some chains, blocks after a lost block survive, and their values may depend on it.
        const stay = await openingsThatStay(tx, chainId, openings);
        await saveOpenings(tx, chainId, stay);
        await noteUnknowns(tx, unknownsOf(chainId, [], stay), parts.clock.now());
        const valued = await revalue(tx, chainId, { tokens: unpriced, blocks: [] }, money, changes.touch);
        await publish(tx, parts, changes, chainId, await blocksOf(tx, chainId, [...valued.values()]));
      });
    },

    beginAlerts: (chainId) => database.write((tx) => beginAlerts(tx, chainId, parts.alertsAt(chainId))),

    forgetToken: (chainId, token) => forgetSettled(settled, chainId, token),

    async awaitsAlerts(chainId) {
      return (await newestHeight(database.read, chainId)) > (await safeHeight(database.read, chainId));
    },

    async reachSafe(chainId, height) {
      const before = await safeHeight(database.read, chainId);
      if (height <= before) return;
      await write(null, async (tx, changes) => {
        await saveSafeHeight(tx, chainId, height);
        const blocks = await blocksBetween(tx, chainId, before, height);
        await putAlerts(tx, parts, changes, chainId, blocks);
      });
    },

    async finalize(chainId, height, cursor) {
      await write(cursor, async (tx, changes) => {
        const before = await finalHeight(tx, chainId);
        if (height <= before) return;
        await tx.run(
          sql`INSERT INTO tracker_final (chain_id, height) VALUES (${chainId}, ${height})
            ON CONFLICT (chain_id) DO UPDATE SET height = excluded.height`,
        );
        const blocks = await blocksBetween(tx, chainId, before, height);
        const bound = Math.min(parts.alertBound(chainId), height);
        const isAtOnce = parts.alertsAt(chainId) === "confirmed";
        // Those that the bound held back when their blocks became final come first, in chain order.
        const outTo = isAtOnce ? before : Math.min(before, await safeHeight(tx, chainId));
        const alerted = await blocksBetween(tx, chainId, outTo, bound);
        if (blocks.length === 0 && alerted.length === 0) return;
        const byHash = new Map(blocks.map((block) => [block.hash, block]));
        const finals = (await sentItems(tx, "chain", chainId, blocks)).map(
          ({ eventId, blockHash }): FeedRow => {
            const { height: blockHeight = 0, timeMs: at = 0 } = byHash.get(blockHash) ?? {};
            const item: WireChainItem = {
              kind: "final",
              eventId: derivedUuid("final", eventId),
              finalizedEventId: eventId,
              networkId: chainId,
              at,
            };
            return { eventId: item.eventId, chainId, height: blockHeight, blockHash, atMs: at, item };
          },
        );
        await putAlerts(tx, parts, changes, chainId, alerted);
        await put(tx, changes, "chain", finals);
      });
    },
  };
}

/** An opening is stored at the height before its first move. */
const lostFrom = (
  table: "tracker_move" | "tracker_price" | "tracker_opening",
  chainId: number,
  blocks: readonly KeptBlock[],
): Sql => {
  const filed =
    table === "tracker_opening" ? blocks.map(({ hash, height }) => ({ hash, height: height - 1 })) : blocks;
  return sql`chain_id = ${chainId} AND ${inBlocks(filed)}`;
};

/** Marks the contents of these blocks as changed before they are deleted. Returns the tokens they price, and since when. */
async function touchLost(
  tx: Queries,
  changes: BooksChanges,
  chainId: number,
  blocks: readonly KeptBlock[],
): Promise<Map<string, number>> {
  for (const table of ["tracker_move", "tracker_opening"] as const) {
    const at = raw(table === "tracker_move" ? "time_ms" : "at_ms");
    const rows = await tx.all<{ user_id: string; token: string; at: number }>(
      sql`SELECT user_id, token, ${at} AS at FROM ${raw(table)}
        WHERE ${lostFrom(table, chainId, blocks)}`,
    );
    for (const row of rows) changes.touch({ userId: row.user_id, chainId, token: row.token }, row.at);
  }
  const prices = await tx.all<{ token: string; time_ms: number }>(
    sql`SELECT token, time_ms FROM tracker_price WHERE ${lostFrom("tracker_price", chainId, blocks)}`,
  );
  const since = new Map<string, number>();
  for (const { token, time_ms: timeMs } of prices) {
    changes.priced(chainId, token, timeMs);
    since.set(token, Math.min(timeMs, since.get(token) ?? timeMs));
  }
  return since;
}

/** Coin prices in new blocks; known ones are not asked for again. */
async function askedCoins({ database, coins }: SinkParts, reads: readonly BlockRead[]) {
  const asked = new Map<string, CoinPrice | null>();
  const chainId = reads[0]?.block.chainId ?? 0;
  const newest = await newestHeight(database.read, chainId);
  const old = reads.map(({ block }) => block).filter(({ height }) => height <= newest);
  const known = await coinsIn(database.read, chainId, old);
  for (const { block } of reads) if (!known.has(block.hash)) asked.set(block.hash, await coins.at(block));
  return asked;
}

interface WaitingRow {
  chain_id: number;
  hash: string;
  height: number;
  time_ms: number;
}

function tokensIn(reads: readonly BlockRead[]): string[] {
  const legs = reads.flatMap(({ flows, pools }) => [
    ...flows.flatMap((flow) => [...flow.sold, ...flow.bought]),
    ...pools.flatMap((trade) => [trade.in, trade.out]),
  ]);
  return [...new Set([NATIVE, ...legs.map((leg) => leg.token)])];
}

/** Openings belong to the first move's block: they get its time at the latest. */
function withOwners(openings: readonly Opening[], block: KeptBlock, directory: Directory): FiledOpening[] {
  return openings
    .filter(({ height }) => height === block.height - 1)
    .flatMap((opening) => {
      const trader = directory.byWallet(opening.wallet);
      if (!trader) return [];
      return [{ ...opening, userId: trader.userId, atMs: block.timeMs, blockHash: block.hash }];
    });
}
