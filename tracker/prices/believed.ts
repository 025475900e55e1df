// Chooses which of a token's trades its price is taken from. Of the last trades, only those in deep pools count. Small trades
// cost nothing, so the newest trades in deeper pools are considered too: otherwise enough of them in a thin pool, one after the
// other, would leave no trade of a deep one to compare with. A deep pool's price does not count forever: the price may have
// moved elsewhere since, without a roster trade there. Nor does it expire at a moment that an attacker can wait for: its weight
// decays with each day, so the thinner a pool is, the longer it takes to outweigh a quiet deep one.
import type { Queries } from "../../database/database.ts";
import { raw, type Sql, sql } from "../../database/sql.ts";
import { DAY_MS } from "../../kit/units.ts";
import type { KeptBlock } from "../books/kept-blocks.ts";
import { DEPTH_CLASS } from "../books/migrations/004-depth-classes.ts";
import type { SeenPrice } from "./observed.ts";

/** A price that moves by more than this factor is ignored until a trade in another block confirms it. */
const JUMP_MAX = 5;
/** The number of last trades to choose a price from. */
const TRADES_MAX = 32;
/** A pool's reported depth counts in full for this long; half of it after twice as long, a hundredth after a hundred times. */
const DEPTH_FULL_MS = DAY_MS;
/** How many depth classes to look at, each twice as deep: starting at $500 they cover all the money there is. */
const CLASSES_MAX = 40;
/** Among several pools, only those with at least this share of the deepest one's money count. */
export const DEPTH_SHARE_MIN = 0.5;

/** A token's value in the books: decided by the roster's trades in or before a block. */
export function bookPriceAt(
  queries: Queries,
  chainId: number,
  token: string,
  { height, timeMs }: Pick<KeptBlock, "height" | "timeMs">,
): Promise<SeenPrice | null> {
  const until = sql`time_ms <= ${timeMs} AND height <= ${height} AND own = 1`;
  return believedPrice(queries, { chainId, token, owns: [1] }, until);
}

/** A token's quote: decided by all trades seen until then. */
export function seenPriceAt(
  queries: Queries,
  chainId: number,
  token: string,
  timeMs: number,
): Promise<SeenPrice | null> {
  return believedPrice(queries, { chainId, token, owns: [0, 1] }, sql`time_ms <= ${timeMs}`);
}

interface SeenTrade {
  height: number;
  place: number;
  price_usd: number;
  time_ms: number;
  depth_usd: number;
  pool: string;
}

interface Traded {
  chainId: number;
  token: string;
  /** Which trades count: strangers' (0), the roster's (1). */
  owns: readonly number[];
}

const TRADE = raw("height, place, price_usd, time_ms, depth_usd, pool");
const CLASS = raw(DEPTH_CLASS);

async function believedPrice(queries: Queries, traded: Traded, until: Sql): Promise<SeenPrice | null> {
  // By time first, like the index: no block is older than its predecessor.
  const last = await queries.all<SeenTrade>(
    sql`SELECT ${TRADE} FROM tracker_price
      WHERE chain_id = ${traded.chainId} AND token = ${traded.token} AND ${until}
        AND doubt IS NULL AND price_usd IS NOT NULL
      ORDER BY time_ms DESC, height DESC, place DESC LIMIT ${TRADES_MAX}`,
  );
  const trade = believedTrade([...last, ...(await deepBefore(queries, traded, last))]);
  return trade && { priceUsd: trade.price_usd, timeMs: trade.time_ms, depthUsd: trade.depth_usd, by: "pool" };
}

interface ClassedTrade extends SeenTrade {
  own: number;
  depth_class: number;
}

type ClassPlace = Pick<ClassedTrade, "own" | "depth_class" | "height" | "place">;

/**
 * Trades from before these last ones whose pools are deep enough to count against theirs: the newest one of each class, and the
 * newest one in an earlier block, to tell whether the first was a jump. Newest first.
 */
