// Is it bait? Counts what a trader did that hurts followers: how often, out of how many, and in which transactions. Pure; a
// count alone says nothing and is compared with how often others do the same.
import type { BookMove } from "../../accounting/lot.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../kit/units.ts";

export const RISK_COUNTS = [
  "quickDump",
  "soldIntoFollowers",
  "followersLeftHolding",
  "launchBlock",
  "roundTrips",
  "winsWhileFollowersLose",
] as const;
export type RiskName = (typeof RISK_COUNTS)[number];

export interface RiskCount {
  x: number;
  n: number;
  /** The sample size of the rate: `n` itself, or, if that is dollars, the sells they came from. */
  sample: number;
  evidence: string[];
}
export type RiskCounts = Record<RiskName, RiskCount>;

/** Another trader's swap in the same token. */
export interface OtherSwap {
  at: number;
  userId: string;
  isBuy: boolean;
  amount: number;
  priceUsd: number;
}

export interface RiskPosition {
  /** Oldest first. */
  moves: readonly BookMove[];
  /** Opened within the window, with every move known. */
  isWhole: boolean;
  isClosed: boolean;
  /** Oldest first, since the first of `moves`. */
  others: readonly OtherSwap[];
  /** When the second block after the pool's opening block ends; null if the platform does not provide the opening time. */
  launchUntil: number | null;
  /** A follower's result; null when it copied none of this. */
  followerUsd: number | null;
}

const QUICK_MS = MINUTE_MS;
/** How long before a sell another trader's buy may be for the sell to count as sold into it. */
const INTO_MS = MINUTE_MS;
/** A first buy this long after the trader's own counts as caused by it. */
const FOLLOWS_MS = [SECOND_MS, 30 * SECOND_MS] as const;
/** The remaining share of a price that is down 80 %. */
const FALLEN = 0.2;
const FLAT_SHARE = 0.05;
/** Less than this share of the amount bought no longer counts as a holding. */
const REST_SHARE = 0.01;
const EVIDENCE_MAX = 10;
/** For a normal distribution: nine out of ten lie within. */
const Z90 = 1.645;

export function riskCounts(positions: readonly RiskPosition[]): RiskCounts {
  const counts = emptyCounts();
  const days = new Map<string, { bought: number; sold: number; txHash: string | null }>();
  for (const [place, position] of positions.entries()) {
    if (position.isWhole) countQuickDump(counts.quickDump, position);
    countSoldInto(counts.soldIntoFollowers, position);
    countLeftHolding(counts.followersLeftHolding, position);
    countLaunch(counts.launchBlock, position);
    countWins(counts.winsWhileFollowersLose, position);
    for (const { at, kind, usd, txHash } of position.moves) {
      if ((kind !== "buy" && kind !== "sell") || usd === null) continue;
      const key = `${place} ${Math.floor(at / DAY_MS)}`;
      const day = days.get(key) ?? { bought: 0, sold: 0, txHash: null };
      day[kind === "buy" ? "bought" : "sold"] += usd;
      days.set(key, { ...day, txHash });
    }
  }
  for (const { bought, sold, txHash } of days.values()) {
    const isFlat = bought > 0 && sold > 0 && Math.abs(sold - bought) < FLAT_SHARE * (bought + sold);
    tally(counts.roundTrips, isFlat, txHash);
  }
  return counts;
}

const emptyCounts = (): RiskCounts =>
  Object.fromEntries(
    RISK_COUNTS.map((name): [RiskName, RiskCount] => [name, { x: 0, n: 0, sample: 0, evidence: [] }]),
  ) as RiskCounts;

function tally(count: RiskCount, hit: boolean, txHash: string | null, weight = 1): void {
  count.n += weight;
  count.sample += 1;
  if (!hit) return;
  count.x += weight;
  if (txHash === null) return;
  count.evidence.push(txHash);
  if (count.evidence.length > EVIDENCE_MAX) count.evidence.shift();
}

/** Half of it sold within a minute of the first buy. */
function countQuickDump(count: RiskCount, { moves }: RiskPosition): void {
  const first = moves[0];
  if (first?.kind !== "buy") return;
  const soon = moves.filter(({ at }) => at <= first.at + QUICK_MS);
  const amountOf = (wanted: BookMove["kind"]) =>
    soon.reduce((sum, { kind, amount }) => sum + (kind === wanted ? amount : 0), 0);
  const isDump = amountOf("sell") >= amountOf("buy") / 2;
  tally(count, isDump, soon.findLast(({ kind }) => kind === "sell")?.txHash ?? null);
}

