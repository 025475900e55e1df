// Every position of the roster in memory, as little of each as ranking everybody takes: kept in step with the books by each of
// their changes. What is needed of a position's past is read when a moment falls into it.
import { type Micro, toMicro } from "../../accounting/money.ts";
import type { BookPoint } from "../../accounting/span.ts";
import type { Database } from "../../database/database.ts";
import { raw, sql } from "../../database/sql.ts";
import { nextTurn } from "../../kit/turn.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { type Booked, type Change, type PositionState, positionsOf } from "../books/accounting.ts";
import { amountOf } from "../books/amounts.ts";
import { readTokenLedgers, type TokenLedger, tokenKey } from "../books/ledger.ts";
import { changesOf, type MoveRow } from "../books/moves.ts";
import { rankedPositions } from "../books/positions.ts";
import { type KnownToken, tokensAfter } from "../books/tokens.ts";
import { foldName } from "../prices/look-alike.ts";
import type { Money } from "../prices/money.ts";

/** Where a position stood after one of its changes. */
export interface PastPoint extends BookPoint {
  at: number;
  lastFillAt: number | null;
  closedAt: number | null;
}

export interface LivePosition extends PastPoint {
  tradeId: string;
  userId: string;
  of: LiveToken;
  openedAt: number;
  held: number;
  realizedUsd: number | null;
  /** Its points in order, while a moment that somebody asks about lies between them; else null. */
  past: readonly PastPoint[] | null;
}

/** A swap of the last day. */
export interface RecentSwap {
  userId: string;
  at: number;
  /** null: nothing could price it. */
  usd: Micro | null;
  isBuy: boolean;
}

export interface LiveToken {
  key: string;
  known: KnownToken;
  /** The open positions, by trader. */
  holders: Map<string, LivePosition>;
  recent: RecentSwap[];
  /** How many of the roster ever bought or sold it. */
  swappers: number;
}

export interface LivePositions {
  /** Reads all of it where that was not done, or is in doubt. */
  load(): Promise<void>;
  /** A transaction ended nobody knows how. */
  doubt(): void;
  /** By the key of their token. */
  of(userId: string): ReadonlyMap<string, readonly LivePosition[]>;
  token(key: string): LiveToken | undefined;
  tokens(): Iterable<LiveToken>;
  /** Whether somebody of the roster bought or sold a token whose symbol looks like this. */
  hasTraded(folded: string): boolean;
  /** Returns since when something else may be spam, or none any more; infinity where nothing is. */
  change(ledgers: readonly TokenLedger[]): number;
  /** Reads the past of these positions. */
  readPast(positions: readonly LivePosition[]): Promise<void>;
  /** Lets go of pasts that none of these moments falls into. */
  forgetPast(moments: readonly number[]): void;
}

const TOKENS_A_READ = 2_000;
const NOBODY: ReadonlyMap<string, readonly LivePosition[]> = new Map();
const RECENT_MS = DAY_MS;
const RECENT_A_READ_MS = HOUR_MS / 2;