async function deepBefore(
  queries: Queries,
  traded: Traded,
  last: readonly SeenTrade[],
): Promise<SeenTrade[]> {
  const oldest = last[TRADES_MAX - 1];
  if (!oldest) return [];
  const { height, place } = oldest;
  const least = Math.floor(Math.log2(deepestOf(last) * DEPTH_SHARE_MIN + 1));
  const classes = (await topClasses(queries, traded)).flatMap(({ own, depth_class: top }) =>
    Array.from({ length: Math.min(CLASSES_MAX, Math.max(0, top - least + 1)) }, (_, at) => ({
      own,
      depth_class: least + at,
    })),
  );
  const newest = await newestBefore(
    queries,
    traded,
    classes.map((one) => ({ ...one, height, place })),
  );
  // Places start at zero: this is before everything in the block.
  const earlier = await newestBefore(
    queries,
    traded,
    newest.map((one) => ({ ...one, place: -1 })),
  );
  return [...newest, ...earlier].sort((a, b) => b.height - a.height || b.place - a.place);
}

/** The deepest class ever traded in: no need to look above it. */
function topClasses(
  queries: Queries,
  { chainId, token, owns }: Traded,
): Promise<Pick<ClassedTrade, "own" | "depth_class">[]> {
  return allOf(
    queries,
    owns.map(
      (own) => sql`SELECT own, ${CLASS} AS depth_class FROM tracker_price
        WHERE chain_id = ${chainId} AND token = ${token} AND own = ${own}
          AND doubt IS NULL AND price_usd IS NOT NULL
        ORDER BY ${CLASS} DESC LIMIT 1`,
    ),
  );
}

/** One index lookup each. */
function newestBefore(
  queries: Queries,
  { chainId, token }: Traded,
  places: readonly ClassPlace[],
): Promise<ClassedTrade[]> {
  return allOf(
    queries,
    places.map(
      (before) => sql`SELECT ${TRADE}, own, ${CLASS} AS depth_class FROM tracker_price
        WHERE chain_id = ${chainId} AND token = ${token} AND own = ${before.own}
          AND ${CLASS} = ${raw(String(before.depth_class))}
          AND doubt IS NULL AND price_usd IS NOT NULL AND (height, place) < (${before.height}, ${before.place})
        ORDER BY height DESC, place DESC LIMIT 1`,
    ),
  );
}

/** Combines several statements into one. */
async function allOf<Row>(queries: Queries, statements: readonly Sql[]): Promise<Row[]> {
  if (statements.length === 0) return [];
  const each = statements.map((one) => sql`SELECT * FROM (${one}) AS found`);
  return await queries.all<Row>(each.reduce((all, one) => sql`${all} UNION ALL ${one}`));
}

/** The newest block's price that is not a jump from the block before; each block counts with its deepest pool. Newest first. */
function believedTrade(trades: readonly SeenTrade[]): SeenTrade | null {
  const deepest = deepestOf(trades);
  const isCalm = (trade: SeenTrade, earlier: SeenTrade) =>
    Math.max(trade.price_usd / earlier.price_usd, earlier.price_usd / trade.price_usd) <= JUMP_MAX;
  let newer: SeenTrade | null = null;
  let best: SeenTrade | null = null;
  for (const trade of trades) {
    if (trade.depth_usd < deepest * DEPTH_SHARE_MIN) continue;
    if (best?.height === trade.height) {
      if (trade.depth_usd > best.depth_usd) best = trade;
      continue;
    }
    if (newer && best && isCalm(newer, best)) return newer;
    [newer, best] = [best, trade];
  }
  // Nothing shows that the oldest one is a jump.
  return newer && best && isCalm(newer, best) ? newer : best;
}

/** The depth of the deepest pool, decayed by the age of its newest trade. Newest first. */
function deepestOf(trades: readonly SeenTrade[]): number {
  const heard = new Set<string>();
  const nowMs = trades[0]?.time_ms ?? 0;
  let deepest = 0;
  for (const { pool, depth_usd, time_ms } of trades) {
    if (heard.has(pool)) continue;
    heard.add(pool);
    deepest = Math.max(deepest, depth_usd / Math.max(1, (nowMs - time_ms) / DEPTH_FULL_MS));
  }
  return deepest;
}
