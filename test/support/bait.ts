// A simulated world with baiters in it, and how often each trader is flagged: the counts of /risk, compared with everybody's
// rates.
import { manualClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { DAY_MS } from "../../kit/units.ts";
import type { Fill } from "../../protocol/shapes/position.ts";
import { createTapeReader } from "../../service/api/copy/tape.ts";
import { createRiskReader } from "../../service/api/risk/reader.ts";
import type { Book } from "../../service/model/books.ts";
import {
  pooledRates,
  RISK_COUNTS,
  type RiskCounts,
  type RiskName,
  rateOf,
} from "../../service/model/risk.ts";
import { nameOfToken } from "../../service/model/token.ts";
import type { Store } from "../../service/store/store.ts";
import { inProcessUpstream } from "../../service/upstream/in-process.ts";
import type { Call, Outcome, Upstream } from "../../service/upstream/port.ts";
import { openSimulator } from "../../simulator/open.ts";

const STARTS_AT = Date.UTC(2026, 4, 9, 17, 41, 12);
const CALL: Call = { deadlineMs: 60_000 };

export interface BaitWorld {
  seed: string;
  traders: number;
  days: number;
  eventsPerSecond: number;
  baiters: number;
}

export interface JudgedTrader {
  userId: string;
  isBait: boolean;
  /** Copies a baiter. */
  isBaited: boolean;
  flags: RiskName[];
  counts: RiskCounts;
}

/** Everybody who closed a position, with the counts that flag them. */
export async function judgeWorld(world: BaitWorld): Promise<JudgedTrader[]> {
  const clock = manualClock(STARTS_AT);
  const { seed, traders, baiters, days, eventsPerSecond } = world;
  const platform = await openSimulator({
    seed,
    traders,
    baiters,
    historyDays: days,
    eventsPerSecond,
    historyEventsPerSecond: eventsPerSecond,
    dataFolder: null,
    clock,
  });
  const log = createLog("silent", clock.now);
  const upstream = inProcessUpstream(platform, { clock, log });
  try {
    const people = await everybody(upstream);
    const books = new Map<string, { asOf: number; rows: Book[] }>();
    for (const { userId } of people) books.set(userId, await booksOf(upstream, userId));
    const read = createRiskReader(
      {
        fills: { between: fillsOf(books) } as unknown as Store["fills"],
        tokens: { find: async () => null } as unknown as Store["tokens"],
      },
      createTapeReader({ upstream, store: NO_TAPE, log, bytesMax: 1 }),
    );
    const baitHandles = people.filter(({ bio }) => bio === "bait").map(({ handle }) => handle);
    const judged: Omit<JudgedTrader, "flags">[] = [];
    for (const { userId, bio } of people) {
      const own = books.get(userId) as { asOf: number; rows: Book[] };
      if (own.rows.length === 0) continue;
      const { counts } = await read(userId, own, { asOf: own.asOf, deadlineMs: CALL.deadlineMs });
      const isBaited = baitHandles.some((handle) => bio?.startsWith(`copies @${handle},`));
      judged.push({ userId, isBait: bio === "bait", isBaited, counts });
    }
    const rates = pooledRates(judged.map(({ counts }) => counts));
    return judged.map((trader) => ({ ...trader, flags: flagsOf(trader.counts, rates) }));
  } finally {
    await upstream.close();
    await platform.close();
  }
}

/** As in an answer: the rate is above everybody's nine times out of ten. */
function flagsOf(counts: RiskCounts, rates: Record<RiskName, number | null>): RiskName[] {
  return RISK_COUNTS.filter((name) => {
    const { low90 } = rateOf(counts[name]);
    const all = rates[name];
    return low90 !== null && all !== null && low90 > all;
  });
}

/** The claim: by wins on which followers lose, and by one more count. */
export const isCaught = ({ flags }: JudgedTrader): boolean =>
  flags.includes("winsWhileFollowersLose") && flags.length > 1;

async function everybody(upstream: Upstream) {
  const people: { userId: string; handle: string; bio: string | null }[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: { rows: readonly (typeof people)[number][]; nextCursor: string | null } = unwrap(
      await upstream.users(cursor, CALL),
    );
    people.push(...page.rows);
    cursor = page.nextCursor;
    if (cursor === null) return people;
  }
}

async function booksOf(upstream: Upstream, userId: string): Promise<{ asOf: number; rows: Book[] }> {
  const { asOf, rows } = unwrap(await upstream.books(userId, STARTS_AT, CALL));
  return { asOf, rows: rows.map((row) => ({ ...row, isWhole: row.before === null })) };
}

type Between = Store["fills"]["between"];

/** Other traders' fills in a token, from their own books, newest first. */
function fillsOf(books: ReadonlyMap<string, { rows: readonly Book[] }>): Between {
  const byToken = new Map<string, Fill[]>();
  for (const [userId, { rows }] of books)
    for (const { position, moves } of rows) {
      const name = nameOfToken(position.token);
      const fills = byToken.get(name) ?? [];
      byToken.set(name, fills);
      for (const { at, kind, amount, usd } of moves) {
        if ((kind !== "buy" && kind !== "sell") || usd === null || at < STARTS_AT - 60 * DAY_MS) continue;
        const leg = { amount };
        fills.push({ at, userId, side: kind, tokenIn: leg, tokenOut: leg, priceUsd: usd / amount } as Fill);
      }
    }
  for (const fills of byToken.values()) fills.sort((a, b) => b.at - a.at);
  return (async ({ from, to, of }) => {
    const token = of.kind === "token" ? `${of.networkId}:${of.address}` : "";
    const rows = (byToken.get(token) ?? []).filter(({ at }) => at >= from && at < to);
    return { rows, next: null };
  }) as Between;
}

/** Nothing is stored, and the platform has candles of its own. */
const NO_TAPE = { tape: { hours: async () => [], save: async () => {} } } as unknown as Store;

function unwrap<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind !== "found") throw new Error(`the platform answered ${outcome.kind}`);
  return outcome.value;
}
