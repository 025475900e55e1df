// Copiers of a simulated world, each one's profit, and the profit that its leader's replay under its terms predicts. Remaining
// holdings count in both at the value of selling them through the pool.
import { manualClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { seededRandom } from "../../kit/random.ts";
import { atOnce } from "../../kit/slices.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../kit/units.ts";
import { proceedsOf } from "../../replay/fill.ts";
import { type ReplayAnswer, replay } from "../../replay/replay.ts";
import { type Tick, type TokenTape, tapeOf } from "../../replay/tape.ts";
import { NO_FILTERS, NO_RULES, type ReplayTerms } from "../../replay/terms.ts";
import { copiedBooks, leaderPositions, tapeWishes } from "../../service/api/copy/leader.ts";
import type { TapeWish } from "../../service/api/copy/tape.ts";
import type { Book } from "../../service/model/books.ts";
import { nameOfToken } from "../../service/model/token.ts";
import { inProcessUpstream } from "../../service/upstream/in-process.ts";
import type { Call, Outcome, Upstream } from "../../service/upstream/port.ts";
import { openSimulator } from "../../simulator/open.ts";

const STARTS_AT = Date.UTC(2026, 4, 9, 17, 41, 12);
/** The fee of the simulated world's copying app. */
const BOT_FEE_BPS = 100;
const CALL: Call = { deadlineMs: 60_000 };

export interface CopierWorld {
  seed: string;
  traders: number;
  days: number;
  eventsPerSecond: number;
  copiers: number;
}

export interface Prediction {
  bio: string;
  orders: number;
  predictedOrders: number;
  earnedUsd: number;
  predictedUsd: number;
  /** Of the total bought and sold. */
  turnoverUsd: number;
  /** Of the turnover. */
  error: number;
  answer: ReplayAnswer;
}

export async function predictCopiers(world: CopierWorld): Promise<Prediction[]> {
  const clock = manualClock(STARTS_AT);
  const { seed, traders, copiers, days, eventsPerSecond } = world;
  const platform = await openSimulator({
    seed,
    traders,
    copiers,
    historyDays: days,
    eventsPerSecond,
    historyEventsPerSecond: eventsPerSecond,
    dataFolder: null,
    clock,
  });
  const upstream = inProcessUpstream(platform, { clock, log: createLog("silent", clock.now) });
  try {
    const predictions: Prediction[] = [];
    for (const terms of await copierTerms(upstream)) {
      const prediction = await predict(upstream, terms, STARTS_AT - days * DAY_MS);
      if (prediction) predictions.push(prediction);
    }
    return predictions;
  } finally {
    await upstream.close();
    await platform.close();
  }
}

interface CopierTerms {
  userId: string;
  bio: string;
  leaderId: string;
  sizeUsd: number;
  delayMs: number;
  exit: "mirror" | "firstSell";
}

const TERMS = /^copies @(\w+), \$(\d+), (\d+) s, (mirror|firstSell)$/;

/** As any client finds them: by their bios. */
async function copierTerms(upstream: Upstream): Promise<CopierTerms[]> {
  const found: CopierTerms[] = [];
  const ids = new Map<string, string>();
  const copiers: { userId: string; bio: string; words: string[] }[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: {
      rows: readonly { userId: string; handle: string; bio: string | null }[];
      nextCursor: string | null;
    } = unwrap(await upstream.users(cursor, CALL));
    for (const { userId, handle, bio } of page.rows) {
      ids.set(handle, userId);
      const words = TERMS.exec(bio ?? "");
      if (bio !== null && words) copiers.push({ userId, bio, words: [...words] });
    }
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  for (const { userId, bio, words } of copiers) {
    const [, leader = "", size, delay, exit] = words;
    found.push({
      userId,
      bio,
      leaderId: ids.get(leader) as string,
      sizeUsd: Number(size),
      delayMs: Number(delay) * SECOND_MS,
      exit: exit as CopierTerms["exit"],
    });
  }
  return found;
}

/** Null for a copier whose leader made no trade that it could copy. */
async function predict(upstream: Upstream, copier: CopierTerms, from: number): Promise<Prediction | null> {
  const own = await booksOf(upstream, copier.userId);
  const swaps = own.rows.flatMap(({ moves }) => moves);
  if (swaps.length === 0) return null;
  const leader = await booksOf(upstream, copier.leaderId);
  const terms = replayTerms(copier, from, own.asOf);
  const copied = copiedBooks(leader.rows, terms);
  const tapes = new Map<string, TokenTape>();
  for (const wish of tapeWishes(copied, terms))
    tapes.set(nameOfToken(wish.token), await tapeFor(upstream, wish));
  const answer = atOnce(
    replay({ positions: leaderPositions(copied, tapes), terms, random: seededRandom("copiers") }),
  );
  const earnedUsd = await earnedBy(upstream, own);
  const turnoverUsd = swaps.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
  return {
    bio: copier.bio,
    orders: swaps.length,
    predictedOrders: answer.follower.orders,
    earnedUsd,
    predictedUsd: answer.bridge.netUsd,
    turnoverUsd,
    error: Math.abs(answer.bridge.netUsd - earnedUsd) / turnoverUsd,
    answer,
  };
}

interface OwnBooks {
  asOf: number;
  rows: Book[];
}

async function booksOf(upstream: Upstream, userId: string): Promise<OwnBooks> {
  const { asOf, rows } = unwrap(await upstream.books(userId, STARTS_AT, CALL));
  return { asOf, rows: rows.map((row) => ({ ...row, isWhole: row.before === null })) };
}

const replayTerms = ({ sizeUsd, delayMs, exit }: CopierTerms, from: number, to: number): ReplayTerms => ({
  from,
  to,
  // Copiers are never short of money.
  capitalUsd: 1e9,
  size: { mode: "fixed", value: sizeUsd, minUsd: null, maxUsd: null },
  delayMs,
  exit,
  rules: NO_RULES,
  filters: NO_FILTERS,
  costs: { networkFeeUsd: null, botFeeBps: BOT_FEE_BPS },
  copyOpen: false,
});

/** Received minus paid, plus the value of selling the rest. */
async function earnedBy(upstream: Upstream, { rows, asOf }: OwnBooks): Promise<number> {
  let earned = 0;
  for (const { position, moves } of rows) {
    let held = 0;
    for (const { kind, amount, usd, feeUsd } of moves) {
      earned += (kind === "buy" ? -1 : 1) * (usd ?? 0) - (feeUsd ?? 0);
      held += kind === "buy" ? amount : -amount;
    }
    if (position.status === "closed") continue;
    const hour = Math.floor(asOf / HOUR_MS);
    const { price, depth } = await tapeFor(upstream, {
      token: position.token,
      hours: new Set([hour - 1, hour]),
    });
    const [priceUsd = 0, depthUsd = 0] = [price.at(-1), depth.at(-1)];
    earned += proceedsOf(held, priceUsd, depthUsd) * (1 - BOT_FEE_BPS / 10_000);
  }
  return earned;
}

async function tapeFor(upstream: Upstream, { token, hours }: TapeWish): Promise<TokenTape> {
  const ticks: Tick[] = [];
  for (const hour of [...hours].sort((a, b) => a - b)) {
    for (let cursor: string | null = null; ; ) {
      const page: { rows: readonly Tick[]; nextCursor: string | null } = unwrap(
        await upstream.ticks(
          token.address,
          {
            networkId: token.networkId,
            from: hour * HOUR_MS,
            to: (hour + 1) * HOUR_MS,
            ...(cursor === null ? {} : { cursor }),
          },
          CALL,
        ),
      );
      ticks.push(...page.rows);
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
  }
  return tapeOf(ticks);
}

function unwrap<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind !== "found") throw new Error(`the platform answered ${outcome.kind}`);
  return outcome.value;
}

/** The smallest value that at least this share of all values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
