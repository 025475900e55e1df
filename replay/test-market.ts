// An invented market for the replay's tests and its benchmark: pools that wander, a leader who trades in them and moves
// them, and everybody else.
import { type Random, seededRandom } from "../kit/random.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../kit/units.ts";
import type { LeaderMove, LeaderPosition } from "./leader.ts";
import { type Tick, tapeOf } from "./tape.ts";
import { type ExitRules, NO_FILTERS, NO_RULES, type ReplayTerms } from "./terms.ts";

export const MARKET_FROM = Date.UTC(2026, 2, 1);
const CHAINS = [1399811149, 1, 8453, 56, 4663];

export interface MarketOptions {
  tokens: number;
  /** Round trips in each. */
  trips: number;
  days: number;
  tickEveryMs: number;
  /** Against a pool: how much of it the leader moves. */
  leaderUsd: number;
  poolFeeBps: number;
}

const SMALL_MARKET: MarketOptions = {
  tokens: 6,
  trips: 3,
  days: 3,
  tickEveryMs: 20 * SECOND_MS,
  leaderUsd: 300,
  poolFeeBps: 30,
};

export const STANDARD_TERMS: ReplayTerms = {
  from: MARKET_FROM,
  to: MARKET_FROM + SMALL_MARKET.days * DAY_MS,
  capitalUsd: 1_000,
  size: { mode: "fixed", value: 100, minUsd: null, maxUsd: null },
  delayMs: 5 * SECOND_MS,
  exit: "mirror",
  rules: NO_RULES,
  filters: NO_FILTERS,
  costs: { networkFeeUsd: null, botFeeBps: 100 },
  copyOpen: false,
};

export function inventMarket(seed: number, options: Partial<MarketOptions> = {}): LeaderPosition[] {
  const all = { ...SMALL_MARKET, ...options };
  const random = seededRandom(seed, "replay market");
  return Array.from({ length: all.tokens }, (_, token) => inventPosition(random, token, all));
}

function inventPosition(random: Random, token: number, options: MarketOptions): LeaderPosition {
  const { days, trips, tickEveryMs, leaderUsd, poolFeeBps } = options;
  const spanMs = days * DAY_MS - HOUR_MS;
  const times = Array.from({ length: 3 * trips }, () =>
    Math.floor(MARKET_FROM + random.next() * spanMs),
  ).sort((a, b) => a - b);
  const ticks: Tick[] = [];
  const moves: LeaderMove[] = [];
  let price = 0.01 + random.next();
  const depthUsd = 5_000 + 50_000 * random.next();
  let held = 0;
  let next = 0;
  for (let at = MARKET_FROM; at < MARKET_FROM + days * DAY_MS; at += tickEveryMs * (0.5 + random.next())) {
    price *= Math.exp(0.004 * random.normal());
    while (next < times.length && (times[next] as number) <= at) {
      const step = next++ % 3;
      const usd = leaderUsd * (0.5 + random.next());
      const amount =
        step === 0
          ? usd / (price * (1 + usd / depthUsd))
          : step === 1
            ? held * (0.2 + 0.6 * random.next())
            : held;
      const value = amount * price;
      const dollars = step === 0 ? usd : value / (1 + value / depthUsd);
      held = step === 0 ? held + amount : step === 1 ? held - amount : 0;
      price *= step === 0 ? (1 + usd / depthUsd) ** 2 : (1 + value / depthUsd) ** -2;
      moves.push({
        at: Math.floor(at),
        kind: step === 0 ? "buy" : "sell",
        amount,
        usd: dollars,
        networkFeeUsd: 0.05 * random.next(),
        txHash: null,
      });
    }
    ticks.push({ at: Math.floor(at), priceUsd: price, depthUsd, feeBps: poolFeeBps });
  }
  return {
    token: `token ${token}`,
    networkId: CHAINS[token % CHAINS.length] as number,
    tape: tapeOf(ticks),
    openingAmount: 0,
    moves,
  };
}

/** Any terms at all, by a seed. */
export function inventTerms(seed: number): ReplayTerms {
  const random = seededRandom(seed, "replay terms");
  const maybe = <T>(value: () => T): T | null => (random.chance(0.3) ? value() : null);
  const mode = random.pick(["fixed", "share", "equity"] as const);
  const rules: ExitRules = {
    stopLossPct: maybe(() => 1 + 40 * random.next()),
    takeProfitPct: maybe(() => 1 + 80 * random.next()),
    trailingPct: maybe(() => 1 + 40 * random.next()),
    maxHoldMs: maybe(() => HOUR_MS * (0.1 + 10 * random.next())),
  };
  return {
    ...STANDARD_TERMS,
    capitalUsd: random.pick([100, 1_000, 50_000]),
    size: {
      mode,
      value: 1 + random.next() * (mode === "fixed" ? 2_000 : 50),
      minUsd: maybe(() => 20 * random.next()),
      maxUsd: maybe(() => 100 + 500 * random.next()),
    },
    delayMs: Math.floor(random.pick([0, 2, 5, 60, 900]) * SECOND_MS * random.next()),
    exit: random.pick(["mirror", "firstSell", "rules"] as const),
    rules,
    filters: {
      networkIds: maybe(() => CHAINS.slice(0, 3)),
      minLeaderUsd: maybe(() => 200),
      maxLeaderUsd: maybe(() => 400),
      firstBuyOnly: random.chance(0.2),
      minDepthUsd: maybe(() => 20_000),
      maxMovePct: maybe(() => 2),
      maxOpen: maybe(() => 1 + random.below(4)),
    },
    costs: { networkFeeUsd: maybe(() => random.next()), botFeeBps: random.below(200) },
    copyOpen: random.chance(0.3),
  };
}
