// Every roster position in memory, with only the fields needed for ranking: kept in sync with the books by each of their
// changes. A position's past is read only when a requested moment falls into it.
import { type Micro, toMicro } from "../../accounting/money.ts";
import type { BookPoint } from "../../accounting/span.ts";
import type { Database } from "../../database/database.ts";
import { raw, sql, tuples } from "../../database/sql.ts";
import { nextTurn } from "../../kit/turn.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import { type Booked, type Change, type PositionState, positionsOf } from "../books/accounting.ts";
import { amountOf } from "../books/amounts.ts";
import { readTokenLedgers, type TokenLedger, tokenKey } from "../books/ledger.ts";
import { changesOf, type MoveRow } from "../books/moves.ts";
import { type RankedPosition, rankedPositions } from "../books/positions.ts";
import { type KnownToken, type knownTokens, tokensAfter } from "../books/tokens.ts";
import type { Money } from "../prices/money.ts";
import { createNames, type Names, type Namesakes } from "./namesakes.ts";

/** A position's state after one of its changes. */
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
  /** Its points in order, while a requested moment lies between them; otherwise null. */
  past: readonly PastPoint[] | null;
}

/** A swap in the last day. */
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
  /** How many roster traders ever bought or sold it. */
  swappers: number;
  /** The largest holder's amount. */
  topHeld: number;
  /** No known position in it was opened before this. */
  heldSince: number;
  alike: Namesakes;
}

export interface LivePositions {
  /** Reads everything, unless that was done and is not in doubt. */
  load(): Promise<void>;
  /** A transaction ended with unknown outcome. */
  doubt(): void;
  /** By token key. */
  of(userId: string): ReadonlyMap<string, readonly LivePosition[]>;
  /** Everyone with a position, even those who left the roster. */
  people(): Iterable<string>;
  token(key: string): LiveToken | undefined;
  tokens(): Iterable<LiveToken>;
  /**
   * Returns the time since which something may have become spam or stopped being it; infinity if nothing did. For a token that
   * was never traded, how much of it is held matters only if it has a price.
   */
  change(ledgers: readonly TokenLedger[], hasPrice: (of: LiveToken) => boolean): number;
  /** Loads the past of these positions. */
  readPast(positions: readonly LivePosition[]): Promise<void>;
  /** Drops pasts that none of these moments falls into. */
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
  let current = nothingLoaded();
  /** Whether something may have changed without notice. */
  let isDoubtful = true;
  let isLoading = false;

  const atHand: typeof knownTokens = async (_, chainId, tokens) =>
    new Map(
      tokens.flatMap((token) => {
        const of = current.tokens.get(tokenKey(chainId, token));
        return of ? [[token, of.known] as const] : [];
      }),
    );

  const loadTokens = async (among: LiveState) => {
    for (let place = 0; ; ) {
      const some = await tokensAfter(database.read, place, TOKENS_A_READ);
      for (const known of some)
        if (known.decimals !== null && money.kindOf(known.chainId, known.token) === null)
          tokenOf(among, known);
      const last = some.at(-1);
      if (!last || some.length < TOKENS_A_READ) return;
      place = last.place;
      await nextTurn();
    }
  };

  const loadRecent = async ({ tokens }: LiveState) => {
    const until = now();
    // Half of all moves are money: excluded here, they cost nothing.
    const traded =
      money.all.length === 0 ? raw("") : sql`AND (chain_id, token) NOT IN (VALUES ${tuples(money.all)})`;
    for (let from = until - RECENT_MS; from <= until; from += RECENT_A_READ_MS) {
      // Some chains' blocks are ahead of this machine's clock.
      const end = from + RECENT_A_READ_MS > until ? raw("") : sql`AND time_ms < ${from + RECENT_A_READ_MS}`;
      const rows = await database.read.all<MoveRow>(
        sql`SELECT * FROM tracker_move WHERE time_ms >= ${from} ${end} ${traded}
          ORDER BY time_ms, chain_id, height, tx_index, tx_hash, wallet, token, came_in`,
      );
      for (const [userId, own] of Map.groupBy(rows, (row) => row.user_id))
        for (const change of changesOf(own)) {
          const swap = recentSwap(userId, change);
          if (swap) tokens.get(tokenKey(change.chainId, change.token))?.recent.push(swap);
        }
      await nextTurn();
    }
  };

