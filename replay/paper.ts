// A follower's account that continues: the same fold, a stretch of time after the other. What it carries from one stretch to the
// next is plain data, so that it can be stored and taken up by another process; a test holds it to one replay over the whole.
import type { Micro } from "../accounting/money.ts";
import type { Sliced } from "../kit/slices.ts";
import { type CarriedPosition, FollowerLife, live } from "./fold.ts";
import {
  blockMsOf,
  byMoment,
  type CopyableMove,
  copiedAt,
  type LeaderMove,
  type LeaderPlan,
  leftOf,
  soldShare,
} from "./leader.ts";
import type { ReplayOrder } from "./order.ts";
import { type CopySchedule, scheduleOf } from "./schedule.ts";
import { EMPTY_TAPE, lastAt, type Tick, type TokenTape } from "./tape.ts";
import type { ReplayTerms, SkipReason } from "./terms.ts";

/** By chain and address, as the tapes are named. */
interface PaperToken {
  token: string;
  networkId: number;
}

/** Something that the leader did. */
export interface PaperMove extends LeaderMove, PaperToken {}

/** A leader's buy or sell that has yet to be copied. */
export interface WaitingMove extends Omit<CopyableMove, "position" | "tick">, PaperToken {}

export interface PaperHolding extends CarriedPosition, PaperToken {
  /** The last tick, for what it is worth when the next one is long in coming. */
  tick: Tick | null;
  /** What selling it would have brought at the end of the stretch. */
  value: Micro;
}

export interface PaperTerms extends Omit<ReplayTerms, "from" | "to" | "copyOpen"> {
  /** The network fee on each chain, if the terms don't specify it: the leader's median at the start. */
  networkFees: Record<string, number>;
}

export interface PaperStretch {
  /** New data since. */
  moves: readonly PaperMove[];
  tapes: ReadonlyMap<string, TokenTape>;
  /** Everything that happens up to here is known. */
  to: number;
}

export interface PaperOrder extends Omit<ReplayOrder, "position">, PaperToken {}

/** An account that begins now. With `copyOpen`, what the leader holds is bought at once. */
export function beginPaper(
  at: number,
  held: readonly (PaperToken & { amount: number })[],
  copyOpen: boolean,
) {
  const leader: Record<string, number> = {};
  for (const { token, amount } of held) if (amount > 0) leader[token] = (leader[token] ?? 0) + amount;
  const networks = new Map(held.map(({ token, networkId }) => [token, networkId]));
  const waiting = Object.entries(leader).map(([token, amount]): WaitingMove => {
    const networkId = networks.get(token) as number;
    const none = { usd: null, priceUsd: null, txHash: null, share: 0 };
    return { token, networkId, at, amount, isBuy: true, isFirst: true, isOpening: true, ...none };
  });
  return {
    /** When it started: earlier moves of the leader are not copied. */
    from: at,
    /** Everything up to here is decided. */
    at,
    /** Paid less received so far, and the most that it ever was. */
    spent: 0,
    peak: 0,
    volume: 0,
    /** The profit, with holdings at what selling them would bring. */
    net: 0,
    filled: 0,
    trips: 0,
    wins: 0,
    /** Times that the leader sent tokens away, which the follower keeps. */
    sends: 0,
    sources: { tape: 0, candle: 0, leader: 0 },
    skipped: {} as Partial<Record<SkipReason, number>>,
    holdings: [] as PaperHolding[],
    waiting: copyOpen ? waiting : [],
    /** The leader's holdings at `at`, by token. */
    leader,
    /** The leader's known moves after `at`: earlier ones may still arrive. */
    heard: [] as PaperMove[],
  };
}

export type PaperState = ReturnType<typeof beginPaper>;