export function createLivePositions({
  database,
  money,
  now,
}: {
  database: Database;
  money: Money;
  now(): number;
}): LivePositions {
  let traders = new Map<string, Map<string, readonly LivePosition[]>>();
  let tokens = new Map<string, LiveToken>();
  /** Whether something may have changed without a word. */
  let isDoubtful = true;
  let isLoading = false;
  /** All of them by what their symbols look like. */
  let named = new Map<string, Set<LiveToken>>();

  const tokenOf = (known: KnownToken, among = tokens): LiveToken => {
    const key = tokenKey(known.chainId, known.token);
    const found = among.get(key) ?? { key, known, holders: new Map(), recent: [], swappers: 0 };
    found.known = known;
    among.set(key, found);
    if (among === tokens) noteName(found);
    return found;
  };

  const noteName = (of: LiveToken) => {
    const name = foldName(of.known.symbol);
    named.set(name, (named.get(name) ?? new Set()).add(of));
  };
  /** What may be judged otherwise after a token was traded, or is held otherwise: itself, and those that look like it. */
  const alike = (of: LiveToken) => named.get(foldName(of.known.symbol)) ?? new Set([of]);

  const put = (userId: string, of: LiveToken, positions: readonly LivePosition[], among = traders) => {
    const own = among.get(userId) ?? new Map<string, readonly LivePosition[]>();
    among.set(userId, own);
    of.swappers += Number(hasSwapped(positions)) - Number(hasSwapped(own.get(of.key) ?? []));
    if (positions.length > 0) own.set(of.key, positions);
    else own.delete(of.key);
    const open = positions.find(({ closedAt }) => closedAt === null);
    if (open) of.holders.set(userId, open);
    else of.holders.delete(userId);
  };

  const loadTokens = async (among: typeof tokens) => {
    for (let place = 0; ; ) {
      const some = await tokensAfter(database.read, place, TOKENS_A_READ);
      for (const known of some)
        if (known.decimals !== null && money.kindOf(known.chainId, known.token) === null)
          tokenOf(known, among);
      const last = some.at(-1);
      if (!last || some.length < TOKENS_A_READ) return;
      place = last.place;
      await nextTurn();
    }
  };

  const loadRecent = async (among: typeof tokens) => {
    const until = now();
    for (let from = until - RECENT_MS; from <= until; from += RECENT_A_READ_MS) {
      // Some chains' blocks are ahead of this machine's clock.
      const end = from + RECENT_A_READ_MS > until ? raw("") : sql`AND time_ms < ${from + RECENT_A_READ_MS}`;
      const rows = await database.read.all<MoveRow>(
        sql`SELECT * FROM tracker_move WHERE time_ms >= ${from} ${end}
          ORDER BY time_ms, chain_id, height, tx_index, tx_hash, wallet, token, came_in`,
      );
      const traded = rows.filter((row) => money.kindOf(row.chain_id, row.token) === null);
      for (const [userId, own] of Map.groupBy(traded, (row) => row.user_id))
        for (const change of changesOf(own)) {
          const swap = recentSwap(userId, change);
          if (swap) among.get(tokenKey(change.chainId, change.token))?.recent.push(swap);
        }
      await nextTurn();
    }
  };

  const loadTrader = async (userId: string, known: typeof tokens, people: typeof traders) => {
    const positions = await rankedPositions(database.read, userId);
    for (const [key, group] of Map.groupBy(positions, ({ chainId, token }) => tokenKey(chainId, token))) {
      const of = known.get(key);
      if (!of) continue;
      const own = group.map(
        ({ token: _, chainId: __, heldRaw, lastActivityAt: at, ...position }): LivePosition => ({
          ...position,
          at,
          userId,
          of,
          held: heldRaw === "0" ? 0 : amountOf(BigInt(heldRaw), of.known.decimals ?? 0),
          past: null,
        }),
      );
      put(userId, of, own, people);
    }
  };

  return {
    doubt() {
      isDoubtful = true;
    },
    async load() {
      if (!isDoubtful) return;
      isDoubtful = false;
      isLoading = true;
      try {
        const known: typeof tokens = new Map();
        const people: typeof traders = new Map();
        await loadTokens(known);
        await loadRecent(known);
        const users = await database.read.all<{ user_id: string }>(
          sql`SELECT DISTINCT user_id FROM tracker_position`,
        );
        for (const { user_id: userId } of users) {
          await nextTurn();
          await loadTrader(userId, known, people);
        }
        [tokens, traders] = [known, people];
        named = new Map();
        for (const of of known.values()) noteName(of);
      } catch (error) {
        isDoubtful = true;
        throw error;
      } finally {
        isLoading = false;
      }
    },
    of: (userId) => traders.get(userId) ?? NOBODY,
    token: (key) => tokens.get(key),
    tokens: () => tokens.values(),
    hasTraded: (folded) => [...(named.get(folded) ?? [])].some(({ swappers }) => swappers > 0),
    change(ledgers) {
      // What is being loaded may be older.
      if (isLoading) isDoubtful = true;
      const since = now() - RECENT_MS;
      let judgedSince = Number.POSITIVE_INFINITY;
      for (const { userId, chainId, token, known, booked } of ledgers) {
        const of = known ? tokenOf(known) : tokens.get(tokenKey(chainId, token));
        if (!of) continue;
        const [wasTraded, most, heldSince] = [of.swappers > 0, topHolding(of), oldestOf(alike(of))];
        const positions = positionsOf(booked).map((position) => liveOf(userId, of, position));
        // A moment may be being worked out right now.
        for (const position of positions) position.past = pastOf(booked, position.tradeId);
        put(userId, of, positions);
        const isTraded = of.swappers > 0;
        if (isTraded !== wasTraded || (!isTraded && topHolding(of) !== most))
          judgedSince = Math.min(judgedSince, heldSince);
        of.recent = [
          ...of.recent.filter((swap) => swap.userId !== userId && swap.at >= since),
          ...booked.flatMap(({ change }) =>
            change.timeMs >= since ? (recentSwap(userId, change) ?? []) : [],
          ),
        ];
      }
      return judgedSince;
    },
    forgetPast(moments) {
      for (const own of traders.values())
        for (const positions of own.values())
          for (const position of positions)
            if (position.past !== null && !moments.some((moment) => isAmid(position, moment)))
              position.past = null;
    },
    async readPast(positions) {
      const byChain = Map.groupBy(positions, ({ of }) => of.known.chainId);
      for (const [chainId, group] of byChain) {
        const wanted = group.map(({ userId, of }) => ({ userId, chainId, token: of.known.token }));
        for (let start = 0; start < group.length; start += PASTS_A_READ) {
          const some = wanted.slice(start, start + PASTS_A_READ);
          const ledgers = await readTokenLedgers(database.read, chainId, some, money);
          for (const [at, { booked }] of ledgers.entries()) {
            const position = group[start + at];
            if (position) position.past = pastOf(booked, position.tradeId);
          }
          await nextTurn();
        }
      }
    },
  };
}

