// The roster in memory, kept in step with its tables, and the wallets and pools that readers watch because of it. A change
// that another process made is noticed within seconds.
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLoop } from "../../kit/loop.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { SOLANA_CHAIN_ID, type WatchList } from "../chain.ts";
import { type RosterTrader, readRoster, rosterVersion } from "./roster.ts";

export interface Directory extends WatchList {
  traders(): readonly RosterTrader[];
  byId(userId: string): RosterTrader | undefined;
  byHandle(handle: string): RosterTrader | undefined;
  byWallet(wallet: string): RosterTrader | undefined;
  /** Trades at and after this time were added or removed: their pools may have become worth watching. */
  lookAtPools(sinceMs: number): void;
  refresh(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const LOOK_MS = 2_000;
/** Pools read only for prices cost calls, so only those with a token that a roster trader held are read, and only this many. */
const POOLS_MAX = 200;
const POOLS_PAST_MS = [HOUR_MS, DAY_MS, 365 * DAY_MS];

export function createDirectory(database: Database, clock: Clock, log: Log): Directory {
  const listeners = new Set<() => void>();
  let version: string | null = null;
  let list: RosterTrader[] = [];
  let byId = new Map<string, RosterTrader>();
  let byHandle = new Map<string, RosterTrader>();
  let byWallet = new Map<string, RosterTrader>();
  let wallets: { solana: ReadonlySet<string>; evm: ReadonlySet<string> } = {
    solana: new Set(),
    evm: new Set(),
  };
  let pools = new Map<number, Set<string>>();

  const load = async (): Promise<boolean> => {
    const found = await rosterVersion(database.read);
    if (found === version) return false;
    list = await readRoster(database.read);
    byId = new Map(list.map((trader) => [trader.userId, trader]));
    byHandle = new Map();
    for (const trader of list)
      for (const former of trader.formerHandles) byHandle.set(former.toLowerCase(), trader);
    for (const trader of list) byHandle.set(trader.handle.toLowerCase(), trader);
    byWallet = new Map(list.flatMap((trader) => [...trader.solana, ...trader.evm].map((w) => [w, trader])));
    wallets = {
      solana: new Set(list.flatMap((trader) => trader.solana)),
      evm: new Set(list.flatMap((trader) => trader.evm)),
    };
    version = found;
    return true;
  };
  /** When each pool was last used, by chain and pool; includes all trades before `unseenSince`. */
  const used = new Map<string, { chainId: number; pool: string; at: number }>();
  let unseenSince: number | null = null;
  let isFirstLook = true;

  const readPools = async (sinceMs: number) => {
    const rows = await database.read.all<{ chain_id: number; pool: string; used: number }>(
      sql`SELECT chain_id, pool, MAX(time_ms) AS used FROM tracker_price
        WHERE time_ms >= ${sinceMs} AND doubt IS NULL AND EXISTS (SELECT 1 FROM tracker_opening o
          WHERE o.chain_id = tracker_price.chain_id AND o.token = tracker_price.token)
        GROUP BY chain_id, pool ORDER BY used DESC LIMIT ${POOLS_MAX}`,
    );
    for (const { chain_id: chainId, pool, used: at } of rows)
      used.set(`${chainId}:${pool}`, {
        chainId,
        pool,
        at: Math.max(at, used.get(`${chainId}:${pool}`)?.at ?? 0),
      });
  };
  const loadPools = async (): Promise<boolean> => {
    // At first, the most recently used ones, without scanning the whole history if the last hour is enough.
    for (const pastMs of isFirstLook ? POOLS_PAST_MS : [])
      if (used.size < POOLS_MAX) await readPools(clock.now() - pastMs);
    isFirstLook = false;
    if (unseenSince !== null) {
      const since = unseenSince;
      unseenSince = null;
      await readPools(since);
    }
    const newest = [...used].sort(([, a], [, b]) => b.at - a.at);
    for (const [key] of newest.slice(POOLS_MAX)) used.delete(key);
    const next = new Map<number, Set<string>>();
    for (const { chainId, pool } of used.values())
      next.set(chainId, (next.get(chainId) ?? new Set()).add(pool));
    const isSame = [...next].every(([chain, set]) => {
      const before = pools.get(chain);
      return before !== undefined && before.size === set.size && [...set].every((pool) => before.has(pool));
    });
    if (isSame && next.size === pools.size) return false;
    pools = next;
    return true;
  };
  const refresh = async () => {
    const changed = await load();
    if ((await loadPools()) || changed) for (const listener of listeners) listener();
  };
  const loop = createLoop({
    failure: "could not read the roster",
    everyMs: LOOK_MS,
    clock,
    log,
    round: refresh,
  });
  return {
    traders: () => list,
    byId: (userId) => byId.get(userId.toLowerCase()),
    byHandle: (handle) => byHandle.get(handle.toLowerCase()),
    byWallet: (wallet) => byWallet.get(wallet),
    wallets: (chainId) => (chainId === SOLANA_CHAIN_ID ? wallets.solana : wallets.evm),
    pools: (chainId) => pools.get(chainId) ?? NO_POOLS,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lookAtPools(sinceMs) {
      unseenSince = Math.min(sinceMs, unseenSince ?? sinceMs);
    },
    refresh,
    start: () => loop.start(),
    stop: () => loop.stop(),
  };
}

const NO_POOLS: ReadonlySet<string> = new Set();
