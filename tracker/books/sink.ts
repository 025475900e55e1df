// Where readers write. Each call is one transaction with the reader's cursor in it: facts, prices, what the feeds say, all or
// nothing, so that a kill -9 anywhere loses nothing and repeats nothing. What depends on the network is asked for before.
import { type Database, insertMany, type Queries } from "../../database/database.ts";
import { list, sql } from "../../database/sql.ts";
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
import type { Money } from "../prices/money.ts";
import { savePoolPrices } from "../prices/observed.ts";
import { valueFlow } from "../prices/value.ts";
import type { Directory } from "../roster/directory.ts";
import { appendItems, type FeedRow, type TrackerFeed, toldTrades } from "./feed-items.ts";
import { readLedger, tokenKey } from "./ledger.ts";
import { MOVE_COLUMNS, moveRows, readMoves } from "./moves.ts";
import { askOpenings, type Opening, saveOpenings } from "./openings.ts";
import { askUnknown, type KnownToken, knownTokens, saveTokens } from "./tokens.ts";

export interface SinkParts {
  db: Database;
  directory: Directory;
  money: Money;
  queriesOf(chainId: number): ChainQueries;
  log: Log;
  /** After a commit: whose books changed, and which feeds moved. */
  onChange(userIds: ReadonlySet<string>, feeds: ReadonlySet<TrackerFeed>): void;
}

/** Any constant will do; it must only differ from other advisory locks in the same database. */
const LOCK_ID = 7_266_120;
/** Flows that move nothing of anybody's, or only turn money into money that is the trader's all the same. */
const NOTHING: ReadonlySet<FlowKind> = new Set(["none", "failed"]);
const MONEY_ONLY: ReadonlySet<FlowKind> = new Set(["wrap", "unwrap", "order-placed", "order-cancelled"]);