const PASTS_A_READ = 64;

/** What the largest holder has of it. */
export function topHolding({ holders }: LiveToken): number {
  let most = 0;
  for (const { held } of holders.values()) most = Math.max(most, held);
  return most;
}

function oldestOf(tokens: Iterable<LiveToken>): number {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { holders } of tokens)
    for (const { openedAt } of holders.values()) oldest = Math.min(oldest, openedAt);
  return oldest;
}

const hasSwapped = (positions: readonly LivePosition[]): boolean => positions.some(({ fills }) => fills > 0);

function recentSwap(userId: string, { isSwap, timeMs, valueUsd, netRaw }: Change): RecentSwap | null {
  return isSwap
    ? { userId, at: timeMs, usd: valueUsd === null ? null : toMicro(valueUsd), isBuy: netRaw > 0n }
    : null;
}

function pointOf({ lot, sums, lastActivityAt, lastFillAt, closedAt }: PositionState): PastPoint {
  return { at: lastActivityAt, lastFillAt, closedAt, amount: lot.amount, cost: lot.cost, ...sums };
}

function pastOf(booked: readonly Booked[], tradeId: string): PastPoint[] {
  return booked.filter(({ after }) => after.tradeId === tradeId).map(({ after }) => pointOf(after));
}

function liveOf(userId: string, of: LiveToken, position: PositionState): LivePosition {
  return {
    ...pointOf(position),
    tradeId: position.tradeId,
    userId,
    of,
    openedAt: position.openedAt,
    held: amountOf(position.heldRaw, of.known.decimals ?? 0),
    realizedUsd: position.realizedUsd,
    past: null,
  };
}

/** Whether the moment falls between two of its changes, so that only its past says where it stood. */
export const isAmid = ({ openedAt, at }: LivePosition, moment: number): boolean =>
  openedAt < moment && moment <= at;

/** Where it stood right before a moment; null when it was not there yet. Its past must be known. */
export function pointBefore(position: LivePosition, moment: number): PastPoint | null {
  if (position.openedAt >= moment) return null;
  if (position.at < moment) return position;
  return position.past?.findLast(({ at }) => at < moment) ?? null;
}