/** Dollars sold above the trader's own entry, right after others bought. */
function countSoldInto(count: RiskCount, { moves, others }: RiskPosition): void {
  let [amount, cost] = [0, 0];
  for (const move of moves) {
    const { at, kind, usd } = move;
    if (kind === "buy" || kind === "receive") {
      amount += move.amount;
      cost += usd ?? 0;
      continue;
    }
    const entry = amount > 0 ? cost / amount : Number.POSITIVE_INFINITY;
    if (kind === "sell" && usd !== null) {
      const isInto = others.some((other) => other.isBuy && other.at <= at && other.at > at - INTO_MS);
      tally(count, isInto && usd / move.amount > entry, move.txHash, usd);
    }
    const share = amount > 0 ? Math.min(1, move.amount / amount) : 1;
    amount -= amount * share;
    cost -= cost * share;
  }
}

/** The trader's buys with an immediate follower who still held at a fifth of the price. */
function countLeftHolding(count: RiskCount, { moves, others }: RiskPosition): void {
  const firstBuys = new Map<string, OtherSwap>();
  for (const other of others) if (!firstBuys.has(other.userId)) firstBuys.set(other.userId, other);
  const followers = [...firstBuys.values()].filter(({ isBuy }) => isBuy);
  for (const { at, kind, txHash } of moves) {
    if (kind !== "buy") continue;
    const isLeft = followers.some(
      (first) =>
        first.at >= at + FOLLOWS_MS[0] && first.at <= at + FOLLOWS_MS[1] && wasLeftHolding(first, others),
    );
    tally(count, isLeft, txHash);
  }
}

function wasLeftHolding(first: OtherSwap, others: readonly OtherSwap[]): boolean {
  let [bought, held] = [0, 0];
  for (const { at, userId, isBuy, amount, priceUsd } of others) {
    if (at < first.at) continue;
    if (userId === first.userId) {
      if (isBuy) bought += amount;
      held += isBuy ? amount : -amount;
    }
    // A swap at that price proves that it was reached, even if it is the follower's own exit.
    const heldThen = userId === first.userId && !isBuy ? held + amount : held;
    if (priceUsd <= FALLEN * first.priceUsd && heldThen > REST_SHARE * bought) return true;
    if (held <= REST_SHARE * bought) return false;
  }
  return false;
}

/** Bought before anyone could have seen the pool. */
function countLaunch(count: RiskCount, { moves, isWhole, launchUntil }: RiskPosition): void {
  const first = moves.find(({ kind }) => kind === "buy");
  if (!isWhole || launchUntil === null || !first) return;
  tally(count, first.at < launchUntil, first.txHash);
}

function countWins(count: RiskCount, { moves, isWhole, isClosed, followerUsd }: RiskPosition): void {
  if (!isWhole || !isClosed || followerUsd === null) return;
  let net = 0;
  for (const { kind, usd, feeUsd } of moves) {
    // Tokens received or sent are not trades that could be copied.
    if ((kind !== "buy" && kind !== "sell") || usd === null) return;
    net += (kind === "buy" ? -usd : usd) - (feeUsd ?? 0);
  }
  tally(count, net > 0 && followerUsd < 0, moves.at(-1)?.txHash ?? null);
}

/** The pooled rate over all of them; null for a count without any samples. */
export function pooledRates(all: readonly RiskCounts[]): Record<RiskName, number | null> {
  const rate = (name: RiskName) => {
    const n = all.reduce((sum, counts) => sum + counts[name].n, 0);
    return n === 0 ? null : all.reduce((sum, counts) => sum + counts[name].x, 0) / n;
  };
  return Object.fromEntries(RISK_COUNTS.map((name) => [name, rate(name)])) as Record<RiskName, number | null>;
}

export interface RiskRate {
  rate: number | null;
  low90: number | null;
  high90: number | null;
}

/** Wilson's interval: it stays between 0 and 1, even for small samples. */
export function rateOf({ x, n, sample }: RiskCount): RiskRate {
  if (n === 0) return { rate: null, low90: null, high90: null };
  const rate = x / n;
  const square = Z90 ** 2 / sample;
  const middle = (rate + square / 2) / (1 + square);
  const reach = Math.sqrt(rate * (1 - rate) * square + square ** 2 / 4) / (1 + square);
  return { rate, low90: Math.max(0, middle - reach), high90: Math.min(1, middle + reach) };
}