export function createSink(parts: SinkParts): Sink {
  const { db, directory, money } = parts;

  const write = async (
    cursor: Cursor,
    work: (tx: Queries, touched: Set<string>, feeds: Set<TrackerFeed>) => Promise<void>,
  ): Promise<void> => {
    const touched = new Set<string>();
    const feeds = new Set<TrackerFeed>();
    await db.write(async (tx) => {
      touched.clear();
      feeds.clear();
      if (tx.dialect === "postgres") await tx.all(sql`SELECT pg_advisory_xact_lock(${LOCK_ID})`);
      await work(tx, touched, feeds);
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
      // A fork that won, lost and won again tells its trades anew: what was taken back stays taken back.
      const eventId = await unretractedId(tx, item.eventId);
      rows.push({ eventId, chainId, blockHash, atMs: booked.change.timeMs, item: { ...item, eventId } });
    }
    return rows;
  };

  const applyBlock = async (
    tx: Queries,
    read: BlockRead,
    tokens: ReadonlyMap<string, KnownToken>,
    touched: Set<string>,
  ) => {
    const { block } = read;
    await tx.run(
      sql`INSERT INTO tracker_block (chain_id, hash, height, time_ms)
        VALUES (${block.chainId}, ${block.hash}, ${block.height}, ${block.timeMs}) ON CONFLICT DO NOTHING`,
    );
    await savePoolPrices(tx, block, read.pools, tokens, money);
    for (const flow of [...read.flows].sort((a, b) => a.index - b.index)) {
      const trader = directory.byWallet(flow.wallet);
      if (!trader || !isBooked(flow, money)) continue;
      const valued = await valueFlow(tx, flow, block.height, tokens, money);
      const rows = moveRows(block, flow, trader.userId, valued);
      const added = await insertMany(tx, "tracker_move", MOVE_COLUMNS, rows, "ON CONFLICT DO NOTHING");
      if (added > 0) touched.add(trader.userId);
    }
  };

  const finalHeight = async (queries: Queries, chainId: number): Promise<number> => {
    const row = await queries.one<{ height: number }>(
      sql`SELECT height FROM tracker_final WHERE chain_id = ${chainId}`,
    );
    return row?.height ?? -1;
  };

  return {
    async cursor(name) {
      const row = await db.read.one<{ value: string }>(
        sql`SELECT value FROM tracker_cursor WHERE name = ${name}`,
      );
      return row?.value ?? null;
    },

    async apply(reads, cursor) {
      const first = reads[0]?.block;
      const chainId = first?.chainId ?? 0;
      const facts = first ? await askedFacts(parts, chainId, reads) : [];
      const isPosition = (token: string) => money.kindOf(chainId, token) === null;
      const openings = first
        ? await askOpenings(db.read, parts.queriesOf(chainId), chainId, reads, isPosition, parts.log)
        : [];
      await write(cursor, async (tx, touched, feeds) => {
        if (!first) return;
        await saveTokens(tx, chainId, facts, first.timeMs);
        const tokens = await knownTokens(tx, chainId, tokensIn(reads));
        const final = await finalHeight(tx, chainId);
        for (const read of reads) {
          await applyBlock(tx, read, tokens, touched);
          await saveOpenings(tx, chainId, withOwners(openings, read.block, directory));
        }
        const blocks = reads.map(({ block }) => block);
        const hashes = (isFinal: boolean) =>
          blocks.filter(({ height }) => height <= final === isFinal).map(({ hash }) => hash);
        // What is final as it comes is history: it is told once, where nothing is taken back.
        if (hashes(true).length > 0)
          await put(tx, "app", await itemsOf(tx, chainId, hashes(true), "app"), feeds);
        if (hashes(false).length > 0)
          await put(tx, "chain", await itemsOf(tx, chainId, hashes(false), "chain"), feeds);
      });
    },

    async retract(chainId, blockHashes, cursor) {
      await write(cursor, async (tx, touched, feeds) => {
        if (blockHashes.length === 0) return;
        for (const move of await readMoves(tx, { chainId, blockHashes })) touched.add(move.user_id);
        const rows = (await toldTrades(tx, chainId, blockHashes)).map(({ eventId, blockHash }): FeedRow => {
          const item: WireChainItem = {
            ...{ kind: "retract", eventId: retractIdOf(eventId), retractedEventId: eventId },
            ...{ reason: "reorg", networkId: chainId, at: 0 },
          };
          return { eventId: item.eventId, chainId, blockHash, atMs: 0, item };
        });
        const times = await blockTimes(tx, chainId, blockHashes);
        for (const row of rows) {
          row.atMs = times.get(row.blockHash) ?? 0;
          row.item = { ...(row.item as object), at: row.atMs };
        }
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
        const finals = (await toldTrades(tx, chainId, hashes)).map(({ eventId, blockHash }): FeedRow => {
          const at = times.get(blockHash) ?? 0;
          const item: WireChainItem = {
            ...{ kind: "final", eventId: derivedUuid("final", eventId), finalizedEventId: eventId },
            ...{ networkId: chainId, at },
          };
          return { eventId: item.eventId, chainId, blockHash, atMs: at, item };
        });
        await put(tx, "app", await itemsOf(tx, chainId, hashes, "app"), feeds);
        await put(tx, "chain", finals, feeds);
      });
    },
  };
}

function isBooked({ kind, chainId, sold, bought }: Flow, money: Money): boolean {
  if (NOTHING.has(kind)) return false;
  // A share of a vault is wrapped too, and an order may hold a token: those change what is held.
  return (
    !MONEY_ONLY.has(kind) || [...sold, ...bought].some(({ token }) => money.kindOf(chainId, token) === null)
  );
}

const retractIdOf = (eventId: string): string => derivedUuid("retract", eventId);

async function unretractedId(tx: Queries, eventId: string): Promise<string> {
  for (let id = eventId; ; id = derivedUuid("again", id)) {
    const taken = await tx.one(sql`SELECT 1 AS found FROM tracker_feed WHERE event_id = ${retractIdOf(id)}`);
    if (!taken) return id;
  }
}

function tokensIn(reads: readonly BlockRead[]): string[] {
  const legs = reads.flatMap(({ flows, pools }) => [
    ...flows.flatMap((flow) => [...flow.sold, ...flow.bought]),
    ...pools.flatMap((trade) => [trade.in, trade.out]),
  ]);
  return [...new Set([NATIVE, ...legs.map((leg) => leg.token)])];
}

function askedFacts({ db, queriesOf }: SinkParts, chainId: number, reads: readonly BlockRead[]) {
  return askUnknown(db.read, queriesOf(chainId), chainId, tokensIn(reads));
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

async function blockTimes(
  tx: Queries,
  chainId: number,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.all<{ hash: string; time_ms: number }>(
    sql`SELECT hash, time_ms FROM tracker_block WHERE chain_id = ${chainId} AND hash IN (${list(hashes)})`,
  );
  return new Map(rows.map(({ hash, time_ms }) => [hash, time_ms]));
}