/** Lives on until `to`. The state that was given is left as it is. */
export function* extendPaper(
  state: PaperState,
  { moves, tapes, to }: PaperStretch,
  terms: PaperTerms,
): Sliced<{ state: PaperState; orders: PaperOrder[] }> {
  const settled = settle(state, moves, to);
  const isDue = (move: WaitingMove) => copiedAt(move, terms.delayMs, blockMsOf(move.networkId)) <= to;
  const due = settled.waiting.filter(isDue).sort(byMoment);
  const tokens = tokensOf(state.holdings, due);
  const plan = planOfStretch(tokens, due, state, tapes, terms);
  const schedule = yield* scheduleOf(plan, terms.delayMs);
  const life = new FollowerLife(plan, schedule, { ...terms, from: state.at, to, copyOpen: false }, true);
  takeUp(life, state, tokens);
  const first = firstMoves(plan, schedule);
  for (const position of [...life.account.open]) life.lookAt(position, first[position] as number);
  yield* live(life, []);
  const { net, orders, trips, sources } = life.end();
  const values = new Map(life.account.open.map((position) => [position, life.account.worthOf(position, to)]));
  return {
    state: {
      from: state.from,
      at: to,
      ...settled,
      waiting: settled.waiting.filter((move) => !isDue(move)),
      spent: life.account.spent,
      peak: life.account.peak,
      volume: life.account.volume,
      net,
      filled: state.filled + sources.tape + sources.candle + sources.leader,
      trips: state.trips + trips.length,
      wins: state.wins + trips.filter((trip) => trip.net > 0).length,
      sources: {
        tape: state.sources.tape + sources.tape,
        candle: state.sources.candle + sources.candle,
        leader: state.sources.leader + sources.leader,
      },
      skipped: skippedOf(state.skipped, orders),
      holdings: life.account.open
        .toSorted((a, b) => a - b)
        .map((position) => ({
          ...(tokens[position] as PaperToken),
          ...life.carry(position),
          tick: tickAt(plan.positions[position]?.tape ?? EMPTY_TAPE, to),
          value: values.get(position) ?? 0,
        })),
    },
    orders: orders.map(({ position, ...order }) => ({ ...order, ...(tokens[position] as PaperToken) })),
  };
}

/** When the next copy or the next exit that is decided is due; infinite without any. */
export function nextDueAt(state: PaperState, terms: Pick<PaperTerms, "delayMs">): number {
  const { holdings } = state;
  const copies = copiesToCome(state).map((move) => copiedAt(move, terms.delayMs, blockMsOf(move.networkId)));
  const exits = holdings.map(({ exit }) => exit?.at ?? Number.POSITIVE_INFINITY);
  return Math.min(Number.POSITIVE_INFINITY, ...copies, ...exits);
}

/** The leader's known buys and sells that have yet to be copied. */
export function copiesToCome({ waiting, heard }: PaperState): Pick<WaitingMove, CopyMoment>[] {
  const isCopied = ({ kind }: PaperMove) => kind === "buy" || kind === "sell";
  return [...waiting, ...heard.filter(isCopied).map((move) => ({ ...move, isOpening: false }))];
}
type CopyMoment = "token" | "networkId" | "at" | "isOpening";

/**
 * What the leader holds at `to`, and which moves up to then may be copied. They are taken in the order in which they
 * happened, however they were heard: what share of a position is sold depends on it. One that comes later than that is
 * copied when it comes.
 */
function settle(state: PaperState, fresh: readonly PaperMove[], to: number) {
  const leader = { ...state.leader };
  const waiting = [...state.waiting];
  let { sends } = state;
  const known = [...state.heard, ...fresh];
  for (const move of known.filter(({ at }) => at <= to).sort(byMoment)) {
    const { token, networkId, at, kind, amount, usd, txHash } = move;
    const held = leader[token] ?? 0;
    if ((kind === "buy" || kind === "sell") && at >= state.from) {
      const isBuy = kind === "buy";
      const priceUsd = usd !== null && amount > 0 ? usd / amount : null;
      const share = isBuy ? 0 : soldShare(amount, held);
      const isFirst = isBuy && held === 0;
      const own = { token, networkId, at, isBuy, amount, usd, priceUsd, share, isFirst, txHash };
      waiting.push({ ...own, isOpening: false, heardAt: state.at });
    }
    if (kind === "send") sends += 1;
    const left = kind === "buy" || kind === "receive" ? held + amount : leftOf(held, amount);
    if (left > 0) leader[token] = left;
    else delete leader[token];
  }
  return { leader, waiting, sends, heard: known.filter(({ at }) => at > to) };
}

