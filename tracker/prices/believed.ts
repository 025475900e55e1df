// Which of a token's trades its price is taken from. The last ones are looked at, and of their pools only the deep ones count. Small
// trades cost nothing, so of the day before these the deepest are looked at as well: else enough of them in a thin pool, one
// after the other, would leave no trade of a deep one to compare with.
import type { Queries } from "../../database/database.ts";
import { raw, type Sql, sql } from "../../database/sql.ts";
import { DAY_MS } from "../../kit/units.ts";
import type { KeptBlock } from "../books/kept-blocks.ts";
import { DEPTH_SPAN_MS } from "../books/migrations/002-deep-trades.ts";
import type { SeenPrice } from "./observed.ts";

/** A price that moves by more than this factor waits until a trade in another block confirms it. */
const JUMP_MAX = 5;
/** The last trades that a price is chosen from. */
const TRADES_MAX = 32;
/** How long a deep pool is remembered when others crowd it out of the last trades: what it said is no price for ever. */
const DEEP_SPANS = DAY_MS / DEPTH_SPAN_MS;
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

async function believedPrice(queries: Queries, traded: Traded, until: Sql): Promise<SeenPrice | null> {
  // By time first, as the index is: no block is older than the one before it.
  const last = await queries.all<SeenTrade>(
    sql`SELECT ${TRADE} FROM tracker_price
      WHERE chain_id = ${traded.chainId} AND token = ${traded.token} AND ${until}
        AND doubt IS NULL AND price_usd IS NOT NULL
      ORDER BY time_ms DESC, height DESC, place DESC LIMIT ${TRADES_MAX}`,
  );
  const trade = believedTrade(last, await deepestBefore(queries, traded, last));
  return trade && { priceUsd: trade.price_usd, timeMs: trade.time_ms, depthUsd: trade.depth_usd, by: "pool" };
}

/**
 * The deepest trade of each span of the day before these last ones, newest first: one look at an index for each span. Of the newest
 * span the index may lead past what came later, which is no more than a token's trades of some hours. A plus before the columns keeps
 * SQLite from another index, by time, and from sorting a day of trades.
 */
async function deepestBefore(
  queries: Queries,
  { chainId, token, owns }: Traded,
  last: readonly SeenTrade[],
): Promise<SeenTrade[]> {
  const [newest, oldest] = [last[0], last[TRADES_MAX - 1]];
  if (!newest || !oldest || newest.time_ms - oldest.time_ms >= DAY_MS) return [];
  const span = spanOf(oldest.time_ms);
  const spans = Array.from({ length: span - spanOf(newest.time_ms) + DEEP_SPANS + 1 }, (_, at) => span - at);
  const each = owns.flatMap((own) =>
    spans.map(
      (of) => sql`SELECT * FROM (SELECT ${TRADE} FROM tracker_price
        WHERE chain_id = ${chainId} AND token = ${token} AND own = ${own}
          AND time_ms / ${raw(String(DEPTH_SPAN_MS))} = ${of} AND doubt IS NULL AND price_usd IS NOT NULL
          AND (+time_ms, +height, +place) < (${oldest.time_ms}, ${oldest.height}, ${oldest.place})
        ORDER BY depth_usd DESC, time_ms DESC, height DESC, place DESC LIMIT 1) AS deepest`,
    ),
  );
  const found = each.reduce((all, one) => sql`${all} UNION ALL ${one}`);
  return queries.all<SeenTrade>(sql`${found} ORDER BY time_ms DESC, height DESC, place DESC`);
}

const spanOf = (timeMs: number): number => Math.floor(timeMs / DEPTH_SPAN_MS);

/** The newest block's price that is no jump from the block before; each block speaks with its deepest pool. Newest first. */
function believedTrade(last: readonly SeenTrade[], before: readonly SeenTrade[]): SeenTrade | null {
  const deepest = deepestOf(last, before);
  const isCalm = (trade: SeenTrade, earlier: SeenTrade) =>
    Math.max(trade.price_usd / earlier.price_usd, earlier.price_usd / trade.price_usd) <= JUMP_MAX;
  let newer: SeenTrade | null = null;
  let best: SeenTrade | null = null;
  for (const trade of [...last, ...before]) {
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

/** A pool that is not among the last trades any more holds what its newest one said; the others speak for themselves. */
function deepestOf(last: readonly SeenTrade[], before: readonly SeenTrade[]): number {
  const heard = new Set(last.map(({ pool }) => pool));
  let deepest = last.reduce((most, { depth_usd }) => Math.max(most, depth_usd), 0);
  for (const { pool, depth_usd } of before) {
    if (!heard.has(pool)) deepest = Math.max(deepest, depth_usd);
    heard.add(pool);
  }
  return deepest;
}
