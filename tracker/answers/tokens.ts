// The tracker's answers about tokens: their facts and quotes, which roster traders trade and hold them, and boards.

import { toUsd } from "../../accounting/money.ts";
import { inOrderOf } from "../../kit/in-order.ts";
import { nextTurn } from "../../kit/turn.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { BoardName, WireBoard } from "../../protocol/shapes/board.ts";
import type { WireQuote, WireTokenInfo, WireTokenStats } from "../../protocol/shapes/token.ts";
import { amountOf } from "../books/amounts.ts";
import { tokenKey } from "../books/ledger.ts";
import { type KnownToken, tokensByAddress } from "../books/tokens.ts";
import { decimalText, marketCapOf, wireToken } from "../feeds/items.ts";
import type { SeenPrice } from "../prices/observed.ts";
import type { LiveToken, RecentSwap } from "./live-positions.ts";
import type { Answering } from "./parts.ts";
import { pricingOfQuote } from "./positions.ts";
import { isSpam } from "./spam.ts";

const STATS_MS = { "5m": 300_000, "1h": HOUR_MS, "4h": 14_400_000, "24h": DAY_MS } as const;
const BOARD_ROWS = 100;
const TOP_HOLDERS = 10;

/** A token by its address, on the given network or the only one it is on. */
export async function findToken(
  { database, money }: Answering,
  address: string,
  networkId?: number,
): Promise<KnownToken | undefined> {
  const name = address.startsWith("0x") ? address.toLowerCase() : address;
  const found = (await tokensByAddress(database.read, name)).filter(
    (known) => money.kindOf(known.chainId, known.token) === null && known.decimals !== null,
  );
  return found.find(({ chainId }) => (networkId ?? chainId) === chainId);
}

/** Whether it is listed and found by name; by address it always is. */
export async function isListed(parts: Answering, known: KnownToken): Promise<boolean> {
  const { chainId, token, decimals } = known;
  if (decimals === null || parts.money.kindOf(chainId, token) !== null) return false;
  const of = parts.live.token(tokenKey(chainId, token));
  return of === undefined || !(await isSpam(parts, of));
}

/** Tokens to walk over before yielding to other work. */
const WARMED_A_TURN = 250;

/** Looks up prices before anyone requests a page of them; cached ones cost next to nothing. */
export async function warmTokens({ live, quotes, standings }: Answering): Promise<void> {
  let walked = 0;
  for (const { known } of [...live.tokens()]) {
    await quotes.quote(known.chainId, known.token);
    await quotes.quoteAt(known.chainId, known.token, standings.dayAgo());
    walked += 1;
    if (walked % WARMED_A_TURN === 0) await nextTurn();
  }
}

export async function infoOf(parts: Answering, known: KnownToken): Promise<WireTokenInfo> {
  const { quotes, standings } = parts;
  const quote = await quotes.quote(known.chainId, known.token);
  const before = await quotes.quoteAt(known.chainId, known.token, standings.dayAgo());
  return {
    ...wireToken(known),
    priceUsd: quote?.priceUsd ?? null,
    change24h: quote && before ? (quote.priceUsd / before.priceUsd - 1) * 100 : null,
    marketCapUsd: quote ? marketCapOf(known, quote.priceUsd) : null,
    supply: known.supplyRaw === null ? null : amountOf(known.supplyRaw, known.decimals ?? 0),
    holders: holdersOf(parts, parts.live.token(tokenKey(known.chainId, known.token))).length,
    launchedAt: known.launch.launchedAt,
    graduatedAt: known.launch.graduatedAt,
    deployer: known.launch.deployer,
    lowFees: false,
    ...pricingOfQuote(quote),
    exact: isRead(quote),
  };
}

/** Whether the price comes from the chain itself, not from an endpoint. */
const isRead = (quote: SeenPrice | null): boolean | null => quote && quote.by !== "quote";

/** Each roster trader's holding of it. */
function holdersOf({ directory }: Answering, of: LiveToken | undefined): number[] {
  const held: number[] = [];
  for (const [userId, position] of of?.holders ?? []) if (directory.byId(userId)) held.push(position.held);
  return held;
}