  const loadTrader = async (userId: string, among: LiveState) => {
    const positions = await rankedPositions(database.read, userId);
    for (const [key, group] of Map.groupBy(positions, ({ chainId, token }) => tokenKey(chainId, token))) {
      const of = among.tokens.get(key);
      if (!of) continue;
      const own = group.map((row) => rankedOf(userId, of, row));
      put(among, userId, of, own);
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
        const loaded = nothingLoaded();
        await loadTokens(loaded);
        await loadRecent(loaded);
        const users = await database.read.all<{ user_id: string }>(
          sql`SELECT DISTINCT user_id FROM tracker_position`,
        );
        for (const { user_id: userId } of users) {
          await nextTurn();
          await loadTrader(userId, loaded);
        }
        current = loaded;
      } catch (error) {
        isDoubtful = true;
        throw error;
      } finally {
        isLoading = false;
      }
    },
    of: (userId) => current.traders.get(userId) ?? NOBODY,
    people: () => current.traders.keys(),
    token: (key) => current.tokens.get(key),
    tokens: () => current.tokens.values(),
    change(ledgers, hasPrice) {
      // Data being loaded may be older than this.
      if (isLoading) isDoubtful = true;
      const since = now() - RECENT_MS;
      let judgedSince = Number.POSITIVE_INFINITY;
      for (const { userId, chainId, token, known, booked } of ledgers) {
        const of = known ? tokenOf(current, known) : current.tokens.get(tokenKey(chainId, token));
        if (!of) continue;
        const [wasTraded, most] = [of.swappers > 0, of.topHeld];
        const positions = positionsOf(booked).map((position) => liveOf(userId, of, position));
        // A moment may be being computed right now.
        for (const position of positions) position.past = pastOf(booked, position.tradeId);
        put(current, userId, of, positions);
        const isTraded = of.swappers > 0;
        if (isTraded !== wasTraded) judgedSince = Math.min(judgedSince, of.alike.heldSince);
        else if (!isTraded && of.topHeld !== most && hasPrice(of))
          judgedSince = Math.min(judgedSince, of.heldSince);
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
      for (const own of current.traders.values())
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
          const ledgers = await readTokenLedgers(database.read, chainId, some, money, atHand);
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

interface LiveState {
  /** Positions by trader and token. */
  traders: Map<string, Map<string, readonly LivePosition[]>>;
  tokens: Map<string, LiveToken>;
  names: Names;
}

const nothingLoaded = (): LiveState => ({ traders: new Map(), tokens: new Map(), names: createNames() });

function tokenOf({ tokens, names }: LiveState, known: KnownToken): LiveToken {
  const key = tokenKey(known.chainId, known.token);
  const found = tokens.get(key);
  if (found) {
    if (found.known.symbol !== known.symbol) names.move(found, known.symbol);
    found.known = known;
    return found;
  }
  const made: LiveToken = {
    key,
    known,
    holders: new Map(),
    recent: [],
    swappers: 0,
    topHeld: 0,
    heldSince: Number.POSITIVE_INFINITY,
    alike: names.of(known.symbol),
  };
  tokens.set(key, made);
  return made;
}

function put(
  { traders, names }: LiveState,
  userId: string,
  of: LiveToken,
  positions: readonly LivePosition[],
): void {
  const own = traders.get(userId) ?? new Map<string, readonly LivePosition[]>();
  traders.set(userId, own);
  const wasTraded = of.swappers > 0;
  of.swappers += Number(hasSwapped(positions)) - Number(hasSwapped(own.get(of.key) ?? []));
  if (positions.length > 0) own.set(of.key, positions);
  else own.delete(of.key);
  const before = of.holders.get(userId)?.held ?? 0;
  const open = positions.find(({ closedAt }) => closedAt === null);
  if (open) of.holders.set(userId, open);
  else of.holders.delete(userId);
  const held = open?.held ?? 0;
  if (held >= of.topHeld) of.topHeld = held;
  else if (before === of.topHeld) of.topHeld = topHolding(of);
  for (const { openedAt } of positions) of.heldSince = Math.min(of.heldSince, openedAt);
  names.note(of, wasTraded);
}

function topHolding({ holders }: LiveToken): number {
  let most = 0;
  for (const { held } of holders.values()) most = Math.max(most, held);
  return most;
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

/** Without spreads: there are hundreds of thousands. */
function rankedOf(userId: string, of: LiveToken, row: RankedPosition): LivePosition {
  return {
    tradeId: row.tradeId,
    userId,
    of,
    openedAt: row.openedAt,
    held: row.heldRaw === "0" ? 0 : amountOf(BigInt(row.heldRaw), of.known.decimals ?? 0),
    realizedUsd: row.realizedUsd,
    at: row.lastActivityAt,
    lastFillAt: row.lastFillAt,
    closedAt: row.closedAt,
    amount: row.amount,
    cost: row.cost,
    gains: row.gains,
    fees: row.fees,
    invested: row.invested,
    volume: row.volume,
    fills: row.fills,
    unknownIn: row.unknownIn,
    unknownSells: row.unknownSells,
    past: null,
  };
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

/** Whether the moment falls between two of its changes, so that its state then is only in its past. */
export const isAmid = ({ openedAt, at }: LivePosition, moment: number): boolean =>
  openedAt < moment && moment <= at;

/** Its state right before a moment; null if it did not exist yet. Its past must be loaded. */
export function pointBefore(position: LivePosition, moment: number): PastPoint | null {
  if (position.openedAt >= moment) return null;
  if (position.at < moment) return position;
  return position.past?.findLast(({ at }) => at < moment) ?? null;
}
