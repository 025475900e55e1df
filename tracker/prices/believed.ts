// Which of a token's trades its price is taken from. The last ones are looked at, and of their pools only the deep ones count. Small
// trades cost nothing, so the newest ones in deeper pools are looked at as well: else enough of them in a thin pool, one after the
// other, would leave no trade of a deep one to compare with. What a deep pool said does not count for ever: it may have moved
// elsewhere since, and nobody of the roster would say so. Nor does it end at some moment that an attacker can wait for: it
// counts less with each day, so that the thinner a pool is, the longer it takes until it outweighs a deep one that is quiet.
import type { Queries } from "../../database/database.ts";
import { raw, type Sql, sql } from "../../database/sql.ts";
import { DAY_MS } from "../../kit/units.ts";
import type { KeptBlock } from "../books/kept-blocks.ts";
import { DEPTH_CLASS } from "../books/migrations/004-depth-classes.ts";
import type { SeenPrice } from "./observed.ts";

/** A price that moves by more than this factor waits until a trade in another block confirms it. */
const JUMP_MAX = 5;
/** The last trades that a price is chosen from. */
const TRADES_MAX = 32;
/** For so long what a pool said that it holds counts in full; after twice as long half of it, after a hundred times a hundredth. */
const DEPTH_FULL_MS = DAY_MS;
/** Classes of depth that are looked at, each twice as deep: from $500 they reach to all the money there is. */
const CLASSES_MAX = 40;
/** Of several pools, those count that hold at least this share of the deepest one's money. */
export const DEPTH_SHARE_MIN = 0.5;

/** What the books value a token at: its own trades in or before a block decide. */
export function bookPriceAt(
  queries: Queries,
  chainId: number,
  token: string,
  { height, timeMs }: Pick<KeptBlock, "height" | "timeMs">,
): Promise<SeenPrice | null> {
  const until = sql`time_ms <= ${timeMs} AND height <= ${height} AND own = 1`;
  return believedPrice(queries, { chainId, token, owns: [1] }, until);
}

/** What a token was quoted at: all trades that were seen until then decide. */
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
  /** Which trades count: of strangers (0), of the roster (1). */
  owns: readonly number[];
}

const TRADE = raw("height, place, price_usd, time_ms, depth_usd, pool");
const CLASS = raw(DEPTH_CLASS);

async function believedPrice(queries: Queries, traded: Traded, until: Sql): Promise<SeenPrice | null> {
  // By time first, as the index is: no block is older than the one before it.
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
 * What pools said before these last trades that are deep enough to count against theirs: of each class the newest trade, and the
 * newest one of a block before that, which tells whether the first was a jump. Newest first.
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
  // Places begin at zero: this is before all of the block.
  const earlier = await newestBefore(
    queries,
    traded,
    newest.map((one) => ({ ...one, place: -1 })),
  );
  return [...newest, ...earlier].sort((a, b) => b.height - a.height || b.place - a.place);
}

/** The deepest class that anything was ever traded in: above it there is nothing to look up. */
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

/** One look at an index for each. */
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

/** What several statements find, in one. */
async function allOf<Row>(queries: Queries, statements: readonly Sql[]): Promise<Row[]> {
  if (statements.length === 0) return [];
  const each = statements.map((one) => sql`SELECT * FROM (${one}) AS found`);
  return await queries.all<Row>(each.reduce((all, one) => sql`${all} UNION ALL ${one}`));
}

/** The newest block's price that is no jump from the block before; each block speaks with its deepest pool. Newest first. */
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
  // Nothing says that the oldest one is a jump.
  return newer && best && isCalm(newer, best) ? newer : best;
}

/** What the deepest pool holds, as far as its newest trade counts by now. Newest first. */
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
