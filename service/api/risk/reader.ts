// The data behind one trader's risk counts: the books of the last 30 days, others' captured fills in the same tokens, and
// the result of a follower with the usual terms. Bounded: the newest positions first.

import { toUsd } from "../../../accounting/money.ts";
import { fault } from "../../../contract/errors.ts";
import { inTurns, type Sliced } from "../../../kit/slices.ts";
import { servingTurn } from "../../../kit/turn.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import type { Fill } from "../../../protocol/shapes/position.ts";
import type { RoundTrip } from "../../../replay/account.ts";
import { fold } from "../../../replay/fold.ts";
import { blockMsOf, type LeaderPosition, planOf } from "../../../replay/leader.ts";
import { scheduleOf } from "../../../replay/schedule.ts";
import { NO_FILTERS, NO_RULES, type ReplayTerms } from "../../../replay/terms.ts";
import type { Book, OpenedBook } from "../../model/books.ts";
import { type OtherSwap, type RiskCounts, type RiskPosition, riskCounts } from "../../model/risk.ts";
import { nameOfToken } from "../../model/token.ts";
import type { Store } from "../../store/store.ts";
import { type CopiedBooks, copiedBooks, leaderPositions, tapeWishes } from "../copy/leader.ts";
import type { TapeReader } from "../copy/tape.ts";

export const RISK_WINDOW_MS = 30 * DAY_MS;
const MOVES_MAX = 3_000;
const TOKENS_MAX = 100;
/** The newest swaps of others in one token. */
const SWAPS_MAX = 1_000;
const PAGE_ROWS = 250;
/** The trader's own fills are among them. */
const PAGES_MAX = 12;
/** Buyers in these blocks had the transaction ready before the pool opened. */
const LAUNCH_BLOCKS = 2;
/** A follower's order comes at most this long after the leader's. */
const LAG_MS = MINUTE_MS;

interface RiskCall {
  asOf: number;
  deadlineMs: number;
  /** Aborts when the caller disconnects. */
  signal?: AbortSignal;
}

export interface ReadRisk {
  counts: RiskCounts;
  /** Whether older positions were left out because there were too many. */
  truncated: boolean;
}

export type RiskReader = (
  userId: string,
  books: { asOf: number; rows: readonly Book[] },
  call: RiskCall,
) => Promise<ReadRisk>;

export function createRiskReader(store: Pick<Store, "fills" | "tokens">, tape: TapeReader): RiskReader {
  const launchUntil = async ({ position: { token } }: OpenedBook): Promise<number | null> => {
    const launchedAt = (await store.tokens.find(token.address, token.networkId))?.launchedAt ?? null;
    return launchedAt === null ? null : launchedAt + LAUNCH_BLOCKS * blockMsOf(token.networkId);
  };

  const othersIn = async (book: OpenedBook, userId: string, to: number): Promise<OtherSwap[]> => {
    const { address, networkId } = book.position.token;
    const from = (book.later[0]?.at ?? to) - MINUTE_MS;
    const swaps: OtherSwap[] = [];
    let cursor: Parameters<typeof store.fills.between>[0]["cursor"] = null;
    for (let pages = 0; pages < PAGES_MAX && swaps.length < SWAPS_MAX; pages++) {
      const page: Awaited<ReturnType<typeof store.fills.between>> = await store.fills.between({
        from,
        to,
        order: "desc",
        of: { kind: "token", address, networkId },
        limit: PAGE_ROWS,
        cursor,
      });
      for (const fill of page.rows) if (fill.userId !== userId) swaps.push(otherSwap(fill));
      cursor = page.next;
      if (cursor === null) break;
      await servingTurn();
    }
    return swaps.reverse();
  };

  return async (userId, { asOf, rows }, call) => {
    const terms = usualTerms(asOf);
    const { copied, truncated } = newest(copiedBooks(rows, terms));
    const { tapes } = await tape.read(tapeWishes(copied, terms), call);
    const leader = leaderPositions(copied, tapes);
    const trips = await inTurns(tripsOf(leader, terms));
    const positions: RiskPosition[] = [];
    for (const book of copied.books) {
      if (call.signal?.aborted) throw fault("unavailable", "The caller has gone.");
      // A SQLite read never yields: a hundred of them would be one turn.
      await servingTurn();
      positions.push({
        moves: book.later,
        isWhole: book.isWhole && book.opening.amount === 0,
        isClosed: book.position.status === "closed",
        others: await othersIn(book, userId, asOf),
        launchUntil: await launchUntil(book),
        followerUsd: followerUsd(book, leader, trips),
      });
    }
    return { counts: riskCounts(positions), truncated };
  };
}

function newest(all: CopiedBooks): { copied: CopiedBooks; truncated: boolean } {
  const lastAt = ({ later }: OpenedBook) => later.at(-1)?.at ?? 0;
  const books: OpenedBook[] = [];
  let moves = 0;
  for (const book of all.books
    .filter(({ later }) => later.length > 0)
    .sort((a, b) => lastAt(b) - lastAt(a))) {
    if (moves + book.later.length > MOVES_MAX || books.length === TOKENS_MAX)
      return { copied: { ...all, books }, truncated: true };
    books.push(book);
    moves += book.later.length;
  }
  return { copied: { ...all, books }, truncated: false };
}

function otherSwap({ at, userId, side, tokenIn, tokenOut, priceUsd }: Fill): OtherSwap {
  const isBuy = side === "buy";
  return { at, userId, isBuy, amount: (isBuy ? tokenOut : tokenIn).amount, priceUsd };
}

/** $100 per order, 5 s, mirror; no order is skipped for lack of cash. */
const usualTerms = (to: number): ReplayTerms => ({
  from: to - RISK_WINDOW_MS,
  to,
  capitalUsd: 1e9,
  size: { mode: "fixed", value: 100, minUsd: null, maxUsd: null },
  delayMs: 5 * SECOND_MS,
  exit: "mirror",
  rules: NO_RULES,
  filters: NO_FILTERS,
  costs: { networkFeeUsd: null, botFeeBps: 100 },
  copyOpen: false,
});

function* tripsOf(positions: readonly LeaderPosition[], terms: ReplayTerms): Sliced<readonly RoundTrip[]> {
  const plan = yield* planOf(positions, terms);
  return (yield* fold(plan, yield* scheduleOf(plan, terms.delayMs), terms)).trips;
}

/** The result of the follower's round trips in this position; null without any. */
function followerUsd(
  { position, later }: OpenedBook,
  leader: readonly LeaderPosition[],
  trips: readonly RoundTrip[],
): number | null {
  const place = leader.findIndex(({ token }) => token === nameOfToken(position.token));
  const [from, to] = [later[0]?.at ?? 0, (later.at(-1)?.at ?? 0) + LAG_MS];
  const own = trips.filter((trip) => trip.position === place && trip.openedAt >= from && trip.closedAt <= to);
  return own.length === 0 ? null : toUsd(own.reduce((sum, { net }) => sum + net, 0));
}