export function statsOf(parts: Answering, known: KnownToken): WireTokenStats {
  const { live, clock, directory } = parts;
  const now = clock.now();
  const of = live.token(tokenKey(known.chainId, known.token));
  const swaps = (of?.recent ?? []).filter(({ userId }) => directory.byId(userId));
  const windowOf = (lengthMs: number) => {
    const recent = swaps.filter(({ at }) => at > now - lengthMs);
    const [buys, sells] = [recent.filter(({ isBuy }) => isBuy), recent.filter(({ isBuy }) => !isBuy)];
    const people = (some: typeof recent) => new Set(some.map(({ userId }) => userId)).size;
    return {
      buys: buys.length,
      sells: sells.length,
      uniqueBuyers: people(buys),
      uniqueSellers: people(sells),
      buyVolumeUsd: volumeOf(buys),
      sellVolumeUsd: volumeOf(sells),
    };
  };
  const holders = holdersOf(parts, of).sort((a, b) => b - a);
  const top = holders.slice(0, TOP_HOLDERS).reduce((sum, held) => sum + held, 0);
  const supply = known.supplyRaw === null ? null : amountOf(known.supplyRaw, known.decimals ?? 0);
  return {
    token: wireToken(known),
    holders: holders.length,
    top10HoldersPercent: supply === null || supply === 0 ? null : (top / supply) * 100,
    lowFees: false,
    windows: {
      "5m": windowOf(STATS_MS["5m"]),
      "1h": windowOf(STATS_MS["1h"]),
      "4h": windowOf(STATS_MS["4h"]),
      "24h": windowOf(STATS_MS["24h"]),
    },
  };
}

const volumeOf = (swaps: readonly RecentSwap[]): string =>
  decimalText(toUsd(swaps.reduce((sum, { usd }) => sum + (usd ?? 0), 0)));

/** Its traded volume, valid until some of it becomes too old. */
const volumes = new WeakMap<readonly RecentSwap[], { usd: number; until: number }>();

function volumeSince(recent: readonly RecentSwap[], since: number): number {
  const known = volumes.get(recent);
  if (known && since <= known.until) return known.usd;
  const volume = { usd: 0, until: Number.POSITIVE_INFINITY };
  for (const { at, usd } of recent) {
    if (at < since) continue;
    volume.usd += usd ?? 0;
    volume.until = Math.min(volume.until, at);
  }
  volumes.set(recent, volume);
  return volume.usd;
}

const byScore = (a: { of: LiveToken; score: number }, b: { of: LiveToken; score: number }): number =>
  b.score - a.score || (a.of.known.token < b.of.known.token ? -1 : 1);

/** All holders except those who left, usually a few: counting the rest one by one took half of a board's time. */
function countWithout(holders: ReadonlyMap<string, unknown>, gone: ReadonlySet<string>): number {
  let count = holders.size;
  if (gone.size < holders.size) for (const userId of gone) count -= Number(holders.has(userId));
  else for (const userId of holders.keys()) count -= Number(gone.has(userId));
  return count;
}

/**
 * Trending: most traded by the roster in a day. Most held: by number of traders. Graduated: the latest to leave their launch
 * pad.
 */
export async function boardOf(parts: Answering, name: BoardName): Promise<WireBoard> {
  const { clock, directory, live } = parts;
  const since = clock.now() - DAY_MS;
  const gone = new Set([...live.people()].filter((userId) => !directory.byId(userId)));
  const isRecent = ({ userId, at }: RecentSwap) => at >= since && !gone.has(userId);
  const scoreOf = ({ known, holders, recent }: LiveToken): number => {
    if (name === "graduated") return known.launch.graduatedAt ?? 0;
    if (name === "most-held") return countWithout(holders, gone);
    return gone.size === 0 ? volumeSince(recent, since) : volumeSince(recent.filter(isRecent), since);
  };
  const scored: { of: LiveToken; score: number }[] = [];
  for (const of of live.tokens()) {
    const score = scoreOf(of);
    if (score > 0) scored.push({ of, score });
  }
  const rows: WireBoard["rows"] = [];
  for (const { of } of inOrderOf(scored, byScore)) {
    if (rows.length === BOARD_ROWS) break;
    if (await isSpam(parts, of)) continue;
    const info = await infoOf(parts, of.known);
    rows.push({
      rank: rows.length + 1,
      token: wireToken(of.known),
      holders: name === "most-held" ? null : (info.holders ?? null),
      priceUsd: info.priceUsd,
      change24h: info.change24h,
      marketCapUsd: info.marketCapUsd,
      volume24hUsd: volumeOf(of.recent.filter(isRecent)),
      asOf: info.asOf ?? null,
    });
  }
  return { board: name, asOf: clock.now(), rows };
}

export async function quotesOf(
  { quotes, clock }: Answering,
  tokens: readonly { address: string; networkId: number }[],
  at?: number,
): Promise<{ rows: WireQuote[] }> {
  const rows = await Promise.all(
    tokens.map(async ({ address, networkId }) => {
      const name = address.startsWith("0x") ? address.toLowerCase() : address;
      const quote =
        at === undefined ? await quotes.quote(networkId, name) : await quotes.quoteAt(networkId, name, at);
      return {
        address,
        networkId,
        priceUsd: quote?.priceUsd ?? null,
        ...pricingOfQuote(quote),
        exact: isRead(quote),
        asOf: quote?.timeMs ?? at ?? clock.now(),
      };
    }),
  );
  return { rows };
}
