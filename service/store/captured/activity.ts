// Tracked traders' buys and sells: fills of a time window, summed per token. Read in slices, so that a
// busy day's window never blocks the one thread or a database connection for long.
import type { Queries } from "../../../database/database.ts";
import { sql, where } from "../../../database/sql.ts";
import { servingTurn } from "../../../kit/turn.ts";
import type { Repository } from "../repository.ts";

export interface TokenActivity {
  networkId: number;
  /** The address as a key: EVM addresses in lower case. */
  tokenKey: string;
  buyers: number;
  sellers: number;
  traders: number;
  buyUsd: number;
  sellUsd: number;
  firstTradeAt: number;
  lastTradeAt: number;
  priceUsdAtFirst: number;
  priceUsd: number;
  /** By dollars traded, most first; `netUsd` is bought less sold. */
  topTraders: { userId: string; netUsd: number }[];
}

interface ActivityFill {
  swap_id: string;
  at: number;
  user_id: string;
  network_id: number;
  token_key: string;
  side: "buy" | "sell";
  usd: number;
  price_usd: number;
}

interface ActivitySum extends Omit<TokenActivity, "buyers" | "sellers" | "traders" | "topTraders"> {
  buyerIds: Set<string>;
  sellerIds: Set<string>;
  byUser: Map<string, { tradedUsd: number; netUsd: number }>;
}

// About five milliseconds of reading on SQLite.
const FILLS_PER_SLICE_MAX = 1_000;
const TOP_TRADERS = 5;

export interface ActivityOf {
  networkId?: number | undefined;
  /** Only these traders. */
  userIds?: ReadonlySet<string> | undefined;
}

/** Fills with `from <= at < to`, summed per token, in no particular order. */
async function activityBetween(
  queries: Queries,
  from: number,
  to: number,
  { networkId, userIds }: ActivityOf = {},
): Promise<TokenActivity[]> {
  const sums = new Map<string, ActivitySum>();
  const isAsked = (row: ActivityFill) =>
    (networkId === undefined || row.network_id === networkId) && (userIds?.has(row.user_id) ?? true);
  let last: ActivityFill | undefined;
  for (;;) {
    const conditions = [
      last ? sql`(at, swap_id) > (${last.at}, ${last.swap_id})` : sql`at >= ${from}`,
      sql`at < ${to}`,
    ];
    const rows = await queries.all<ActivityFill>(
      sql`SELECT swap_id, at, user_id, network_id, token_key, side, usd, price_usd FROM fill
        ${where(conditions)} ORDER BY at, swap_id LIMIT ${FILLS_PER_SLICE_MAX}`,
    );
    // Filtered here, not in SQL: a condition that few rows meet would turn the whole window into one slice.
    for (const row of rows) if (isAsked(row)) add(sums, row);
    last = rows[rows.length - 1];
    if (rows.length < FILLS_PER_SLICE_MAX) break;
    // Lets other ready work run before the next slice.
    await servingTurn();
  }
  return [...sums.values()].map(activityOf);
}

export const activity = { reads: { between: activityBetween }, writes: {} } satisfies Repository;

/** Rows arrive in time order. */
function add(sums: Map<string, ActivitySum>, row: ActivityFill): void {
  const key = `${row.network_id}:${row.token_key}`;
  const sum = sums.get(key) ?? {
    networkId: row.network_id,
    tokenKey: row.token_key,
    buyUsd: 0,
    sellUsd: 0,
    firstTradeAt: row.at,
    priceUsdAtFirst: row.price_usd,
    lastTradeAt: row.at,
    priceUsd: row.price_usd,
    buyerIds: new Set<string>(),
    sellerIds: new Set<string>(),
    byUser: new Map(),
  };
  sum.lastTradeAt = row.at;
  sum.priceUsd = row.price_usd;
  if (row.side === "buy") {
    sum.buyUsd += row.usd;
    sum.buyerIds.add(row.user_id);
  } else {
    sum.sellUsd += row.usd;
    sum.sellerIds.add(row.user_id);
  }
  const user = sum.byUser.get(row.user_id) ?? { tradedUsd: 0, netUsd: 0 };
  user.tradedUsd += row.usd;
  user.netUsd += row.side === "buy" ? row.usd : -row.usd;
  sum.byUser.set(row.user_id, user);
  sums.set(key, sum);
}

function activityOf({ buyerIds, sellerIds, byUser, ...rest }: ActivitySum): TokenActivity {
  const most = [...byUser].sort(([idA, a], [idB, b]) => b.tradedUsd - a.tradedUsd || (idA < idB ? -1 : 1));
  return {
    ...rest,
    buyers: buyerIds.size,
    sellers: sellerIds.size,
    traders: byUser.size,
    topTraders: most.slice(0, TOP_TRADERS).map(([userId, { netUsd }]) => ({ userId, netUsd })),
  };
}