function tokensOf(holdings: readonly PaperToken[], due: readonly PaperToken[]): PaperToken[] {
  const tokens = new Map<string, PaperToken>();
  for (const { token, networkId } of [...holdings, ...due]) tokens.set(token, { token, networkId });
  return [...tokens.values()];
}

function planOfStretch(
  tokens: readonly PaperToken[],
  due: readonly WaitingMove[],
  { holdings }: PaperState,
  tapes: ReadonlyMap<string, TokenTape>,
  { networkFees }: PaperTerms,
): LeaderPlan {
  const places = new Map(tokens.map(({ token }, position) => [token, position]));
  const ticks = new Map(holdings.map(({ token, tick }) => [token, tick]));
  return {
    positions: tokens.map(({ token, networkId }) => ({
      token,
      networkId,
      tape: withTick(tapes.get(token) ?? EMPTY_TAPE, ticks.get(token) ?? null),
      observedFeeUsd: networkFees[String(networkId)] ?? 0,
      blockMs: blockMsOf(networkId),
      lastPriceUsd: null,
    })),
    moves: due.map(
      ({ token, networkId: _, ...move }): CopyableMove => ({
        ...move,
        position: places.get(token) as number,
        tick: -1,
      }),
    ),
    sends: 0,
  };
}

function takeUp(life: FollowerLife, state: PaperState, tokens: readonly PaperToken[]): void {
  const { account } = life;
  const places = new Map(tokens.map(({ token }, position) => [token, position]));
  for (const { token, networkId: _, tick: __, value: ___, ...holding } of state.holdings)
    life.resume(places.get(token) as number, holding, state.at);
  account.spent = state.spent;
  account.peak = state.peak;
  account.volume = state.volume;
}

/** When each position is moved first; infinite for one that is not. */
function firstMoves({ positions, moves }: LeaderPlan, { order, at }: CopySchedule): Float64Array {
  const first = new Float64Array(positions.length).fill(Number.POSITIVE_INFINITY);
  for (const place of order) {
    const { position } = moves[place] as CopyableMove;
    first[position] = Math.min(first[position] as number, at[place] as number);
  }
  return first;
}

function skippedOf(before: PaperState["skipped"], orders: readonly ReplayOrder[]): PaperState["skipped"] {
  const counts = { ...before };
  for (const { skipped } of orders) if (skipped !== null) counts[skipped] = (counts[skipped] ?? 0) + 1;
  return counts;
}

function tickAt(tape: TokenTape, moment: number): Tick | null {
  const place = lastAt(tape.at, moment);
  if (place < 0) return null;
  const depth = tape.depth[place] as number;
  return {
    at: tape.at[place] as number,
    priceUsd: tape.price[place] as number,
    depthUsd: Number.isNaN(depth) ? null : depth,
    feeBps: tape.feeBps[place] as number,
  };
}

/** A tape that does not reach back to a tick that is known gets it in front. */
function withTick(tape: TokenTape, tick: Tick | null): TokenTape {
  if (tick === null || (tape.at[0] as number) <= tick.at) return tape;
  return {
    ...tape,
    at: Float64Array.of(tick.at, ...tape.at),
    price: Float64Array.of(tick.priceUsd, ...tape.price),
    depth: Float64Array.of(tick.depthUsd ?? Number.NaN, ...tape.depth),
    feeBps: Float64Array.of(tick.feeBps, ...tape.feeBps),
  };
}
